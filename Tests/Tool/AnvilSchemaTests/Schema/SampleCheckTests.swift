import AnvilJSON
import Testing

@testable import AnvilSchema

@Suite struct SampleCheckTests {
  private func faults(_ document: String, samples: String...) throws -> [String] {
    let check = SampleCheck(samples: try samples.map { try JSON(parsing: $0) })
    return check.check(try JSON(parsing: document)).faults.map(\.line)
  }

  private static let departures: [(sample: String, document: String, expected: [String])] = [
    (#"{"id":1,"name":"a"}"#, #"{"id":2.5,"name":""}"#, []),
    (#"{"id":1,"name":"a"}"#, #"{"name":"b"}"#, ["sample.missing-key at  without id: a number"]),
    (#"{"id":1}"#, #"{"id":"1"}"#, ["sample.type at /id: a number"]),
    (#"{"id":1}"#, #"{"id":null}"#, ["sample.null at /id: a number"]),
    (#"{"id":null}"#, #"{"id":{"a":1}}"#, []),
    (#"{"id":1}"#, #"{"new":[],"id":1}"#, [#"sample.unknown-key at /new: no key "new""#]),
    ("{}", #"{"a":1}"#, []),
    ("[]", "[1]", []),
    (
      #"[{"a":1},{"a":"x","b":true}]"#, #"[{"a":2},{"b":true},{"a":false}]"#,
      ["sample.missing-key at /1 without a: a string or a number", "sample.type at /2/a: a string or a number"]
    ),
    (
      #"{"at":"2026-02-03T04:05:06Z"}"#, #"{"at":"yesterday"}"#,
      ["sample.format at /at: a date and time such as 2026-02-03T04:05:06Z"]
    ),
    (#"{"u":"https://example.com/"}"#, #"{"u":""}"#, ["sample.format at /u: a URI with a scheme"]),
    (#"["2026-02-03","soon"]"#, #"["later"]"#, []),
    (
      #"{"17":{"a":1},"23":{"a":2,"b":3}}"#, #"{"99":{"a":"x"},"5":{"b":1}}"#,
      ["sample.type at /99/a: a number", "sample.missing-key at /5 without a: a number"]
    ),
    (#"{"1":1,"2":"a"}"#, #"{"1":1}"#, ["sample.missing-key at  without 2: a string"]),
    ("[1]", "{}", ["sample.type at : an array"]),
    (#"{"1":{"a":1},"2":{"b":1}}"#, #"{"3":{"a":2}}"#, []),
    (#"{"2026-02-03T04:05:06Z":1}"#, #"{"2026-02-04T00:00:00Z":2}"#, []),
    (#"["2026-02-03"]"#, #"["2026-02-30"]"#, ["sample.format at /0: a date such as 2026-02-03"]),
    ("[1, 2.5]", #"[true, "a"]"#, ["sample.type at /0: a number", "sample.type at /1: a number"]),
    (
      #"{"menu.open":"Open","menu.close":"Close","menu.save":"Save"}"#, #"{"menu.open":"","menu.save":""}"#,
      ["sample.missing-key at  without menu.close: a string"]
    ),
  ]

  @Test(arguments: departures)
  func differencesFromTheSampleAreReported(sample: String, document: String, expected: [String]) throws {
    #expect(try faults(document, samples: sample) == expected)
  }

  @Test func severalSamplesAllowEveryValueThatOneOfThemHas() throws {
    let samples = [#"{"id":1,"a":null,"b":1}"#, #"{"id":2,"a":"x"}"#]
    #expect(try faults(#"{"id":1,"a":null}"#, samples: samples[0], samples[1]) == [])
    #expect(
      try faults(#"{"id":1}"#, samples: samples[0], samples[1]) == [
        "sample.missing-key at  without a: a string or null"
      ])
    #expect(
      try faults(#"{"id":1,"a":1,"b":""}"#, samples: samples[0], samples[1]) == [
        "sample.type at /a: a string or null", "sample.type at /b: a number",
      ])
  }

  @Test func unknownKeysAreReportedAsNotes() throws {
    let findings = SampleCheck(samples: [["a": 1]]).check(["a": 1, "b": 2])
    #expect(findings.faults.map(\.isNote) == [true])
    #expect(findings.isMatch)
    #expect(!SampleCheck(samples: [["a": 1]]).check(["b": 2]).isMatch)
  }

  @Test func checkWithoutSamplesReportsNothing() {
    #expect(SampleCheck(samples: []).check(["a": 1]).faults.isEmpty)
  }

  @Test func allKeysOfALargeTableAreExpected() {
    let table = Dictionary(uniqueKeysWithValues: (0..<1500).map { ("text\($0)", JSON("a")) })
    var other = table
    other["text7"] = nil
    let findings = SampleCheck(samples: [JSON(table)]).check(JSON(other))
    #expect(findings.faults.map(\.line) == ["sample.missing-key at  without text7: a string"])
  }

  /// Source: RFC 8259 §8.3.
  @Test func canonicallyEquivalentKeysAreDifferent() throws {
    let samples = ["{\"\u{E9}\":1}", "{\"e\u{301}\":\"a\"}"]
    for sample in samples { #expect(try faults(sample, samples: samples[0], samples[1]) == []) }
    #expect(try faults(samples[1], samples: samples[0]).contains { $0.hasPrefix("sample.missing-key") })
  }

  @Test func samplesAreReadToADepthOf128Containers() throws {
    func nested(_ depth: Int, _ value: String) throws -> JSON {
      try JSON(parsing: String(repeating: "[", count: depth) + value + String(repeating: "]", count: depth))
    }
    let check = SampleCheck(samples: [try nested(128, "1"), try nested(129, "1")])
    #expect(check.check(try nested(128, "true")).faults.count == 1)
    #expect(check.check(try nested(129, "true")).isMatch)
  }

  @Test func checkStopsAtItsLimits() throws {
    let check = SampleCheck(samples: [["a"]])
    let many = check.check(JSON((0..<9).map { JSON($0) }), limits: CheckLimits(faults: 3))
    #expect(many.faults.count == 3 && many.hasMore)
    #expect(check.check(["a", "b", "c"], limits: CheckLimits(work: 2)).interruption == .work(limit: 2))
    let deep = try JSON(parsing: String(repeating: "[", count: 400) + String(repeating: "]", count: 400))
    #expect(!SampleCheck(samples: [deep]).check(deep).hasMore)
  }

  private static let schemas: [(text: String, isSchema: Bool)] = [
    (#"{"$schema":"https://json-schema.org/draft/2020-12/schema"}"#, true),
    (#"{"$schema":"https://example.com/settings.json","name":"a"}"#, false),
    (#"{"type":"object","properties":{"a":{}}}"#, true),
    (#"{"type":"object","id":1}"#, false),
    (#"{"type":"string"}"#, true),
    (#"{"type":"array","items":[{"id":1}]}"#, false),
    (#"{"type":"array","items":{"type":"string"}}"#, true),
    (##"{"$ref":"#/$defs/a","$defs":{"a":true}}"##, true),
    (#"{"properties":{"a":{"type":"string"}}}"#, true),
    (#"{"properties":{"color":"red"}}"#, false),
    (#"{"anyOf":[{"type":"null"},{"const":1}]}"#, true),
    (#"{"type":"Feature","properties":{"name":"a"}}"#, false),
    ("{}", false), ("[]", false), ("true", false), (#"{"id":1,"type":"user"}"#, false),
  ]

  @Test(arguments: schemas)
  func schemasAreDistinguishedFromSamples(text: String, isSchema: Bool) throws {
    #expect(JSONSchema.isSchema(try JSON(parsing: text)) == isSchema)
  }
}

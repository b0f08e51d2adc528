import AnvilJSON
import Testing

@testable import AnvilSchema

@Suite(.timeLimit(.minutes(15))) struct SchemaCompilingTests {
  private static let malformed: [(text: String, reason: String)] = [
    (#"{"properties":{"a":{"type":"text"}}}"#, #"at "/properties/a/type": not a valid type name"#),
    (#"{"properties":{"a":{"type":[]}}}"#, #"at "/properties/a/type": an array without a type name"#),
    (#"[]"#, #"at "": neither an object nor true or false"#),
    (#"{"items":3}"#, #"at "/items": neither an object nor true or false"#),
    (#"{"minLength":-1}"#, #"at "/minLength": not a non-negative integer"#),
    (#"{"minimum":"1"}"#, #"at "/minimum": not a number"#),
    (#"{"multipleOf":0}"#, #"at "/multipleOf": not a number above 0"#),
    (#"{"multipleOf":1.2345678901234567891}"#, #"at "/multipleOf": a number of more than 18 digits"#),
    (#"{"required":[1]}"#, #"at "/required": not an array of strings"#),
    (#"{"anyOf":[]}"#, #"at "/anyOf": an empty array"#),
    (#"{"enum":1}"#, #"at "/enum": not an array"#),
    (#"{"pattern":"a("}"#, #"at "/pattern": a regular expression with an unmatched ("#),
    (#"{"pattern":"\\Z"}"#, #"at "/pattern": a regular expression with \Z, which ECMAScript does not have"#),
    (
      #"{"patternProperties":{"(?<=a)b":{}}}"#,
      #"at "/patternProperties/(?<=a)b": a regular expression with look-behind, which is not supported"#
    ),
    (##"{"$ref":"#/$defs/a"}"##, ##"at "/$ref": a reference that cannot be resolved: "#/$defs/a""##),
    (##"{"$ref":"#a"}"##, ##"at "/$ref": a reference that cannot be resolved: "#a""##),
    (
      #"{"$ref":"http://example.com/s"}"#,
      #"at "/$ref": a reference to another document, which is not supported: "http://example.com/s""#
    ),
    (
      ##"{"$schema":"http://json-schema.org/draft-04/schema#"}"##,
      ##"at "/$schema": a draft that is not supported: "http://json-schema.org/draft-04/schema#""##
    ),
    (##"{"$ref":"#"}"##, #"at "": a schema that applies itself to the same value in an endless loop"#),
    (
      ##"{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"if":{},"then":{"$ref":"#/$defs/a"}}}}"##,
      #"at "/$defs/a": a schema that applies itself to the same value in an endless loop"#
    ),
    (
      #"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#,
      #"at "/$defs/b/$anchor": another schema has the same name: "x""#
    ),
    (
      #"{"$defs":{"a":{"$id":"http://example.com/c"},"b":{"$id":"http://example.com/c"}}}"#,
      #"at "/$defs/b/$id": another schema has the same address: "http://example.com/c""#
    ),
  ]

  @Test(arguments: malformed)
  func invalidSchemasThrowWithTheirLocation(text: String, reason: String) throws {
    let json = try JSON(parsing: text)
    let error = #expect(throws: JSONSchema.Malformed.self) { try JSONSchema(compiling: json) }
    #expect(error?.description == "the schema is invalid " + reason)
  }

  @Test func unsupportedKeywordsAreNoted() throws {
    let schema = try JSONSchema(
      compiling: JSON(
        parsing: #"""
          {"$schema": "https://example.com/dialect", "title": "A", "x-own": 1, "properties": {
            "a": {"format": "duration", "contentMediaType": "text/plain"}, "b": {"format": "duration", "minlength": 2}}}
          """#))
    #expect(
      schema.notes.map(\.description) == [
        #"not checked: $schema "https://example.com/dialect" at """#,
        #"not checked: format "duration" at "/properties/a""#, #"not checked: contentMediaType at "/properties/a""#,
        #"not checked: minlength at "/properties/b""#,
      ])
  }

  private static let references: [String] = [
    ##"{"$ref":"#/$defs/a%22~1b","$defs":{"a\"/b":{"type":"null"}}}"##,
    ##"{"$ref":"#n","$defs":{"a":{"$anchor":"n","type":"null"}}}"##,
    #"{"$id":"http://example.com/a/b","$ref":"../c","$defs":{"a":{"$id":"http://example.com/c","type":"null"}}}"#,
    #"{"$id":"http://example.com/c","$ref":"a%20b/x","$defs":{"a":{"$id":"http://example.com/a b/x","type":"null"}}}"#,
    #"{"$id":"http://example.com/a/b","$ref":"/c","$defs":{"a":{"$id":"http://example.com/c","type":"null"}}}"#,
    #"{"$id":"http://example.com/a/b","$ref":"//b.org/c","$defs":{"a":{"$id":"http://b.org/c","type":"null"}}}"#,
    ##"{"$schema":"http://json-schema.org/draft-07/schema","$ref":"#n","definitions":{"":{"$id":"#n","type":"null"}}}"##,
    #"{"$schema":"http://json-schema.org/draft-07/schema","$id":"http://e.com/a","allOf":[{"$ref":"b"}],"definitions":{"x":{"$id":"b","type":"null"}}}"#,
    ##"{"$ref":"#/own/0","own":[{"type":"null"}]}"##,
    ##"{"$dynamicRef":"#n","$defs":{"a":{"$dynamicAnchor":"n","type":"null"}}}"##,
  ]

  @Test(arguments: references)
  func referencesWithinTheDocumentAreFollowed(text: String) throws {
    let schema = try JSONSchema(compiling: JSON(parsing: text))
    #expect(schema.check(nil).isMatch)
    #expect(schema.check(1).faults.map(\.line) == ["schema.type at : null"])
  }

  @Test func recursiveSchemasAreFollowedIntoTheValue() throws {
    let schema = try JSONSchema(
      compiling: JSON(
        parsing: ##"{"properties": {"next": {"$ref": "#"}, "id": {"type": "integer"}}, "required": ["id"]}"##))
    let findings = schema.check(try JSON(parsing: #"{"id": 1, "next": {"id": 2, "next": {"next": {"id": "3"}}}}"#))
    #expect(
      findings.faults.map(\.line) == [
        "schema.required at /next/next without id: an integer", "schema.type at /next/next/next/id: an integer",
      ])
  }

  @Test func checkStopsAtItsLimits() throws {
    let items = try JSONSchema(compiling: JSON(parsing: #"{"items": {"type": "null"}}"#))
    let many = items.check(JSON((0..<200).map { JSON($0) }), limits: CheckLimits(faults: 3))
    #expect(many.faults.count == 3)
    #expect(many.hasMore && !many.isMatch && many.interruption == nil)
    #expect(!items.check(JSON((0..<3).map { JSON($0) }), limits: CheckLimits(faults: 3)).hasMore)

    let linked = try JSONSchema(compiling: JSON(parsing: ##"{"additionalProperties": {"$ref": "#"}}"##))
    let nested = try JSON(parsing: String(repeating: #"{"a":"#, count: 400) + "1" + String(repeating: "}", count: 400))
    #expect(linked.check(nested).interruption == .depth(limit: 200))
  }

  /// Two alternatives at each of sixty places.
  @Test func exponentialSchemasReachTheWorkLimit() throws {
    let names = (0..<60).map { number in
      let next = ##"{"$ref": "#/$defs/a\##(number + 1)"}"##
      return #""a\#(number)": {"anyOf": [\#(next), \#(next)]}"#
    }
    let text = ##"{"$ref": "#/$defs/a0", "$defs": {\##(names.joined(separator: ", ")), "a60": {"type": "string"}}}"##
    let findings = try JSONSchema(compiling: JSON(parsing: text)).check(1, limits: CheckLimits(work: 10_000))
    #expect(findings.interruption == .work(limit: 10_000))
    #expect(findings.interruption?.description == "the check was stopped after 10000 steps")
    #expect(!findings.isMatch)
  }

  /// Numbers out of the range of doubles have different hashes.
  @Test func chosenElementsAreComparedInLinearTime() throws {
    let schema = try JSONSchema(compiling: JSON(parsing: #"{"uniqueItems": true}"#))
    let elements = (0..<2000).map { "1e\(400 + $0)" }.joined(separator: ",")
    #expect(schema.check(try JSON(parsing: "[\(elements)]"), limits: CheckLimits(work: 10_000)).isMatch)
    let findings = schema.check(try JSON(parsing: "[\(elements),10e399]"), limits: CheckLimits(work: 10_000))
    #expect(!findings.isMatch && findings.interruption == nil)
  }

  @Test func extremeNumbersDoNotTrap() throws {
    let numbers = [
      "1e999999999999999999999", "-1e-99999999999999999999", "0e99999999999999999999", "1E+400", "0.00e-5",
    ]
    var checked = 0
    for bound in numbers {
      let texts = [
        #"{"minimum": \#(bound), "type": "integer"}"#, #"{"maxLength": \#(bound)}"#, #"{"multipleOf": \#(bound)}"#,
      ]
      for text in texts {
        guard let schema = try? JSONSchema(compiling: JSON(parsing: text)) else { continue }
        for number in numbers { #expect(schema.check(try JSON(parsing: number)).interruption == nil) }
        checked += 1
      }
    }
    #expect(checked >= numbers.count)
    let infinite = try JSON(parsing: "[Infinity, NaN]", options: JSON.ParsingOptions(syntax: .json5))
    let schema = try JSONSchema(compiling: JSON(parsing: #"{"items": {"minimum": 1, "multipleOf": 2}}"#))
    #expect(schema.check(infinite).faults.count == 4)
  }
}

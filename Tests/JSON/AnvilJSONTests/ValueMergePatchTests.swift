import Testing

@testable import AnvilJSON

@Suite struct ValueMergePatchTests {
  /// RFC 7396 appendix A and the example of §3.
  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    (
      #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}"#,
      #"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#,
      #"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"#
    ),
    // Nulls in arrays are kept. The first of repeated keys is used.
    ("{}", #"{"a":[{"b":null}]}"#, #"{"a":[{"b":null}]}"#), (#"{"a":1,"a":2}"#, #"{"a":null}"#, "{}"),
    (#"{"a":1}"#, #"{"a":2,"a":null}"#, #"{"a":2}"#), (#"{"a":1,"b":1}"#, #"{"a":null,"a":5}"#, #"{"b":1}"#),
    (#"{"é":1}"#, #"{"e\#u{301}":2}"#, #"{"é":1,"e\#u{301}":2}"#), ("1", "{}", "{}"),
    (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#),
  ])
  func examplesOfTheRFCAreReproduced(text: String, patch: String, expected: String) throws {
    let result = try JSON(parsing: text).applying(mergePatch: JSON(parsing: patch))
    #expect(result.description == expected)
    #expect(result.index == 0)
  }

  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":1}"#, #"{"a":1}"#, "{}"),
    (#"{"a":1}"#, "{}", #"{"a":null}"#),
    ("{}", #"{"a":1}"#, #"{"a":1}"#), (#"{"a":[1,2]}"#, #"{"a":[1,3]}"#, #"{"a":[1,3]}"#),
    (#"{"a":{"b":1,"c":{"d":1}},"e":1}"#, #"{"e":2,"a":{"b":1,"c":{"d":1}}}"#, #"{"e":2}"#),
    (#"{"a":{"b":1,"c":{"d":1,"x":0}}}"#, #"{"a":{"b":1,"c":{"d":2}}}"#, #"{"a":{"c":{"x":null,"d":2}}}"#),
    (#"{"a":1}"#, #"{"a":{}}"#, #"{"a":{}}"#), (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#),
    (#"{"a":{"b":1}}"#, #"{"a":2}"#, #"{"a":2}"#), ("[1]", "[1,2]", "[1,2]"), (#"{"a":1}"#, "null", "null"),
    ("1", #"{"a":1}"#, #"{"a":1}"#),
    // A null is equivalent to a missing member.
    (#"{"a":null}"#, "{}", "{}"), ("{}", #"{"a":null}"#, "{}"), (#"{"a":1}"#, #"{"a":null}"#, #"{"a":null}"#),
    // Numbers are compared by value and keys by their scalars. The first of repeated keys is used.
    (#"{"a":1.0}"#, #"{"a":1}"#, "{}"), (#"{"é":1}"#, #"{"e\#u{301}":1}"#, #"{"é":null,"e\#u{301}":1}"#),
    (#"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#, "{}"), (#"{"a":null,"a":2}"#, "{}", "{}"),
  ])
  func theDifferenceOfTwoValuesIsAMergePatch(old: String, new: String, expected: String) throws {
    let patch = try JSON.mergePatch(from: JSON(parsing: old), to: JSON(parsing: new))
    #expect(patch.description == expected)
  }

  @Test func applyingTheDifferenceGivesTheNewValue() throws {
    func withoutNulls(_ json: JSON) -> JSON {
      guard json.kind == .object else { return json }
      var seen: Set<ScalarKey> = []
      return JSON(
        json.members.filter { seen.insert(ScalarKey($0.key)).inserted && !$0.value.isNull }
          .map { ($0.key, withoutNulls($0.value)) })
    }
    var generator = ValueGenerator(seed: 29)
    for _ in 0..<600 {
      let (old, other) = (try generator.value(), try generator.value())
      for new in [other, try old.applying(mergePatch: other)] {
        let patch = try JSON.mergePatch(from: old, to: new)
        #expect(withoutNulls(try old.applying(mergePatch: patch)) == withoutNulls(new), "\(old) \(new)")
      }
    }
  }

  @Test func nestedValuesAreCompared() throws {
    var (old, new): (JSON, JSON) = (1, 2)
    for _ in 0..<2_000 { (old, new) = (["a": old], ["a": new]) }
    #expect(try old.applying(mergePatch: JSON.mergePatch(from: old, to: new)) == new)
    #expect(try JSON.mergePatch(from: old, to: old).description == "{}")
  }

  /// The RFC's own recursive definition, on dictionaries.
  @Test func resultsAgreeWithTheDefinitionInTheRFC() throws {
    func merge(_ target: JSON?, _ patch: JSON) -> JSON {
      guard patch.kind == .object else { return patch }
      var members = target?.kind == .object ? first(target ?? nil) : []
      for (key, value) in first(patch) {
        let position = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        if value.isNull {
          if let position { members.remove(at: position) }
        } else if let position {
          members[position].value = merge(members[position].value, value)
        } else {
          members.append((key, merge(nil, value)))
        }
      }
      return JSON(members)
    }
    func first(_ json: JSON) -> [(key: String, value: JSON)] {
      json.members.filter { json[$0.key]?.index == $0.value.index }
    }
    var generator = ValueGenerator(seed: 13)
    for _ in 0..<600 {
      let (target, patch) = (try generator.value(), try generator.value())
      #expect(try target.applying(mergePatch: patch) == merge(target, patch), "\(target) \(patch)")
    }
  }
}

import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private enum Standard: DefaultValueSource {
  static var defaultValue: Priority { .standard }
}

private enum No: DefaultValueSource {
  static var defaultValue: Bool { false }
}

private enum Yes: DefaultValueSource {
  static var defaultValue: Bool { true }
}

private enum Zero<Value: ExpressibleByIntegerLiteral & Decodable>: DefaultValueSource {
  static var defaultValue: Value { 0 }
}

private enum One: DefaultValueSource {
  static var defaultValue: Double { 1 }
}

private enum NoText: DefaultValueSource {
  static var defaultValue: String { "" }
}

private enum Empty<Value: ExpressibleByArrayLiteral & Decodable>: DefaultValueSource {
  static var defaultValue: Value { [] }
}

private enum NoMembers<Value: ExpressibleByDictionaryLiteral & Decodable>: DefaultValueSource {
  static var defaultValue: Value { [:] }
}

private enum Priority: String, Codable { case low, standard }

private struct Profile: Codable, Hashable {
  @DefaultValue<No> var isAdmin: Bool
  @DefaultValue<Yes> var isVisible: Bool
  @DefaultValue<Zero<Int>> var count: Int
  @DefaultValue<One> var scale: Double
  @DefaultValue<NoText> var name: String
  @DefaultValue<Empty<[String]>> var tags: [String]
  @DefaultValue<Empty<Set<Int>>> var groups: Set<Int>
  @DefaultValue<NoMembers<[String: String]>> var links: [String: String]
  @DefaultValue<Standard> var priority: Priority

  static let empty = Profile(
    isAdmin: false, isVisible: true, count: 0, scale: 1, name: "", tags: [], groups: [], links: [:],
    priority: .standard)
}

private struct Combined: Codable, Equatable {
  @DefaultValue<Empty<LossyArray<Int>>> @LossyArray var users: [Int]
  @DefaultValue<NoMembers<LossyDictionary<String, Int>>> @LossyDictionary var scores: [String: Int]
  @DefaultValue<Zero<NumberOrString<Int>>> @NumberOrString var count: Int
}

@Suite struct DefaultValueTests {
  @Test(arguments: AnyDecoder.allCases) func missingKeysGetTheirDefault(_ decoder: AnyDecoder) throws {
    let (profile, report) = try decoder.decode(Profile.self, "{}")
    #expect(profile == .empty)
    #expect(
      report.description == """
        lossy.default-value at isAdmin: missing
        lossy.default-value at isVisible: missing
        lossy.default-value at count: missing
        lossy.default-value at scale: missing
        lossy.default-value at name: missing
        lossy.default-value at tags: missing
        lossy.default-value at groups: missing
        lossy.default-value at links: missing
        lossy.default-value at priority: missing
        """)
    #expect(report.detailedDescription == report.description)
  }

  @Test(arguments: AnyDecoder.withNull) func nullGetsTheDefault(_ decoder: AnyDecoder) throws {
    let (profiles, report) = try decoder.decode(
      [Profile].self,
      #"""
      [{"isAdmin": true, "isVisible": null, "count": null, "scale": 2, "name": "a", "tags": ["b"], "groups": [1],
        "links": {"c": "d"}, "priority": null}]
      """#)
    #expect(
      profiles == [
        Profile(
          isAdmin: true, isVisible: true, count: 0, scale: 2, name: "a", tags: ["b"], groups: [1], links: ["c": "d"],
          priority: .standard)
      ])
    #expect(
      report.description == """
        lossy.default-value at [0].isVisible: null
        lossy.default-value at [0].count: null
        lossy.default-value at [0].priority: null
        """)
    #expect(try decoder.decodeSilently([Profile].self, "[{}]") == [.empty])
  }

  @Test(arguments: AnyDecoder.allCases) func anotherTypeIsAnError(_ decoder: AnyDecoder) throws {
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Profile.self, #"{"isAdmin": "yes"}"#) }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["isAdmin"])
    #expect(throws: DecodingError.self) { try decoder.decode(Profile.self, #"{"priority": "urgent"}"#) }
  }

  @Test(arguments: AnyDecoder.allCases) func defaultsCombineWithOtherLenientTypes(_ decoder: AnyDecoder) throws {
    let (empty, defaults) = try decoder.decode(Combined.self, "{}")
    #expect(empty == Combined(users: [], scores: [:], count: 0))
    #expect(
      defaults.description == """
        lossy.default-value at users: missing
        lossy.default-value at scores: missing
        lossy.default-value at count: missing
        """)
    let (full, report) = try decoder.decode(
      Combined.self, #"{"users": [1, "x"], "scores": {"a": 1, "b": []}, "count": "12"}"#)
    #expect(full == Combined(users: [1], scores: ["a": 1], count: 12))
    #expect(
      report.description == """
        lossy.skipped-element at users[1]: expected Int
        lossy.skipped-member at scores.b: expected Int
        lossy.number-from-string at count: Int
        """)
  }

  @Test(arguments: AnyDecoder.withNull) func elementsThatAreNullGetTheDefault(_ decoder: AnyDecoder) throws {
    let (flags, report) = try decoder.decode([DefaultValue<Yes>].self, "[false, null]")
    #expect(flags.map(\.wrappedValue) == [false, true])
    #expect(report.description == "lossy.default-value at [1]: null")
  }

  @Test(arguments: AnyDecoder.withNull) func defaultsOfSkippedElementsAreNotReported(
    _ decoder: AnyDecoder
  ) throws {
    struct Item: Decodable {
      @DefaultValue<Zero<Int>> var count: Int
      var name: String
    }
    let (items, report) = try decoder.decode(LossyArray<Item>.self, #"[{}, {"name": "a"}, {"name": 1}]"#)
    #expect(items.wrappedValue.map(\.name) == ["a"])
    #expect(
      report.description == """
        lossy.skipped-element at [0]: missing name
        lossy.default-value at [1].count: missing
        lossy.skipped-element at [2]: expected String at [2].name
        """)
  }

  @Test func reportedPathsHaveConvertedKeys() throws {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let (_, report) = try decoder.decodeReporting(
      [Profile].self,
      from: Data(
        #"""
        [{"is_admin": null, "is_visible": true, "count": 1, "scale": 1, "name": "", "tags": [], "groups": [], "links": {},
          "priority": "low"}]
        """#.utf8))
    #expect(report.description == "lossy.default-value at [0].isAdmin: null")
  }

  @Test func encodesAsTheValue() throws {
    let combined = Combined(users: [1], scores: ["a": 1], count: 2)
    let data = try JSON.Encoder().encode(combined)
    #expect(String(decoding: data, as: UTF8.self) == #"{"users":[1],"scores":{"a":1},"count":2}"#)
    #expect(try JSON.Decoder().decode(Combined.self, from: data) == combined)
    #expect(try PropertyListDecoder().decode(Profile.self, from: PropertyListEncoder().encode(Profile.empty)) == .empty)
  }

  @Test func aDefaultIsMapped() throws {
    let flags: [DefaultValue<No>] = try JSON(parsing: #"{"flags": [true, null]}"#) => "flags"
    #expect(flags.map(\.wrappedValue) == [true, false])
    #expect(throws: (any Error).self) { try DefaultValue<No>.decode("x") }
  }
}

import AnvilCodable
import AnvilDiagnosis
import Foundation
import Testing

/// Models that are decoded from documents that are still coming.
@Suite struct PartialModelTests {
  enum Kind: String, Codable, JSONDecodable { case bug, feature }

  @JSONCodable
  struct Person: Equatable { var name: String, age: Int }

  @JSONCodable
  struct Draft: Equatable {
    var due: Date?
    var kind: Kind?
    var id: UUID?
    var link: URL?
    var data: Data?
    var day: JSON.Day?
    var price: Decimal?
    var title: String?
    var owner: Person?
    var kinds: [Kind]?
    var people: [Person]?
    var byName: [String: Kind]?
    var states: Kind??
    @CodableDefault(Kind.bug) var fallback: Kind
    @CodableBy(.iso8601) var start: Date?
    @CodableBy(.text(of: Int.self)) var number: Int??
    @CodableBy(.iso8601) var dates: [Date]?
    @CodingKey("a", "b") var deep: UUID?
    var arguments: JSON?
    @CodableRest var other: [String: JSON]
  }

  /// The same members, decoded as the compiler does.
  struct PlainDraft: Codable, Equatable {
    var due: Date?
    var kind: Kind?
    var id: UUID?
    var data: Data?
    var owner: Person?
    var kinds: [Kind]?
    var kindsAndNulls: [Kind?]?
    var byName: [String: Kind]?
    var arguments: JSON?
    var count: Int?
    var isOpen: Bool?
  }

  /// A model that is mapped by hand.
  struct MappedDraft: JSONDecodable, Equatable {
    var due: Date?
    var kind: Kind?
    var deep: UUID?
    var kinds: [Kind]?

    static func decode(_ json: JSON) throws -> MappedDraft {
      try MappedDraft(
        due: json =>? "due", kind: json =>? "kind", deep: json =>? "a" =>? "b", kinds: json =>? "kinds")
    }
  }

  static let text = #"""
    {"due": "2026-01-02T03:04:05Z", "kind": "feature", "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
     "link": "https://example.com/a", "data": "AQIDBA==", "day": "2026-01-02", "price": 12.5, "title": "A \u00e4 title",
     "owner": {"name": "Ada", "age": 36}, "kinds": ["bug", "feature"],
     "people": [{"name": "Ada", "age": 36}, {"name": "Alan", "age": 41}], "byName": {"a": "bug", "b": "feature"},
     "states": "feature", "fallback": "feature", "start": "2026-01-02T03:04:05.5Z", "number": "123",
     "dates": ["2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"],
     "a": {"b": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}, "arguments": {"x": [1, "two"]}, "rest": {"y": ["z"]},
     "kindsAndNulls": [null, "bug"]}
    """#

  /// Calls `body` with the value of each prefix.
  private func forEachPrefix(of text: String, _ body: (JSON, _ prefix: String) throws -> Void) throws {
    var parser = JSON.PartialParser()
    var prefix = ""
    for character in text {
      try parser.append(String(character))
      prefix.append(character)
      if let value = parser.value { try body(value, prefix) }
    }
  }

  @Test func everyPrefixOfADocumentIsAModel() throws {
    var drafts: Set<String> = []
    try forEachPrefix(of: Self.text) { value, prefix in
      let draft = try #require(try? JSON.Decoder().decode(Draft.self, from: value), "\(prefix)")
      drafts.insert("\(draft)")
      _ = try #require(try? JSON.Decoder().decode(PlainDraft.self, from: value), "\(prefix)")
      _ = try #require(try? Draft.decode(value), "\(prefix)")
      _ = try #require(try? MappedDraft.decode(value), "\(prefix)")
    }
    #expect(drafts.count > 40)
    let whole = try JSON.Decoder().decode(Draft.self, from: JSON(parsing: Self.text))
    #expect(whole == (try JSON.read(Draft.self, from: Self.text)))
  }

  private func value(of prefix: String) throws -> JSON {
    var parser = JSON.PartialParser()
    try parser.append(prefix)
    return try #require(parser.value)
  }

  private func draft(of prefix: String) throws -> Draft {
    try JSON.Decoder().decode(Draft.self, from: value(of: prefix))
  }

  @Test func anOpenValueThatIsNotYetValidIsAbsent() throws {
    #expect(try draft(of: #"{"due": "2026-0"#).due == nil)
    #expect(try draft(of: #"{"due": "2026-01-02T03:04:05Z"#).due != nil)
    #expect(try draft(of: #"{"kind": "featur"#).kind == nil)
    #expect(try draft(of: #"{"kind": "feature"#).kind == .feature)
    #expect(try draft(of: #"{"fallback": "fe"#).fallback == .bug)
    #expect(try draft(of: #"{"states": "fe"#).states == .none)
    #expect(try draft(of: #"{"states": null"#).states == .some(nil))
    #expect(try draft(of: #"{"number": "x"#).number == .none)
    #expect(try draft(of: #"{"number": "1"#).number == 1)
    #expect(try draft(of: #"{"owner": {"name": "Ada""#).owner == nil)
    #expect(try draft(of: #"{"title": "A ti"#).title == "A ti")
  }

  @Test func anOpenElementThatIsNotYetValidIsLeftOut() throws {
    #expect(try draft(of: #"{"kinds": ["bug", "fe"#).kinds == [.bug])
    #expect(
      try draft(of: #"{"people": [{"name": "Ada", "age": 36}, {"name": "Al"#).people == [Person(name: "Ada", age: 36)])
    #expect(try draft(of: #"{"byName": {"a": "bug", "b": "fe"#).byName == ["a": .bug])
    #expect(try JSON.Decoder().decode([Kind].self, from: value(of: #"["bug", "f"#)) == [.bug])
    #expect(try [Kind].decode(value(of: #"["bug", "f"#)) == [.bug])
    #expect(try [String: Kind].decode(value(of: #"{"a": "bug", "b": "f"#)) == ["a": .bug])
    #expect(try JSON.Decoder().decode(Set<Kind>.self, from: value(of: #"["bug", "f"#)) == [.bug])
    #expect(try JSON.Decoder().decode(ContiguousArray<Kind>.self, from: value(of: #"["bug", "f"#)) == [.bug])
    #expect(try JSON.Decoder().decode(Rest.self, from: value(of: #"{"a": "bug", "b": "f"#)).kinds == ["a": .bug])
    let dates: [Date] =
      try value(of: #"["2026-01-02T03:04:05Z", "2026-0"#) => (JSON.Path(), .array(of: .date(.iso8601)))
    #expect(dates.count == 1)
  }

  @JSONCodable
  struct Rest { @CodableRest var kinds: [String: Kind] }

  struct Lenient: Codable {
    @LossyArray var kinds: [Kind]
    @LossyDictionary var byName: [String: Kind]
    @DefaultValue<Bug> var fallback: Kind
    var state: OpenEnum<Kind>?

    enum Bug: DefaultValueSource { static var defaultValue: Kind { .bug } }
  }

  /// What an open value lacks may arrive: it is lost when the value has ended.
  @Test(arguments: [
    (#"{"byName": {}, "fallback": "feature", "kinds": ["bug", "fe"#, #""]}"#),
    (#"{"kinds": ["bug"], "fallback": "feature", "byName": {"a": "bug", "b": "fe"#, #""}}"#),
    (#"{"kinds": ["bug"], "byName": {}, "fallback": "bug", "state": "fe"#, #""}"#),
    (#"{"kinds": ["bug"], "byName": {}, "fallback": nul"#, #"l}"#),
  ])
  func anOpenValueIsNotReportedAsLost(prefix: String, rest: String) throws {
    let report = DecodingReport()
    let decoder = JSON.Decoder().reporting(to: report)
    let model = try decoder.decode(
      Lenient.self, from: value(of: prefix.replacing(#", "fallback": nul"#, with: #", "fallback": "fe"#)))
    #expect(model.kinds == [.bug] || model.kinds.isEmpty)
    #expect(model.$kinds.skippedCount == 0 && model.$byName.skippedCount == 0)
    #expect(report.entries.isEmpty)
    _ = try decoder.decode(Lenient.self, from: JSON(parsing: prefix + rest))
    #expect(report.entries.count == 1)
  }

  @Test func anOpenElementIsNoProblemOfTheMapping() throws {
    var problems: [any JSONDecodingError] = []
    #expect(try [Kind].decode(value(of: #"["bug", "f"#), skippingInvalid: { problems.append($0) }) == [.bug])
    #expect(
      try [String: Kind].decode(value(of: #"{"a": "bug", "b": "f"#), skippingInvalid: { problems.append($0) })
        == ["a": .bug])
    #expect(problems.isEmpty)
  }

  @JSONCodable
  struct Schedule: Equatable {
    @CodableBy(.iso8601) var dates: [Date]?
    @CodableBy(.iso8601) var unordered: Set<Date>?
    @CodableBy(.iso8601) var byName: [String: Date]?
    @CodableBy(.iso8601) var weeks: [[Date]]?
    @CodableBy(.iso8601) var datesAndNulls: [Date?]?
    @CodableBy(.iso8601) var required: [Date]
  }

  @Test func anOpenElementThatAStrategyRejectsIsLeftOut() throws {
    let first = Date(timeIntervalSince1970: 0)
    func schedule(_ members: String) throws -> Schedule {
      try JSON.Decoder().decode(Schedule.self, from: value(of: #"{"required": [], "# + members))
    }
    let start = #""1970-01-01T00:00:00Z""#
    #expect(try schedule(#""dates": [\#(start), "1970-0"#).dates == [first])
    #expect(try schedule(#""dates": ["1970-0"#).dates == [])
    #expect(try schedule(#""unordered": [\#(start), "1970-0"#).unordered == [first])
    #expect(try schedule(#""byName": {"a": \#(start), "b": "1970-0"#).byName == ["a": first])
    #expect(try schedule(#""weeks": [[\#(start)], [\#(start), "1970-0"#).weeks == [[first], [first]])
    #expect(try schedule(#""datesAndNulls": [null, "1970-0"#).datesAndNulls == [nil])
    let required = try value(of: #"{"required": [\#(start), "1970-0"#)
    #expect(try JSON.Decoder().decode(Schedule.self, from: required).required == [first])
    #expect(try Schedule.decode(required).required == [first])
    // An element that has ended is an error, and the open property absent; when the property has ended, it is an error.
    #expect(try schedule(#""dates": ["1970-0", \#(start)"#).dates == nil)
    #expect(throws: DecodingError.self) { try schedule(#""dates": ["1970-0"]"#) }
    #expect(throws: DecodingError.self) { try schedule(#""byName": {"a": "1970-0"}"#) }
  }

  @Test(arguments: [
    #"{"due": "2026-0", "#, #"{"kind": "featur"}"#, #"{"kinds": ["bu", "#, #"{"kinds": ["bug", "fe"]"#,
    #"{"owner": {"name": "Ada"}, "#, #"{"kinds": ["x", "fe"#, #"{"number": "x", "#,
  ])
  func aClosedValueThatIsInvalidIsAnError(prefix: String) throws {
    // Not if it is in a value that is open itself.
    let isInOpen = prefix.hasPrefix(#"{"kinds""#) && !prefix.hasSuffix("]")
    if isInOpen {
      #expect(try draft(of: prefix).kinds == nil)
    } else {
      #expect(throws: (any Error).self) { try draft(of: prefix) }
    }
  }

  @Test func requiredMembersAreStillRequired() throws {
    #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(Person.self, from: value(of: #"{"name": "Ada""#))
    }
  }

  @Test func valuesInModelsAreOpen() throws {
    let draft = try draft(of: #"{"arguments": {"x": [1], "y": ["tw"#)
    let arguments = try #require(draft.arguments)
    #expect(arguments.isOpen && arguments["x"]?.isOpen == false && arguments["y"]?.isOpen == true)
    #expect(arguments["y"]?[0]?.isOpen == true && arguments.root == arguments)
    let rest = try self.draft(of: #"{"arguments": {}, "rest": {"y": ["z"#)
    #expect(rest.arguments?.isOpen == false && rest.other["rest"]?["y"]?[0]?.isOpen == true)
    let plain = try JSON.Decoder().decode([String: JSON].self, from: value(of: #"{"a": "b", "c": "d"#))
    #expect(plain["a"]?.isOpen == false && plain["c"]?.isOpen == true)
    #expect(try value(of: #"{"a": [1, {"b": "c"#)["a"]?[1]?.compactCopy()["b"]?.isOpen == true)
  }
}

import AnvilBase
import AnvilJSON
import Foundation
import Testing

/// The default `update(from:)` of values.
@Suite struct UpdateTests {
  struct Street: Codable, Equatable, DecoderUpdatable {
    var name: String
    var number: Int?
  }

  struct Address: Codable, Equatable, DecoderUpdatable {
    var street: Street
    var city: String
  }

  struct Badge: Codable, Equatable {
    var title: String
    var level: Int?
  }

  struct User: Codable, Equatable, DecoderUpdatable {
    var name = "Ada"
    var age = 36
    var nickname: String? = "Countess"
    var address = Address(street: Street(name: "Main", number: 1), city: "London")
    var second: Address?
    var badge = Badge(title: "Analyst", level: 3)
    var tags = ["a", "b"]
    var scores = ["x": 1, "y": 2]
    var big: Int128 = 170_141_183_460_469_231_731_687_303_715_884_105_727
    var bigger: UInt128 = 340_282_366_920_938_463_463_374_607_431_768_211_455

    enum CodingKeys: String, CodingKey {
      case name = "full_name"
      case age, nickname, address, second, badge, tags, scores, big, bigger
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let json: String
    let change: @Sendable (inout User) -> Void
    var testDescription: String { name }
  }

  static let home = Address(street: Street(name: "Side", number: nil), city: "Paris")

  static let cases = [
    Case(name: "nothing", json: "{}") { _ in },
    Case(name: "one key", json: #"{"full_name": "Grace"}"#) { $0.name = "Grace" },
    Case(name: "unknown keys", json: #"{"name": "Grace", "x": {"y": [1]}}"#) { _ in },
    Case(name: "nested", json: #"{"address": {"city": "Paris"}}"#) { $0.address.city = "Paris" },
    Case(name: "deeply nested", json: #"{"address": {"street": {"number": 9}}}"#) { $0.address.street.number = 9 },
    Case(name: "null clears", json: #"{"nickname": null}"#) { $0.nickname = nil },
    Case(name: "nested null clears", json: #"{"address": {"street": {"number": null}}}"#) {
      $0.address.street.number = nil
    },
    Case(name: "nil becomes a value", json: #"{"second": {"street": {"name": "Side"}, "city": "Paris"}}"#) {
      $0.second = home
    },
    Case(name: "arrays replace", json: #"{"tags": ["c"]}"#) { $0.tags = ["c"] },
    Case(name: "dictionaries replace", json: #"{"scores": {"z": 3}}"#) { $0.scores = ["z": 3] },
    Case(name: "what is not updatable is replaced", json: #"{"badge": {"title": "Poet"}}"#) {
      $0.badge = Badge(title: "Poet", level: nil)
    },
  ]

  @Test(arguments: SampleFormat.allCases, cases)
  func onlyMembersInTheInputAreChanged(format: SampleFormat, sample: Case) throws {
    var expected = User()
    sample.change(&expected)
    #expect(try format.update(User(), sample.json) == expected)
  }

  @Test(arguments: SampleFormat.allCases)
  func optionalValueIsUpdatedInPlaceAndCleared(format: SampleFormat) throws {
    var user = User()
    user.second = Self.home
    let moved = try format.update(user, #"{"second": {"street": {"number": 5}}}"#)
    #expect(moved.second == Address(street: Street(name: "Side", number: 5), city: "Paris"))
    #expect(try format.update(moved, #"{"second": null}"#).second == nil)
  }

  @Test(
    arguments: SampleFormat.allCases,
    [
      (#"{"full_name": null}"#, "full_name"),
      (#"{"age": "old"}"#, "age"),
      (#"{"address": null}"#, "address"),
      (#"{"address": {"street": {"number": "x"}}}"#, "address.street.number"),
      (#"{"address": {"street": 7}}"#, "address.street"),
      (#"{"second": {"city": "Paris"}}"#, "second.street"),
      (#"{"tags": ["a", 2]}"#, "tags.1"),
      (#"{"badge": {}}"#, "badge.title"),
      (#"[]"#, ""),
    ])
  func failedUpdateHasAPathAndLeavesTheValueUnchanged(
    format: SampleFormat, sample: (json: String, place: String)
  ) throws {
    var user = User()
    let decoder = format.format.decoder(for: try format.data(sample.json))
    let error = #expect(throws: DecodingError.self) { try user.update(from: decoder) }
    #expect(error?.place == sample.place)
    #expect(user == User())
  }

  @Test(arguments: SampleFormat.json, ["null", "7", "", "{"])
  func rootsThatAreNotObjectsAreErrors(format: SampleFormat, json: String) {
    #expect(throws: DecodingError.self) { try format.update(User(), json) }
  }

  @Test func strategiesOfTheFormatApply() throws {
    struct Event: Codable, Equatable, DecoderUpdatable {
      var startDate: Date
      var endDate: Date?
      var rawBytes: Data
      var homePage: URL
      var exactPrice: Decimal
    }
    let event = Event(
      startDate: Date(timeIntervalSince1970: 1), endDate: nil, rawBytes: Data([1]),
      homePage: try #require(URL(string: "https://a.example/")), exactPrice: 1)
    let price = try #require(Decimal(string: "0.1"))
    let anvil = JSON.Decoder()
    anvil.dateDecodingStrategy = .iso8601
    anvil.keyDecodingStrategy = .convertFromSnakeCase
    let foundation = JSONDecoder()
    foundation.dateDecodingStrategy = .iso8601
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    for format in [anvil, foundation] as [any DecodingFormat] {
      func updated(_ json: String) throws -> Event { try format.update(event, from: Data(json.utf8)) }
      #expect(try updated(#"{"end_date": "1970-01-01T00:00:09Z"}"#).endDate == Date(timeIntervalSince1970: 9))
      #expect(try updated(#"{"end_date": "1970-01-01T00:00:09Z"}"#).startDate == event.startDate)
      #expect(try updated(#"{"raw_bytes": "AgM="}"#).rawBytes == Data([2, 3]))
      #expect(try updated(#"{"home_page": "https://b.example/"}"#).homePage.host() == "b.example")
      #expect(try updated(#"{"exact_price": 0.1}"#).exactPrice == price)
      #expect(try updated("{}") == event)
    }
    let list = try PropertyListEncoder().encode(["startDate": Date(timeIntervalSince1970: 9)])
    #expect(try PropertyListDecoder().update(event, from: list).startDate == Date(timeIntervalSince1970: 9))
    #expect(try PropertyListDecoder().update(event, from: list).exactPrice == 1)
  }

  @Test(arguments: SampleFormat.allCases)
  func largeInputsUpdateLargeOldValues(format: SampleFormat) throws {
    struct Table: Codable, DecoderUpdatable {
      var title: String
      var rows: [Int]
    }
    let rows = Array(0..<100_000)
    let table = Table(title: "old", rows: rows)
    #expect(try format.update(table, #"{"title": "new"}"#).rows == rows)
    let json = #"{"rows": [\#(rows.reversed().map(String.init).joined(separator: ","))]}"#
    let updated = try format.update(table, json)
    #expect(updated.rows == rows.reversed())
    #expect(updated.title == "old")
  }

  @Test(arguments: SampleFormat.allCases)
  func recursiveValuesAreUpdatedAtEveryDepth(format: SampleFormat) throws {
    struct Node: Codable, DecoderUpdatable {
      var id: Int
      var label = "-"
      var children: Indirect?
    }
    struct Indirect: Codable, DecoderUpdatable {
      var child: [Node]
      init(_ node: Node) { child = [node] }
      init(from decoder: any Decoder) throws { child = [try decoder.singleValueContainer().decode(Node.self)] }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(child[0])
      }
    }
    var node = Node(id: 0)
    var json = #"{"label": "leaf"}"#
    for id in 1...200 {
      node = Node(id: id, children: Indirect(node))
      json = #"{"children": \#(json)}"#
    }
    var updated = try format.update(node, json)
    for id in (1...200).reversed() {
      #expect(updated.id == id && updated.label == "-")
      updated = try #require(updated.children?.child.first)
    }
    #expect(updated.id == 0 && updated.label == "leaf")
  }
}

import AnvilBase
import Foundation
import Testing

@Suite struct DecodingFactoryTests {
  /// A model that is not `Decodable`.
  final class Record: Equatable {
    let id: Int
    let source: String
    init(id: Int, source: String) { (self.id, self.source) = (id, source) }
    static func == (a: Record, b: Record) -> Bool { a.id == b.id && a.source == b.source }
  }

  struct RecordFactory: DecodingFactory {
    var source = "store"
    enum CodingKeys: CodingKey { case id }
    func create(from decoder: any Decoder) throws -> Record {
      let id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      return Record(id: id, source: source)
    }
  }

  struct Refusal: Error {}

  struct RefusingFactory: DecodingFactory {
    func create(from decoder: any Decoder) throws -> Int { throw Refusal() }
  }

  enum Key: CodingKey { case one, null, many, bad, absent }

  static let json =
    #"{"one": {"id": 1}, "null": null, "many": [{"id": 2}, {"id": 3}], "bad": [{"id": 4}, {"id": "x"}]}"#

  static func container(_ format: SampleFormat) throws -> KeyedDecodingContainer<Key> {
    try format.format.decoder(for: format.data(json)).container(keyedBy: Key.self)
  }

  @Test(arguments: SampleFormat.allCases)
  func formatsDecodeTheRoot(format: SampleFormat) throws {
    let data = try format.data(#"{"id": 7}"#)
    #expect(try format.format.decode(using: RecordFactory(), from: data) == Record(id: 7, source: "store"))
  }

  @Test(arguments: SampleFormat.allCases)
  func formatsDecodeAnArrayAtTheRoot(format: SampleFormat) throws {
    let factory = RecordFactory(source: "cache").array
    #expect(try format.format.decode(using: factory, from: format.data("[]")).isEmpty)
    let records = try format.format.decode(using: factory, from: format.data(#"[{"id": 2}, {"id": 1}]"#))
    #expect(records == [Record(id: 2, source: "cache"), Record(id: 1, source: "cache")])
  }

  @Test(arguments: SampleFormat.allCases)
  func keyedContainersDecode(format: SampleFormat) throws {
    let container = try Self.container(format)
    #expect(try container.decode(using: RecordFactory(), forKey: .one).id == 1)
    #expect(try container.decode(using: RecordFactory().array, forKey: .many).map(\.id) == [2, 3])
    #expect(try container.decodeIfPresent(using: RecordFactory(), forKey: .one)?.id == 1)
  }

  @Test(arguments: SampleFormat.allCases, [Key.null, .absent])
  func missingAndNullValuesAreNilIfOptional(format: SampleFormat, key: Key) throws {
    #expect(try Self.container(format).decodeIfPresent(using: RecordFactory(), forKey: key) == nil)
  }

  @Test(arguments: SampleFormat.allCases)
  func factoryIsNotCalledForAMissingKey(format: SampleFormat) throws {
    let error = #expect(throws: DecodingError.self) {
      try Self.container(format).decode(using: RefusingFactory(), forKey: .absent)
    }
    guard case .keyNotFound = try #require(error) else {
      Issue.record("expected keyNotFound, found \(String(describing: error))")
      return
    }
    #expect(error?.place == "absent")
  }

  @Test(arguments: SampleFormat.allCases)
  func errorsHaveTheirPath(format: SampleFormat) throws {
    let container = try Self.container(format)
    let inArray = #expect(throws: DecodingError.self) {
      try container.decode(using: RecordFactory().array, forKey: .bad)
    }
    #expect(inArray?.place == "bad.1.id")
    let atNull = #expect(throws: DecodingError.self) { try container.decode(using: RecordFactory(), forKey: .null) }
    #expect(atNull?.place == "null")
  }

  @Test(arguments: SampleFormat.allCases)
  func errorsOfTheFactoryAreThrownUnchanged(format: SampleFormat) throws {
    #expect(throws: Refusal.self) { try Self.container(format).decode(using: RefusingFactory(), forKey: .one) }
  }

  @Test(arguments: SampleFormat.allCases)
  func unkeyedContainersDecodeElementByElement(format: SampleFormat) throws {
    let data = try format.data(#"[{"id": 1}, null, {"id": "x"}]"#)
    var container = try format.format.decoder(for: data).unkeyedContainer()
    #expect(try container.decode(using: RecordFactory()).id == 1)
    #expect(try container.decodeNil())
    let error = #expect(throws: DecodingError.self) { try container.decode(using: RecordFactory()) }
    #expect(error?.place == "2.id")
    #expect(container.currentIndex == 2)
  }

  @Test(arguments: SampleFormat.allCases)
  func endOfAnUnkeyedContainerIsAnError(format: SampleFormat) throws {
    var container = try format.format.decoder(for: format.data("[]")).unkeyedContainer()
    #expect(throws: DecodingError.self) { try container.decode(using: RefusingFactory()) }
  }

  @Test(arguments: SampleFormat.allCases)
  func nestedAndLargeArraysAreDecoded(format: SampleFormat) throws {
    let rows = (0..<20_000).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let decoded = try format.format.decode(using: RecordFactory().array.array, from: format.data("[[\(rows)], []]"))
    #expect(decoded.map(\.count) == [20_000, 0])
    #expect(decoded.first?.last?.id == 19_999)
  }

  @Test(arguments: SampleFormat.json, ["null", "7", ""])
  func rootsThatAreNotArraysAreErrors(format: SampleFormat, json: String) {
    #expect(throws: DecodingError.self) {
      try format.format.decode(using: RecordFactory().array, from: format.data(json))
    }
  }
}

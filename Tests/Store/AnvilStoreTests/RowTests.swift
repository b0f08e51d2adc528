import AnvilStore
import Foundation
import Testing

/// Values as rows, and back.
@Suite struct RowTests {
  enum Color: String, Codable { case red, blue }
  enum Level: Int, Codable { case low = 1, high = 9 }
  enum Ratio: Double, Codable { case one = 1.0, half = 0.5 }
  struct Tag: Codable, Equatable { var name: String, weight: Double? }

  struct Everything: Codable, Equatable {
    var flag = true
    var int = Int.min
    var small: Int8 = -128
    var large = UInt64(Int64.max)
    var wide: Int128 = -5
    var double = -0.1
    var float: Float = 1.5
    var text = "a\0b \"quoted\" 'q' 👩‍🚀 e\u{301}"
    var date = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
    var data = Data([0, 255, 10])
    var empty = Data()
    var id = UUID()
    var url = URL(string: "https://example.com/a?b=c#d")
    var decimal = Decimal(string: "-12345678901234567890.0123456789") ?? 0
    var color = Color.blue
    var level = Level.high
    var ratio = Ratio.one
    var tag = Tag(name: "x", weight: nil)
    var tags = [Tag(name: "y", weight: 2)]
    var map = ["k": 1]
    var dates = [Date(timeIntervalSinceReferenceDate: 812_345_678.25)]
    var none: String?
    var noDate: Date?
    var noTag: Tag?
    var some: Int? = 3
  }

  private struct Stored: Equatable {
    var name: String
    var type: StoredType?
    var value: StoreValue

    init(_ name: String, _ type: StoredType?, _ value: StoreValue) {
      (self.name, self.type, self.value) = (name, type, value)
    }
  }

  private func attributes(of value: some Encodable) throws -> [Stored] {
    let encoder = RowEncoder()
    try encoder.encode(value)
    return zip(encoder.attributes, encoder.values).map { Stored($0.name, $0.type, $1) }
  }

  private func stored(_ attributes: [Stored]) -> StoredRow {
    StoredRow(
      layout: StoredRow.Layout(attributes.map { ($0.name, $0.type ?? .text) }), values: attributes.map(\.value))
  }

  @Test func valuesOfEveryKindAreRestored() throws {
    let value = Everything()
    let attributes = try attributes(of: value)
    #expect(try stored(attributes).decode(as: Everything.self) == value)
  }

  @Test func attributesHaveTheirStoredTypes() throws {
    let attributes = try attributes(of: Everything())
    let types = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.type) })
    let expected: [String: StoredType?] = [
      "flag": .boolean, "int": .integer, "small": .integer, "large": .integer, "wide": .integer, "double": .real,
      "float": .real, "text": .text, "date": .timestamp, "data": .data, "empty": .data, "id": .uuid, "url": .url,
      "decimal": .decimal, "color": .text, "level": .integer, "ratio": .real, "tag": .json, "tags": .json,
      "map": .json, "dates": .json, "none": .text, "noDate": .timestamp, "noTag": nil as StoredType?, "some": .integer,
    ]
    #expect(types == expected)
    #expect(attributes.first?.name == "flag" && attributes.last?.name == "some")
  }

  @Test func errorsNameTheAttributeThatCannotBeStored() {
    struct Numbers: Encodable { var ratio = 1.0, count: UInt64 = 0 }
    for (value, key) in [(Numbers(ratio: .nan), "ratio"), (Numbers(count: .max), "count")] {
      let error = #expect(throws: EncodingError.self) { try attributes(of: value) }
      guard case .invalidValue(_, let context) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(context.codingPath.map(\.stringValue) == [key])
    }
  }

  @Test func errorsAboutDatesCanBePrinted() throws {
    struct Visit: Encodable { var at: Date, end: Date? = nil }
    struct Wrapped: Encodable {
      var at: Date
      func encode(to encoder: any Encoder) throws { try [1, 2].encode(to: encoder) }
    }
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    let errors = [
      #expect(throws: EncodingError.self) { try attributes(of: Visit(at: date)) },
      #expect(throws: EncodingError.self) { try attributes(of: Visit(at: Date(), end: date)) },
      #expect(throws: EncodingError.self) { try attributes(of: date) },
      #expect(throws: EncodingError.self) { try attributes(of: Wrapped(at: date)) },
      #expect(throws: EncodingError.self) { try attributes(of: [[date]]) },
      #expect(throws: EncodingError.self) { try attributes(of: ["at": ["end": date]]) },
    ]
    for error in errors { #expect(!"\(try #require(error))".isEmpty) }
  }

  @Test func valuesMustEncodeIntoKeyedContainers() {
    #expect(throws: EncodingError.self) { try attributes(of: [1, 2]) }
    #expect(throws: EncodingError.self) { try attributes(of: "text") }
    #expect(throws: EncodingError.self) { try attributes(of: Color.red) }
  }

  /// Encodes a property in nested containers.
  struct Flattened: Codable, Equatable {
    var name: String
    var x: Int
    var items: [Int]

    enum Keys: String, CodingKey { case name, place, items }
    enum PlaceKeys: String, CodingKey { case x }

    init(name: String, x: Int, items: [Int]) { (self.name, self.x, self.items) = (name, x, items) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decode(String.self, forKey: .name)
      x = try container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place).decode(Int.self, forKey: .x)
      var list = try container.nestedUnkeyedContainer(forKey: .items)
      items = []
      while !list.isAtEnd { items.append(try list.decode(Int.self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(name, forKey: .name)
      var place = container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
      try place.encode(x, forKey: .x)
      var list = container.nestedUnkeyedContainer(forKey: .items)
      for item in items { try list.encode(item) }
    }
  }

  @Test func nestedContainersAreStoredAsJSON() throws {
    let value = Flattened(name: "a", x: 7, items: [1, 2])
    let attributes = try attributes(of: value)
    #expect(
      attributes == [
        Stored("name", .text, .text("a")), Stored("place", .json, .text(#"{"x":7}"#)),
        Stored("items", .json, .text("[1,2]")),
      ])
    #expect(try stored(attributes).decode(as: Flattened.self) == value)
  }

  /// Encodes itself with the single-value container's method for the type.
  struct Wrapped: Encodable {
    let encode: (inout any SingleValueEncodingContainer) throws -> Void

    init(_ encode: @escaping (inout any SingleValueEncodingContainer) throws -> Void) { self.encode = encode }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try encode(&container)
    }
  }

  @Test func wrappersOfEveryScalarAreStoredAsTheScalar() throws {
    struct Row<Value: Encodable>: Encodable { var value: Value }
    func expectSame(
      _ value: some Encodable, sourceLocation: SourceLocation = #_sourceLocation,
      _ encode: @escaping (inout any SingleValueEncodingContainer) throws -> Void
    ) throws {
      let expected = try attributes(of: Row(value: value))
      #expect(expected.count == 1)
      #expect(try attributes(of: Row(value: Wrapped(encode))) == expected, sourceLocation: sourceLocation)
    }
    try expectSame(true) { try $0.encode(true) }
    try expectSame("a") { try $0.encode("a") }
    try expectSame(0.1) { try $0.encode(0.1) }
    try expectSame(0.5 as Float) { try $0.encode(0.5 as Float) }
    try expectSame(-1) { try $0.encode(-1) }
    try expectSame(-8 as Int8) { try $0.encode(-8 as Int8) }
    try expectSame(-16 as Int16) { try $0.encode(-16 as Int16) }
    try expectSame(-32 as Int32) { try $0.encode(-32 as Int32) }
    try expectSame(-64 as Int64) { try $0.encode(-64 as Int64) }
    try expectSame(-128 as Int128) { try $0.encode(-128 as Int128) }
    try expectSame(1 as UInt) { try $0.encode(1 as UInt) }
    try expectSame(8 as UInt8) { try $0.encode(8 as UInt8) }
    try expectSame(16 as UInt16) { try $0.encode(16 as UInt16) }
    try expectSame(32 as UInt32) { try $0.encode(32 as UInt32) }
    try expectSame(64 as UInt64) { try $0.encode(64 as UInt64) }
    try expectSame(128 as UInt128) { try $0.encode(128 as UInt128) }
  }

  /// Every type of number, with the encoder's function for each.
  struct Numbers: Codable, Equatable {
    var int8: Int8 = -8
    var int16: Int16 = -16
    var int32: Int32 = -32
    var int64: Int64 = -64
    var int128: Int128 = -128
    var uint: UInt = 1
    var uint8: UInt8 = 8
    var uint16: UInt16 = 16
    var uint32: UInt32 = 32
    var uint64: UInt64 = 64
    var uint128: UInt128 = 128
    var someBool: Bool? = true
    var someString: String? = "a"
    var someDouble: Double? = 0.1
    var someFloat: Float? = 0.5
    var someInt8: Int8? = -8
    var someInt16: Int16? = -16
    var someInt32: Int32? = -32
    var someInt64: Int64? = -64
    var someInt128: Int128? = -128
    var someUInt: UInt? = 1
    var someUInt8: UInt8? = 8
    var someUInt16: UInt16? = 16
    var someUInt32: UInt32? = 32
    var someUInt64: UInt64? = 64
    var someUInt128: UInt128? = 128
    var noBool: Bool?
    var noDouble: Double?
    var noFloat: Float?
    var noInt: Int?
    var noInt8: Int8?
    var noInt16: Int16?
    var noInt32: Int32?
    var noInt64: Int64?
    var noInt128: Int128?
    var noUInt: UInt?
    var noUInt8: UInt8?
    var noUInt16: UInt16?
    var noUInt32: UInt32?
    var noUInt64: UInt64?
    var noUInt128: UInt128?
  }

  @Test func everyNumberTypeAndItsOptionalIsRestored() throws {
    let attributes = try attributes(of: Numbers())
    #expect(attributes.count == 41)
    #expect(attributes.count { $0.value == .null } == 15)
    let types: [String: StoredType] = ["noBool": .boolean, "noDouble": .real, "noFloat": .real]
    for attribute in attributes where attribute.value == .null {
      #expect(attribute.type == types[attribute.name] ?? .integer, "\(attribute.name)")
    }
    #expect(try stored(attributes).decode(as: Numbers.self) == Numbers())
  }

  /// Encodes one part as what it inherits from would be, and counts what it has encoded.
  struct Inheriting: Encodable {
    enum Keys: String, CodingKey { case own, list }
    struct Miscounted: Error {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try Tag(name: "base", weight: nil).encode(to: container.superEncoder())
      try Tag(name: "own", weight: nil).encode(to: container.superEncoder(forKey: .own))
      var list = container.nestedUnkeyedContainer(forKey: .list)
      guard list.count == 0 else { throw Miscounted() }
      try list.encode(1)
      try list.encodeNil()
      var member = list.nestedContainer(keyedBy: Keys.self)
      try member.encode(2, forKey: .own)
      var inner = list.nestedUnkeyedContainer()
      try inner.encode(3)
      try Tag(name: "element", weight: nil).encode(to: list.superEncoder())
      guard list.count == 5, inner.count == 1 else { throw Miscounted() }
    }
  }

  @Test func valuesEncodedInPiecesAreStoredAsJSON() throws {
    #expect(
      try attributes(of: Inheriting()) == [
        Stored("super", .json, .text(#"{"name":"base"}"#)), Stored("own", .json, .text(#"{"name":"own"}"#)),
        Stored("list", .json, .text(#"[1,null,{"own":2},[3],{"name":"element"}]"#)),
      ])
  }

  @Test func wrappersAreStoredAsTheWrappedValue() throws {
    struct ID: Codable, Equatable {
      var raw: String
      init(_ raw: String) { self.raw = raw }
      init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(String.self) }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
      }
    }
    struct Item: Codable, Equatable { var id: ID }
    let attributes = try attributes(of: Item(id: ID("7")))
    #expect(attributes == [Stored("id", .text, .text("7"))])
    #expect(try stored(attributes).decode(as: Item.self) == Item(id: ID("7")))
  }

  @Test func missingColumnsAreDecodedAsAbsentKeys() throws {
    struct Item: Codable, Equatable { var id: Int, name: String? }
    let row = StoredRow(layout: StoredRow.Layout([("id", .integer)]), values: [.integer(1)])
    #expect(try row.decode(as: Item.self) == Item(id: 1, name: nil))
    let empty = StoredRow(layout: StoredRow.Layout([]), values: [])
    #expect(throws: DecodingError.self) { try empty.decode(as: Item.self) }
  }

  @Test func decodingErrorsHaveThePathOfTheColumn() throws {
    struct Item: Codable { var id: Int, tag: Tag }
    func path(_ values: [StoreValue]) -> [String]? {
      let row = StoredRow(layout: StoredRow.Layout([("id", .integer), ("tag", .json)]), values: values)
      let error = #expect(throws: DecodingError.self) { try row.decode(as: Item.self) }
      return switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context),
        .keyNotFound(_, let context):
        context.codingPath.map(\.stringValue)
      default: nil
      }
    }
    #expect(path([.text("x"), .text("{}")]) == ["id"])
    #expect(path([.null, .text("{}")]) == ["id"])
    #expect(path([.integer(1), .text(#"{"name": 1}"#)]) == ["tag", "name"])
    #expect(path([.integer(1), .text("{")]) == ["tag"])
    #expect(path([.integer(1), .null]) == ["tag"])
    #expect(path([.real(0.5), .null]) == ["id"])
  }

  private class Person: Decodable {
    let name: String

    private enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  private final class Employee: Person {}

  /// The classes of the row and of the value in a JSON column.
  private struct Classes: Decodable {
    var names: [String] = []

    private enum CodingKeys: CodingKey { case boss }

    init(from decoder: any Decoder) throws {
      let type: Person.Type = Employee.self
      names.append("\(Swift.type(of: try decoder.singleValueContainer().decode(type)))")
      let boss = try decoder.container(keyedBy: CodingKeys.self).superDecoder(forKey: .boss)
      names.append("\(Swift.type(of: try boss.singleValueContainer().decode(type)))")
    }
  }

  @Test func rowsAreNoSingleValues() throws {
    let row = stored([Stored("a", .integer, .integer(1))])
    for type: any Decodable.Type in [Int.self, UInt128.self, String.self, Bool.self, Date.self] {
      let error = #expect(throws: DecodingError.self) { try row.decode(as: type) }
      guard case .typeMismatch = error else {
        Issue.record("\(type): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func decodingUsesTheDynamicMetatype() throws {
    let type: Person.Type = Employee.self
    let row = stored([
      Stored("name", .text, .text("Ada")), Stored("boss", .json, .text(#"{"name": "Grace"}"#)),
    ])
    #expect(try row.decode(as: type) is Employee)
    #expect(try row.decode(as: Classes.self).names == ["Employee", "Employee"])
  }
}

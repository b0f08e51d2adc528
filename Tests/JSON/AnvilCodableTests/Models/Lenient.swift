import AnvilCodable
import AnvilDiagnosis
import Foundation

@JSONCodable
struct Shop: Equatable {
  @LossyArray var orders: [Order]
  @CodableDefault([]) @LossyArray var tags: [String]
  @LossyDictionary var stock: [String: Order]
  @LossyDictionary var byNumber: [Int: Item]
  @LossyDictionary var optional: [String: Int?]
  var lists: LossyArray<LossyArray<Int>>?
  var maps: LossyDictionary<String, LossyArray<Item>>?
  @CodingKey("deep", "dates") @LossyArray var dates: [Date]
  @LossyArray var marks: [Mark]
  @LossyArray var points: [Point?]

  struct Mark: Codable, Equatable { var text: String }
}

@JSONCodable
struct Order: Equatable {
  var note: String
  @NumberOrString var total: Double
  @NumberOrString var discount: Decimal?
  @CodableDefault(0) @NumberOrString var count: Int
  var state: OpenEnum<PlainRaw>
  @LossyArray var items: [Item]
  @CodingKey("to", "street") var street: String?
  var date: Date?
  var mark: Shop.Mark?
  var id: Int
}

@JSONCodable
struct Item: Equatable {
  var id: UInt8
  var name: String
}

/// A value that fails after the values inside it.
@JSONCodable
struct Branch: Equatable {
  @LossyArray var branches: [Branch]
  var name: String
}

@JSONCodable
struct OptionalNumbers: Equatable {
  @NumberOrString var first: Int?
  @CodingKey("a", "b") @NumberOrString var second: Double?
  @CodableDefault(1) @NumberOrString var third: Int
}

/// A text that only `init(from:)` accepts: reading moves into it and fails.
struct ReluctantText: Codable, Equatable, JSONReadable, JSONWritable, JSONDecodable {
  var text: String

  init(text: String) { self.text = text }

  init(from decoder: any Decoder) throws { text = try [String](from: decoder).joined() }

  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> ReluctantText {
    let offset = reader.offset
    _ = try reader.beginArray()
    _ = try reader.read(String.self)
    throw reader.dataCorrupted("reluctant", at: offset)
  }

  func encode(to encoder: any Encoder) throws { try [text].encode(to: encoder) }

  func write(to writer: inout JSON.Writer) { [text].write(to: &writer) }
}

@JSONCodable
struct ReluctantTexts: Equatable {
  @LossyArray var list: [ReluctantText]
  @LossyDictionary var map: [String: ReluctantText]
}

import AnvilJSON

@testable import AnvilClient
@testable import AnvilCommands
@testable import AnvilStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  private struct Row: Codable, Equatable {
    enum Kind: String, Codable { case a, b }

    var id: Int
    var small: Int8?
    var name: String?
    var ratio: Double?
    var flag: Bool?
    var at: Date?
    var data: Data?
    var uuid: UUID?
    var url: URL?
    var price: Decimal?
    var kind: Kind?
    var tags: [String]?
    var wide: UInt64?
  }

  private static let types: [StoredType] = [
    .integer, .real, .boolean, .text, .date, .data, .uuid, .url, .decimal, .json,
  ]
  private static let names = [
    "id", "small", "name", "ratio", "flag", "at", "data", "uuid", "url", "price", "kind", "tags", "wide",
  ]

  /// Rows of any database: values of any kind in columns of any type, and models that are stored and come back.
  static let rows = FuzzTarget(name: "rows") { bytes in
    var rest = bytes[...]
    var columns: [(name: String, type: StoredType)] = []
    var values: [StoreValue] = []
    for name in names {
      guard let choice = rest.popFirst() else { break }
      columns.append((name, types[Int(choice & 0x0F) % types.count]))
      let part = rest.prefix(Int(choice >> 4))
      rest = rest.dropFirst(part.count)
      let number = part.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      switch choice % 5 {
      case 0: values.append(.null)
      case 1: values.append(.integer(Int64(bitPattern: number)))
      case 2: values.append(.real(Double(bitPattern: number)))
      case 3: values.append(.text(String(decoding: part, as: UTF8.self)))
      default: values.append(.blob(Data(part)))
      }
    }
    do {
      let row = try StoredRow(layout: .init(columns), values: values).decode(as: Row.self)
      checkRoundTrip(row)
    } catch {
      require(error is DecodingError, "\(error)")
    }
    var random = RandomSource(bytes: bytes)
    switch bytes.count % 4 {
    case 0: checkRoundTrip(Scalars(sample: &random))
    case 1: checkRoundTrip(Optionals(sample: &random))
    case 2: checkRoundTrip(Nested(sample: &random))
    default: checkRoundTrip(FoundationValues(sample: &random))
    }
  } growth: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    for name in names {
      for type in types {
        let values: [StoreValue] = [.integer(1), .text(text)]
        _ = try? StoredRow(layout: .init([("id", .integer), (name, type)]), values: values).decode(as: Row.self)
      }
    }
  }

  private static func checkRoundTrip<Model: Codable & Equatable>(_ model: Model) {
    let encoder = RowEncoder()
    // Not every value can be stored: NaN, whole numbers of more than 64 bits.
    guard (try? encoder.encode(model)) != nil else { return }
    let layout = StoredRow.Layout(encoder.attributes.map { ($0.name, $0.type ?? .json) })
    let again = requireSuccess("a stored row is refused: \(encoder.values)") {
      try StoredRow(layout: layout, values: encoder.values).decode(as: Model.self)
    }
    // A NaN would not be equal to itself, and is not stored.
    require(again == model, "\(model) comes back as \(again)")
  }

  /// The paths of the command line, into the document behind a NUL.
  static let queries = FuzzTarget(name: "queries") { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    do throws(CommandError) {
      let path = try JSONPath(text)
      guard parts.count > 1, let document = try? JSON(parsing: Data(parts[1])) else { return }
      do throws(JSONPath.Failure) {
        let value = try path.value(in: document)
        require(!path.isTopLevel || value == document, "the path \(text) is \(value)")
      } catch {
        require(!"\(error)".isEmpty, "no description")
      }
    } catch {
      require(!"\(error)".isEmpty, "no description")
    }
  } growth: { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = try? JSONPath(String(decoding: parts[0], as: UTF8.self)), parts.count > 1 else { return }
    // A query such as $..*..* selects nodes several times, as RFC 9535 has it.
    guard path.isSingular, let document = try? JSON(parsing: Data(parts[1])) else { return }
    _ = try? path.value(in: document)
  }
}

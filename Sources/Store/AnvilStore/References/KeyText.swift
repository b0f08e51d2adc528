internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Conversion between keys of rows and JSON, for columns that refer to several rows or to rows with composite keys.
///
/// A key with one value is written as that value, a composite key as an array: `[1, 2]`, `[["a", 1], ["b", 2]]`. Bytes are base64.
enum KeyText {
  static func text(of keys: [RowKey]) throws -> String {
    try write(keys.map(Component.init))
  }

  static func text(of key: RowKey) throws -> String {
    try write(Component(key))
  }

  /// Returns the values of the key as a JSON array of texts. The result stays the same when a column of integers is converted to text.
  static func plainText(of key: RowKey) throws -> String {
    try write(
      key.values.map { value in
        switch value {
        case .null: ""
        case .integer(let integer): "\(integer)"
        case .real(let real): Int64(exactly: real).map { "\($0)" } ?? "\(real)"
        case .text(let text): text
        case .blob(let data): data.base64EncodedString()
        }
      })
  }

  /// Returns the keys in `text`. The values of each key have the types of `columns`.
  ///
  /// - Throws: ``StoreError/Code/invalidValue``.
  static func keys(in text: String, of columns: [EntitySchema.Column]) throws -> [RowKey] {
    let json = try JSON(parsing: text)
    guard json.kind == .array else { throw malformed }
    return try json.elements.map { try key($0, of: columns) }
  }

  static func key(in text: String, of columns: [EntitySchema.Column]) throws -> RowKey {
    try key(JSON(parsing: text), of: columns)
  }

  private static func write(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.Encoder().encode(value), as: UTF8.self)
  }

  private static func key(_ json: JSON, of columns: [EntitySchema.Column]) throws -> RowKey {
    guard columns.count != 1 else { return .one(try value(json, of: columns[0].type)) }
    guard json.kind == .array, json.count == columns.count else { throw malformed }
    return .several(try zip(json.elements, columns).map { try value($0, of: $1.type) })
  }

  private static func value(_ json: JSON, of type: StoredType) throws -> StoreValue {
    switch type {
    case .integer, .boolean: .integer(try json => JSON.Path())
    case .real: .real(try json => JSON.Path())
    case .date:
      json.kind == .string
        ? .real(try Date.decode(json).timeIntervalSinceReferenceDate) : .real(try json => JSON.Path())
    case .timestamp: .text(try StoredDate.text(of: json => JSON.Path()) ?? "")
    case .data: .blob(try json => JSON.Path())
    case .text, .uuid, .url, .decimal, .json: .text(try json => JSON.Path())
    }
  }

  private static var malformed: StoreError {
    StoreError(code: .invalidValue, reason: "a column of references contains a value that is not a key")
  }

  private enum Component: Encodable {
    case value(StoreValue)
    case values([StoreValue])

    init(_ key: RowKey) {
      switch key {
      case .one(let value): self = .value(value)
      case .several(let values): self = .values(values)
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .value(let value): try Single(value: value).encode(to: encoder)
      case .values(let values): try values.map(Single.init).encode(to: encoder)
      }
    }
  }

  private struct Single: Encodable {
    let value: StoreValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .null: try container.encodeNil()
      case .integer(let integer): try container.encode(integer)
      case .real(let real): try container.encode(real)
      case .text(let text): try container.encode(text)
      case .blob(let data): try container.encode(data)
      }
    }
  }
}

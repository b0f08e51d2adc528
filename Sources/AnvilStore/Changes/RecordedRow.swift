internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A row as triggers record it.
struct RecordedRow {
  /// The values as text, each with the way to read it.
  private enum Values {
    case json(JSON)
    case fields([String: StoreValue])
  }

  private let values: Values

  init(_ text: String, _ format: RecordedRowFormat) throws(StoreError) {
    switch format {
    case .json:
      do throws(JSON.SyntaxError) {
        values = .json(try JSON(parsing: text))
      } catch {
        throw StoreError(code: .invalidValue, reason: "a recorded row is not JSON: \(error)")
      }
    case .fields: values = .fields(try Self.fields(text))
    }
  }

  /// Returns the value; null for a column that did not exist.
  func value(of column: EntitySchema.Column) -> StoreValue {
    switch values {
    case .json(let object):
      guard let json = object[column.name], !json.isNull else { return .null }
      return Self.value(json, column.type) ?? .text(json.string ?? json.numberText ?? json.serializedText())
    case .fields(let fields): return fields[column.name] ?? .null
    }
  }

  private static func value(_ json: JSON, _ type: StoredType) -> StoreValue? {
    switch type {
    case .integer, .boolean:
      json.bool.map { .integer($0 ? 1 : 0) } ?? json.integer(as: Int64.self).map(StoreValue.integer)
    // Infinity is text.
    case .real, .date: (json.numberText ?? json.string).flatMap(Double.init).map(StoreValue.real)
    case .data: json.string.flatMap { bytes($0.utf8.dropFirst(2)) }.map(StoreValue.blob)
    case .json: .text(json.serializedText())
    case .uuid: json.string.map { .text($0.uppercased()) }
    case .text, .url, .decimal: nil
    }
  }

  private static func fields(_ text: String) throws(StoreError) -> [String: StoreValue] {
    let separator = UInt8(ascii: RecordedRowFormat.separator)
    let parts = text.utf8.split(separator: separator, omittingEmptySubsequences: false)
    var fields: [String: StoreValue] = [:]
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      guard let value = field(parts[index + 1]) else {
        throw StoreError(code: .invalidValue, reason: "a recorded row has a value of an unknown kind")
      }
      fields[unescaped(parts[index])] = value
    }
    return fields
  }

  private static func field(_ bytes: Substring.UTF8View) -> StoreValue? {
    let rest = bytes.dropFirst()
    switch bytes.first {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "i"): return Int64(Substring(rest)).map(StoreValue.integer)
    case UInt8(ascii: "r"): return Double(Substring(rest)).map(StoreValue.real)
    case UInt8(ascii: "t"): return .text(unescaped(rest))
    case UInt8(ascii: "b"): return self.bytes(rest).map(StoreValue.blob)
    default: return nil
    }
  }

  private static func unescaped(_ bytes: Substring.UTF8View) -> String {
    let escape = UInt8(ascii: RecordedRowFormat.escape)
    guard bytes.contains(escape) else { return String(Substring(bytes)) }
    var unescaped: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        let isSeparator = byte == UInt8(ascii: RecordedRowFormat.escapedSeparator)
        unescaped.append(isSeparator ? UInt8(ascii: RecordedRowFormat.separator) : escape)
      } else if byte != escape {
        unescaped.append(byte)
      }
      isEscaped = !isEscaped && byte == escape
    }
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// Returns the bytes that are written as hexadecimal digits.
  private static func bytes(_ digits: Substring.UTF8View) -> Data? {
    func value(_ digit: UInt8) -> UInt8? { UInt8(String(UnicodeScalar(digit)), radix: 16) }
    var bytes = Data(capacity: digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = value(digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }
}

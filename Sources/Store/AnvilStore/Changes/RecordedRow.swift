internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A row that a trigger has recorded.
struct RecordedRow {
  /// The recorded values, in one of the two formats.
  private enum Values {
    case json(JSON)
    case lines([String: StoreValue])
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
    case .lines: values = .lines(try Self.values(ofLines: text))
    }
  }

  /// Returns the value of a column; null if the column did not exist when the row was recorded.
  func value(of column: EntitySchema.Column) -> StoreValue {
    switch values {
    case .json(let object):
      guard let json = object[column.name], !json.isNull else { return .null }
      return Self.value(json, column.type) ?? .text(json.string ?? json.numberText ?? json.serializedText())
    case .lines(let values): return values[column.name] ?? .null
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
    case .timestamp: json.string.flatMap(StoredDate.canonicalText).map(StoreValue.text)
    case .uuid: json.string.map { .text($0.uppercased()) }
    case .text, .url, .decimal: nil
    }
  }

  private static func values(ofLines text: String) throws(StoreError) -> [String: StoreValue] {
    let lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false)
    var values: [String: StoreValue] = [:]
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      guard let value = value(ofLine: lines[index + 1]) else {
        throw StoreError(code: .invalidValue, reason: "a recorded row contains a value of an unknown kind")
      }
      values[unescaped(lines[index])] = value
    }
    return values
  }

  private static let newline = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: #"\"#)

  private static func value(ofLine bytes: Substring.UTF8View) -> StoreValue? {
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
    guard bytes.contains(backslash) else { return String(Substring(bytes)) }
    var unescaped: [UInt8] = []
    unescaped.reserveCapacity(bytes.count)
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        unescaped.append(byte == backslash ? backslash : newline)
      } else if byte != backslash {
        unescaped.append(byte)
      }
      isEscaped = !isEscaped && byte == backslash
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

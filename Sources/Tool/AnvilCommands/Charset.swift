internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// Converts the chunks of a text in UTF-8, UTF-16, or Windows-1252 with the names that browsers read as such, to UTF-8. Bytes that are not
/// text become U+FFFD. Source: RFC 9110 §8.3.2; the Encoding Standard of WHATWG, §4.2.
struct CharsetDecoder {
  private enum Charset {
    case utf8
    case windows1252
    /// `nil` for an order that a byte order mark determines.
    case utf16(isBigEndian: Bool?)
  }

  private var charset: Charset
  /// The bytes at the end that may be a part of a character.
  private var rest = Data()

  /// Creates a decoder for the declared charset; `nil` for another or none, and for JSON, events and lines, which are always UTF-8.
  init?(_ response: HTTP.Response) {
    guard !response.isJSON, !response.hasDocuments else { return nil }
    switch response.headers.contentType?.parameter("charset")?.lowercased() {
    case "utf-8": charset = .utf8
    case "iso-8859-1", "latin1", "us-ascii", "windows-1252": charset = .windows1252
    case "utf-16": charset = .utf16(isBigEndian: nil)
    case "utf-16be": charset = .utf16(isBigEndian: true)
    case "utf-16le": charset = .utf16(isBigEndian: false)
    default: return nil
    }
  }

  mutating func append(_ chunk: Data) -> Data {
    switch charset {
    case .utf8: return chunk
    case .windows1252:
      return Data(chunk.map { String(data: Data([$0]), encoding: .windowsCP1252) ?? "\u{FFFD}" }.joined().utf8)
    case .utf16:
      rest = Data(rest + chunk)
      return takeUnits()
    }
  }

  mutating func finish() -> Data {
    defer { rest = Data() }
    return rest.isEmpty ? Data() : Data("\u{FFFD}".utf8)
  }

  /// Removes and returns the complete characters of UTF-16. Without a byte order mark, the order is big-endian.
  private mutating func takeUnits() -> Data {
    guard rest.count >= 2, case .utf16(let order) = charset else { return Data() }
    let isLittle = rest.starts(with: [0xFF, 0xFE])
    let isBigEndian = order ?? !isLittle
    if order == nil {
      if isLittle || rest.starts(with: [0xFE, 0xFF]) { rest = Data(rest.dropFirst(2)) }
      charset = .utf16(isBigEndian: isBigEndian)
    }
    var units = stride(from: 0, to: rest.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    rest = Data(rest.dropFirst(units.count * 2))
    return Data(String(decoding: units, as: UTF16.self).utf8)
  }
}

internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// A charset that a media type declares, such as `iso-8859-1` or `utf-16`. Source: RFC 9110 §8.3.2, the charset registry of IANA.
enum Charset: Sendable {
  case utf8
  /// `nil` for an order that a byte order mark determines.
  case utf16(isBigEndian: Bool?)
  /// A charset whose characters have one byte.
  case singleByte(String.Encoding)
  /// A charset whose characters have one to three bytes.
  case multibyte(String.Encoding)

  /// Creates the charset with this name. Returns `nil` for an unknown name.
  init?(_ name: String) {
    switch name.lowercased() {
    case "utf-8": self = .utf8
    // Browsers decode these as Windows-1252, which contains ISO 8859-1. Source: the Encoding Standard of WHATWG, §4.2.
    case "iso-8859-1", "latin1", "us-ascii", "windows-1252": self = .singleByte(.windowsCP1252)
    case "iso-8859-2": self = .singleByte(.isoLatin2)
    case "windows-1250": self = .singleByte(.windowsCP1250)
    case "windows-1251": self = .singleByte(.windowsCP1251)
    case "windows-1253": self = .singleByte(.windowsCP1253)
    case "windows-1254", "iso-8859-9": self = .singleByte(.windowsCP1254)
    case "macintosh": self = .singleByte(.macOSRoman)
    case "utf-16": self = .utf16(isBigEndian: nil)
    case "utf-16be": self = .utf16(isBigEndian: true)
    case "utf-16le": self = .utf16(isBigEndian: false)
    case "shift_jis": self = .multibyte(.shiftJIS)
    case "euc-jp": self = .multibyte(.japaneseEUC)
    default: return nil
    }
  }
}

/// Converts text of a charset, which is received in chunks, to UTF-8. Bytes that are not text become U+FFFD.
struct CharsetDecoder {
  private var charset: Charset
  /// The bytes at the end that may be a part of a character.
  private var rest = Data()

  init(_ charset: Charset) { self.charset = charset }

  /// Returns the text of the complete characters so far.
  mutating func append(_ chunk: Data) -> Data {
    switch charset {
    case .utf8: return chunk
    case .singleByte(let encoding): return Self.text(of: chunk, encoding)
    case .utf16:
      rest = Data(rest + chunk)
      return takeUnits()
    case .multibyte(let encoding):
      rest = Data(rest + chunk)
      for count in 0...min(2, rest.count) {
        guard let text = String(data: rest.dropLast(count), encoding: encoding) else { continue }
        rest = Data(rest.suffix(count))
        return Data(text.utf8)
      }
      return finish()
    }
  }

  /// Returns the text of the bytes that are left.
  mutating func finish() -> Data {
    defer { rest = Data() }
    if case .multibyte(let encoding) = charset { return Self.text(of: rest, encoding) }
    return rest.isEmpty ? Data() : Data("\u{FFFD}".utf8)
  }

  private static func text(of bytes: Data, _ encoding: String.Encoding) -> Data {
    if let text = String(data: bytes, encoding: encoding) { return Data(text.utf8) }
    return Data(bytes.map { String(data: Data([$0]), encoding: encoding) ?? "\u{FFFD}" }.joined().utf8)
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

extension HTTP.Response {
  /// The charset that the media type of a text declares; `nil` if it declares none or an unknown one. JSON, events and lines are always UTF-8.
  var charset: Charset? {
    guard !isJSON, !hasDocuments, let value = headers[.contentType]?.rawValue,
      let match = value.firstMatch(of: /;[ \t]*charset[ \t]*=[ \t]*"?([^";, \t]+)/.ignoresCase())
    else { return nil }
    return Charset(String(match.1))
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONEncodable {
  /// Writes the absolute URL as a string.
  public func encode(into json: inout JSON.Builder) throws { try absoluteString.encode(into: &json) }
}

extension UUID: JSONEncodable {
  /// Writes the UUID in upper case.
  public func encode(into json: inout JSON.Builder) throws { try uuidString.encode(into: &json) }
}

extension Data: JSONEncodable {
  /// Writes the bytes in padded base64. Source: RFC 4648 §4.
  public func encode(into json: inout JSON.Builder) throws { try base64EncodedString().encode(into: &json) }
}

extension Date: JSONEncodable {
  /// Writes the date in UTC as in RFC 3339: `2026-02-03T04:05:06Z`. The fraction of the second has zero, three, six or nine digits: the
  /// fewest that preserve the date. For other formats, see ``JSON/DateFormat``.
  ///
  /// - Throws: ``JSONEncodingError`` for dates before the year 0 or after 9999.
  public func encode(into json: inout JSON.Builder) throws {
    try json.claim()
    guard let date = WrittenDate(exactly: self) else {
      throw JSONEncodingError(.dateOutOfRange, detail: "\(timeIntervalSince1970) s")
    }
    date.withUTF8Span { json.document.append(utf8: $0) }
  }
}

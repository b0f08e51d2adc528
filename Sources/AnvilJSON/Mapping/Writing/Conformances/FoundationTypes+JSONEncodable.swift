#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONEncodable {
  /// The absolute URL as a string.
  public func encode(into json: inout JSON.Builder) throws { try absoluteString.encode(into: &json) }
}

extension UUID: JSONEncodable {
  /// The UUID in capital letters.
  public func encode(into json: inout JSON.Builder) throws { try uuidString.encode(into: &json) }
}

extension Data: JSONEncodable {
  /// The bytes in base64, padded. Source: RFC 4648 §4.
  public func encode(into json: inout JSON.Builder) throws { try base64EncodedString().encode(into: &json) }
}

extension Date: JSONEncodable {
  /// The moment in UTC as RFC 3339 writes it: `2026-02-03T04:05:06Z`, with as many digits of the second as bring it back, of
  /// none, three, six and nine. ``JSON/DateFormat`` has other forms.
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

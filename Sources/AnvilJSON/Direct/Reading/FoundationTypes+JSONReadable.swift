#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONReadable {
  /// Reads the URL in the string, parsed by `URL(string:)`.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not URLs.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> URL {
    let offset = reader.offset
    let text = try reader.scanString(for: URL.self)
    guard let value = reader.urls.url(text, in: reader.scanner.bytes) else {
      throw reader.noValue(of: URL.self, at: offset)
    }
    return value
  }
}

extension UUID: JSONReadable {
  /// Reads the UUID in the string, in upper or lower case.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not UUIDs.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UUID {
    let offset = reader.offset
    guard let value = UUID(uuidString: try reader.string(for: UUID.self)) else {
      throw reader.noValue(of: UUID.self, at: offset)
    }
    return value
  }
}

extension Data: JSONReadable {
  /// Reads the bytes of the string in padded base64 without line breaks. Source: RFC 4648 §4.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are not base64.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Data {
    let offset = reader.offset
    guard let value = Data(base64Encoded: try reader.string(for: Data.self)) else {
      throw reader.noValue(of: Data.self, at: offset)
    }
    return value
  }
}

extension Date: JSONReadable {
  /// Reads the date of the string in the format of RFC 3339, such as `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second and in any time zone. Two variants that ISO 8601 allows are accepted as well: a comma before the fraction and a time zone
  /// without a colon. For a ``JSON/Decoder``, its `dateDecodingStrategy` determines the format instead.
  ///
  /// - Throws: ``JSON/ReadingError``, also for values that are not such dates.
  /// - Complexity: O(*n*), where *n* is the length of the string. Nothing is allocated.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Date {
    let offset = reader.offset
    guard reader.dates == .own else { return try reader.date(as: reader.dates) }
    let text = try reader.scanString(for: Date.self)
    guard let seconds = DateText.seconds(in: reader.scanner.bytes, from: text.start, length: text.length) else {
      throw reader.noValue(of: Date.self, at: offset)
    }
    return Date(timeIntervalSince1970: seconds)
  }
}

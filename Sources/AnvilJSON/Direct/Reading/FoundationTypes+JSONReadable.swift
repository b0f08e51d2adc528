#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: JSONReadable {
  /// The URL that the string spells, as `URL(string:)` reads it.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are no URL.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> URL {
    let offset = reader.offset
    guard let value = URL(string: try reader.string(for: URL.self)) else {
      throw reader.noValue(of: URL.self, at: offset)
    }
    return value
  }
}

extension UUID: JSONReadable {
  /// The UUID that the string spells, in letters of either case.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are no UUID.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> UUID {
    let offset = reader.offset
    guard let value = UUID(uuidString: try reader.string(for: UUID.self)) else {
      throw reader.noValue(of: UUID.self, at: offset)
    }
    return value
  }
}

extension Data: JSONReadable {
  /// The bytes that the string holds in base64, padded, without line ends. Source: RFC 4648 §4.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are no base64.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Data {
    let offset = reader.offset
    guard let value = Data(base64Encoded: try reader.string(for: Data.self)) else {
      throw reader.noValue(of: Data.self, at: offset)
    }
    return value
  }
}

extension Date: JSONReadable {
  /// The moment that the string spells as RFC 3339 writes it, `2026-02-03T04:05:06Z`, with or without a fraction of the
  /// second, in any time zone. What ISO 8601 allows as well is read too: a comma before the fraction, a zone without its
  /// colon.
  ///
  /// - Throws: ``JSON/ReadingError``, also for strings that are no such date.
  /// - Complexity: O(*n*), *n* the string's length; nothing is allocated.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Date {
    let offset = reader.offset
    let text = try reader.scanString(for: Date.self)
    guard let seconds = DateText.seconds(in: reader.scanner.bytes, from: text.start, length: text.length) else {
      throw reader.noValue(of: Date.self, at: offset)
    }
    return Date(timeIntervalSince1970: seconds)
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// The format of a date in JSON.
  public enum DateFormat: Hashable, Sendable {
    /// A string as in RFC 3339, `2026-02-03T04:05:06.789+01:00`, with or without a fraction. The default format of `Date`.
    case iso8601
    /// A number of seconds since the beginning of 1970 in UTC, with or without a fraction.
    case secondsSince1970
    /// A number of milliseconds since the beginning of 1970 in UTC, with or without a fraction.
    case millisecondsSince1970
  }
}

extension JSON.DecodingStrategy where Value == Date {
  /// Returns a strategy for dates in `format`.
  ///
  /// The strategy throws ``TypeMismatchError`` for a value in another format.
  public static func date(_ format: JSON.DateFormat) -> JSON.DecodingStrategy<Date> {
    switch format {
    case .iso8601: JSON.DecodingStrategy { try Date.decode($0) }
    case .secondsSince1970: JSON.DecodingStrategy { Date(timeIntervalSince1970: try $0.decodeSeconds()) }
    case .millisecondsSince1970: JSON.DecodingStrategy { Date(timeIntervalSince1970: try $0.decodeSeconds() / 1000) }
    }
  }
}

extension JSON {
  fileprivate func decodeSeconds() throws -> Double {
    guard let value = document.double(at: index) else { throw mismatch(Date.self) }
    return value
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// How a date is written.
  public enum DateFormat: Hashable, Sendable {
    /// A string as RFC 3339 has it, `2026-02-03T04:05:06.789+01:00`, the fraction or not: what `Date` decodes by itself.
    case iso8601
    /// A number of seconds since the beginning of 1970 in UTC, whole or not.
    case secondsSince1970
    /// A number of milliseconds since the beginning of 1970 in UTC, whole or not.
    case millisecondsSince1970
  }
}

extension JSON.DecodingStrategy where Value == Date {
  /// A date in `format`.
  ///
  /// The strategy throws ``TypeMismatchError`` for what is not in it.
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

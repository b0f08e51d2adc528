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

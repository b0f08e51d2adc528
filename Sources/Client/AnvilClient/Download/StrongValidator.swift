internal import AnvilHTTP

/// A value that identifies one state of a resource byte for byte: a strong entity tag, or a date that is as reliable.
///
/// Source: RFC 9110 §8.8.
enum StrongValidator: Hashable, Sendable {
  /// An entity tag with its quotation marks.
  case entityTag(String)
  /// The value of `Last-Modified`.
  case date(String)

  /// The minimum time in seconds between `Last-Modified` and `Date` that rules out a second change within the same second, even if the
  /// server's clocks differ. RFC 9110 §8.8.2.2 requires a second, RFC 7232 §2.2.2 required a minute.
  private static let leastAge = 60

  /// Creates the validator from `headers`; `nil` if they contain no strong validator. If they contain an entity tag, even a weak one, a
  /// date is not used, because a client must then send the tag. Source: RFC 9110 §13.1.5.
  init?(_ headers: HTTP.Headers) {
    let tags = headers.values(for: .eTag)
    if !tags.isEmpty {
      guard tags.count == 1, Self.isStrongTag(tags[0]) else { return nil }
      self = .entityTag(tags[0].rawValue)
      return
    }
    let dates = headers.values(for: .lastModified)
    guard dates.count == 1, let modified = HTTPDate(dates[0].rawValue), let sent = headers[.date],
      let now = HTTPDate(sent.rawValue), now.seconds - modified.seconds >= Self.leastAge
    else { return nil }
    self = .date(dates[0].rawValue)
  }

  /// Parses a validator that was stored as `value`; `nil` if it is invalid.
  init?(kept value: String) {
    if Self.isStrongTag(HTTP.HeaderValue(rawValue: value)) {
      self = .entityTag(value)
    } else if HTTPDate(value) != nil {
      self = .date(value)
    } else {
      return nil
    }
  }

  /// The value for `If-Range`.
  var value: String {
    switch self {
    case .entityTag(let value), .date(let value): value
    }
  }

  /// Returns whether the response to a request with this `If-Range` has the state of the resource that this validator identifies.
  ///
  /// The response must have the same entity tag, because some servers support ranges but not `If-Range`. A date may be missing from the
  /// response. Source: RFC 9110 §15.3.7.
  func isConfirmed(by headers: HTTP.Headers) -> Bool {
    switch self {
    case .entityTag(let tag): headers.values(for: .eTag).map(\.rawValue) == [tag]
    case .date(let date): headers[.lastModified].map { $0.rawValue == date } ?? true
    }
  }

  /// Returns whether `headers` contain the same validator.
  func isStated(in headers: HTTP.Headers) -> Bool {
    switch self {
    case .entityTag: isConfirmed(by: headers)
    case .date(let date): !headers.contains(.eTag) && headers.values(for: .lastModified).map(\.rawValue) == [date]
    }
  }

  /// Returns whether `value` is a strong entity tag. Source: RFC 9110 §8.8.3.
  private static func isStrongTag(_ value: HTTP.HeaderValue) -> Bool {
    let bytes = value.rawValue.utf8
    guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return false }
    return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
  }
}

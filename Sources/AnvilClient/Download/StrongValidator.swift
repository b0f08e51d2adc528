internal import AnvilHTTP

/// What tells one state of a resource from every other, byte for byte: a strong entity tag, or a date that is as good.
///
/// Source: RFC 9110 §8.8.
enum StrongValidator: Hashable, Sendable {
  /// An entity tag with its quotation marks.
  case entityTag(String)
  /// The value of `Last-Modified`.
  case date(String)

  /// The time between `Last-Modified` and `Date` from which on a second change in the same second is ruled out, whatever the
  /// server's clocks: RFC 9110 §8.8.2.2 asks for a second, RFC 7232 §2.2.2 asked for a minute.
  private static let leastAge = 60

  /// The validator in `headers`; `nil` where there is none that is strong. A date does not count beside an entity tag, which
  /// would have to be sent instead. Source: RFC 9110 §13.1.5.
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

  /// The validator that was kept as `value`; `nil` for what is none.
  init?(kept value: String) {
    if Self.isStrongTag(HTTP.HeaderValue(rawValue: value)) {
      self = .entityTag(value)
    } else if HTTPDate(value) != nil {
      self = .date(value)
    } else {
      return nil
    }
  }

  /// What `If-Range` is sent as.
  var value: String {
    switch self {
    case .entityTag(let value), .date(let value): value
    }
  }

  /// Whether a response with `headers`, to a request with this `If-Range`, is of the same state.
  ///
  /// Its entity tag has to be there and the same, as servers exist that serve ranges and do not know `If-Range`; the date may
  /// be left out. Source: RFC 9110 §15.3.7.
  func isConfirmed(by headers: HTTP.Headers) -> Bool {
    switch self {
    case .entityTag(let tag): headers.values(for: .eTag).map(\.rawValue) == [tag]
    case .date(let date): headers[.lastModified].map { $0.rawValue == date } ?? true
    }
  }

  /// Source: RFC 9110 §8.8.3.
  private static func isStrongTag(_ value: HTTP.HeaderValue) -> Bool {
    let bytes = value.rawValue.utf8
    guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return false }
    return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
  }
}

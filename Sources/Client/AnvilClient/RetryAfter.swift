package import AnvilBase
public import AnvilHTTP

/// Parses the delay that a response requests before the next attempt. Rules R6 and R7.
///
/// Source: RFC 9110 §10.2.3, §5.6.7; the RateLimit header fields draft, and the fields that servers send instead.
package enum RetryAfter {
  /// The smallest number that is read as seconds since 1970, a time in 2024. Smaller numbers are seconds to wait.
  private static let firstEpoch = 1_704_067_200

  /// The delay that is used when the number of seconds overflows.
  private static let ever = Duration.seconds(Int64.max)

  package static func delay(of response: HTTP.Response, now: Date) -> Duration? {
    delay(in: response.headers, status: response.status, now: now)
  }

  /// Returns the delay that `headers` request. `nil` if there is no such field, if it is invalid, or if its time is in the past.
  static func delay(in headers: HTTP.Headers, status: HTTP.Status, now: Date) -> Duration? {
    let own = headers.values(for: .retryAfter).compactMap { delay(in: $0.rawValue, now: now) }.max()
    // Rate limit fields also appear in other responses, where they do not explain the failure.
    guard own == nil, explains(status, headers) else { return own }
    for (key, mayBeEpoch) in resetFields {
      guard let number = headers.values(for: key).first.flatMap({ number($0.rawValue) }) else { continue }
      guard mayBeEpoch, number >= firstEpoch else { return .seconds(number) }
      if let delay = time(untilEpoch: number, now: now) { return delay }
    }
    return windows(in: headers).filter { $0.remaining == 0 }.compactMap { $0.reset }.max().map { .seconds($0) }
  }

  private static func explains(_ status: HTTP.Status, _ headers: HTTP.Headers) -> Bool {
    switch status.code {
    case 429: true
    case 503: isExhausted(headers) || !HTTP.Headers.rateLimitRemainders.contains { headers.contains($0) }
    default: status.code == 403 && isExhausted(headers)
    }
  }

  /// Returns the delay of one `Retry-After` value: a number, or a date in one of three formats.
  ///
  /// The standard allows digits only. Some servers send a fraction, which is rounded up.
  static func delay(in text: String, now: Date) -> Duration? {
    let text = text.trimmingBlanks
    if let number = number(text) { return number == .max ? ever : .seconds(number) }
    let today = HTTPDate(seconds: Int(clamping: now.timeIntervalSince1970))
    return HTTPDate(anyForm: text, now: today).flatMap { time(until: Double($0.seconds), now: now) }
  }

  /// Returns whether a field in `headers` states that a rate limit allows no further request.
  static func isExhausted(_ headers: HTTP.Headers) -> Bool {
    HTTP.Headers.rateLimitRemainders.contains { headers.values(for: $0).contains { number($0.rawValue) == 0 } }
      || windows(in: headers).contains { $0.remaining == 0 }
  }

  /// Returns the numbers of the `RateLimit` field, which had two forms in the drafts: `limit=10, remaining=0, reset=5`, and a list of
  /// windows such as `"minute";r=0;t=5`.
  private static func windows(in headers: HTTP.Headers) -> [(remaining: Int?, reset: Int?)] {
    guard headers.contains("RateLimit") else { return [] }
    let elements = headers.elements(of: "RateLimit")
    let directives = elements.flatMap { FieldScanner.directives(in: $0) }
    func argument(_ name: String) -> Int? { directives.first { $0.name == name }?.argument.flatMap(number) }
    let whole = (remaining: argument("remaining"), reset: argument("reset"))
    return [whole]
      + elements.map { element in
        let item = HTTP.HeaderValue(rawValue: element)
        return (item.parameter("r").flatMap(number), item.parameter("t").flatMap(number))
      }
  }

  /// Returns the time until `epoch`, a number of seconds or milliseconds since 1970.
  private static func time(untilEpoch epoch: Int, now: Date) -> Duration? {
    guard epoch / 1_000 >= firstEpoch else { return time(until: Double(epoch), now: now) }
    // Rounded up, as fractions of seconds are.
    return time(until: Double(epoch) / 1_000, now: now).map { delay in
      delay.components.attoseconds > 0 ? .seconds(delay.components.seconds + 1) : delay
    }
  }

  private static func time(until seconds: Double, now: Date) -> Duration? {
    let rest = seconds - now.timeIntervalSince1970
    return rest >= 0 && rest <= 1e12 ? .seconds(rest) : rest > 0 ? ever : nil
  }

  /// Returns the number in `text`, rounded up; `Int.max` if the number is larger, `nil` if the text does not consist of digits, with or
  /// without a fraction.
  private static func number(_ text: String) -> Int? {
    let parts = text.trimmingBlanks.utf8.split(
      separator: .period, maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { $0.isDigit } }
    guard isNumber, let first = parts.first else { return nil }
    guard let whole = Int(String(decoding: first, as: UTF8.self)), whole < .max else { return .max }
    return parts.dropFirst().contains { $0.contains { $0 != .digit0 } } ? whole + 1 : whole
  }

  /// The fields with the end of a rate limit's window. Whether the value may be a time depends on the field.
  private static let resetFields: [(HTTP.HeaderKey, mayBeEpoch: Bool)] =
    HTTP.Headers.rateLimitResets.map { ($0, true) } + [("X-RateLimit-Retry-After", false)]
}

/// Stored once; a static property of a generic type is computed.
private let transientStatuses: Set<HTTP.Status> = [
  408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
]

extension Set<HTTP.Status> {
  /// The statuses after which a later attempt may succeed: 408, 425, 429, 500, 502, 503, 504, 520 to 524 (sent by proxies that do not reach
  /// their server) and 529 (overloaded). Rule R2.
  public static var transient: Set<HTTP.Status> { transientStatuses }
}

extension HTTP.Response {
  /// Returns whether a later attempt may get another response, if `statuses` are transient. Rule R2.
  ///
  /// Two statuses usually have another cause: a 403 is transient only if a rate limit is exhausted, and a 413 only with a `Retry-After`.
  func isTransient(among statuses: Set<HTTP.Status>) -> Bool {
    guard statuses.contains(status) else { return false }
    return switch code {
    case 403: RetryAfter.isExhausted(headers)
    case 413: headers.contains(.retryAfter)
    default: true
    }
  }
}

extension TransportError {
  /// A Boolean value that indicates whether the request certainly did not reach a server.
  ///
  /// TLS failures are not included: they are permanent and are not retried. An interrupted handshake counts as a lost connection, if the
  /// session can distinguish the two.
  var provesNothingWasSent: Bool {
    switch (code, phase) {
    case (.noConnection, _), (.hostNotFound, _): true
    case (.connectionLost, .queue), (.connectionLost, .connect), (.connectionLost, .tls): true
    case (.timedOut, .queue), (.timedOut, .connect), (.timedOut, .tls): true
    default: false
    }
  }

  /// A Boolean value that indicates whether the session refused to connect to the server, which it would do again.
  var isRefusedConnection: Bool { underlyingError is ConnectionRefusal }
}

/// The underlying error of a connection that a session was not allowed to make, such as one to an address that an address guard refuses.
package struct ConnectionRefusal: Error, CustomStringConvertible {
  /// The reason, safe to log.
  package let description: String

  package init(_ reason: String) {
    description = reason
  }
}

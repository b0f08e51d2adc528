internal import AnvilHTTP
internal import AnvilText

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Parses the delay that a response requests before the next attempt. Rules R6 and R7.
///
/// Source: RFC 9110 §10.2.3, §5.6.7; the RateLimit header fields draft, and the fields that servers send instead.
enum RetryAfter {
  /// The smallest number that is read as seconds since 1970, a time in 2024. Smaller numbers are seconds to wait.
  private static let firstEpoch = 1_704_067_200

  /// The delay that is used when the number of seconds overflows.
  private static let ever = Duration.seconds(Int64.max)

  /// Returns the delay that `headers` request. `nil` if there is no such field, if it is invalid, or if its time is in the past.
  static func delay(in headers: HTTP.Headers, status: HTTP.Status, now: Date) -> Duration? {
    let own = headers.values(for: .retryAfter).compactMap { delay(in: $0.rawValue, now: now) }.max()
    // Rate limit fields also appear in other responses, where they do not explain the failure.
    guard own == nil, status.code == 429 || status.code == 503 else { return own }
    for (key, mayBeEpoch) in [
      ("RateLimit-Reset", true), ("X-RateLimit-Reset", true), ("X-RateLimit-Retry-After", false),
    ] as [(HTTP.HeaderKey, Bool)] {
      guard let number = headers.values(for: key).first.flatMap({ digits($0.rawValue) }) else { continue }
      guard mayBeEpoch, number >= firstEpoch else { return .seconds(number) }
      if let delay = time(until: number, now: now) { return delay }
    }
    return nil
  }

  /// Returns the delay of one `Retry-After` value: digits, or a date in one of three formats.
  static func delay(in text: String, now: Date) -> Duration? {
    let text = text.trimmingBlanks
    if let number = digits(text) { return number == .max ? ever : .seconds(number) }
    let today = HTTPDate(seconds: now.wholeSeconds)
    return HTTPDate(anyForm: text, now: today).flatMap { time(until: $0.seconds, now: now) }
  }

  private static func time(until seconds: Int, now: Date) -> Duration? {
    let rest = Double(seconds) - now.timeIntervalSince1970
    return rest >= 0 && rest <= 1e12 ? .seconds(rest) : rest > 0 ? ever : nil
  }

  /// Returns the number in `text`; `Int.max` if the number is larger, `nil` if the text does not consist of digits.
  private static func digits(_ text: String) -> Int? {
    let text = text.trimmingBlanks
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }
}

extension Date {
  fileprivate var wholeSeconds: Int { Int(min(max(timeIntervalSince1970, -1e12), 1e12)) }
}

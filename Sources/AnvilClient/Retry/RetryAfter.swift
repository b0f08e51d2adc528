internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How long a response asks to be waited. Rules R6 and R7.
///
/// Source: RFC 9110 §10.2.3, §5.6.7; the RateLimit header fields draft, and what servers send in its place.
enum RetryAfter {
  /// Where times since 1970 begin that are taken for such: in 2024. Any less is a number of seconds to wait.
  private static let firstEpoch = 1_704_067_200

  /// What stands for a wait whose seconds cannot be counted.
  private static let ever = Duration.seconds(Int64.max)

  /// The wait that `headers` ask for; `nil` where they do not, where it cannot be understood, and for a time in the past.
  static func delay(in headers: HTTP.Headers, status: HTTP.Status, now: Date) -> Duration? {
    let own = headers.values(for: .retryAfter).compactMap { delay(in: $0.rawValue, now: now) }.max()
    // Fields of rate limits come with other responses, too, and say nothing of why those failed.
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

  /// The wait of one `Retry-After`: digits or a date in one of three forms.
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

  /// The number that `text` is; the largest for one that is larger.
  private static func digits(_ text: String) -> Int? {
    let text = text.trimmingBlanks
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }
}

extension Date {
  fileprivate var wholeSeconds: Int { Int(min(max(timeIntervalSince1970, -1e12), 1e12)) }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
  /// The duration of a timeout given in seconds; `nil`, no limit, for what is not a positive number of at most 10⁹.
  init?(timeout seconds: TimeInterval) {
    guard seconds > 0, seconds <= 1e9 else { return nil }
    self = .nanoseconds(Int64(seconds * 1e9))
  }

  /// Seconds to the millisecond: `0.301 s`.
  var secondsDescription: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let digits = String(milliseconds)
    return "\(seconds).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits) s"
  }
}

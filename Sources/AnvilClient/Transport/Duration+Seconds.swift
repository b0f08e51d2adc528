#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
  /// Creates the duration of a timeout in seconds. The result is `nil`, which means no limit, if `seconds` is not positive or is greater
  /// than 10⁹.
  init?(timeout seconds: TimeInterval) {
    guard seconds > 0, seconds <= 1e9 else { return nil }
    self = .nanoseconds(Int64(seconds * 1e9))
  }
}

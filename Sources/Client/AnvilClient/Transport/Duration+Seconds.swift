#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
  /// Creates the duration of a timeout in seconds. The result is ``unlimited`` if `seconds` is not positive or is greater than 10⁹.
  init(timeout seconds: TimeInterval) {
    self = seconds > 0 && seconds <= 1e9 ? .nanoseconds(Int64(seconds * 1e9)) : .unlimited
  }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Duration {
  /// Creates the duration of a timeout given in seconds. `nil`, which means no limit, unless `seconds` is positive and at most 10⁹.
  init?(timeout seconds: TimeInterval) {
    guard seconds > 0, seconds <= 1e9 else { return nil }
    self = .nanoseconds(Int64(seconds * 1e9))
  }
}

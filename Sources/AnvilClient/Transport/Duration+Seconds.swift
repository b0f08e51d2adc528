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
}

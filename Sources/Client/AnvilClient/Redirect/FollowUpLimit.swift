internal import Synchronization

/// The limit on the number of requests that follow the caller's request, for redirects and challenges together. Rule D6.
///
/// The outermost interceptor creates the limit and passes it on in the options. A server therefore cannot exceed it by alternating
/// redirects and challenges.
package final class FollowUpLimit: Sendable {
  /// The limit, unless a policy allows more redirects.
  package static let standard = 20

  /// The maximum number of requests.
  package let maximum: Int
  private let count = Atomic(0)

  /// Creates a limit of `maximum` requests.
  package init(maximum: Int = standard) {
    self.maximum = maximum
  }

  /// Counts one more request. Returns `false` if the limit is exceeded.
  package func take() -> Bool {
    count.wrappingAdd(1, ordering: .relaxed).newValue <= maximum
  }

  /// The error for a request that exceeds the limit.
  var exceeded: TransportError {
    TransportError(code: .tooManyRedirects, reason: "\(maximum) redirects and challenges were followed")
  }
}

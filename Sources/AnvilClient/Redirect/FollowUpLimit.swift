internal import Synchronization

/// How many more requests may follow the caller's one, for redirects and challenges together. Rule D6.
///
/// Whichever interceptor is outermost makes it and hands it on in the options, so that a server cannot lead the client
/// round by turns: each redirect a challenge, each challenge a redirect.
package final class FollowUpLimit: Sendable {
  /// How many there may be unless a policy allows more redirects.
  package static let standard = 20

  /// How many there may be.
  package let maximum: Int
  private let count = Atomic(0)

  /// A limit of `maximum` requests.
  package init(maximum: Int = standard) {
    self.maximum = maximum
  }

  /// Counts one more request; `false` when that would be one too many.
  package func take() -> Bool {
    count.wrappingAdd(1, ordering: .relaxed).newValue <= maximum
  }

  /// The failure of what would be one too many.
  var exceeded: TransportError {
    TransportError(code: .tooManyRedirects, reason: "\(maximum) redirects and challenges were followed")
  }
}

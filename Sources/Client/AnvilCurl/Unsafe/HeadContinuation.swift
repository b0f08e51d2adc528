/// A task that waits for a response's head.
///
/// It is not a checked continuation, which would add an object and a lock to each request. It must be resumed exactly once. An exchange
/// ensures this: it has the only copy and, under its lock, removes it from its state before resuming it.
@safe
struct HeadContinuation: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  /// Suspends the task until the continuation that is passed to `body` is resumed.
  static func wait(
    isolation: isolated (any Actor)? = #isolation, _ body: (HeadContinuation) -> Void
  ) async {
    // Safety: as above.
    await unsafe withUnsafeContinuation { unsafe body(HeadContinuation(continuation: $0)) }
  }

  /// Resumes the task.
  func resume() {
    unsafe continuation.resume()
  }
}

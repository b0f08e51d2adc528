/// A task that waits for a response's head.
///
/// Not a checked continuation, which is an object and a lock more for each request. It must be resumed once: an exchange
/// takes it out of its stage to do so, under its lock, and nobody else has it.
@safe
struct HeadContinuation: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  /// Suspends the task until what `body` gets is resumed.
  static func wait(
    isolation: isolated (any Actor)? = #isolation, _ body: (HeadContinuation) -> Void
  ) async {
    // Safety: as above.
    await unsafe withUnsafeContinuation { unsafe body(HeadContinuation(continuation: $0)) }
  }

  /// Has the task go on.
  func resume() {
    unsafe continuation.resume()
  }
}

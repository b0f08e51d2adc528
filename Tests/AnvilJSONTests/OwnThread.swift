import Foundation

/// What `body` gives, computed on a thread of its own: what takes seconds leaves the tasks of other tests their threads.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    // As much as the main thread has: models may be deep.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

import Foundation

/// Runs `body` on a separate thread and returns its result, so that long work does not block the tasks of other tests.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    // The size of the main thread's stack, because models may be deep.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

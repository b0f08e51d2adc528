#if canImport(FoundationNetworking)
internal import Foundation

/// A session's delegate queue that has the session wait a moment where its callbacks are run more slowly than they come.
///
/// swift-corelibs-foundation adds a callback for every 16 KiB and never looks how many are there: while a GB was downloaded
/// from a fast server to a slow reader, a process came to 162 MB, with this to 64 MB (`anvil-stream-bench download`). As it adds them within libcurl's call, on the serial
/// queue of all sessions, whoever waits here holds every transfer back; so nothing that depends on a reader is waited for,
/// only what a callback does, and that not for long: one that waits for the serial queue itself, as cancelling a task does,
/// would never end. Should a later Foundation add callbacks in another way, this has no effect.
final class CallbackQueue: OperationQueue, @unchecked Sendable {
  // Unchecked as its superclass is; what it adds is touched with the condition's lock held.

  /// The most callbacks that are to wait: a MiB of chunks.
  private static let limit = 64
  /// How long the session waits for one of them at most, in seconds.
  private static let patience = 0.1

  private let condition = NSCondition()
  private var waitingCount = 0
  /// Whether waiting has led to nothing: not again before there are few.
  private var hasGivenUp = false

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    waitForRoom()
    super.addOperation {
      block()
      self.makeRoom()
    }
  }

  private func waitForRoom() {
    condition.lock()
    defer { condition.unlock() }
    if waitingCount >= Self.limit, !hasGivenUp {
      let deadline = Date(timeIntervalSinceNow: Self.patience)
      // Until there are few, rather than fewer: each wait costs two switches of threads.
      while waitingCount > Self.limit / 2, !hasGivenUp { hasGivenUp = !condition.wait(until: deadline) }
    }
    waitingCount += 1
  }

  private func makeRoom() {
    condition.lock()
    defer { condition.unlock() }
    waitingCount -= 1
    guard waitingCount <= Self.limit / 2 else { return }
    hasGivenUp = false
    condition.signal()
  }
}
#endif

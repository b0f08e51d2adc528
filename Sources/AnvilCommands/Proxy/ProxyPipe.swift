internal import Anvil
internal import AnvilHTTP
internal import AnvilPlatform
internal import Foundation

/// A response on its way from a task to the thread that sends it to a client: the one suspends, the other blocks.
///
/// `@unchecked Sendable`: what changes is touched under `condition` only.
final class ProxyPipe: @unchecked Sendable {
  /// The thread's end. When it goes, nobody wants the rest.
  final class Reader: Sendable {
    private let pipe: ProxyPipe

    init(_ pipe: ProxyPipe) {
      self.pipe = pipe
    }

    deinit {
      pipe.cancel()
    }

    /// The next chunk, waited for; `nil` at the end.
    ///
    /// - Throws: what cut the body short.
    func next() throws(TransportError) -> Data? { try pipe.next() }
  }

  /// With so many bytes waiting the task is suspended.
  private static let mostWaiting = 1 << 18

  private let condition = NSCondition()
  private var head: HTTP.Response?
  private var informational: [HTTP.Response] = []
  private var chunks = Queue<Data>()
  private var waitingCount = 0
  private var end: Result<Void, TransportError>?
  private var suspended: CheckedContinuation<Void, Never>?
  private var task: Task<Void, Never>?

  /// Runs `work` as the pipe's task, which ``cancel()`` cancels.
  func run(_ work: @escaping @Sendable () async -> Void) {
    condition.withLock { task = Task { await work() } }
  }

  // The task's side.

  /// With so many informational responses waiting, further ones are discarded.
  private static let mostInformational = 16

  /// Passes on an informational response, unless the client is too slow for it.
  func inform(_ head: HTTP.Response) {
    condition.withLock {
      guard informational.count < Self.mostInformational else { return }
      informational.append(head)
      condition.broadcast()
    }
  }

  func begin(_ head: HTTP.Response) {
    condition.withLock {
      self.head = head
      condition.broadcast()
    }
  }

  /// Appends a chunk, and waits while too much is to be read.
  func append(_ chunk: Data) async {
    await withCheckedContinuation { continuation in
      let waits = condition.withLock {
        chunks.append(chunk)
        waitingCount += chunk.count
        condition.broadcast()
        guard waitingCount >= Self.mostWaiting, end == nil else { return false }
        suspended = continuation
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Ends the body, and the head too where none has come. Only the first call counts.
  func finish(_ error: TransportError?) {
    let suspended = condition.withLock {
      if end == nil { end = error.map { .failure($0) } ?? .success(()) }
      condition.broadcast()
      return self.suspended.take()
    }
    suspended?.resume()
  }

  // The thread's side.

  /// Waits for the next head: of an informational response, or of the final one.
  func waitForHead() -> Result<HTTP.Response, TransportError> {
    condition.withLock {
      while true {
        if !informational.isEmpty { return .success(informational.removeFirst()) }
        if let head { return .success(head) }
        if case .failure(let error) = end { return .failure(error) }
        condition.wait()
      }
    }
  }

  private func next() throws(TransportError) -> Data? {
    let (result, suspended) = condition.withLock {
      while chunks.isEmpty, end == nil { condition.wait() }
      if case .failure = end { chunks = Queue() }
      guard let chunk = chunks.popFirst() else {
        return (end.map { $0.map { Data?.none } } ?? .success(nil), self.suspended.take())
      }
      waitingCount -= chunk.count
      let isLow = waitingCount < Self.mostWaiting / 2
      return (Result<Data?, TransportError>.success(chunk), isLow ? self.suspended.take() : nil)
    }
    suspended?.resume()
    return try result.get()
  }

  /// Ends the exchange for both sides.
  func cancel() {
    let task = condition.withLock { self.task }
    task?.cancel()
    finish(TransportError(code: .cancelled))
  }
}

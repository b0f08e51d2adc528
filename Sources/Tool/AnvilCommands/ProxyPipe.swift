internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Foundation

/// Passes a response from the task that receives it, which suspends, to the thread that sends it to a client, which blocks.
///
/// `@unchecked Sendable`: mutable state is used only while `condition` is locked.
final class ProxyPipe: @unchecked Sendable {
  /// The end of the pipe from which the thread reads. When it is released, the rest of the response is discarded.
  final class Reader: Sendable {
    private let pipe: ProxyPipe
    private let length: Int?

    init(_ pipe: ProxyPipe, length: Int?) {
      self.pipe = pipe
      self.length = length
    }

    deinit {
      pipe.release(length)
    }

    func next() throws(TransportError) -> Data? { try pipe.next() }
  }

  /// The number of bytes in the pipe at which the task is suspended.
  private static let mostWaiting = 1 << 18

  private let condition = NSCondition()
  private var head: HTTP.Response?
  private var informational: [HTTP.Response] = []
  private var chunks = Queue<Data>()
  private var waitingCount = 0
  private var readCount = 0
  private var end: Result<Void, TransportError>?
  private var suspended: CheckedContinuation<Void, Never>?
  private var task: Task<Void, Never>?

  /// Runs `work` as the pipe's task. ``cancel()`` cancels it.
  func run(_ work: @escaping @Sendable () async -> Void) {
    condition.withLock { task = Task { await work() } }
  }

  // The task's side.

  /// The maximum number of waiting informational responses. Further ones are discarded.
  private static let mostInformational = 16

  /// Passes on an informational response. It is discarded if too many others have not been sent yet.
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

  /// Appends a chunk. If too many bytes are in the pipe then, suspends until the reader has consumed at least half of them.
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

  /// Marks the end of the response, with the error if it was interrupted. Only the first call has an effect.
  func finish(_ error: TransportError?) {
    let suspended = condition.withLock {
      if end == nil { end = error.map { .failure($0) } ?? .success(()) }
      condition.broadcast()
      return self.suspended.take()
    }
    suspended?.resume()
  }

  // The thread's side.

  /// Waits for the next head, which is that of an informational response or of the final one.
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
      readCount += chunk.count
      let isLow = waitingCount < Self.mostWaiting / 2
      return (Result<Data?, TransportError>.success(chunk), isLow ? self.suspended.take() : nil)
    }
    suspended?.resume()
    return try result.get()
  }

  /// Ends the exchange after the reader was released. If the whole body was read, the task is not cancelled: it still has to reach the end
  /// of the body, and a cancelled response is neither recorded as complete nor stored.
  private func release(_ length: Int?) {
    let isComplete = condition.withLock { readCount == length }
    if isComplete { finish(nil) } else { cancel() }
  }

  func cancel() {
    let task = condition.withLock { self.task }
    task?.cancel()
    finish(TransportError(code: .cancelled))
  }
}

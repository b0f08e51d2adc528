internal import AnvilBase
internal import AnvilClient
internal import Synchronization

/// Passes a stub's chunks to a body at the speed of its reader. The code that sends the request writes until the body's buffer is full,
/// then the code that reads the body. No separate task writes, so that the result of a test does not depend on scheduling.
final class StubBody: Sendable {
  private struct State {
    var chunks: any IteratorProtocol<Data>
    var writer: TransportBody.Writer?
    var timer: Task<Void, Never>?
    /// The number of bytes that were written.
    var count = 0
  }

  private let state: Mutex<State>
  private let error: TransportError?
  /// The number of bytes that the head announces, after which nothing is read; `nil` if it is not known.
  private let length: Int?
  private let clock: any Clock<Duration>

  init(_ chunks: some Sequence<Data> & Sendable, length: Int?, error: TransportError?, clock: any Clock<Duration>) {
    // Safety: created here from a sendable value, and only used under the lock from now on.
    nonisolated(unsafe) let initial = State(chunks: chunks.makeIterator())
    state = unsafe Mutex(initial)
    self.error = error
    self.length = length
    self.clock = clock
  }

  /// Creates the body, which must end within `rest`, and fills its buffer. The error for exceeding `rest` reports `timeout` as elapsed.
  func start(within rest: Duration?, of timeout: Duration?) -> TransportBody {
    let (body, writer) = TransportBody.makeStream(
      onAbandon: { self.end() },
      onFlow: { flow in if flow == .resume { self.write() } })
    state.withLock { $0.writer = writer }
    write()
    if let rest, rest < .seconds(31_536_000) { limit(to: rest, reporting: timeout) }
    return body
  }

  /// Writes chunks until the body's buffer is full or no chunks remain.
  private func write() {
    let isAtEnd = state.withLock { state in
      while let writer = state.writer, writer.flow == .resume {
        guard state.count < length ?? .max, let chunk = state.chunks.next() else {
          writer.finish(error ?? truncation(after: state.count))
          return true
        }
        let part = chunk.prefix((length ?? .max) - state.count)
        state.count += part.count
        writer.yield(part)
      }
      return false
    }
    if isAtEnd { end() }
  }

  /// Returns the error of a body that ends after `count` bytes; `nil` if it is complete.
  private func truncation(after count: Int) -> TransportError? {
    length.flatMap { count < $0 ? TransportError(truncatedAfter: count, of: $0) : nil }
  }

  private func limit(to rest: Duration, reporting timeout: Duration?) {
    state.withLock { state in
      guard let writer = state.writer else { return }
      state.timer = Task { [clock] in
        guard (try? await clock.sleep(for: rest, tolerance: .zero)) != nil else { return }
        writer.finish(TransportError(code: .timedOut, phase: .body, elapsed: timeout))
      }
    }
  }

  /// Releases the writer, and with it the body's reference to this object.
  private func end() {
    let timer = state.withLock { state in
      state.writer = nil
      return state.timer.take()
    }
    timer?.cancel()
  }
}

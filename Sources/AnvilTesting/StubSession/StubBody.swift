internal import AnvilClient
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A stub's chunks on their way to a reader, no faster than it reads.
///
/// There is no task that writes: who sends the request writes until the body has enough, and from then on whoever reads
/// does. What a test sees therefore depends on nobody's pace.
final class StubBody: Sendable {
  private struct State {
    var chunks: any IteratorProtocol<Data>
    var writer: TransportBody.Writer?
    var timer: Task<Void, Never>?
  }

  private let state: Mutex<State>
  private let error: TransportError?

  init(_ chunks: some Sequence<Data> & Sendable, error: TransportError?) {
    // Safety: made here of a value that may be shared, and from here on used under the lock only.
    nonisolated(unsafe) let initial = State(chunks: chunks.makeIterator())
    state = unsafe Mutex(initial)
    self.error = error
  }

  /// The body, with as much in it as it takes at first. Once.
  ///
  /// - Parameters:
  ///   - rest: how long the body may take yet; `nil` for no limit.
  ///   - timeout: what to say that all of the exchange has taken when that time is up.
  func start(within rest: Duration?, of timeout: Duration?) -> TransportBody {
    let (body, writer) = TransportBody.makeStream(
      onAbandon: { self.end() },
      onFlow: { flow in if flow == .resume { self.write() } })
    state.withLock { $0.writer = writer }
    write()
    if let rest, rest < .seconds(31_536_000) { limit(to: rest, saying: timeout) }
    return body
  }

  /// Writes until the body has enough or there is no more.
  private func write() {
    let isAtEnd = state.withLock { state in
      while let writer = state.writer, writer.flow == .resume {
        guard let chunk = state.chunks.next() else {
          writer.finish(error)
          return true
        }
        writer.yield(chunk)
      }
      return false
    }
    if isAtEnd { end() }
  }

  private func limit(to rest: Duration, saying timeout: Duration?) {
    state.withLock { state in
      guard let writer = state.writer else { return }
      state.timer = Task {
        guard (try? await Task.sleep(for: rest, tolerance: .zero)) != nil else { return }
        writer.finish(TransportError(code: .timedOut, phase: .body, elapsed: timeout))
      }
    }
  }

  /// Lets go of the writer, and with it of the body's hold on this.
  private func end() {
    let timer = state.withLock { state in
      state.writer = nil
      return state.timer.take()
    }
    timer?.cancel()
  }
}

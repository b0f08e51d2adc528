import AnvilClient
import AnvilTestSupport
import Synchronization

/// An error that tests throw.
struct Mishap: Error, Equatable {
  var number = 0
}

/// A gate that suspends tasks until it is opened. A cancelled task does not wait.
final class Gate: Sendable {
  // A stream for each task: cancelling a task that reads a stream ends it for all others.
  private let waiting = Mutex<[AsyncStream<Void>.Continuation]?>([])
  private let arrivals = Atomic(0)

  func open() { waiting.withLock { $0.take() }?.forEach { $0.finish() } }

  /// Waits until `count` tasks have reached the gate.
  func waitForArrivals(_ count: Int = 1) async {
    await waitUntil { arrivals.load(ordering: .relaxed) >= count }
  }

  func pass() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let isOpen = waiting.withLock { waiting in
      waiting?.append(continuation)
      return waiting == nil
    }
    if isOpen { continuation.finish() }
    arrivals.add(1, ordering: .relaxed)
    for await _ in stream {}
    try Task.checkCancellation()
  }
}

/// A list of events, in order.
final class Log<Entry: Sendable>: Sendable {
  private let noted = Mutex<[Entry]>([])

  var entries: [Entry] { noted.withLock { $0 } }

  func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }

  /// Waits for `count` entries. Otherwise the suite's time limit ends the test.
  func wait(for count: Int = 1) async throws {
    await waitUntil { entries.count >= count }
  }
}

extension Promise {
  /// Returns a promise whose work ends when `gate` opens, and which records in `log` how it ended.
  static func gated(_ gate: Gate, _ value: Value, _ log: Log<String> = Log()) -> Promise<Value> {
    Promise {
      do {
        try await gate.pass()
        log.note("done")
        return value
      } catch {
        log.note("cancelled")
        throw error
      }
    }
  }

  static func kept(_ value: Value) -> Promise { Promise(result: .success(value)) }

  static func failed(_ error: any Error) -> Promise { Promise(result: .failure(error)) }

  /// The error of the failed promise.
  var error: (any Error)? {
    get async { await result.failure }
  }
}

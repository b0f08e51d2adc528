internal import Synchronization

/// A clock that stands still until a test moves it: pauses of minutes take none, and happen exactly when they are to.
///
///     let clock = TestClock()
///     let late = promise.delay(.seconds(60), clock: clock)
///     await clock.waitForSleepers(1)
///     clock.advance(by: .seconds(60))
///
/// Sleepers whose time has come are woken in the order of their deadlines. Cancelling a sleeping task wakes it at once.
public final class TestClock: Clock, Sendable {
  /// A point in time, counted from the clock's making.
  public struct Instant: InstantProtocol {
    let offset: Duration

    /// The point `duration` after this one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time from this point to `other`.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether this point is before `other`.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID = 0
    var sleepers: [Int: Sleeper] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return satisfied.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// A clock that shows zero.
  public init() {}

  /// Where the clock stands.
  public var now: Instant { state.withLock(\.now) }

  /// As exact as `Duration` is.
  public var minimumResolution: Duration { Duration(secondsComponent: 0, attosecondsComponent: 1) }

  /// How many tasks are asleep.
  public var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// Sleeps until the clock was moved to `deadline` or beyond.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          guard deadline > state.now, !Task.isCancelled else { return nil }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return state.takeSatisfiedWatchers()
        }
        guard let watchers else {
          return continuation.resume(with: Result { try Task.checkCancellation() })
        }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock on and wakes whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until at least `count` tasks are asleep.
  public func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
  }
}

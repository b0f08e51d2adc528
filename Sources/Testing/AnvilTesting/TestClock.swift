internal import Synchronization

/// A clock that a test moves by hand, so that long pauses take no time and end at exact times.
///
///     let clock = TestClock()
///     configuration.clock = clock
///     …
///     await clock.waitForSleepers(1)
///     clock.advance(by: .seconds(60))
///
/// Sleepers whose deadline has passed are woken in the order of their deadlines. Cancelling a sleeping task wakes it immediately.
public final class TestClock: Clock, Sendable {
  /// A point in time, relative to the creation of the clock.
  public struct Instant: InstantProtocol {
    let offset: Duration

    /// Returns the point in time `duration` after this one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the time from this point to `other`.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns a Boolean value that indicates whether the first point is before the second.
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
    var watchers: [(id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return satisfied.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// Creates a clock whose time is zero.
  public init() {}

  /// The current time of the clock.
  public var now: Instant { state.withLock(\.now) }

  /// The smallest step of the clock, which is the resolution of `Duration`.
  public var minimumResolution: Duration { Duration(secondsComponent: 0, attosecondsComponent: 1) }

  package var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// Sleeps until the clock is moved to `deadline` or beyond.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
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

  /// Moves the clock forward and wakes the sleepers whose deadline has passed.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until at least `count` tasks sleep on this clock, or until the waiting task is cancelled. A request that is under way sleeps
  /// until its time limit.
  public func waitForSleepers(_ count: Int) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.sleepers.count >= count || Task.isCancelled { return true }
          state.watchers.append((id, count, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
      }
      watcher?.continuation.resume()
    }
  }
}

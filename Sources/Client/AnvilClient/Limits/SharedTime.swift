internal import AnvilBase
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The time of an object that several clients may share, such as a rate limiter: that of the clock it was created with or, without one, of
/// the configuration whose request uses the object first.
final class SharedTime: Sendable {
  private struct Source {
    let clock: any Clock<Duration>
    let elapsed: @Sendable () -> Duration
    /// The time of day when the clock was set, from which a clock of a test counts on; `nil` for the system's time of day.
    let start: Date?

    init(_ clock: any Clock<Duration>) {
      self.clock = clock
      elapsed = clock.stopwatch()
      start = SharedTime.isOfSystem(clock) ? nil : Date()
    }
  }

  private static func isOfSystem(_ clock: any Clock<Duration>) -> Bool {
    clock is ContinuousClock || clock is SuspendingClock
  }

  private let source: Mutex<Source?>
  private let ownNow: (@Sendable () -> Date)?

  /// Creates the time of `clock`.
  ///
  /// - Parameters:
  ///   - clock: The clock; `nil` for that of the first configuration.
  ///   - now: Returns the time of day. `nil` for that of the clock.
  init(_ clock: (any Clock<Duration>)?, now: (@Sendable () -> Date)? = nil) {
    source = Mutex(clock.map { Source($0) })
    ownNow = now
  }

  /// Returns a function that returns the time of day by `clock`, which counts on from the current time if it is the clock of a test.
  static func timeOfDay(by clock: any Clock<Duration>) -> @Sendable () -> Date {
    if isOfSystem(clock) { return { Date() } }
    let time = SharedTime(clock)
    return { time.now() }
  }

  /// Sets the clock of the configuration that sends a request with `options`, unless a clock is set.
  func begin(_ options: TransportOptions) {
    source.withLock { source in
      if source == nil { source = Source(options.clock ?? ContinuousClock()) }
    }
  }

  /// The clock. It is the system's if none is set.
  var clock: any Clock<Duration> { withSource(\.clock) }

  /// Returns the time since an arbitrary fixed point.
  func elapsed() -> Duration { withSource(\.elapsed)() }

  /// Returns the time of day.
  func now() -> Date {
    if let ownNow { return ownNow() }
    let (start, elapsed) = withSource { ($0.start, $0.elapsed) }
    return start.map { $0.addingTimeInterval(elapsed() / .seconds(1)) } ?? Date()
  }

  private func withSource<Value: Sendable>(_ read: (Source) -> Value) -> Value {
    source.withLock { source in
      let known = source ?? Source(ContinuousClock())
      source = known
      return read(known)
    }
  }
}

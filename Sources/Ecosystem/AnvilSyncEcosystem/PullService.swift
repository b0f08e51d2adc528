#if ServiceLifecycle
internal import AnvilBase
public import AnvilStore
public import AnvilSync
public import ServiceLifecycle

/// A service that runs a pull again and again, until the graceful shutdown of its group.
///
///     let members = PullService(pull, in: store, every: .seconds(60), observers: [.log(logger)])
///     try await ServiceGroup(services: [members], gracefulShutdownSignals: [.sigterm], logger: logger).run()
///
/// The shutdown cancels a run in progress. The pages that it has stored stay stored, and the next run of the pull continues after them.
///
/// A run that fails, because of the network for example, is reported to the observers, and the next one begins after the interval. Errors that another
/// run would repeat end the service: a `PullError` other than `overtaken`.
public struct PullService: Service {
  private let interval: Duration
  private let clock: any Clock<Duration>
  private let runOnce: @Sendable () async throws -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - pull: The pull.
  ///   - store: The store that keeps the rows and the position.
  ///   - interval: The time between the end of a run and the start of the next.
  ///   - leases: The duration of leases by which several processes share the pull; `nil` if one process runs it.
  ///   - clock: The clock that measures the interval.
  ///   - observers: The observers of the runs.
  public init<Model>(
    _ pull: Pull<Model>, in store: Store, every interval: Duration, leases: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(), observers: [PullObserver] = []
  ) {
    self.interval = interval
    self.clock = clock
    runOnce = { try await store.run(pull, leases: leases, observers: observers) }
  }

  /// Runs the pull until the graceful shutdown, which ends this function without an error.
  ///
  /// - Throws: `PullError` for an error that another run would repeat. `CancellationError` if the task is cancelled.
  public func run() async throws {
    do {
      try await cancelWhenGracefulShutdown { [self] in
        while !Task.isCancelled {
          try await attempt()
          try await clock.sleep(for: interval.clampedForClocks)
        }
      }
    } catch is CancellationError where Task.isShuttingDownGracefully {
      return
    }
  }

  private func attempt() async throws {
    do {
      try await runOnce()
    } catch let error as PullError where error.code != .overtaken {
      throw error
    } catch {
      // The observers know of it.
      try Task.checkCancellation()
    }
  }
}
#endif

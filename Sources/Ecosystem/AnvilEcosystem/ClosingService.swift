#if ServiceLifecycle
public import AnvilObservability
public import ServiceLifecycle

/// A service that waits for the graceful shutdown of its group, and then closes a part of the client.
///
///     ServiceGroup(
///       services: [ClosingService(exporter), ClosingService { await session.shutDown() }, server], gracefulShutdownSignals: [.sigterm], logger: logger)
///
/// A group shuts its services down in the reverse order. List this service before those that still send requests.
public struct ClosingService: Service {
  private let close: @Sendable () async -> Void

  /// Creates a service that calls `close` at the graceful shutdown, and when its task is cancelled.
  public init(_ close: @escaping @Sendable () async -> Void) {
    self.close = close
  }

  /// Creates a service that exports what is queued and closes the exporter.
  ///
  /// - Parameter timeout: The limit of the last export.
  public init(_ exporter: OTLPExporter, timeout: Duration = .seconds(10)) {
    self.init { await exporter.close(timeout: timeout) }
  }

  /// Waits for the graceful shutdown or for cancellation, then closes.
  public func run() async {
    try? await gracefulShutdown()
    // A task that inherits no cancellation: a cancelled group exports what is queued, too.
    await Task { await close() }.value
  }
}
#endif

public import Logging
import Synchronization

public protocol Service: Sendable {
  func run() async throws
}

/// The signal of a service's graceful shutdown.
final class Shutdown: Sendable {
  @TaskLocal static var current: Shutdown?

  private struct State {
    var isTriggered = false
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  var isTriggered: Bool { state.withLock(\.isTriggered) }

  func trigger() {
    let waiting = state.withLock { state in
      state.isTriggered = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.finish() }
  }

  /// Returns when the shutdown has begun, or the task is cancelled.
  func wait() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isTriggered = state.withLock { state in
      state.waiting.append(continuation)
      return state.isTriggered
    }
    if isTriggered { continuation.finish() }
    for await _ in stream {}
  }
}

extension Task where Success == Never, Failure == Never {
  public static var isShuttingDownGracefully: Bool { Shutdown.current?.isTriggered ?? false }
}

/// Returns at the graceful shutdown of the current service, and throws if the task is cancelled.
public func gracefulShutdown() async throws {
  guard let shutdown = Shutdown.current else {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
  await shutdown.wait()
  try Task.checkCancellation()
}

/// Cancels `operation` at the graceful shutdown, and returns its value.
public func cancelWhenGracefulShutdown<T: Sendable>(
  _ operation: @Sendable @escaping () async throws -> T
) async rethrows -> T {
  try await withThrowingTaskGroup(of: T?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      await Shutdown.current?.wait()
      if Shutdown.current == nil { try? await gracefulShutdown() }
      return nil
    }
    while let value = try await group.next() {
      group.cancelAll()
      if let value { return value }
    }
    fatalError("the operation has no value")
  }
}

/// Runs services, and shuts them down one after the other, the last one first.
public actor ServiceGroup {
  private let services: [(service: any Service, shutdown: Shutdown)]
  private let trigger = Shutdown()

  public init(services: [any Service], logger: Logger) { self.services = services.map { ($0, Shutdown()) } }

  public func run() async throws {
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for (index, entry) in services.enumerated() {
        group.addTask {
          try await Shutdown.$current.withValue(entry.shutdown) { try await entry.service.run() }
          return index
        }
      }
      group.addTask { [trigger] in
        await trigger.wait()
        return nil
      }
      var next = services.count
      while let ended = try await group.next() {
        // The shutdown begins, or the service that was told to shut down has ended.
        guard ended == nil || ended == next else { throw UnexpectedEnd() }
        next -= 1
        guard next >= 0 else { break }
        services[next].shutdown.trigger()
      }
      group.cancelAll()
    }
  }

  public func triggerGracefulShutdown() { trigger.trigger() }
}

/// A service has ended that was not told to.
public struct UnexpectedEnd: Error {}

internal import AnvilBase

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportBody {
  /// Returns the body with time limits: if no data arrives for `idleTimeout` while it is read, and at the deadline, reading fails and the
  /// transfer ends. Rules R9 and T1.
  func limited(idleTimeout: Duration?, by deadline: RequestDeadline?, clock: any Clock<Duration>) -> TransportBody {
    let idleTimeout = idleTimeout?.asLimit
    guard let channel = source.channel, idleTimeout != nil || deadline != nil else { return self }
    return TransportBody(.limited(LimitedBody(source, channel, idleTimeout: idleTimeout, by: deadline, clock: clock)))
  }
}

/// A body whose transfer ends when a time limit passes.
final class LimitedBody: Sendable {
  let channel: BodyChannel
  private let source: TransportBody.Source
  private let idleTimeout: Duration?
  private let clock: any Clock<Duration>
  /// Ends the transfer at the deadline, also while it is not read.
  private let deadlineWatch: Task<Void, Never>?

  init(
    _ source: TransportBody.Source, _ channel: BodyChannel, idleTimeout: Duration?, by deadline: RequestDeadline?,
    clock: any Clock<Duration>
  ) {
    self.source = source
    self.channel = channel
    self.idleTimeout = idleTimeout
    self.clock = clock
    deadlineWatch = deadline.map { deadline in
      Task {
        guard (try? await deadline.wait()) != nil else { return }
        channel.abandon(with: deadline.error(in: .body))
      }
    }
  }

  deinit {
    deadlineWatch?.cancel()
  }

  func next() async throws(TransportError) -> Data? {
    guard let idleTimeout else { return try await source.next() }
    let watch = Task { [channel, clock] in
      guard (try? await clock.sleep(for: idleTimeout)) != nil else { return }
      channel.abandon(
        with: TransportError(
          code: .timedOut, phase: .body, elapsed: idleTimeout, reason: "no data was received in this time"))
    }
    defer { watch.cancel() }
    return try await source.next()
  }
}

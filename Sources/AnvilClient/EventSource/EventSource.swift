public import AnvilHTTP

/// The events of a server that is connected to again whenever the connection ends.
///
///     let source = EventSource(request: HTTP.Request(url: url)) { request in
///       try await send(request)             // a response whose body is a stream
///     }
///     for try await event in source { print(event.type, event.data) }
///
/// Sends `Accept: text/event-stream`, `Cache-Control: no-store` and, where an event had an ID, `Last-Event-ID`, so that a
/// server can go on where it was; a request that has that field already begins there. The first answer must be 200 with
/// `text/event-stream`, and so must all others: anything else is ``UnexpectedResponse``, except 204, by which a server says
/// that there is nothing more: the sequence ends.
///
/// When the body ends or the connection is lost, and when a connection cannot be made, the source waits and connects again,
/// for as long as it takes: the server's `retry` time, or `reconnectionTime` unless it has set one, of at most an hour; after
/// a failed attempt, what `backoff` says in addition. What was lost in the midst of an event is not given.
///
/// Each iterator connects for itself, when its first event is asked for; nothing is read, and no connection is made, while no
/// event is asked for. Letting go of it ends the connection. Cancelling the task ends connecting, reading and waiting at once
/// with an error.
///
/// Source: the HTML standard, §9.2, but for two things: an ID stays when the connection is made again, as it does in
/// browsers, and one with control characters, which no header field can carry, is not sent.
public struct EventSource: AsyncSequence, Sendable {
  /// What sends a request and returns its response as soon as the head has come.
  public typealias Connect = @Sendable (HTTP.Request) async throws -> HTTP.Response

  let request: HTTP.Request
  let reconnectionTime: Duration
  let backoff: any BackoffStrategy
  let eventLimit: Int
  let clock: any Clock<Duration>
  let isTransient: @Sendable (any Error) -> Bool
  let connect: Connect

  /// A source of the events that `request` is answered with.
  ///
  /// - Parameters:
  ///   - request: sent anew each time; one with a stream for a body can be sent only once, and then what ended the first
  ///     connection is the error.
  ///   - reconnectionTime: how long to wait until the server sets a time itself: three seconds unless given.
  ///   - backoff: how long to wait in addition after each attempt that failed.
  ///   - eventLimit: how many bytes a line and an event's data may have: 16 MiB unless given. One that has more is
  ///     ``HTTP/BodyError/eventTooLarge(limit:)``.
  ///   - clock: what the waits are measured by.
  ///   - isTransient: which errors may pass by themselves, of `connect`, of reading, and ``UnexpectedResponse``; any other
  ///     ends the sequence.
  ///   - connect: sends a request. Statuses may be left to the source, or thrown.
  public init(
    request: HTTP.Request, reconnectionTime: Duration = .seconds(3),
    backoff: any BackoffStrategy = ExponentialBackoff(),
    eventLimit: Int = 1 << 24, clock: any Clock<Duration> = ContinuousClock(),
    isTransient: @escaping @Sendable (any Error) -> Bool = { Self.isTransient($0) }, connect: @escaping Connect
  ) {
    self.request = request
    self.reconnectionTime = reconnectionTime
    self.backoff = backoff
    self.eventLimit = eventLimit
    self.clock = clock
    self.isTransient = isTransient
    self.connect = connect
  }

  /// Whether `error` is one of the transport that may pass by itself: no connection, a host that is not found, a lost or timed out connection, a body that was
  /// cut short, and failures that the transport has no name for. No status is, nor a failure of TLS.
  public static func isTransient(_ error: any Error) -> Bool {
    if case HTTP.BodyError.wrongLength(let expected, let found) = error { return found < expected }
    let transportError = error as? TransportError ?? (error as? any TransportFailureRepresentable)?.transportError
    return switch transportError?.code {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .truncatedResponse, .other: true
    default: false
    }
  }

  /// Begins at the request's `Last-Event-ID`, if it has one; connects when the first event is asked for.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }
}

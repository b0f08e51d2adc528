public import AnvilHTTP

/// The events of a server, with automatic reconnection.
///
///     let source = EventSource(request: HTTP.Request(url: url)) { request in
///       try await send(request)             // a response whose body is a stream
///     }
///     for try await event in source { print(event.type, event.data) }
///
/// The request has `Accept: text/event-stream`, `Cache-Control: no-store` and, after an event with an ID, `Last-Event-ID`, from which a
/// server can resume. A request that already has a `Last-Event-ID` starts after the event with that ID. A response must be a 200 with
/// `text/event-stream`, or a 204, which means that there are no more events and ends the sequence. Any other response fails with
/// ``UnexpectedResponse``.
///
/// When the body ends, the connection is lost or a connection cannot be made, the source waits and connects again, without a limit on the
/// number of attempts. It waits for the server's `retry` time, or for `reconnectionTime` if the server has set none, but at most an hour.
/// After a failed attempt the delay of `backoff` is added. An event that was interrupted is discarded.
///
/// Each iterator has a separate connection, which is made when its first event is requested. Data is read only while an event is requested.
/// Releasing the iterator closes the connection. Cancelling the task ends connecting, reading and waiting at once with an error.
///
/// Source: the HTML standard, §9.2, with two exceptions. As in browsers, the event ID is kept when the connection is made again. An ID with
/// control characters is not sent, because a header field cannot contain them.
public struct EventSource: AsyncSequence, Sendable {
  /// A closure that sends a request and returns its response when the head was received.
  public typealias Connect = @Sendable (HTTP.Request) async throws -> HTTP.Response

  let request: HTTP.Request
  let reconnectionTime: Duration
  let backoff: any BackoffStrategy
  let eventLimit: Int
  let clock: any Clock<Duration>
  let isTransient: @Sendable (any Error) -> Bool
  let connect: Connect

  /// Creates a source of the events in the response to `request`.
  ///
  /// - Parameters:
  ///   - request: The request, which is sent for each connection. If its body is a stream, it can be sent only once, and the sequence fails
  ///     when the first connection ends.
  ///   - reconnectionTime: The time to wait until the server sets one; three seconds by default.
  ///   - backoff: The additional delay after each failed attempt.
  ///   - eventLimit: The maximum number of bytes of a line and of an event's data; 16 MiB by default. A larger one ends the sequence with
  ///     ``HTTP/BodyError/eventTooLarge(limit:)``.
  ///   - clock: The clock that measures delays.
  ///   - isTransient: Returns whether an error of `connect` or of reading, or an ``UnexpectedResponse``, may be transient. Any other error
  ///     ends the sequence.
  ///   - connect: Sends a request. It may throw for an unsuccessful status or return the response.
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

  /// Returns whether `error` is a transient transport error.
  ///
  /// Transient errors are: no connection, a host that is not found, a lost or timed out connection, a truncated body, and failures without
  /// a specific code. Statuses and TLS failures are not transient.
  public static func isTransient(_ error: any Error) -> Bool {
    if case HTTP.BodyError.wrongLength(let expected, let found) = error { return found < expected }
    let transportError = error as? TransportError ?? (error as? any TransportFailureRepresentable)?.transportError
    return switch transportError?.code {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .truncatedResponse, .other: true
    default: false
    }
  }

  /// Creates an iterator that starts after the request's `Last-Event-ID`, if it has one, and connects when the first event is requested.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }
}

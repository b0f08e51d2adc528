package import AnvilHTTP

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
/// number of attempts unless `reconnectionTimeout` sets one. It waits for the server's `retry` time, or for `reconnectionTime` if the server
/// has set none, but at least half a second and at most an hour. After a failed attempt, and after a connection that ended within ten
/// seconds without an event, the delay of `backoff` is added. A longer `Retry-After` is respected. An event that was interrupted is discarded.
///
/// A request that may not be sent again, such as a POST, is sent once: the sequence ends with the body. It throws if the body is truncated.
/// An HTTP/1 body whose end is that of the connection counts as truncated if it ends within an event. `URLSession` does not report the
/// version: with TLS, a response without a `Connection` field counts as HTTP/2, which marks the end of a body.
///
/// Each iterator has a separate connection, which is made when its first event is requested. Data is read only while an event is requested.
/// Releasing the iterator closes the connection. Cancelling the task ends connecting, reading and waiting at once with an error.
///
/// Source: the HTML standard, §9.2, with two exceptions. As in browsers, the event ID is kept when the connection is made again. An ID with
/// control characters is not sent, because a header field cannot contain them.
package struct EventSource: AsyncSequence, Sendable {
  /// A closure that sends a request and returns its response when the head was received.
  package typealias Connect = @Sendable (HTTP.Request) async throws -> HTTP.Response

  let request: HTTP.Request
  let reconnects: RequestSettings.Reconnection
  let reconnectionTime: Duration
  let reconnectionTimeout: Duration?
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
  ///   - reconnects: Whether the request is sent again after a connection ended or could not be made. By default only if its method is safe.
  ///   - reconnectionTime: The time to wait until the server sets one; three seconds by default, and at least half a second.
  ///   - reconnectionTimeout: The maximum time from the loss of a connection, or from the beginning, until the next connection is made. If
  ///     it would pass, the sequence throws the last error. `nil` for no limit.
  ///   - backoff: The additional delay after each failed attempt.
  ///   - eventLimit: The maximum number of bytes of a line and of an event's data; 16 MiB by default. A larger one ends the sequence with
  ///     ``HTTP/BodyError/eventTooLarge(limit:)``.
  ///   - clock: The clock that measures delays.
  ///   - isTransient: Returns whether an error of `connect` or of reading, or an ``UnexpectedResponse``, may be transient. Any other error
  ///     ends the sequence.
  ///   - connect: Sends a request. It may throw for an unsuccessful status or return the response.
  package init(
    request: HTTP.Request, reconnects: RequestSettings.Reconnection = .byMethod,
    reconnectionTime: Duration = .seconds(3), reconnectionTimeout: Duration? = nil,
    backoff: any BackoffStrategy = ExponentialBackoff(),
    eventLimit: Int = 1 << 24, clock: any Clock<Duration> = ContinuousClock(),
    isTransient: @escaping @Sendable (any Error) -> Bool = { Self.isTransient($0) }, connect: @escaping Connect
  ) {
    self.request = request
    self.reconnects = reconnects
    self.reconnectionTime = reconnectionTime
    self.reconnectionTimeout = reconnectionTimeout
    self.backoff = backoff
    self.eventLimit = eventLimit
    self.clock = clock
    self.isTransient = isTransient
    self.connect = connect
  }

  /// Returns whether `error` is a transient transport error.
  ///
  /// Transient errors are: no connection, a host that is not found, a lost or timed out connection, a truncated body, and failures without
  /// a specific code. TLS failures are not transient, and neither are statuses: by the HTML standard, a response with another status than
  /// 200 ends an event stream.
  ///
  /// - Parameter statuses: The statuses that are transient nevertheless, such as ``Swift/Set/transient``. A 403 is transient only with an
  ///   exhausted rate limit, and a 413 only with a `Retry-After`.
  package static func isTransient(_ error: any Error, statuses: Set<HTTP.Status> = []) -> Bool {
    if case HTTP.BodyError.wrongLength(let expected, let found) = error { return found < expected }
    let transportError = error as? TransportError ?? (error as? any TransportFailureRepresentable)?.transportError
    return switch transportError?.code {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .truncatedResponse, .other: true
    case .redirection, .clientError, .serverError, .unknownStatus, nil:
      error.rejectedResponse?.isTransient(among: statuses) == true
    default: false
    }
  }

  /// Creates an iterator that starts after the request's `Last-Event-ID`, if it has one, and connects when the first event is requested.
  package func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(self)
  }
}

extension Error {
  /// The response that a source has rejected, or the one of a failure.
  var rejectedResponse: HTTP.Response? {
    (self as? EventSource.UnexpectedResponse)?.response
      ?? (self as? any TransportFailureRepresentable)?.failureResponse
  }
}

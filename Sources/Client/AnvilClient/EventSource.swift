internal import AnvilBase
package import AnvilBodies
package import AnvilHTTP

/// The events of a server, with automatic reconnection.
///
///     let source = EventSource(request: HTTP.Request(url: url)) { request in
///       try await send(request)             // a response whose body is a stream
///     }
///     for try await event in source { print(event.type, event.data) }
///
/// ``TypedGatewayRequest/events(reconnection:)`` documents the requests, the responses and the waits. A request that already has a
/// `Last-Event-ID` starts after the event with that ID. Any response but a 200 with `text/event-stream` and a 204 fails with
/// ``UnexpectedResponse``.
///
/// An HTTP/1 body whose end is that of the connection counts as truncated if it ends within an event. `URLSession` does not report the
/// version: with TLS, a response without a `Connection` field counts as HTTP/2, which marks the end of a body.
///
/// Each iterator has a separate connection, which is made when its first event is requested. Cancelling the task ends connecting, reading
/// and waiting at once with an error.
///
/// Source: the HTML standard, §9.2, with two exceptions. As in browsers, the event ID is kept when the connection is made again. An ID with
/// control characters is not sent, because a header field cannot contain them.
package struct EventSource: AsyncSequence, Sendable {
  /// A closure that sends a request and returns its response when the head was received.
  package typealias Connect = @Sendable (HTTP.Request) async throws -> HTTP.Response

  let request: HTTP.Request
  let reconnects: RequestSettings.Reconnection
  let reconnection: HTTP.ServerSentEvent.Reconnection
  let eventLimit: Int
  let clock: any Clock<Duration>
  let connect: Connect

  /// Creates a source of the events in the response to `request`, which is sent for each connection.
  ///
  /// - Parameters:
  ///   - eventLimit: The maximum number of bytes of a line and of an event's data.
  ///   - connect: Sends a request. It may throw for an unsuccessful status or return the response.
  package init(
    request: HTTP.Request, reconnects: RequestSettings.Reconnection = .byMethod,
    reconnection: HTTP.ServerSentEvent.Reconnection = .init(), eventLimit: Int = 16 << 20,
    clock: any Clock<Duration> = ContinuousClock(), connect: @escaping Connect
  ) {
    self.request = request
    self.reconnects = reconnects
    self.reconnection = reconnection
    self.eventLimit = eventLimit
    self.clock = clock
    self.connect = connect
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

  /// Returns whether a stream or a download that ended with this error may continue with another request.
  ///
  /// Transient errors are: no connection, a host that is not found, a lost or timed out connection, a truncated body, and failures without
  /// a specific code. A refused address and TLS failures are not transient, and neither are statuses: by the HTML standard, a response with
  /// another status than 200 ends an event stream.
  ///
  /// - Parameter statuses: The statuses that are transient nevertheless, such as ``Swift/Set/transient``. A 403 is transient only with an
  ///   exhausted rate limit, and a 413 only with a `Retry-After`.
  package func mayBeTransient(among statuses: Set<HTTP.Status> = []) -> Bool {
    if case .wrongLength(let expected, let found) = self as? HTTP.BodyError { return found < expected }
    let transportError = self as? TransportError ?? (self as? any TransportFailureRepresentable)?.transportError
    // A status that is a failure decides, even if the text after it was interrupted.
    if transportError?.code != .cancelled, let response = rejectedResponse, !response.status.isSuccess {
      return response.isTransient(among: statuses)
    }
    return switch transportError?.code {
    case .noConnection where transportError?.isRefusedConnection == true: false
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .truncatedResponse, .other: true
    default: false
    }
  }
}

extension EventSource {
  package struct AsyncIterator: AsyncIteratorProtocol {
    private let source: EventSource
    private var machine: EventSourceMachine
    /// The events of the open connection.
    private var events: HTTP.Body.Events.AsyncIterator?
    /// The response of the last connection, without its body; `nil` before it arrives.
    private(set) var response: HTTP.Response?
    private var isEnded = false
    /// Returns the time since the iterator was created.
    private let elapsed: Stopwatch
    private let now: @Sendable () -> Date

    init(_ source: EventSource) {
      self.source = source
      machine = EventSourceMachine(source)
      elapsed = Stopwatch(source.clock)
      now = SharedTime.timeOfDay(by: source.clock)
    }

    /// Throws ``UnexpectedResponse``, ``HTTP/BodyError/eventTooLarge(limit:)``, the errors after which the request is not sent again and, if the
    /// task is cancelled, `CancellationError` or the error of the operation that was interrupted.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> HTTP.ServerSentEvent? {
      while !isEnded {
        let loss: (any Error)?
        do {
          try Task.checkCancellation()
          guard try await open() else {
            isEnded = true
            return nil
          }
          if let event = try await readEvent() { return event }
          loss = machine.truncation(isWithinEvent: events?.parser.isWithinEvent == true)
        } catch {
          loss = error
        }
        do {
          guard try await prepareToReconnect(after: loss) else {
            isEnded = true
            return nil
          }
        } catch {
          isEnded = true
          throw error
        }
      }
      return nil
    }

    /// Connects unless a connection is open. Returns `false` if the server ended the sequence.
    private mutating func open() async throws -> Bool {
      guard events == nil else { return true }
      let response = try await source.connect(machine.request)
      self.response = response.withoutBody
      switch machine.receive(response, at: elapsed()) {
      case .read:
        let events = HTTP.Body.Events(
          body: response.body, limit: source.eventLimit, lastEventID: machine.lastEventID)
        self.events = events.makeAsyncIterator()
        return true
      case .end: return false
      case .fail(let error): throw error
      }
    }

    /// Returns the connection's next event; `nil` at its end.
    private mutating func readEvent() async throws -> HTTP.ServerSentEvent? {
      defer {
        // IDs and times that were received without an event are recorded too, also before an error.
        if let parser = events?.parser { machine.note(lastEventID: parser.lastEventID, retry: parser.retry) }
      }
      let event = try await events?.next()
      if event != nil { machine.noteEvent() }
      return event
    }

    /// Waits until the next connection may be made. Returns `false` if the request may not be sent again.
    @inline(never)
    private mutating func prepareToReconnect(after error: (any Error)?) async throws -> Bool {
      events = nil
      // An error caused by cancellation must not lead to another connection.
      if let error, Task.isCancelled { throw error }
      switch machine.lose(error, at: elapsed(), now: now()) {
      case .wait(let delay): try await source.clock.sleep(for: delay.clampedForClocks)
      case .end: return false
      case .fail(let rejection as UnexpectedResponse):
        throw UnexpectedResponse(response: await rejection.response.explained(by: source.clock))
      case .fail(let error): throw error
      }
      return true
    }
  }

  /// The error for a response that is not an event stream.
  package struct UnexpectedResponse: Error {
    /// The response, with the beginning of its body when the error is thrown. Until then, the body has not been read.
    package let response: HTTP.Response
  }
}

extension EventSource.UnexpectedResponse: CustomStringConvertible, LocalizedError {
  /// The request line, the status, the type, and the expected values. Safe to log.
  package var description: String { "\(response): expected 200 OK text/event-stream" }

  package var errorDescription: String? { description }
}

/// Decides the next step of an event source, without sockets and clocks. Source: the HTML standard, §9.2.2 and §9.2.3.
struct EventSourceMachine: Sendable {
  /// The decision about a response.
  enum Answer {
    case read
    /// End the sequence, because there are no more events.
    case end
    case fail(any Error)
  }

  /// The decision after a connection ended or could not be made.
  enum Decision {
    case wait(Duration)
    /// End the sequence, because the request may not be sent again.
    case end
    case fail(any Error)
  }

  /// The maximum reconnection time, to which a backoff delay may be added.
  static let longestReconnectionTime = Duration.seconds(3_600)
  /// The minimum reconnection time, for times of the server and of the caller. It is that of Firefox.
  static let shortestReconnectionTime = Duration.milliseconds(500)
  /// The time after which a connection counts as successful although it had no event.
  static let provenTime = Duration.seconds(10)

  /// The last event ID; empty if there was none.
  private(set) var lastEventID: String

  private let template: HTTP.Request
  private let mayReconnect: Bool
  private let reconnection: HTTP.ServerSentEvent.Reconnection
  private var reconnectionTime: Duration
  /// The number of failed attempts and of short connections without an event since the last successful connection.
  private var failedAttempts = 0
  /// The time at which the open connection was made; `nil` without a connection.
  private var connectedAt: Duration?
  /// The time at which the last connection was lost, or of the beginning.
  private var lostAt = Duration.zero
  private var hadEvent = false
  /// True if the end of the body is that of the connection, so that it may have been truncated.
  private var isDelimitedByClose = false

  init(_ source: EventSource) {
    var template = source.request
    lastEventID = template.headers[.lastEventID]?.rawValue ?? ""
    template.headers[.lastEventID] = nil
    template.headers[.accept] = .textEventStream
    template.headers[.cacheControl] = "no-store"
    self.template = template
    var settings = RequestSettings()
    settings.reconnects = source.reconnects
    mayReconnect = settings.mayBeginAgain(template.method)
    reconnection = source.reconnection
    reconnectionTime = max(reconnection.time, Self.shortestReconnectionTime)
  }

  /// The next request.
  var request: HTTP.Request {
    var request = template
    let value = HTTP.HeaderValue(rawValue: lastEventID)
    if !lastEventID.isEmpty, value.isValid { request.headers[.lastEventID] = value }
    return request
  }

  mutating func receive(_ response: HTTP.Response, at time: Duration = .zero) -> Answer {
    if response.code == 204 { return .end }
    guard response.code == 200, response.headers.contentType?.isEventStream == true else {
      return .fail(EventSource.UnexpectedResponse(response: response))
    }
    connectedAt = time
    hadEvent = false
    isDelimitedByClose = response.isDelimitedByClose
    return .read
  }

  mutating func noteEvent() {
    hadEvent = true
    failedAttempts = 0
  }

  /// Returns the error for a body that ended without one; `nil` if nothing shows that it was truncated. Source: RFC 9112 §8.
  func truncation(isWithinEvent: Bool) -> (any Error)? {
    guard isWithinEvent, isDelimitedByClose else { return nil }
    return TransportError(
      code: .truncatedResponse, phase: .body, reason: "the connection ended within a server-sent event")
  }

  /// Records the last event ID and the reconnection time of the stream, which may also be set without an event.
  mutating func note(lastEventID: String, retry: Duration?) {
    self.lastEventID = lastEventID
    if let retry { reconnectionTime = max(retry, Self.shortestReconnectionTime) }
  }

  /// Returns the decision after the connection ended or could not be made. `error` is `nil` if it ended regularly.
  ///
  /// - Parameters:
  ///   - time: The time, on the same clock as that of ``receive(_:at:)``.
  ///   - now: The time of day, which a server's dates are compared with.
  @inline(never)
  mutating func lose(_ error: (any Error)?, at time: Duration = .zero, now: Date = Date()) -> Decision {
    guard mayReconnect else { return error.map { .fail($0) } ?? .end }
    if let error, !error.mayBeTransient(among: reconnection.statuses) { return .fail(error) }
    guard template.body.isReadable else { return .fail(error ?? HTTP.BodyError.alreadyConsumed) }
    if let connectedAt {
      lostAt = time
      let isProven = hadEvent || time - connectedAt >= Self.provenTime
      failedAttempts = isProven ? 0 : failedAttempts + 1
    } else {
      failedAttempts += 1
    }
    connectedAt = nil
    var delay = min(reconnectionTime, Self.longestReconnectionTime)
    if failedAttempts > 0 { delay += max(.zero, reconnection.backoff.delay(beforeAttempt: failedAttempts)) }
    if let requested = error?.rejectedResponse.flatMap({ RetryAfter.delay(of: $0, now: now) }) {
      delay = max(delay, min(requested, Self.longestReconnectionTime))
    }
    if let error, let limit = reconnection.outageTimeout, time - lostAt + delay > limit { return .fail(error) }
    return .wait(delay)
  }
}

extension HTTP.HeaderValue {
  fileprivate static let textEventStream: HTTP.HeaderValue = "text/event-stream"
}

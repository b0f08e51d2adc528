internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides the next step of an event source, without sockets and clocks.
///
/// Source: the HTML standard, §9.2.2 and §9.2.3.
struct EventSourceMachine: Sendable {
  /// The decision about a response.
  enum Answer {
    /// Read the events of the body.
    case read
    /// End the sequence, because there are no more events.
    case end
    case fail(any Error)
  }

  /// The decision after a connection ended or could not be made.
  enum Decision {
    /// Connect again after this time.
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
  private let reconnectionTimeout: Duration?
  private let backoff: any BackoffStrategy
  private let isTransient: @Sendable (any Error) -> Bool
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

  /// Creates the state before the first connection.
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
    reconnectionTimeout = source.reconnectionTimeout
    backoff = source.backoff
    isTransient = source.isTransient
    reconnectionTime = max(source.reconnectionTime, Self.shortestReconnectionTime)
  }

  /// The next request.
  var request: HTTP.Request {
    var request = template
    let value = HTTP.HeaderValue(rawValue: lastEventID)
    if !lastEventID.isEmpty, value.isValid { request.headers[.lastEventID] = value }
    return request
  }

  /// Returns the decision about a response whose head arrived at `time`.
  mutating func receive(_ response: HTTP.Response, at time: Duration = .zero) -> Answer {
    if response.code == 204 { return .end }
    guard response.code == 200, response.headers[.contentType]?.isEventStream == true else {
      return .fail(EventSource.UnexpectedResponse(response: response))
    }
    connectedAt = time
    hadEvent = false
    isDelimitedByClose = response.isDelimitedByClose
    return .read
  }

  /// Records that the open connection had an event.
  mutating func noteEvent() {
    hadEvent = true
    failedAttempts = 0
  }

  /// Returns the error for a body that ended without one; `nil` if nothing shows that it was truncated.
  ///
  /// Source: RFC 9112 §8.
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
    if let error, !isTransient(error) { return .fail(error) }
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
    if failedAttempts > 0 { delay += max(.zero, backoff.delay(beforeAttempt: failedAttempts)) }
    if let requested = error?.rejectedResponse.flatMap({ RetryAfter.delay(of: $0, now: now) }) {
      delay = max(delay, min(requested, Self.longestReconnectionTime))
    }
    if let error, let reconnectionTimeout, time - lostAt + delay > reconnectionTimeout { return .fail(error) }
    return .wait(delay)
  }
}

extension HTTP.HeaderValue {
  fileprivate static let textEventStream: HTTP.HeaderValue = "text/event-stream"
}

internal import AnvilHTTP

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
    case fail(any Error)
  }

  /// The maximum reconnection time, to which a backoff delay may be added.
  static let longestReconnectionTime = Duration.seconds(3_600)

  /// The last event ID; empty if there was none.
  private(set) var lastEventID: String

  private let template: HTTP.Request
  private let backoff: any BackoffStrategy
  private let isTransient: @Sendable (any Error) -> Bool
  private var reconnectionTime: Duration
  /// The number of failed attempts since the last connection.
  private var failedAttempts = 0
  private var isConnected = false

  /// Creates the state before the first connection.
  init(_ source: EventSource) {
    var template = source.request
    lastEventID = template.headers[.lastEventID]?.rawValue ?? ""
    template.headers[.lastEventID] = nil
    template.headers[.accept] = .textEventStream
    template.headers[.cacheControl] = "no-store"
    self.template = template
    backoff = source.backoff
    isTransient = source.isTransient
    reconnectionTime = source.reconnectionTime
  }

  /// The next request.
  var request: HTTP.Request {
    var request = template
    let value = HTTP.HeaderValue(rawValue: lastEventID)
    if !lastEventID.isEmpty, value.isValid { request.headers[.lastEventID] = value }
    return request
  }

  /// Returns the decision about a response.
  mutating func receive(_ response: HTTP.Response) -> Answer {
    if response.code == 204 { return .end }
    guard response.code == 200, response.headers[.contentType]?.isEventStream == true else {
      return .fail(EventSource.UnexpectedResponse(response: response))
    }
    failedAttempts = 0
    isConnected = true
    return .read
  }

  /// Records the last event ID and the reconnection time of the stream, which may also be set without an event.
  mutating func note(lastEventID: String, retry: Duration?) {
    self.lastEventID = lastEventID
    if let retry { reconnectionTime = retry }
  }

  /// Returns the decision after the connection ended or could not be made. `error` is `nil` if it ended regularly.
  @inline(never)
  mutating func lose(_ error: (any Error)?) -> Decision {
    if let error, !isTransient(error) { return .fail(error) }
    guard template.body.isReadable else { return .fail(error ?? HTTP.BodyError.alreadyConsumed) }
    if !isConnected { failedAttempts += 1 }
    isConnected = false
    let delay = max(.zero, min(reconnectionTime, Self.longestReconnectionTime))
    return .wait(failedAttempts > 0 ? delay + backoff.delay(beforeAttempt: failedAttempts) : delay)
  }
}

extension HTTP.HeaderValue {
  fileprivate static let textEventStream: HTTP.HeaderValue = "text/event-stream"

  /// A Boolean value that indicates whether the value is the media type of event streams, with any parameters.
  fileprivate var isEventStream: Bool {
    let essence = rawValue.prefix { $0 != ";" }
    return essence.trimmingOptionalWhitespace.lowercased() == Self.textEventStream.rawValue
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends. Source: RFC 9110 §5.6.3.
  fileprivate var trimmingOptionalWhitespace: Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = drop(while: isSpace)
    return rest.prefix(upTo: rest.lastIndex { !isSpace($0) }.map(rest.index(after:)) ?? rest.startIndex)
  }
}

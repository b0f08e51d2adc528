internal import AnvilHTTP

/// What an event source does next, decided without sockets and clocks.
///
/// Source: the HTML standard, §9.2.2 and §9.2.3.
struct EventSourceMachine: Sendable {
  /// What a response leads to.
  enum Answer {
    /// Its body holds events.
    case read
    /// There are no more events.
    case end
    case fail(any Error)
  }

  /// What the end of a connection, or of the attempt to make one, leads to.
  enum Loss {
    /// To connect again when this time has passed.
    case wait(Duration)
    case fail(any Error)
  }

  /// The longest time for which a server can keep its clients away.
  static let longestReconnectionTime = Duration.seconds(3_600)

  /// The ID that was last seen; empty when there was none.
  private(set) var lastEventID: String

  private let template: HTTP.Request
  private let backoff: any BackoffStrategy
  private let isTransient: @Sendable (any Error) -> Bool
  private var reconnectionTime: Duration
  /// How many attempts to connect have failed since the last connection.
  private var failedAttempts = 0
  private var isConnected = false

  /// The state before the first connection.
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

  /// What to send.
  var request: HTTP.Request {
    var request = template
    let value = HTTP.HeaderValue(rawValue: lastEventID)
    if !lastEventID.isEmpty, value.isValid { request.headers[.lastEventID] = value }
    return request
  }

  /// A response has come.
  mutating func receive(_ response: HTTP.Response) -> Answer {
    if response.code == 204 { return .end }
    guard response.code == 200, response.headers[.contentType]?.isEventStream == true else {
      return .fail(EventSource.UnexpectedResponse(response: response))
    }
    failedAttempts = 0
    isConnected = true
    return .read
  }

  /// The stream has said this, with or without an event.
  mutating func note(lastEventID: String, retry: Duration?) {
    self.lastEventID = lastEventID
    if let retry { reconnectionTime = retry }
  }

  /// The connection has ended, in order when there is no `error`, or could not be made.
  mutating func lose(_ error: (any Error)?) -> Loss {
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

  /// Whether it is the media type of event streams, with any parameters.
  fileprivate var isEventStream: Bool {
    let essence = rawValue.prefix { $0 != ";" }
    return essence.trimmingOptionalWhitespace.lowercased() == Self.textEventStream.rawValue
  }
}

extension Substring {
  /// Without spaces and tabs at its ends. Source: RFC 9110 §5.6.3.
  fileprivate var trimmingOptionalWhitespace: Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = drop(while: isSpace)
    return rest.prefix(upTo: rest.lastIndex { !isSpace($0) }.map(rest.index(after:)) ?? rest.startIndex)
  }
}

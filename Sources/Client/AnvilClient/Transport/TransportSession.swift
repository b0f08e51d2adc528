public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A session that transfers one exchange: it sends a request and returns the response head and the body as a stream.
///
/// A session does not follow redirects, retry, authenticate or evaluate the status. Interceptors and ``TransportService`` do this. A
/// session reports every error as a ``TransportError`` and never presents a body that is shorter than announced as complete.
///
/// Cancelling the calling task, before the head or while the body is read, ends the transfer immediately with
/// `TransportError.Code.cancelled`. Releasing the unread body of the response ends it as well.
///
/// A session that supports backpressure pauses its source while the body requests it: `TransportBody.makeStream(onAbandon:onFlow:)`. A
/// session also reports the progress of the request's body to the options' `progressHandler`, starting at 0.
public protocol TransportSession: Sendable {
  /// Sends `request` and returns when the response head arrives.
  ///
  /// - Throws: ``TransportError`` for every error before the head. Later errors are thrown by reading the body.
  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse
}

/// A response head, and its body as it arrives.
public struct TransportResponse: Sendable {
  /// The request as it was sent, the status and the header fields; its body is empty.
  public var head: HTTP.Response
  /// The body, to be read once.
  public var body: TransportBody
  /// The closures that receive the outcome of the response. Empty unless an observer is installed.
  var outcomeHandlers: [AttemptOutcome.Handler]

  /// Creates a response with `head` and `body`.
  public init(head: HTTP.Response, body: TransportBody) {
    self.init(head: head, body: body, outcomeHandlers: [])
  }

  init(head: HTTP.Response, body: TransportBody, outcomeHandlers: [AttemptOutcome.Handler]) {
    self.head = head
    self.body = body
    self.outcomeHandlers = outcomeHandlers
  }

  /// Creates a response that is completely in memory.
  public init(_ response: HTTP.Response, body: Data) {
    self.init(head: response, body: TransportBody(body))
  }
}

/// The connection that a request may be sent on.
package enum ConnectionChoice: Hashable, Sendable {
  /// An existing or a new connection.
  case any
  /// A connection on which no request was sent before. Source: RFC 9110 §15.5.20.
  case new
}

/// The lines of a message's head as they are on the wire, with their secrets and line ends.
package enum WireHead: Hashable, Sendable {
  /// The complete head of a request. The head of an HTTP/2 request is written in the form of HTTP/1.1.
  case sent(String)
  /// A single line of the head of a response.
  case received(String)
}

/// The options of a transfer beyond the request itself: its settings, and what the client keeps about it.
///
/// Sessions apply ``RequestConfigurable/timeout``, which ends with the head if the response is streamed, and report to ``RequestConfigurable/eventHandler`` and, for the bytes that they send, to
/// ``RequestConfigurable/progressHandler``. ``TransportService`` and interceptors apply the other settings. A time limit that is `nil` is no
/// limit; sessions never receive ``Swift/Duration/unlimited``.
public struct TransportOptions: RequestConfigurable, Sendable {
  /// The settings of the request. Their header fields are already fields of the request: setting them has no effect.
  public var settings: RequestSettings {
    _read { yield box.wrappedValue }
    _modify { yield &box.wrappedValue }
  }
  private var box: Boxed<RequestSettings>
  /// The time at which ``TransportService`` delivers a successful response. Sessions always deliver it when its head arrives.
  public var responseDelivery: ResponseDelivery

  /// The running deadline of the request, counted from its start. Sessions do not read it.
  package var expiry: RequestDeadline?
  /// A Boolean value that indicates whether the outcome of a successful response is reported to the observers of the exchange, as
  /// ``BackendService`` does.
  package var reportsOutcome = false
  /// The clock of the service, for sessions without sockets; `nil` for the system's.
  package var clock: (any Clock<Duration>)?
  /// The handler that is called with the heads of each attempt as they are on the wire. Only some sessions call it.
  package var headHandler: (@Sendable (WireHead) -> Void)?
  /// The connection to use. Sessions that cannot choose a connection ignore it.
  package var connection = ConnectionChoice.any
  /// The server of the gateway that created the request.
  package var home: HTTP.Origin?
  /// The limit for further requests that follow redirects or challenges, created by the first interceptor that counts them.
  package var followUps: FollowUpLimit?
  /// The redirects and failed attempts that led to this request. Interceptors that send more than one request add to it.
  package var history = HTTP.History()

  /// Creates options. The defaults set no timeout and no handlers.
  public init(
    cachePolicy: CachePolicy? = nil, timeout: Duration? = nil, responseDelivery: ResponseDelivery = .collected,
    progressHandler: TransferProgress.Handler? = nil, eventHandler: TransferEvent.Handler? = nil
  ) {
    self.init(RequestSettings.unset, responseDelivery)
    if let cachePolicy { self.cachePolicy = cachePolicy }
    if let timeout { self.timeout = timeout }
    if let progressHandler { self.progressHandler = progressHandler }
    if let eventHandler { self.eventHandler = eventHandler }
  }

  /// Creates options that share `settings`.
  init(_ settings: Boxed<RequestSettings>, _ responseDelivery: ResponseDelivery) {
    box = settings
    self.responseDelivery = responseDelivery
  }
}

public import AnvilBase
public import AnvilHTTP

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

package enum ConnectionChoice: Hashable, Sendable {
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
  var acceptedStatuses: Set<HTTP.Status> = []
  /// The limit for further requests that follow redirects or challenges, created by the first interceptor that counts them.
  package var followUps: FollowUpLimit?
  /// The values of `Cookie` that a request had before ``CookieSelection`` added those of a jar; `nil` if it did not.
  var ownCookies: [HTTP.HeaderValue]?
  /// The proofs that ``ProofInterceptor`` makes for each attempt.
  var proofs: [DigestProof] = []
  /// The redirects and failed attempts that led to this request. Interceptors that send more than one request add to it.
  package var history = HTTP.History()

  /// Creates options. The defaults set no timeout and no handlers.
  public init(
    cachePolicy: CachePolicy? = nil, timeout: Duration? = nil, responseDelivery: ResponseDelivery = .collected,
    progressHandler: TransferProgress.Handler? = nil, eventHandler: TransferEvent.Handler? = nil
  ) {
    box = RequestSettings.unset
    self.responseDelivery = responseDelivery
    if let cachePolicy { self.cachePolicy = cachePolicy }
    if let timeout { self.timeout = timeout }
    if let progressHandler { self.progressHandler = progressHandler }
    if let eventHandler { self.eventHandler = eventHandler }
  }

  /// Creates the options of `request`, which reports its outcome.
  init(_ request: UntypedRequest, by deadline: RequestDeadline? = nil) {
    box = request.settingsBox
    responseDelivery = request.responseDelivery
    expiry = deadline
    reportsOutcome = true
    home = request.home
    acceptedStatuses = request.acceptedStatuses
  }
}

/// The time at which a successful response is delivered: with its complete body, or as soon as its head arrives.
public enum ResponseDelivery: Hashable, Sendable {
  /// Deliver the response with its body in memory.
  case collected
  /// Deliver the response when its head arrives. Its body is read once, chunk by chunk, as it arrives:
  /// `for try await chunk in response.body`.
  ///
  /// ``RequestConfigurable/timeout`` ends with the head; ``RequestConfigurable/idleTimeout`` and ``RequestConfigurable/deadline`` limit the time for the
  /// body. If the body is interrupted, for example by one of them, reading it throws the ``TransportError``, and the request is not sent again.
  /// Cancelling the task that reads ends the transfer, and so does releasing the body before its end. The length of the body is known if
  /// the head announces it and the body is not compressed.
  ///
  /// The body may be read slowly: at most a few MiB of unread data are kept in memory. A session that supports backpressure pauses the
  /// server meanwhile, but the deadline keeps running. A session that does not, such as URLSession on Linux, stores the rest in a
  /// temporary file.
  ///
  /// A response whose status is not 2xx is still delivered with its body in memory, but with at most its first MiB. If the body was cut,
  /// the reason of the error states this. ``RequestConfigurable/timeout`` limits the time for this body, too.
  case streamed
}

/// An event of an exchange that a session or an interceptor reports in addition to the head, the body and the failure.
///
///     request.eventHandler = { event in
///       if case .finished(let metrics) = event { print(metrics) }
///     }
@nonexhaustive
public enum TransferEvent: Sendable {
  /// A closure that is called with events, on any thread. The transfer waits for it, so it should return immediately.
  public typealias Handler = @Sendable (TransferEvent) -> Void

  /// An informational response before the final one, such as 103 Early Hints. Source: RFC 9110 §15.2.
  case informational(HTTP.Response)
  /// The trailer fields, if there are any. Reported before the body's reader reaches the end. Source: RFC 9110 §6.5.
  case trailers(HTTP.Headers)
  /// The attempt failed, and another one follows after a wait. Reported before the wait.
  case retrying(HTTP.History.Attempt)
  /// A redirect is followed. Reported before the next request is sent.
  case redirecting(HTTP.History.Redirection)
  /// A challenge is answered with credentials of this scheme, or a token was refreshed. Reported before the request is sent again.
  case authenticating(scheme: String)
  /// The result of consulting the cache for the response, such as a hit or a miss. Reported when the head arrives.
  case cached(HTTP.History.CacheOutcome)
  /// The attempt has ended, successfully or not. Reported once, after all other events. Not reported for an attempt that the session
  /// never started.
  case finished(TransferEvent.Metrics)
}

extension TransferEvent {
  /// Metrics of one attempt: times, byte counts, and the connection that was used.
  ///
  /// Times are measured from the start of the attempt. A time is `nil` for a step that was not reached or not needed: a reused connection
  /// needs no name resolution, and plain HTTP has no TLS handshake.
  public struct Metrics: Hashable, Sendable {
    /// The time until the host's name was resolved.
    public var nameResolved: Duration?
    /// The time until the connection was established.
    public var connected: Duration?
    /// The time until the TLS handshake was complete.
    public var secured: Duration?
    /// The time until the response's first byte.
    public var firstByte: Duration?
    /// The time until the end of the attempt.
    public var total: Duration
    /// The number of bytes of the request's body that were sent, without framing.
    public var sentByteCount: Int
    /// The number of bytes of the response's body that were received, without framing and before decompression.
    public var receivedByteCount: Int
    /// A Boolean value that indicates whether the connection was established for an earlier request.
    public var isConnectionReused: Bool
    /// The HTTP version of the response, as in ALPN: `http/1.1` or `h2`; `nil` without a response.
    public var protocolName: String?
    /// The peer's address, without a port; `nil` without a connection.
    public var remoteAddress: String?

    /// Creates the metrics of an attempt that took `total`.
    public init(
      nameResolved: Duration? = nil, connected: Duration? = nil, secured: Duration? = nil, firstByte: Duration? = nil,
      total: Duration, sentByteCount: Int = 0, receivedByteCount: Int = 0, isConnectionReused: Bool = false,
      protocolName: String? = nil, remoteAddress: String? = nil
    ) {
      self.nameResolved = nameResolved
      self.connected = connected
      self.secured = secured
      self.firstByte = firstByte
      self.total = total
      self.sentByteCount = sentByteCount
      self.receivedByteCount = receivedByteCount
      self.isConnectionReused = isConnectionReused
      self.protocolName = protocolName
      self.remoteAddress = remoteAddress
    }
  }
}

extension TransferEvent.Metrics: CustomStringConvertible {
  /// The metrics in one line: `h2, reused, first byte 0.012 s, total 0.015 s, sent 0 B, received 512 B`.
  public var description: String {
    var parts = [protocolName ?? "no response", isConnectionReused ? "reused" : "new connection"]
    for (name, time) in [
      ("resolved", nameResolved), ("connected", connected), ("secured", secured), ("first byte", firstByte),
      ("total", total),
    ] {
      if let time { parts.append("\(name) \(time.secondsDescription)") }
    }
    parts += ["sent \(sentByteCount) B", "received \(receivedByteCount) B"]
    return parts.joined(separator: ", ")
  }
}

/// The progress of one direction of a transfer.
///
///     request.progressHandler = { progress in
///       if progress.direction == .received { print(progress.byteCount, "of", progress.totalByteCount ?? 0) }
///     }
public struct TransferProgress: Hashable, Sendable {
  /// A closure that is called with progress, on any thread. The transfer waits for it, so it should return immediately.
  ///
  /// In each attempt, the progress of a body starts at 0 bytes: the request's body when it is about to be sent, the response's body when
  /// its head arrives. A missing body has no progress. Calls for one direction are sequential and their counts never decrease. The last
  /// call for a completely transferred body has reached the total. The two directions may overlap, since a server may respond before it
  /// has read the whole request.
  public typealias Handler = @Sendable (TransferProgress) -> Void

  /// The direction of a body.
  public enum Direction: Hashable, Sendable {
    /// The request's body: the bytes that have been passed to the system to be sent.
    case sent
    /// The response's body: the bytes that have been read.
    case received
  }

  /// The direction of the body.
  public let direction: Direction
  /// The number of bytes of the body transferred so far, without framing. The bytes of a response are counted after decompression.
  public let byteCount: Int
  /// The total number of bytes, if it is known. For a response that does not announce its length, it is known at the end.
  public let totalByteCount: Int?

  /// Creates the progress of a body of which `byteCount` bytes have been transferred.
  public init(direction: Direction, byteCount: Int, totalByteCount: Int?) {
    self.direction = direction
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }

  /// The fraction that has been transferred, 0 to 1; `nil` if the total is not known. The fraction of an empty body is 1.
  public var fraction: Double? {
    totalByteCount.map { $0 > 0 ? min(Double(byteCount) / Double($0), 1) : 1 }
  }
}

/// A counter that reports the progress of one direction of one attempt.
package struct ProgressCounter: Sendable {
  private let direction: TransferProgress.Direction
  private let handler: TransferProgress.Handler
  private var total: Int?
  private var count = 0

  /// Creates a counter and reports its initial progress; `nil` without a handler.
  package init?(_ direction: TransferProgress.Direction, total: Int?, handler: TransferProgress.Handler?) {
    guard let handler else { return nil }
    self.direction = direction
    self.total = total
    self.handler = handler
    report()
  }

  package mutating func add(_ more: Int) {
    advance(to: count + more)
  }

  /// Reports that `count` bytes have been transferred in total, unless that many have been reported before. A total that turns out to be
  /// too small is discarded.
  package mutating func advance(to count: Int) {
    guard count > self.count else { return }
    self.count = count
    if let known = total, count > known { total = nil }
    report()
  }

  /// Reports the counted bytes as the total, unless the last report has already done so.
  package mutating func finish() {
    guard total != count else { return }
    total = count
    report()
  }

  private func report() {
    handler(TransferProgress(direction: direction, byteCount: count, totalByteCount: total))
  }
}

extension HTTP.Request {
  /// Checks that the request can be sent; see ``HTTP/Request/validate()``.
  package func validateForSending() throws(TransportError) {
    do throws(HTTP.MessageError) {
      try validate()
    } catch {
      throw TransportError(invalidRequest: error)
    }
  }

  /// The error for a head that libcurl cannot send, because its limit is 1 MiB; `nil` for other heads. libcurl reports such a head like a
  /// response with a head that is too large.
  package var headSizeError: TransportError? {
    let size = headers.reduce(urlText.utf8.count) { $0 + $1.key.rawValue.utf8.count + $1.value.rawValue.utf8.count }
    guard size > 1_000_000 else { return nil }
    return TransportError(code: .invalidRequest, reason: "the URL and the header fields have more than 1 MB together")
  }

  /// Reads a body whose announced length is not positive. For a client that would send it as an empty body without reading it.
  package mutating func checkEmptyBody(by deadline: Deadline) async throws(TransportError) {
    guard body.data == nil, let length = body.length, length <= 0 else { return }
    let announced = body
    try await deadline.limit(phase: .send) { () async -> Result<Void, TransportError> in
      do {
        for try await chunk in announced {
          throw HTTP.BodyError.wrongLength(expected: length, found: chunk.count)
        }
        return .success(())
      } catch {
        return .failure(TransportError(readingRequestBody: error))
      }
    }
    headers[.contentType] = headers[.contentType] ?? body.contentType
    body = HTTP.Body(Data())
  }
}

extension TransportError {
  /// Creates the error of a request whose body could not be read because of `error`.
  package init(readingRequestBody error: any Error) {
    // Without a cancelled task, it is the stream's own error: a producer of its data was cancelled.
    guard !(error is CancellationError && Task.isCancelled) else {
      self.init(code: .cancelled, phase: .send)
      return
    }
    // Only the type of a caller's error is named, because its description may not be safe to log.
    let reason = (error as? HTTP.BodyError)?.description ?? "\(type(of: error))"
    self.init(code: .requestBodyFailed, phase: .send, reason: reason, underlyingError: error)
  }

  init(invalidRequest reason: any Error) {
    self.init(code: .invalidRequest, reason: "\(reason)", underlyingError: reason)
  }
}

extension Duration {
  /// Creates the duration of a timeout in seconds. The result is ``unlimited`` if `seconds` is not positive or is greater than 10⁹.
  init(timeout seconds: TimeInterval) {
    self = seconds > 0 && seconds <= 1e9 ? .nanoseconds(Int64(seconds * 1e9)) : .unlimited
  }
}

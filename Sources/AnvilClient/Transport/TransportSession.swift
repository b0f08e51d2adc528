public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Moves the bytes of one exchange: one request in, head and body stream out.
///
/// A session never follows redirects, never retries, never authenticates and judges no status: those are decisions, and
/// decisions belong to the layers above. It names what goes wrong on the way as a ``TransportError`` and never passes a
/// body that is shorter than announced off as whole.
///
/// Cancelling the calling task, before the head or while the body is read, ends the transfer at once with
/// `TransportError.Code.cancelled`. So does dropping the response's body unread.
///
/// A session that can hold its source back does so while the body asks for it: `TransportBody.makeStream(onAbandon:onFlow:)`.
/// It reports what it sends of the request's body to the options' `progressHandler`, from 0 on.
public protocol TransportSession: Sendable {
  /// Sends `request` and returns when the response's head has come.
  ///
  /// - Throws: ``TransportError`` for everything that happens before the head; later, reading the body throws it.
  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse
}

/// A response's head, and its body as it arrives.
public struct TransportResponse: Sendable {
  /// The request as it was sent, the status and the header fields; its body is empty.
  public var head: HTTP.Response
  /// The body, to be read once.
  public var body: TransportBody

  /// The response with `head` and `body`.
  public init(head: HTTP.Response, body: TransportBody) {
    self.head = head
    self.body = body
  }

  /// A response that is in memory as a whole.
  public init(_ response: HTTP.Response, body: Data) {
    self.init(head: response, body: TransportBody(body))
  }
}

/// Which connection a request may be sent on.
package enum ConnectionChoice: Hashable, Sendable {
  /// One that is there, or another.
  case any
  /// One that no request was sent on before. Source: RFC 9110 §15.5.20.
  case new
}

/// What the caller asks of a transfer beyond the request itself.
public struct TransportOptions: Sendable {
  /// How a ``CacheInterceptor`` may answer, or the platform's own cache for sessions that have one.
  public var cachePolicy: CachePolicy
  /// The most time from the start to the last byte of the body; `nil` for no limit. Exact below a second.
  public var timeout: Duration?
  /// When ``TransportService`` hands a successful response over; sessions always do so at the head.
  public var responseDelivery: ResponseDelivery
  /// Hears how far the bodies have come. Sessions report what they send; what is received ``TransportService`` counts.
  public var progressHandler: TransferProgress.Handler?
  /// Hears of informational responses, trailers and metrics, from sessions that tell of them, which URLSession does not; and of
  /// retries, redirects, challenges and the cache, from interceptors.
  public var eventHandler: TransferEvent.Handler?

  /// What the client may do with the request beyond sending it once. Sessions do not read it.
  public var policy: RequestPolicy

  /// By when the request has to be over, by the policy; from its start on. Sessions do not read it.
  package var deadline: Deadline?
  /// Whether an outcome is reported to the handlers of a successful response, as ``BackendService`` does.
  package var reportsOutcome = false
  /// Which connection is to be used, by sessions that have a choice.
  package var connection = ConnectionChoice.any
  /// The server of the gateway that the request was made by.
  package var home: HTTP.Origin?
  /// How often the request may still be followed by another one for a redirect or a challenge; made by the first that counts.
  package var followUps: FollowUpLimit?

  /// Options that ask for nothing unless said otherwise.
  public init(
    cachePolicy: CachePolicy = .useProtocolCachePolicy, timeout: Duration? = nil,
    responseDelivery: ResponseDelivery = .collected, progressHandler: TransferProgress.Handler? = nil,
    eventHandler: TransferEvent.Handler? = nil, policy: RequestPolicy = RequestPolicy()
  ) {
    self.cachePolicy = cachePolicy
    self.timeout = timeout
    self.responseDelivery = responseDelivery
    self.progressHandler = progressHandler
    self.eventHandler = eventHandler
    self.policy = policy
  }
}

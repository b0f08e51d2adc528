public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an ``ExchangeObserver`` tells of one exchange: one event for each phase, in the order in which they happen. Metrics may come
/// behind the end, of a transfer that ended later than its reader.
public struct ExchangeEvent: Sendable {
  /// What happened.
  @nonexhaustive
  public enum Kind: Sendable {
    /// The request is handed on.
    case started(HTTP.Request)
    /// What the session or an interceptor told on the way: informational responses, retries, redirects, trailers, metrics.
    case transfer(TransferEvent)
    /// The response's head has come; its body is empty.
    case head(HTTP.Response)
    /// A part of the response's body was read.
    case body(Data)
    /// The whole body was read, so many bytes.
    case completed(byteCount: Int)
    /// The reader let go of the body before its end, after so many bytes.
    case abandoned(byteCount: Int)
    /// It failed, before its head or in its body.
    case failed(TransportError)
  }

  /// Which exchange: a number that grows with each.
  public var id: Int
  /// How long it has taken so far.
  public var elapsed: Duration
  /// What happened.
  public var kind: Kind
}

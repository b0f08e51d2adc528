public import AnvilHTTP
public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an ``ExchangeObserver`` tells of one exchange: one event for each phase, in the order in which they happen. Metrics may come
/// behind the end, of a transfer that ended later than its reader.
///
/// A 200 may still be of no use to the caller. When its response is turned into a value, ``Kind/accepted(_:)``, ``Kind/undecodable(_:)`` or
/// ``Kind/rejected(_:)`` follows: once for a typed call, and each time that a promise of the response is decoded. A response that the
/// caller takes as it is has no such event.
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
    /// The response became the value that the caller asked for. The report has what lenient types such as ``LossyArray`` left out,
    /// replaced or converted; it is empty for formats other than `JSON.Decoder`.
    case accepted(DecodingReport)
    /// The response does not decode. The failure has its body; its `description` has no values and is safe to log.
    case undecodable(DecodingFailure)
    /// The response gave no value for another reason: a validator or transformer refused it with this error, or it has no body
    /// (a ``TransportFailure`` of code `noData`). A description of the caller's own may show values of the body.
    case rejected(any Error)
  }

  /// Which exchange: a number that grows with each.
  public var id: Int
  /// How long it has taken so far.
  public var elapsed: Duration
  /// What happened.
  public var kind: Kind
}

extension ExchangeEvent.Kind {
  /// The event of an outcome; `nil` for a response that the caller takes as it is.
  init?(_ outcome: HTTP.Response.Outcome) {
    switch outcome {
    case .handedOver: return nil
    case .accepted(let report): self = .accepted(report ?? DecodingReport())
    case .refused(let failure as DecodingFailure): self = .undecodable(failure)
    case .refused(let error): self = .rejected(error)
    }
  }
}

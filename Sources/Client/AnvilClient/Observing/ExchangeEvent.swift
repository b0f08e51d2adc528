public import AnvilDiagnosis
public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An event of an exchange that an ``ExchangeObserver`` reports. Events are reported in the order in which they happen. An exchange ends
/// with ``Kind/completed(byteCount:)``, ``Kind/abandoned(byteCount:)`` or ``Kind/failed(_:)``. Metrics may follow if the transfer ends
/// after the body was read.
///
/// A 200 may still not be usable. When its response is converted to a value, ``Kind/accepted(_:)``, ``Kind/undecodable(_:)`` or
/// ``Kind/rejected(_:)`` follows: once for a typed call, and each time that a promise of the response is decoded. A response that the
/// caller receives without decoding has no such event.
public struct ExchangeEvent: Sendable {
  /// The kind of an event.
  @nonexhaustive
  public enum Kind: Sendable {
    /// The request is passed on.
    case started(HTTP.Request)
    /// An event from the session or another interceptor: informational responses, retries, redirects, trailers, metrics.
    case transfer(TransferEvent)
    /// The response head was received. The body of this response is empty.
    case head(HTTP.Response)
    /// A chunk of the response body was read.
    case body(Data)
    /// The whole body was read; the value is its number of bytes.
    case completed(byteCount: Int)
    /// The body was dropped before its end, after the given number of bytes.
    case abandoned(byteCount: Int)
    /// The exchange failed, before the response head or in the body.
    case failed(TransportError)
    /// The response was converted to the requested value. The report lists what lenient types such as `LossyArray` left out, replaced or
    /// converted. It is empty for formats other than `JSON.Decoder`.
    case accepted(DecodingReport)
    /// The response cannot be decoded. The failure has the response's body; its `description` contains no values and is safe to log.
    case undecodable(DecodingFailure)
    /// The response was not converted for another reason: a validator or transformer rejected it with this error, or it has no body (a
    /// ``TransportFailure`` of code `noData`). The description of your own error types may contain values of the body.
    case rejected(any Error)
  }

  /// The identifier of the exchange, a number that increases with each exchange.
  public var id: Int
  /// The time since the start of the exchange.
  public var elapsed: Duration
  /// The kind of the event.
  public var kind: Kind
}

extension ExchangeEvent.Kind {
  /// Creates the event of an outcome; `nil` for a response that the caller receives without decoding.
  init?(_ result: AttemptOutcome.Result) {
    switch result {
    case .handedOver: return nil
    case .accepted(let report): self = .accepted(report ?? DecodingReport())
    case .refused(let failure as DecodingFailure): self = .undecodable(failure)
    case .refused(let error): self = .rejected(error)
    }
  }
}

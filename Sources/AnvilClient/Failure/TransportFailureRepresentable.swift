public import AnvilHTTP

/// An error that can be made from a failed exchange: what a `Request`'s `Failure` has to be.
///
///     enum APIError: TransportFailureRepresentable {
///       case notFound(message: String), network(TransportFailure)
///
///       init(transportFailure failure: TransportFailure) {
///         switch failure.error.code {
///         case .clientError(.notFound): self = .notFound(message: failure.response?.body.string ?? "")
///         default: self = .network(failure)
///         }
///       }
///       …
///     }
public protocol TransportFailureRepresentable: Error {
  /// The error that stands for `transportFailure`; request, response and body are at hand.
  init(transportFailure: TransportFailure)

  /// The response, where the error still has it. Recovery strategies read it.
  var failureResponse: HTTP.Response? { get }

  /// Why the exchange failed, where the error still knows. Recovery strategies decide by it.
  var transportError: TransportError? { get }

  /// The failed exchange that the error was made from, where it keeps it; nothing unless implemented. ``FailureReport`` asks for it.
  var underlyingTransportFailure: TransportFailure? { get }
}

extension TransportFailureRepresentable {
  /// Nothing.
  public var underlyingTransportFailure: TransportFailure? { nil }
}

/// An error that can be made from a response that would not decode as well as from a failed exchange.
public protocol DecodingFailureRepresentable: TransportFailureRepresentable {
  /// The error that stands for `decodingFailure`; the response and its body are at hand.
  init(decodingFailure: DecodingFailure)

  /// The failure that the error was made from, where it keeps it; nothing unless implemented. ``FailureReport`` asks for it.
  var underlyingDecodingFailure: DecodingFailure? { get }
}

extension DecodingFailureRepresentable {
  /// Nothing.
  public var underlyingDecodingFailure: DecodingFailure? { nil }
}

/// The failure itself is the simplest error type: `Request<User, TransportFailure>`.
extension TransportFailure: TransportFailureRepresentable {
  /// The failure as it is.
  public init(transportFailure: TransportFailure) {
    self = transportFailure
  }

  /// The response.
  public var failureResponse: HTTP.Response? { response }

  /// Why.
  public var transportError: TransportError? { error }
}

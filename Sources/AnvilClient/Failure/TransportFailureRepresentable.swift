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
///     }
///
/// The initialiser is the one requirement. The rest is found in what the error holds, here in `.network`: a ``TransportFailure``, or a
/// part of one, such as a ``TransportError`` or an `HTTP.Response`. Implement a property where the error keeps it in another way. Of an
/// error that holds nothing, here `.notFound`, nothing more is known.
public protocol TransportFailureRepresentable: Error {
  /// The error that stands for `transportFailure`; request, response and body are at hand.
  init(transportFailure: TransportFailure)

  /// The response, where the error still has it.
  var failureResponse: HTTP.Response? { get }

  /// Why the exchange failed, where the error still knows.
  var transportError: TransportError? { get }

  /// The failed exchange that the error was made from, where it keeps it. ``FailureReport`` asks for it.
  var underlyingTransportFailure: TransportFailure? { get }
}

extension TransportFailureRepresentable {
  /// The failure that the error holds.
  public var underlyingTransportFailure: TransportFailure? { HeldFailure(in: self).transportFailure }

  /// The transport error that this error holds, by itself or in a failure; of a response alone, what its status is as an error.
  public var transportError: TransportError? {
    underlyingTransportFailure?.error ?? HeldFailure(in: self).transportError
  }

  /// The response that the error holds, by itself or in a failure.
  public var failureResponse: HTTP.Response? { HeldFailure(in: self).response }
}

/// An error that can be made from a response that would not decode as well as from a failed exchange.
public protocol DecodingFailureRepresentable: TransportFailureRepresentable {
  /// The error that stands for `decodingFailure`; the response and its body are at hand.
  init(decodingFailure: DecodingFailure)

  /// The failure that the error was made from, where it keeps it. ``FailureReport`` asks for it.
  var underlyingDecodingFailure: DecodingFailure? { get }
}

extension DecodingFailureRepresentable {
  /// The failure that the error holds.
  public var underlyingDecodingFailure: DecodingFailure? { HeldFailure(in: self).decodingFailure }
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

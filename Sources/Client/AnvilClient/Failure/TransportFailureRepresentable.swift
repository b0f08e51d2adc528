public import AnvilHTTP

/// An error that can be created from a failed exchange: the requirement for a `Request`'s `Failure`.
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
/// Only the initializer must be implemented. The default implementations of the properties search the error for a ``TransportFailure``, or
/// for a part of one such as a ``TransportError`` or an `HTTP.Response`. Here they find the failure in `.network`. For a case that stores
/// none of these, here `.notFound`, the properties are `nil`. Implement a property if the error stores its value in another form.
public protocol TransportFailureRepresentable: Error {
  /// Creates the error for `transportFailure`, which contains the request, the response and the body.
  init(transportFailure: TransportFailure)

  /// The response, if the error stores it.
  var failureResponse: HTTP.Response? { get }

  /// The transport error, if the error stores it.
  var transportError: TransportError? { get }

  /// The failed exchange that the error was created from, if the error stores it. ``FailureReport`` uses it.
  var underlyingTransportFailure: TransportFailure? { get }
}

extension TransportFailureRepresentable {
  /// The failure that the error stores.
  public var underlyingTransportFailure: TransportFailure? { UnderlyingFailure(in: self).transportFailure }

  /// The transport error that this error stores, by itself or in a failure. If it stores only a response, this is the error for the status
  /// of the response.
  public var transportError: TransportError? {
    underlyingTransportFailure?.error ?? UnderlyingFailure(in: self).transportError
  }

  /// The response that the error stores, by itself or in a failure.
  public var failureResponse: HTTP.Response? { UnderlyingFailure(in: self).response }
}

/// An error that can be created from a failed exchange and from a response that could not be decoded.
public protocol DecodingFailureRepresentable: TransportFailureRepresentable {
  /// Creates the error for `decodingFailure`, which contains the response and its body.
  init(decodingFailure: DecodingFailure)

  /// The failure that the error was created from, if the error stores it. ``FailureReport`` uses it.
  var underlyingDecodingFailure: DecodingFailure? { get }
}

extension DecodingFailureRepresentable {
  /// The failure that the error stores.
  public var underlyingDecodingFailure: DecodingFailure? { UnderlyingFailure(in: self).decodingFailure }
}

/// ``TransportFailure`` is the simplest error type: `Request<User, TransportFailure>`.
extension TransportFailure: TransportFailureRepresentable {
  /// Creates a copy of the failure.
  public init(transportFailure: TransportFailure) {
    self = transportFailure
  }

  /// The response.
  public var failureResponse: HTTP.Response? { response }

  /// The transport error.
  public var transportError: TransportError? { error }
}

public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A wrapper for any error, for requests that do not need a specific failure type.
public struct AnyError: Error {
  /// The wrapped error: a ``TransportFailure``, a ``DecodingFailure``, or an error of a caller's type.
  public let error: any Error

  /// Wraps `error`. An `AnyError` is not wrapped again: the result is `error` itself.
  public init(_ error: any Error) {
    self = error as? AnyError ?? AnyError(wrapping: error)
  }

  private init(wrapping error: any Error) {
    self.error = error
  }
}

/// A request whose failure can be any error.
public typealias AnyRequest<Response: Sendable> = Request<Response, AnyError>

extension AnyError: DecodingFailureRepresentable {
  /// Wraps the failed exchange.
  public init(transportFailure: TransportFailure) {
    self.init(wrapping: transportFailure)
  }

  /// Wraps the response that could not be decoded.
  public init(decodingFailure: DecodingFailure) {
    self.init(wrapping: decodingFailure)
  }

  /// The failed exchange, if ``error`` is one or contains one.
  public var underlyingTransportFailure: TransportFailure? {
    representable.map { $0.underlyingTransportFailure } ?? UnderlyingFailure(in: error).transportFailure
  }

  /// The response that could not be decoded, if ``error`` is such a failure or contains one.
  public var underlyingDecodingFailure: DecodingFailure? {
    (error as? any DecodingFailureRepresentable).map { $0.underlyingDecodingFailure }
      ?? UnderlyingFailure(in: error).decodingFailure
  }

  /// The response, if ``error`` contains one.
  public var failureResponse: HTTP.Response? {
    representable.map { $0.failureResponse } ?? UnderlyingFailure(in: error).response
  }

  /// The transport error, if ``error`` is or contains one.
  public var transportError: TransportError? {
    representable.map { $0.transportError } ?? UnderlyingFailure(in: error).transportError
  }

  private var representable: (any TransportFailureRepresentable)? { error as? any TransportFailureRepresentable }
}

extension AnyError: Equatable {
  /// Returns whether both wrap equal failures. Other errors are equal if they have the same type and the same description.
  public static func == (lhs: AnyError, rhs: AnyError) -> Bool {
    switch (lhs.error, rhs.error) {
    case (let lhs as TransportFailure, let rhs as TransportFailure): lhs == rhs
    case (let lhs as DecodingFailure, let rhs as DecodingFailure): lhs == rhs
    default: type(of: lhs.error) == type(of: rhs.error) && "\(lhs.error)" == "\(rhs.error)"
    }
  }
}

extension AnyError: CustomStringConvertible {
  /// The wrapped error's description.
  public var description: String { "\(error)" }
}

extension AnyError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

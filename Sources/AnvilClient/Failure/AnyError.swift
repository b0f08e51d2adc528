public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Any error, for requests that do not need a failure type of their own.
public struct AnyError: Error {
  /// What was thrown: a ``TransportFailure``, a ``DecodingFailure``, or an error of the caller's own.
  public let error: any Error

  /// Wraps `error`, once: an `AnyError` in an `AnyError` is the inner one.
  public init(_ error: any Error) {
    self = error as? AnyError ?? AnyError(wrapping: error)
  }

  private init(wrapping error: any Error) {
    self.error = error
  }
}

/// A request whose failure can be anything.
public typealias AnyRequest<Response: Sendable> = Request<Response, AnyError>

extension AnyError: DecodingFailureRepresentable {
  /// Wraps the failed exchange.
  public init(transportFailure: TransportFailure) {
    self.init(wrapping: transportFailure)
  }

  /// Wraps the response that would not decode.
  public init(decodingFailure: DecodingFailure) {
    self.init(wrapping: decodingFailure)
  }

  /// The failed exchange, when ``error`` is one or has one.
  public var underlyingTransportFailure: TransportFailure? {
    representable.map { $0.underlyingTransportFailure } ?? HeldFailure(in: error).transportFailure
  }

  /// The response that would not decode, when ``error`` is one or has one.
  public var underlyingDecodingFailure: DecodingFailure? {
    (error as? any DecodingFailureRepresentable).map { $0.underlyingDecodingFailure }
      ?? HeldFailure(in: error).decodingFailure
  }

  /// The response, when ``error`` has one.
  public var failureResponse: HTTP.Response? {
    representable.map { $0.failureResponse } ?? HeldFailure(in: error).response
  }

  /// Why the exchange failed, when ``error`` is of the transport or has such an error.
  public var transportError: TransportError? {
    representable.map { $0.transportError } ?? HeldFailure(in: error).transportError
  }

  private var representable: (any TransportFailureRepresentable)? { error as? any TransportFailureRepresentable }
}

extension AnyError: Equatable {
  /// Whether both wrap equal failures; other errors are equal when they are of one type and describe themselves alike.
  public static func == (lhs: AnyError, rhs: AnyError) -> Bool {
    switch (lhs.error, rhs.error) {
    case (let lhs as TransportFailure, let rhs as TransportFailure): lhs == rhs
    case (let lhs as DecodingFailure, let rhs as DecodingFailure): lhs == rhs
    default: type(of: lhs.error) == type(of: rhs.error) && "\(lhs.error)" == "\(rhs.error)"
    }
  }
}

extension AnyError: CustomStringConvertible {
  /// The wrapped error's own description.
  public var description: String { "\(error)" }
}

extension AnyError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

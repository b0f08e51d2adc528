public import AnvilBase
public import AnvilHTTP

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

extension AnyError: CustomStringConvertible, LocalizedError {
  /// The wrapped error's description.
  public var description: String { "\(error)" }

  /// The description.
  public var errorDescription: String? { description }
}

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

/// The failure, or the parts of a failure, that an error of a caller's type stores. They may be associated values of a case or stored
/// properties, including those of a superclass and those of another error that the error contains.
final class UnderlyingFailure {
  private(set) var transportFailure: TransportFailure?
  private(set) var decodingFailure: DecodingFailure?
  /// The reason why a value could not be decoded, if there is no ``decodingFailure``.
  private(set) var decodingError: DecodingError?
  private var ownTransportError: TransportError?
  private var ownResponse: HTTP.Response?

  /// Searches `error` for the outermost failure and for the outermost part of each kind. The search stops at a complete failure.
  ///
  /// The search descends four levels, which covers the values of a case within a case; errors rarely store a failure deeper than that.
  /// An error may contain lists of any length, so at most 1,000 values are examined.
  init(in error: any Error) {
    guard !add(error) else { return }
    var remainingValues = 1_000
    var level: [Any] = [error]
    for _ in 0..<4 where !level.isEmpty {
      var next: [Any] = []
      for value in level {
        for child in Mirror(reflecting: value).allChildren {
          guard remainingValues > 0 else { return }
          remainingValues -= 1
          if !add(child.value), Self.mayBeInspected(child.value) { next.append(child.value) }
          if isWhole { return }
        }
      }
      level = next
    }
  }

  /// The response of the failure. If there is no failure, the response that the error stores separately.
  var response: HTTP.Response? { transportFailure?.response ?? decodingFailure?.response ?? ownResponse }

  /// The transport error of the failure. If there is no failure, the transport error that is stored separately, or the error for the status
  /// of a stored response.
  var transportError: TransportError? {
    if let error = transportFailure?.error ?? ownTransportError { return error }
    guard decodingFailure == nil, let ownResponse else { return nil }
    do throws(TransportFailure) {
      _ = try ownResponse.transportSuccess()
      return nil
    } catch {
      return error.error
    }
  }

  /// Returns whether the properties of `value` may be read. Properties of actors, and of classes other than errors, may
  /// be protected by a lock.
  private static func mayBeInspected(_ value: Any) -> Bool {
    Swift.type(of: value) is AnyClass ? value is any Error && !(value is any Actor) : true
  }

  private var isWhole: Bool { transportFailure != nil || decodingFailure != nil }

  /// Stores `value` if it is a failure or a part of one. Returns `false` for any other value, which may contain a failure and has to be
  /// searched.
  private func add(_ value: Any) -> Bool {
    switch value {
    case let failure as TransportFailure: transportFailure = failure
    case let failure as DecodingFailure: decodingFailure = failure
    case let context as DecodingFailure.Context: decodingFailure = .decodingError(context)
    case let error as TransportError: ownTransportError = ownTransportError ?? error
    case let error as DecodingError: decodingError = decodingError ?? error
    case let response as HTTP.Response: ownResponse = ownResponse ?? response
    case is HTTP.Body, is String: break
    default: return false
    }
    return true
  }
}

extension Mirror {
  /// The value's stored properties, followed by those of its superclasses.
  fileprivate var allChildren: some Sequence<Child> {
    sequence(first: self, next: \.superclassMirror).lazy.flatMap(\.children)
  }
}

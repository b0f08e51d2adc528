public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A model of the bodies that an API sends with its errors: the `typed` of a ``TypedFailure``.
///
/// A `Decodable` type conforms without further code: its bodies are decoded in the request's format. An API that sends another body
/// for each status has an enumeration that decides by it:
///
///     enum APIProblem: FailureBody {
///       case conflict(Conflict)
///       case invalid(Validation)
///       case other(Message)
///
///       init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
///         switch status {
///         case .conflict: self = .conflict(try body.decode(as: Conflict.self))
///         case .unprocessableContent: self = .invalid(try body.decode(as: Validation.self))
///         default: self = .other(try body.decode(as: Message.self))
///         }
///       }
///     }
public protocol FailureBody: Sendable {
  /// Creates the model from `body`, which is in memory, of a response with `status`.
  ///
  /// - Throws: any error where the body is not such a model; the failure is then ``TypedFailure/raw(_:)``.
  init(failureBody body: HTTP.Body, status: HTTP.Status) throws

  /// Whether a body of this media type may be such a model: JSON, unless said otherwise.
  static func isExpected(_ contentType: HTTP.HeaderValue) -> Bool
}

extension FailureBody where Self: Decodable {
  /// Creates the model from `body`, in the body's format, whatever the status is.
  ///
  /// - Throws: what the format throws.
  public init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
    self = try body.decode(as: Self.self)
  }
}

extension FailureBody {
  /// Whether the type is `application/json` or ends in `+json`.
  public static func isExpected(_ contentType: HTTP.HeaderValue) -> Bool { contentType.isJSON }
}

/// A ready-made failure: what the API says of the error where it says it, and the failure itself where something else
/// answered, such as a proxy in HTML, or nothing did.
///
///     do {
///       try await backend.execute(Request<User, TypedFailure<APIProblem>>(url: url))
///     } catch {
///       switch error {
///       case .typed(let problem, _): print(problem.message)
///       case .raw(let failure): print(failure)
///       case .undecodable(let failure): print(failure)
///       }
///     }
public enum TypedFailure<Body: FailureBody>: Error {
  /// The API's own words, and the failure that they came with.
  case typed(Body, TransportFailure)
  /// There are none: no response, no body, a body of another type, or one that does not decode.
  case raw(TransportFailure)
  /// The response was a success and would not decode.
  case undecodable(DecodingFailure)
}

/// The failure of an API that speaks `application/problem+json`. Source: RFC 9457.
public typealias ProblemFailure = TypedFailure<ProblemDetails>

extension TypedFailure: DecodingFailureRepresentable {
  /// The failure of a failed exchange: typed where the response's body says so.
  public init(transportFailure failure: TransportFailure) {
    guard let response = failure.response, let type = response.headers[.contentType], Body.isExpected(type),
      let body = try? Body(failureBody: response.body, status: response.status)
    else {
      self = .raw(failure)
      return
    }
    self = .typed(body, failure)
  }

  /// The failure of a response that would not decode.
  public init(decodingFailure: DecodingFailure) {
    self = .undecodable(decodingFailure)
  }

  /// The API's own words.
  public var body: Body? {
    if case .typed(let body, _) = self { body } else { nil }
  }

  /// The failed exchange; `nil` for a response that would not decode.
  public var transportFailure: TransportFailure? {
    switch self {
    case .typed(_, let failure), .raw(let failure): failure
    case .undecodable: nil
    }
  }

  /// The failed exchange; `nil` for a response that would not decode.
  public var underlyingTransportFailure: TransportFailure? { transportFailure }

  /// The response that would not decode; `nil` for a failed exchange.
  public var underlyingDecodingFailure: DecodingFailure? {
    if case .undecodable(let failure) = self { failure } else { nil }
  }

  /// The response, as far as one came.
  public var failureResponse: HTTP.Response? {
    switch self {
    case .typed(_, let failure), .raw(let failure): failure.response
    case .undecodable(let failure): failure.response
    }
  }

  /// Why the exchange failed.
  public var transportError: TransportError? { transportFailure?.error }
}

/// Equal when case, failure and the API's own words are.
extension TypedFailure: Equatable where Body: Equatable {}

extension TypedFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension TypedFailure: CustomStringConvertible {
  /// The failure in one line, safe to log as far as the body's own description is; with that where it has one.
  public var description: String {
    switch self {
    case .typed(let body, let failure):
      (body as? any CustomStringConvertible).map { "\(failure): \($0)" } ?? "\(failure)"
    case .raw(let failure): "\(failure)"
    case .undecodable(let failure): "\(failure)"
    }
  }
}

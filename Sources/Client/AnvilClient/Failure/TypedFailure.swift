public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

/// A model of the bodies that an API sends with its errors. ``TypedFailure/typed(_:_:)`` contains it.
///
/// A `Decodable` type conforms without further code: its bodies are decoded in the request's format. For an API whose bodies depend on
/// the status, use an enumeration that switches over the status:
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
  /// Creates the model from the body of a response with `status`. The body is in memory.
  ///
  /// - Throws: any error if the body does not contain the model. The failure is then ``TypedFailure/raw(_:)``.
  init(failureBody body: HTTP.Body, status: HTTP.Status) throws

  /// Returns whether a body of this media type may contain the model. The default implementation accepts JSON.
  static func isExpected(_ contentType: HTTP.HeaderValue) -> Bool
}

extension FailureBody where Self: Decodable {
  /// Creates the model from `body`, in the body's format, whatever the status.
  ///
  /// - Throws: the error that the format throws.
  public init(failureBody body: HTTP.Body, status: HTTP.Status) throws {
    self = try body.decode(as: Self.self)
  }
}

extension FailureBody {
  /// Returns whether the type is `application/json` or `text/json`, or ends in `+json`.
  public static func isExpected(_ contentType: HTTP.HeaderValue) -> Bool { contentType.isJSON }
}

/// A ready-made failure type. It contains the API's error body if there is one. Otherwise, for example for an HTML page from a proxy or
/// without a response, it contains the failure itself.
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
  /// The API's error body, and the failure whose response contained it.
  indirect case typed(Body, TransportFailure)
  /// A failure without an error body: there is no response, no body, a body of another type, or one that cannot be decoded.
  indirect case raw(TransportFailure)
  /// A successful response that could not be decoded.
  case undecodable(DecodingFailure)
}

/// The failure type for an API that sends `application/problem+json`. Source: RFC 9457.
public typealias ProblemFailure = TypedFailure<ProblemDetails>

extension TypedFailure: DecodingFailureRepresentable {
  /// Creates the failure for a failed exchange. It is typed if the response's body has an expected media type and can be decoded as `Body`.
  public init(transportFailure failure: TransportFailure) {
    guard let response = failure.response, let type = response.headers.contentType, Body.isExpected(type),
      let body = try? Body(failureBody: response.body, status: response.status)
    else {
      self = .raw(failure)
      return
    }
    self = .typed(body, failure)
  }

  /// Creates the failure for a response that could not be decoded.
  public init(decodingFailure: DecodingFailure) {
    self = .undecodable(decodingFailure)
  }

  /// The API's error body.
  public var body: Body? {
    if case .typed(let body, _) = self { body } else { nil }
  }

  /// The failed exchange; `nil` for a response that could not be decoded.
  public var underlyingTransportFailure: TransportFailure? {
    switch self {
    case .typed(_, let failure), .raw(let failure): failure
    case .undecodable: nil
    }
  }

  /// The response that could not be decoded; `nil` for a failed exchange.
  public var underlyingDecodingFailure: DecodingFailure? {
    if case .undecodable(let failure) = self { failure } else { nil }
  }

  /// The response, if one arrived.
  public var failureResponse: HTTP.Response? {
    switch self {
    case .typed(_, let failure), .raw(let failure): failure.response
    case .undecodable(let failure): failure.response
    }
  }

  /// The transport error of the failed exchange.
  public var transportError: TransportError? { underlyingTransportFailure?.error }
}

/// Two failures are equal if their cases, their failures and their error bodies are.
extension TypedFailure: Equatable where Body: Equatable {}

extension TypedFailure: CustomStringConvertible, LocalizedError {
  /// The description.
  public var errorDescription: String? { description }

  /// The failure in one line. It contains the body's description if it has one, and is safe to log if that description is.
  public var description: String {
    switch self {
    case .typed(let body, let failure):
      (body as? any CustomStringConvertible).map { "\(failure): \($0)" } ?? "\(failure)"
    case .raw(let failure): "\(failure)"
    case .undecodable(let failure): "\(failure)"
    }
  }
}

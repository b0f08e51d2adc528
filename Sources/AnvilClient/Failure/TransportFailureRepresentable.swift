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
/// The initialiser is the one requirement. What else can be asked of an error is found in what it holds, here in `.network`.
/// Implement a property where the error keeps it in another way.
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
  public var underlyingTransportFailure: TransportFailure? { HeldFailure(in: self)?.transportFailure }

  /// The error of the failure that this one holds.
  public var transportError: TransportError? { underlyingTransportFailure?.error }

  /// The response of the failure that the error holds.
  public var failureResponse: HTTP.Response? { HeldFailure(in: self)?.response }
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
  public var underlyingDecodingFailure: DecodingFailure? { HeldFailure(in: self)?.decodingFailure }
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

/// The failure that an error of a caller's own type holds: as a value of a case or a stored property, itself or in another error.
enum HeldFailure {
  case transport(TransportFailure)
  case decoding(DecodingFailure)

  /// The first one in `error`, which is not one itself; `nil` where there is none.
  init?(in error: any Error) {
    guard let found = Self.find(in: error, depth: 0) else { return nil }
    self = found
  }

  var transportFailure: TransportFailure? {
    if case .transport(let failure) = self { failure } else { nil }
  }

  var decodingFailure: DecodingFailure? {
    if case .decoding(let failure) = self { failure } else { nil }
  }

  var response: HTTP.Response? {
    switch self {
    case .transport(let failure): failure.response
    case .decoding(let failure): failure.response
    }
  }

  /// Not deeper than the values of a case within a case: what is further away is nobody's way to keep it.
  private static func find(in value: Any, depth: Int) -> HeldFailure? {
    guard depth < 4 else { return nil }
    for child in Mirror(reflecting: value).children {
      switch child.value {
      case let failure as TransportFailure: return .transport(failure)
      case let failure as DecodingFailure: return .decoding(failure)
      case let context as DecodingFailure.Context: return .decoding(.decodingError(context))
      case is HTTP.Response, is HTTP.Body, is String: continue
      default: if let found = find(in: child.value, depth: depth + 1) { return found }
      }
    }
    return nil
  }
}

public import AnvilBase
internal import AnvilBodies
public import AnvilDiagnosis
public import AnvilHTTP
public import AnvilJSON

/// A successful response that could not be turned into the requested value.
public enum DecodingFailure: Error {
  // The cases are indirect: each type that contains a failure would otherwise have code that copies its 337 bytes.

  /// The body could not be decoded.
  indirect case decodingError(Context)
  /// The body was expected to be empty, but is not.
  indirect case invalidEmptyResponse(HTTP.Response)

  /// The type, the response and the reason of a decoding failure.
  public struct Context: Sendable {
    /// The reason, with the coding path.
    public let decodingError: DecodingError
    /// The type that was decoded: the container if the value was wrapped in one, otherwise the requested type. A model that a factory
    /// creates or that is updated need not be `Decodable`. For such a model, this is a placeholder type that cannot be decoded.
    public let failingType: any (Decodable & SendableMetatype).Type
    /// The name of the requested type. Unlike `failingType`, it names a model that a factory creates or that is updated.
    package let failingTypeName: String
    /// The response, with its body.
    public let response: HTTP.Response
    private let deferredDiagnosis: DeferredDiagnosis

    /// Creates the context of a failure to decode `failingType` from `response`, for example in a test of your failure type.
    public init(
      decodingError: DecodingError, failingType: any (Decodable & SendableMetatype).Type, response: HTTP.Response
    ) {
      self.init(
        decodingError: decodingError, failingType: failingType, name: "\(failingType)", response: response,
        diagnosis: DeferredDiagnosis(of: decodingError, decoding: failingType, by: response.body.decodingFormat))
    }

    init(
      decodingError: DecodingError, failingType: any (Decodable & SendableMetatype).Type, name: String,
      response: HTTP.Response, diagnosis: DeferredDiagnosis
    ) {
      self.decodingError = decodingError
      self.failingType = failingType
      failingTypeName = name
      self.response = response
      deferredDiagnosis = diagnosis
    }

    /// The problems at which decoding a JSON body stops, with their locations: one in each element of an array and each value of a
    /// dictionary. `nil` for a body in another format.
    ///
    /// The diagnosis is created at each access, for which the body is decoded again.
    public var diagnosis: JSON.Diagnosis? { diagnosis(.asDecoded) }

    /// Returns the problems of the body, to the extent that `search` specifies. If the body was not decoded by a `JSON.Decoder`, only the
    /// first problem is returned. The result is `nil` for a body in a format other than JSON.
    package func diagnosis(_ search: JSON.Diagnosis.Search) -> JSON.Diagnosis? {
      response.body.data.flatMap { deferredDiagnosis.make($0, search) }
    }
  }

  /// A report of everything known about the failure, for people, logs and programs.
  package var report: FailureReport { FailureReport(self) }

  /// The response, with its body.
  public var response: HTTP.Response {
    switch self {
    case .decodingError(let context): context.response
    case .invalidEmptyResponse(let response): response
    }
  }
}

/// Two failures are equal if decoding the same response as the same type failed for the same reason. Durations are not compared.
extension DecodingFailure: Equatable {}

extension DecodingFailure.Context: Equatable {
  /// Returns whether decoding the same response as the same type failed for the same reason.
  public static func == (lhs: DecodingFailure.Context, rhs: DecodingFailure.Context) -> Bool {
    lhs.failingType == rhs.failingType && lhs.failingTypeName == rhs.failingTypeName
      && lhs.decodingError.isSame(as: rhs.decodingError) && lhs.response == rhs.response
  }
}

extension DecodingError {
  /// Returns whether both report the same error at the same coding path.
  fileprivate func isSame(as other: DecodingError) -> Bool {
    switch (self, other) {
    case (.typeMismatch(let type, let context), .typeMismatch(let otherType, let otherContext)),
      (.valueNotFound(let type, let context), .valueNotFound(let otherType, let otherContext)):
      type == otherType && context.isSame(as: otherContext)
    case (.keyNotFound(let key, let context), .keyNotFound(let otherKey, let otherContext)):
      key.stringValue == otherKey.stringValue && context.isSame(as: otherContext)
    case (.dataCorrupted(let context), .dataCorrupted(let otherContext)): context.isSame(as: otherContext)
    default: false
    }
  }
}

extension DecodingError.Context {
  fileprivate func isSame(as other: DecodingError.Context) -> Bool {
    debugDescription == other.debugDescription
      && codingPath.map(\.stringValue) == other.codingPath.map(\.stringValue)
  }
}

extension DecodingFailure: CustomStringConvertible, LocalizedError {
  /// The request line, the status, the type and the location of the problem in one line, without values: safe to log. ``report`` has
  /// more details.
  public var description: String {
    "\(response): \(problem.text)"
  }

  /// The problem of the body, without values: the report's code, and a text for one line.
  var problem: (code: String, text: String) {
    switch self {
    case .decodingError(let context):
      let diagnosis = context.diagnosis
      let reason = diagnosis?.line ?? context.decodingError.summary
      return (Self.code(diagnosis), "cannot decode \(context.failingTypeName): \(reason)")
    case .invalidEmptyResponse(let response): return (Self.code(nil), "expected no body, found \(response.body)")
    }
  }

  /// Returns the code of the first problem in `diagnosis`; `decode.failed` without a diagnosis.
  static func code(_ diagnosis: JSON.Diagnosis?) -> String {
    diagnosis?.problems.first?.code.rawValue ?? "decode.failed"
  }

  /// The description.
  public var errorDescription: String? { description }
}

extension DecodingFailure.Context: CustomReflectable {
  /// A mirror without values of the body, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["decodingError": decodingError.summary, "failingType": failingTypeName, "response": response])
  }
}

/// The failure of a call before it becomes the caller's error: the exchange failed, or its response could not be decoded.
enum CallFailure: Error {
  indirect case transport(TransportFailure)
  case decoding(DecodingFailure)

  var failure: any Error {
    switch self {
    case .transport(let failure): failure
    case .decoding(let failure): failure
    }
  }

  func failure<Failure: TransportFailureRepresentable>(_ errorTransformer: (DecodingFailure) -> Failure) -> Failure {
    switch self {
    case .transport(let failure): Failure(transportFailure: failure)
    case .decoding(let failure): errorTransformer(failure)
    }
  }
}

extension CallFailure: DecodingFailureRepresentable {
  init(transportFailure: TransportFailure) { self = .transport(transportFailure) }

  init(decodingFailure: DecodingFailure) { self = .decoding(decodingFailure) }
}

extension CallFailure {
  /// Creates the failure for `error`, which was thrown by reading a response as a stream, or page by page. `type` is `nil` if nothing is
  /// decoded, and `response`, which has no body, before it arrived.
  init(
    _ error: any Error, reading type: (any (Decodable & SendableMetatype).Type)?, of response: HTTP.Response?,
    to request: @autoclosure () -> HTTP.Request
  ) {
    switch error {
    case let failure as CallFailure: self = failure
    case let failure as TransportFailure: self = .transport(failure)
    case let failure as DecodingFailure: self = .decoding(failure)
    case let rejected as EventSource.UnexpectedResponse:
      self = .transport(
        TransportFailure(
          error: TransportError(code: .malformedResponse, reason: "it is not an event stream", underlyingError: error),
          request: rejected.response.request, response: rejected.response))
    default:
      if let type, let response, let error = DecodingError(reading: error) {
        self = .decoding(
          .decodingError(
            DecodingFailure.Context(
              decodingError: error, failingType: type, name: "\(type)", response: response, diagnosis: .none)))
      } else {
        self = .transport(
          TransportFailure(
            error: TransportError(reading: error), request: response?.request ?? request(), response: response))
      }
    }
  }
}

extension DecodingError {
  /// Creates the decoding error that `error` is or contains; `nil` for another error.
  fileprivate init?(reading error: any Error) {
    switch error {
    case let error as DecodingError: self = error
    case let error as HTTP.ValueDecodingError:
      self = .dataCorrupted(Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
    default: return nil
    }
  }
}

extension TransportError {
  /// Creates the transport error that `error` is, or that corresponds to it.
  fileprivate init(reading error: any Error) {
    switch error {
    case let error as TransportError: self = error
    case is CancellationError: self.init(code: .cancelled, phase: .body, underlyingError: error)
    case let error as HTTP.BodyError:
      self.init(
        code: error.isExcess ? .responseTooLarge : .malformedResponse, phase: .body, reason: "\(error)",
        underlyingError: error)
    case is PaginationError: self.init(code: .malformedResponse, reason: "\(error)", underlyingError: error)
    default: self.init(code: .other, reason: "\(error)", underlyingError: error)
    }
  }
}

extension HTTP.BodyError {
  /// True if a part of the body exceeds a limit.
  fileprivate var isExcess: Bool {
    switch self {
    case .tooLarge, .lineTooLong, .recordTooLong, .eventTooLarge: true
    default: false
    }
  }
}

extension TransportFailureRepresentable {
  /// Creates the caller's error from `failure`; `nil` for a decoding failure if the type cannot be created from one.
  init?(failure: any Error) {
    switch failure {
    case let failure as Self: self = failure
    case let failure as TransportFailure: self.init(transportFailure: failure)
    case let failure as DecodingFailure:
      guard let type = Self.self as? any DecodingFailureRepresentable.Type,
        let error = type.init(decodingFailure: failure) as? Self
      else { return nil }
      self = error
    case let failure as CallFailure: self.init(failure: failure.failure)
    default: return nil
    }
  }
}

/// The diagnosis of a body that could not be decoded. It is created on demand, so it costs successful responses nothing.
struct DeferredDiagnosis: Sendable {
  /// Returns the diagnosis of a body's bytes; `nil` for a format other than JSON.
  let make: @Sendable (Data, JSON.Diagnosis.Search) -> JSON.Diagnosis?

  /// No diagnosis, for values of a stream, whose bytes are not kept: the empty body would be diagnosed instead.
  static let none = DeferredDiagnosis { _, _ in nil }

  private init(make: @escaping @Sendable (Data, JSON.Diagnosis.Search) -> JSON.Diagnosis?) {
    self.make = make
  }

  init<Model: Decodable & SendableMetatype>(
    of error: any Error, decoding type: Model.Type, by format: any DecodingFormat
  ) {
    let source = "body"
    switch format {
    case let decoder as JSON.Decoder where type != ModelPlaceholder.self:
      // The decoder's strategies may be changed later, so that a copy keeps the current ones.
      let decoder = decoder.copy()
      make = { decoder.diagnosis(of: error, decoding: type, from: $0, search: $1, source: source) }
    case let decoder as JSON.Decoder:
      let decoder = decoder.copy()
      make = { data, _ in JSON.Diagnosis(error, in: data, decoder: decoder, source: source) }
    case is JSONDecoder:
      let subject = TypeName.of(type)
      make = { data, _ in JSON.Diagnosis(error, in: data, source: source).of(subject) }
    default: make = { _, _ in nil }
    }
  }
}

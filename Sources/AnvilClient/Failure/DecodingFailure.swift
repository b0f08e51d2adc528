public import AnvilHTTP
public import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A successful response that did not become the value that was asked for.
public enum DecodingFailure: Error {
  /// The body does not decode.
  case decodingError(Context)
  /// The body was to be empty and is not.
  case invalidEmptyResponse(HTTP.Response)

  /// What was being decoded from what, and why it failed.
  public struct Context: Sendable {
    /// Why, with the coding path.
    public let decodingError: DecodingError
    /// The type that was asked for; the container where there is one. A placeholder, which throws when it is decoded, for a
    /// model that a factory makes or that is updated: it need not be `Decodable`.
    public let failingType: any (Decodable & SendableMetatype).Type
    /// The name of the type that was asked for, of such a model, too.
    public let failingTypeName: String
    /// The response, with its body.
    public let response: HTTP.Response
    /// Makes the diagnosis when it is asked for.
    private let deferredDiagnosis: DeferredDiagnosis

    /// The context of a failure to decode `failingType` from `response`.
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

    /// What is wrong with the body, as far as it is JSON or was to be, where decoding stops in each element: with its place. `nil`
    /// for a body in another format.
    ///
    /// Made each time anew: the body is decoded once more.
    public var diagnosis: JSON.Diagnosis? { diagnosis(.asDecoded) }

    /// What is wrong with the body, looked for as far as `search` says; of a body that another decoder than `JSON.Decoder` read,
    /// the first problem. `nil` for a body in another format than JSON.
    public func diagnosis(_ search: JSON.Diagnosis.Search) -> JSON.Diagnosis? {
      response.body.data.flatMap { deferredDiagnosis.make($0, search) }
    }
  }

  /// All that is known of the failure, for people, logs and programs. ``FailureReport/init(_:search:)-(DecodingFailure,_)`` finds
  /// every problem of the body.
  public var report: FailureReport { FailureReport(self) }

  /// The response, with its body.
  public var response: HTTP.Response {
    switch self {
    case .decodingError(let context): context.response
    case .invalidEmptyResponse(let response): response
    }
  }
}

extension DecodingFailure: Equatable {
  /// Whether the same response did not become the same type for the same reason; in what time does not count.
  public static func == (lhs: DecodingFailure, rhs: DecodingFailure) -> Bool {
    switch (lhs, rhs) {
    case (.decodingError(let lhs), .decodingError(let rhs)): lhs == rhs
    case (.invalidEmptyResponse(let lhs), .invalidEmptyResponse(let rhs)): lhs == rhs
    case (.decodingError, _), (.invalidEmptyResponse, _): false
    }
  }
}

extension DecodingFailure.Context: Equatable {
  /// Whether the same response did not become the same type for the same reason.
  public static func == (lhs: DecodingFailure.Context, rhs: DecodingFailure.Context) -> Bool {
    lhs.failingType == rhs.failingType && lhs.failingTypeName == rhs.failingTypeName
      && lhs.decodingError.isSame(as: rhs.decodingError) && lhs.response == rhs.response
  }
}

extension DecodingError {
  /// Whether both say the same of the same place.
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

extension DecodingFailure: CustomStringConvertible {
  /// Request line, status, type and what is wrong where, in one line without values: safe to log. ``report`` has more.
  public var description: String {
    "\(response): \(problem.text)"
  }

  /// What is wrong with the body, without values: the report's code, and a text for one line.
  var problem: (code: String, text: String) {
    switch self {
    case .decodingError(let context):
      let diagnosis = context.diagnosis
      let reason = diagnosis?.line ?? context.decodingError.summary
      return (Self.code(diagnosis), "cannot decode \(context.failingTypeName): \(reason)")
    case .invalidEmptyResponse(let response): return (Self.code(nil), "expected no body, found \(response.body)")
    }
  }

  /// The code of a report with `diagnosis`.
  static func code(_ diagnosis: JSON.Diagnosis?) -> String {
    diagnosis?.problems.first?.code.rawValue ?? "decode.failed"
  }
}

extension DecodingFailure: LocalizedError {
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

public import AnvilHTTP

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

    /// The context of a failure to decode `failingType` from `response`.
    public init(
      decodingError: DecodingError, failingType: any (Decodable & SendableMetatype).Type, response: HTTP.Response
    ) {
      self.init(
        decodingError: decodingError, failingType: failingType, name: "\(failingType)", response: response)
    }

    init(
      decodingError: DecodingError, failingType: any (Decodable & SendableMetatype).Type, name: String,
      response: HTTP.Response
    ) {
      self.decodingError = decodingError
      self.failingType = failingType
      failingTypeName = name
      self.response = response
    }
  }

  /// The response, with its body.
  public var response: HTTP.Response {
    switch self {
    case .decodingError(let context): context.response
    case .invalidEmptyResponse(let response): response
    }
  }
}

extension DecodingFailure: CustomStringConvertible {
  /// Request line, status, type and where decoding stopped, without values: safe to log.
  public var description: String {
    switch self {
    case .decodingError(let context):
      "\(context.response): cannot decode \(context.failingTypeName): \(context.decodingError.summary)"
    case .invalidEmptyResponse(let response):
      "\(response): expected no body, found \(response.body)"
    }
  }
}

extension DecodingFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

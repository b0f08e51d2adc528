public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The response of a request that expects no content, such as a DELETE. It is not `Decodable`, since there is nothing to decode.
public struct EmptyResponse: Hashable, Sendable {
  /// Creates an empty response.
  public init() {}
}

extension Request where Response == EmptyResponse {
  /// The condition under which a successful response counts as empty.
  public struct EmptyDecodingStrategy: Sendable {
    let transform: @Sendable (TransportSuccess, DecodingFailureTransformer) -> Result<EmptyResponse, Failure>

    /// Accepts every successful response, whatever its body.
    public static var `default`: EmptyDecodingStrategy {
      custom { _, _ in .success(EmptyResponse()) }
    }

    /// Accepts only a response without a body. Any other response is a `DecodingFailure.invalidEmptyResponse`.
    public static var validatedEmpty: EmptyDecodingStrategy {
      custom { success, makeFailure in
        success.body.isEmpty
          ? .success(EmptyResponse())
          : .failure(makeFailure(.invalidEmptyResponse(success.response)))
      }
    }

    /// Accepts the responses that `transform` accepts. It receives the successful response and a closure that creates a failure from a
    /// ``DecodingFailure``.
    ///
    ///     extension Request.EmptyDecodingStrategy where Response == EmptyResponse, Failure == APIError {
    ///       static var matchingReturnCode: Self {
    ///         .custom { success, makeFailure in … }
    ///       }
    ///     }
    public static func custom(
      _ transform:
        @escaping @Sendable (
          _ success: TransportSuccess, _ makeFailure: DecodingFailureTransformer
        ) -> Result<EmptyResponse, Failure>
    ) -> EmptyDecodingStrategy {
      EmptyDecodingStrategy(transform: transform)
    }
  }

  /// Creates a request that expects no content, for failure types that cannot be created from a ``DecodingFailure``.
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`.
  ///   - emptyDecodingStrategy: the condition under which a successful response counts as empty.
  ///   - decodingFailureTransformer: creates the failure for a response that does not count as empty.
  public static func withEmptyResponse(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    emptyDecodingStrategy: EmptyDecodingStrategy = .default,
    decodingFailureTransformer: @escaping DecodingFailureTransformer
  ) -> Request {
    Request(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout,
      successTransformer: successTransformer(for: emptyDecodingStrategy, errorTransformer: decodingFailureTransformer))
  }

  /// Returns a transformer that applies `emptyDecodingStrategy`. `errorTransformer` creates the failure.
  public static func successTransformer(
    for emptyDecodingStrategy: EmptyDecodingStrategy, errorTransformer: @escaping DecodingFailureTransformer
  ) -> Transformer {
    { success in
      emptyDecodingStrategy.transform(success) { failure in
        success.outcome?.receive(.refused(failure))
        return errorTransformer(failure)
      }
    }
  }
}

extension Request where Response == EmptyResponse, Failure: DecodingFailureRepresentable {
  /// Creates a request that expects no content.
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`.
  ///   - emptyDecodingStrategy: the condition under which a successful response counts as empty.
  public static func withEmptyResponse(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    emptyDecodingStrategy: EmptyDecodingStrategy = .default
  ) -> Request {
    Request(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout,
      successTransformer: successTransformer(for: emptyDecodingStrategy))
  }

  /// Returns a transformer that applies `emptyDecodingStrategy`. A failure becomes `Failure(decodingFailure:)`.
  public static func successTransformer(for emptyDecodingStrategy: EmptyDecodingStrategy) -> Transformer {
    successTransformer(for: emptyDecodingStrategy, errorTransformer: { Failure(decodingFailure: $0) })
  }
}

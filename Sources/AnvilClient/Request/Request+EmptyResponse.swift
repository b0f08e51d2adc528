public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a request gives that expects nothing back, such as a DELETE. Not `Decodable`: there is nothing to decode.
public struct EmptyResponse: Hashable, Sendable {
  /// Nothing.
  public init() {}
}

extension Request where Response == EmptyResponse {
  /// When a successful response counts as empty.
  public struct EmptyDecodingStrategy: Sendable {
    let transform: @Sendable (TransportSuccess, DecodingFailureTransformer) -> Result<EmptyResponse, Failure>

    /// Any successful response, whatever its body.
    public static var `default`: EmptyDecodingStrategy {
      custom { _, _ in .success(EmptyResponse()) }
    }

    /// Only a response without a body; another one is a `DecodingFailure.invalidEmptyResponse`.
    public static var validatedEmpty: EmptyDecodingStrategy {
      custom { success, makeFailure in
        success.body.isEmpty
          ? .success(EmptyResponse())
          : .failure(makeFailure(.invalidEmptyResponse(success.response.withoutOutcomeHandlers)))
      }
    }

    /// What `transform` decides: it is given the success and the way to make a failure from a ``DecodingFailure``.
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

  /// A request that expects nothing back, for failures that cannot be made from a ``DecodingFailure`` by themselves.
  ///
  /// - Parameters:
  ///   - timeout: seconds, as in `URLRequest`; the most time that one attempt may take.
  ///   - emptyDecodingStrategy: when a successful response counts as empty.
  ///   - decodingFailureTransformer: makes the failure where it does not.
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

  /// Lets `emptyDecodingStrategy` decide; `errorTransformer` makes the failure.
  public static func successTransformer(
    for emptyDecodingStrategy: EmptyDecodingStrategy, errorTransformer: @escaping DecodingFailureTransformer
  ) -> Transformer {
    { success in
      emptyDecodingStrategy.transform(success) { failure in
        success.response.report(.refused(failure))
        return errorTransformer(failure)
      }
    }
  }
}

extension Request where Response == EmptyResponse, Failure: DecodingFailureRepresentable {
  /// A request that expects nothing back.
  ///
  /// - Parameters:
  ///   - timeout: seconds, as in `URLRequest`; the most time that one attempt may take.
  ///   - emptyDecodingStrategy: when a successful response counts as empty.
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

  /// Lets `emptyDecodingStrategy` decide; a failure becomes `Failure(decodingFailure:)`.
  public static func successTransformer(for emptyDecodingStrategy: EmptyDecodingStrategy) -> Transformer {
    successTransformer(for: emptyDecodingStrategy, errorTransformer: { Failure(decodingFailure: $0) })
  }
}

internal import AnvilBodies
public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Request where Response: Decodable, Failure: DecodingFailureRepresentable {
  /// Creates a request whose response is decoded by `decoder`.
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`.
  ///   - decoder: any format, such as a `JSON.Decoder` with its strategies or a `PropertyListDecoder`. `nil` for the format of the
  ///     gateway or configuration that executes the request, or that of ``RequestDefaults`` if they set none.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    decoder: (any DecodingFormat)? = nil
  ) {
    var untyped = UntypedRequest(method: method, url: url, headers: headers, body: body)
    untyped.settings.cachePolicy = cachePolicy
    untyped.settings.timeout = timeout
    self.init(untyped, decodingBy: decoder)
  }

  /// Returns a transformer that decodes the body by `decoder`. A failure becomes `Failure(decodingFailure:)`.
  public static func successTransformer(for decoder: any DecodingFormat) -> Transformer {
    successTransformer(for: decoder, errorTransformer: { Failure(decodingFailure: $0) })
  }
}

extension Request where Response: Decodable {
  /// Returns a transformer that decodes the body by `decoder`. `errorTransformer` creates the failure, for types without
  /// `init(decodingFailure:)`.
  ///
  /// An empty body that cannot be decoded is reported as a failure of code `noData` rather than as a decoding failure.
  public static func successTransformer(
    for decoder: any DecodingFormat, errorTransformer: @escaping DecodingFailureTransformer
  ) -> Transformer {
    transformer(decoding: Response.self, by: decoder, errorTransformer: errorTransformer) { $0 }
  }
}

extension Request where Failure: DecodingFailureRepresentable {
  /// Creates a request whose response is decoded by `decoder` from the container that wraps it.
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`.
  ///   - decoder: any format. `nil` for the format of the gateway or configuration that executes the request, or that of
  ///     ``RequestDefaults`` if they set none.
  ///   - containerType: the payload's type, whose `element` is the response.
  public init<Container: DecodableContainer & SendableMetatype>(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    decoder: (any DecodingFormat)? = nil,
    containerType: Container.Type
  ) where Container.Contained == Response {
    var untyped = UntypedRequest(method: method, url: url, headers: headers, body: body)
    untyped.settings.cachePolicy = cachePolicy
    untyped.settings.timeout = timeout
    self.init(untyped, makeResponse: Self.decoding(by: decoder, out: containerType))
  }

  /// Returns a transformer that decodes the body as a `container` by `decoder`, and returns the value that the container wraps. A failure
  /// becomes `Failure(decodingFailure:)`.
  public static func successTransformer<Container: DecodableContainer & SendableMetatype>(
    for decoder: any DecodingFormat, with container: Container.Type
  ) -> Transformer where Container.Contained == Response {
    successTransformer(for: decoder, with: container, errorTransformer: { Failure(decodingFailure: $0) })
  }
}

extension Request {
  /// Returns a transformer that decodes the body as a `container` by `decoder`, and returns the value that the container wraps.
  /// `errorTransformer` creates the failure.
  ///
  /// An empty body that cannot be decoded is reported as a failure of code `noData` rather than as a decoding failure.
  public static func successTransformer<Container: DecodableContainer & SendableMetatype>(
    for decoder: any DecodingFormat, with container: Container.Type,
    errorTransformer: @escaping DecodingFailureTransformer
  ) -> Transformer where Container.Contained == Response {
    transformer(decoding: container, by: decoder, errorTransformer: errorTransformer, \.element)
  }

  /// Returns a transformer that decodes by `decoder`, or in the format of the response's body if `decoder` is `nil`.
  private static func transformer<Decoded: Decodable & SendableMetatype>(
    decoding type: Decoded.Type, by decoder: (any DecodingFormat)?,
    errorTransformer: @escaping DecodingFailureTransformer, _ response: @escaping @Sendable (Decoded) -> Response
  ) -> Transformer {
    { success in
      do throws(UnusableResponse) {
        let decoder = decoder ?? success.body.decodingFormat
        return .success(response(try success.response.decoded(as: type, by: decoder)))
      } catch {
        return .failure(error.failure(errorTransformer))
      }
    }
  }
}

extension Request where Response: Decodable, Failure: DecodingFailureRepresentable {
  /// Creates a request with the properties of `untyped` whose response is decoded by `decoder`, or in the body's format if that is `nil`.
  init(_ untyped: UntypedRequest, decodingBy decoder: (any DecodingFormat)?) {
    self.init(untyped, makeResponse: Self.decoding(by: decoder))
  }

  /// Returns a function that decodes the body by `decoder`, or in the body's format if `decoder` is `nil`.
  static func decoding(
    by decoder: (any DecodingFormat)?
  ) -> @Sendable (TransportSuccess) throws(Failure) -> Response {
    { success throws(Failure) in
      do throws(UnusableResponse) {
        return try success.response.decoded(as: Response.self, by: decoder ?? success.body.decodingFormat)
      } catch {
        throw error.failure { Failure(decodingFailure: $0) }
      }
    }
  }
}

extension Request where Failure: DecodingFailureRepresentable {
  /// Returns a function that decodes the body as a `container` by `decoder`, or in the body's format if `decoder` is `nil`. It returns
  /// the value that the container wraps.
  static func decoding<Container: DecodableContainer & SendableMetatype>(
    by decoder: (any DecodingFormat)?, out container: Container.Type
  ) -> @Sendable (TransportSuccess) throws(Failure) -> Response where Container.Contained == Response {
    { success throws(Failure) in
      do throws(UnusableResponse) {
        return try success.response.decoded(as: container, by: decoder ?? success.body.decodingFormat).element
      } catch {
        throw error.failure { Failure(decodingFailure: $0) }
      }
    }
  }
}

public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

extension Request where Response: Decodable, Failure: DecodingFailureRepresentable {
  /// Creates a request whose response is decoded by `decoder`.
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`.
  ///   - decoder: any format, such as a `JSON.Decoder` with its strategies or a `PropertyListDecoder`. `nil` for the format of the
  ///     gateway or configuration that executes the request.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    decoder: (any DecodingFormat)? = nil
  ) {
    let untyped = UntypedRequest(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout)
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
  ///   - decoder: any format. `nil` for the format of the gateway or configuration that executes the request.
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
    let untyped = UntypedRequest(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout)
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

  private static func transformer<Decoded: Decodable & SendableMetatype>(
    decoding type: Decoded.Type, by decoder: any DecodingFormat,
    errorTransformer: @escaping DecodingFailureTransformer, _ response: @escaping @Sendable (Decoded) -> Response
  ) -> Transformer {
    { success in
      do throws(CallFailure) {
        return .success(response(try success.response.decoded(as: type, by: decoder, reportingTo: success.outcome)))
      } catch {
        return .failure(error.failure(errorTransformer))
      }
    }
  }
}

extension Request where Response: Decodable, Failure: DecodingFailureRepresentable {
  /// Creates a request with the properties of `untyped` whose response is decoded by `decoder`, or in the format of the settings if that is
  /// `nil`.
  init(_ untyped: UntypedRequest, decodingBy decoder: (any DecodingFormat)?) {
    self.init(untyped, makeResponse: Self.decoding(by: decoder))
  }

  /// Returns a function that decodes the body by `decoder`, or in the format of the settings if `decoder` is `nil`.
  static func decoding(by decoder: (any DecodingFormat)?) -> MakeResponse {
    { success, format throws(Failure) in
      do throws(CallFailure) {
        return try success.response.decoded(as: Response.self, by: decoder ?? format, reportingTo: success.outcome)
      } catch {
        throw error.failure { Failure(decodingFailure: $0) }
      }
    }
  }
}

extension Request where Failure: DecodingFailureRepresentable {
  /// Returns a function that decodes the body as a `container` by `decoder`, or in the format of the settings if `decoder` is `nil`. It
  /// returns the value that the container wraps.
  static func decoding<Container: DecodableContainer & SendableMetatype>(
    by decoder: (any DecodingFormat)?, out container: Container.Type
  ) -> MakeResponse where Container.Contained == Response {
    { success, format throws(Failure) in
      do throws(CallFailure) {
        return try success.response.decoded(as: container, by: decoder ?? format, reportingTo: success.outcome).element
      } catch {
        throw error.failure { Failure(decodingFailure: $0) }
      }
    }
  }
}

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
  ///   - containerType: the type of the payload, whose `element` is the response. `nil` if the payload is the response.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    decoder: (any DecodingFormat)? = nil,
    containerType: (any (DecodableContainer<Response> & SendableMetatype).Type)? = nil
  ) {
    let untyped = UntypedRequest(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout)
    self.init(
      untyped,
      makeResponse: { success, format throws(Failure) in
        do throws(CallFailure) {
          return try success.decoded(as: Response.self, outOf: containerType, by: decoder ?? format)
        } catch {
          throw error.failure { Failure(decodingFailure: $0) }
        }
      })
  }

  /// Returns a transformer that decodes the body by `decoder`, or the `container` that wraps the response. A failure becomes
  /// `Failure(decodingFailure:)`.
  public static func successTransformer(
    for decoder: any DecodingFormat,
    with container: (any (DecodableContainer<Response> & SendableMetatype).Type)? = nil
  ) -> Transformer {
    successTransformer(for: decoder, with: container, errorTransformer: { Failure(decodingFailure: $0) })
  }
}

extension Request where Response: Decodable {
  /// Returns a transformer that decodes the body by `decoder`, or the `container` that wraps the response. `errorTransformer` creates the
  /// failure, for types without `init(decodingFailure:)`.
  ///
  /// An empty body that cannot be decoded is reported as a failure of code `noData` rather than as a decoding failure.
  public static func successTransformer(
    for decoder: any DecodingFormat,
    with container: (any (DecodableContainer<Response> & SendableMetatype).Type)? = nil,
    errorTransformer: @escaping DecodingFailureTransformer
  ) -> Transformer {
    { success in
      do throws(CallFailure) {
        return .success(try success.decoded(as: Response.self, outOf: container, by: decoder))
      } catch {
        return .failure(error.failure(errorTransformer))
      }
    }
  }
}

extension TransportSuccess {
  /// Returns the model in the response or, with a container, in the object that wraps it.
  @inline(__always)
  func decoded<Model: Decodable & Sendable>(
    as type: Model.Type, outOf container: (any (DecodableContainer<Model> & SendableMetatype).Type)?,
    by format: any DecodingFormat
  ) throws(CallFailure) -> Model {
    guard let container else { return try response.decoded(as: type, by: format, reportingTo: outcome) }
    return try response.decoded(as: container, by: format, reportingTo: outcome).element
  }
}

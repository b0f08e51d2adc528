public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

/// A request with the type of its response and the type of its failure.
///
///     struct User: Decodable, Sendable { let id: Int, login: String }
///
///     let request = Request<User, APIError>(url: url)
///     let user = try await backend.execute(request)    // throws APIError and nothing else
///
/// A request is a value that can be copied, changed and stored. It is sent when a ``BackendService`` executes it.
public struct Request<Response: Sendable, Failure: TransportFailureRepresentable>: RequestConfigurable, Sendable {
  /// A closure that turns a successful response into the value that the caller receives, or into a failure.
  public typealias Transformer = @Sendable (TransportSuccess) -> Result<Response, Failure>
  /// A closure that creates the caller's error from a response that could not be decoded.
  public typealias DecodingFailureTransformer = @Sendable (DecodingFailure) -> Failure

  /// The properties that do not depend on the types.
  var untyped: UntypedRequest {
    _read { yield box.wrappedValue }
    _modify { yield &box.wrappedValue }
  }
  private var box: Boxed<UntypedRequest>

  /// The closure that turns a successful response into the value that the caller receives.
  public var successTransformer: Transformer {
    get {
      { [makeResponse] success in
        do throws(Failure) {
          return .success(try makeResponse(success, success.response.body.decodingFormat))
        } catch {
          return .failure(error)
        }
      }
    }
    set { makeResponse = { success, _ throws(Failure) in try newValue(success).get() } }
  }

  /// The transformer in the form in which it is called, with the format of the settings.
  typealias MakeResponse = @Sendable (TransportSuccess, any DecodingFormat) throws(Failure) -> Response
  private(set) var makeResponse: MakeResponse

  /// The closure that checks a successful response before ``successTransformer`` and throws if it is a failure, such as a 200 whose body is
  /// an error. The default accepts every response.
  ///
  /// A closure that throws has to name the type of the error: `{ success throws(APIError) in … }`.
  public var successValidator: @Sendable (TransportSuccess) throws(Failure) -> Void

  /// A closure that creates the caller's error from a failed exchange. `mapError` replaces it.
  let failureTransformer: @Sendable (TransportFailure) -> Failure

  /// Creates a request whose response is transformed by `successTransformer`.
  ///
  /// - Parameters:
  ///   - cachePolicy: the cache policy. With `nil`, it is inherited from the gateway or service that executes the request.
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`. A value that is not positive, or is greater than 10⁹,
  ///     means no limit. With `nil`, it is inherited.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    successTransformer: @escaping Transformer
  ) {
    let untyped = UntypedRequest(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout)
    self.init(untyped, successTransformer: successTransformer)
  }

  init(_ untyped: UntypedRequest, successTransformer: @escaping Transformer) {
    self.init(untyped) { success, _ throws(Failure) in try successTransformer(success).get() }
  }

  init(_ untyped: UntypedRequest, makeResponse: @escaping MakeResponse) {
    box = Boxed(wrappedValue: untyped)
    self.makeResponse = makeResponse
    successValidator = { _ in }
    failureTransformer = { Failure(transportFailure: $0) }
  }

  init<OtherResponse, OtherFailure>(
    _ other: Request<OtherResponse, OtherFailure>, makeResponse: @escaping MakeResponse,
    successValidator: @escaping @Sendable (TransportSuccess) throws(Failure) -> Void,
    failureTransformer: @escaping @Sendable (TransportFailure) -> Failure
  ) {
    box = other.box
    self.makeResponse = makeResponse
    self.successValidator = successValidator
    self.failureTransformer = failureTransformer
  }
}

/// Properties that do not depend on the types.
extension Request {
  /// The settings of the request. Unset ones are inherited from the gateway, or the service, that executes the request.
  public var settings: RequestSettings {
    _read { yield untyped.settings }
    _modify { yield &untyped.settings }
  }

  /// The method.
  public var method: HTTP.Method {
    get { untyped.method }
    set { untyped.method = newValue }
  }

  /// The URL. A ``Gateway`` also accepts a URL without a scheme: a path under its base URL.
  public var url: URL {
    get { untyped.url }
    set { untyped.url = newValue }
  }

  /// The body.
  public var body: HTTP.Body {
    get { untyped.body }
    _modify { yield &untyped.body }
  }

  /// The time at which a successful response is passed to ``successTransformer``: by default when its body is in memory. The transformer
  /// of a streamed response returns the body or starts to read it. Transformers that decode need the body in memory.
  public var responseDelivery: ResponseDelivery {
    get { untyped.responseDelivery }
    set { untyped.responseDelivery = newValue }
  }

  /// The statuses besides 2xx whose responses are successes, such as 304 for a conditional request. Their responses are passed to
  /// ``successValidator`` and ``successTransformer``. The default is the empty set.
  public var acceptedStatuses: Set<HTTP.Status> {
    get { untyped.acceptedStatuses }
    set { untyped.acceptedStatuses = newValue }
  }

  /// Returns the request with a closure that may recover from a failure; see ``TypedGateway/recovering(_:)``. After ``mapError(_:)`` it is
  /// only called for failures of the transport.
  public func recovering(
    _ recover: @escaping @Sendable (Failure, HTTP.Request) async -> HTTP.Request?
  ) -> Request {
    var request = self
    request.untyped.recoveries.append(
      UntypedRequest.recovery(makingFailure: failureTransformer, recover))
    return request
  }

  /// The request in the form that the transport receives.
  public var httpRequest: HTTP.Request { untyped.httpRequest }

  /// Returns the value of `success`, which is validated and then transformed, by `format` unless the transformer specifies one.
  package func transform(
    _ success: TransportSuccess, by format: (any DecodingFormat)? = nil
  ) throws(Failure) -> Response {
    try successValidator(success)
    return try makeResponse(success, format ?? HTTP.Body.defaultDecodingFormat)
  }
}

extension Request: CustomStringConvertible, CustomReflectable {
  /// The method, the URL with redacted query values, and the response type: `GET https://api.example.com/users/1 → User`.
  public var description: String { "\(httpRequest) → \(Response.self)" }

  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror { Mirror(self, children: ["request": httpRequest, "settings": settings]) }
}

extension Request {
  /// Returns the request with `additionalHeaders` added. A field in `additionalHeaders` replaces the request's fields of the same name.
  public func addingHeaders(_ additionalHeaders: HTTP.Headers) -> Request {
    usingHeaders(headers.merging(additionalHeaders))
  }

  /// Returns the request with `headers` instead of its current fields.
  public func usingHeaders(_ headers: HTTP.Headers) -> Request {
    with { $0.headers = headers }
  }

  /// Returns the request with the URL `url`.
  public func usingURL(_ url: URL) -> Request {
    with { $0.url = url }
  }

  /// Returns the request with `body`.
  public func usingBody(_ body: HTTP.Body) -> Request {
    with { $0.body = body }
  }

  private func with(_ change: (inout Request) -> Void) -> Request {
    var copy = self
    change(&copy)
    return copy
  }
}

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

extension Request {
  /// Returns a request whose response is this request's response transformed by `transform`. Everything else is unchanged.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Response) -> New) -> Request<New, Failure> {
    map { _, response in transform(response) }
  }

  /// Returns a request whose response is this request's response transformed by `transform`, which also receives the exchange.
  /// Everything else is unchanged.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (TransportSuccess, Response) -> New
  ) -> Request<New, Failure> {
    Request<New, Failure>(
      self,
      makeResponse: { [makeResponse] success, format throws(Failure) in
        transform(success, try makeResponse(success, format))
      },
      successValidator: successValidator, failureTransformer: failureTransformer)
  }

  /// Returns a request whose failures are this request's failures transformed by `transform`, whether they come from the transport, from
  /// decoding or from the validator. Everything else is unchanged.
  public func mapError<New: TransportFailureRepresentable>(
    _ transform: @escaping @Sendable (Failure) -> New
  ) -> Request<Response, New> {
    Request<Response, New>(
      self,
      makeResponse: { [makeResponse] success, format throws(New) in
        do throws(Failure) { return try makeResponse(success, format) } catch { throw transform(error) }
      },
      successValidator: { [successValidator] success throws(New) in
        do throws(Failure) {
          try successValidator(success)
        } catch {
          throw transform(error)
        }
      },
      failureTransformer: { [failureTransformer] in transform(failureTransformer($0)) })
  }
}

extension Request where Response == HTTP.Response {
  /// Creates a request whose value is the response itself, for every 2xx status.
  ///
  ///     let request = Request<HTTP.Response, APIError>(url: url, responseDelivery: .streamed)
  ///     for try await chunk in try await backend.execute(request).body { … }
  ///
  /// - Parameters:
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`. It includes reading the
  ///     body, unless the response is streamed: the limit then ends with the head.
  ///   - responseDelivery: whether the response is delivered with its complete body or as soon as its head arrives.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    responseDelivery: ResponseDelivery = .collected
  ) {
    self.init(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout,
      successTransformer: { .success($0.response) })
    self.responseDelivery = responseDelivery
  }
}

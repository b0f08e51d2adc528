public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request with the type of its response and the type of its failure.
///
///     struct User: Decodable, Sendable { let id: Int, login: String }
///
///     let request = Request<User, APIError>(url: url)
///     let user = try await backend.execute(request)    // throws APIError and nothing else
///
/// A request is a value that can be copied, changed and stored. It is sent when a ``BackendService`` executes it.
public struct Request<Response: Sendable, Failure: TransportFailureRepresentable>: Recoverable, Sendable {
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
          return .success(try makeResponse(success))
        } catch {
          return .failure(error)
        }
      }
    }
    set { makeResponse = { success throws(Failure) in try newValue(success).get() } }
  }

  /// The transformer in the form in which it is called, which needs no `Result`.
  private(set) var makeResponse: @Sendable (TransportSuccess) throws(Failure) -> Response

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
  ///   - cachePolicy: the cache policy. With `nil`, the policy of the gateway is used, then that of the configuration, then that of
  ///     ``RequestDefaults``.
  ///   - timeout: the maximum duration of one attempt in seconds, as in `URLRequest`. With `nil`, the value of the gateway is used, then
  ///     that of the configuration, then that of ``RequestDefaults``.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy? = nil,
    timeout: TimeInterval? = nil,
    successTransformer: @escaping Transformer
  ) {
    var untyped = UntypedRequest(method: method, url: url, headers: headers, body: body)
    untyped.settings.cachePolicy = cachePolicy
    untyped.settings.timeout = timeout
    self.init(untyped, successTransformer: successTransformer)
  }

  /// Creates a request with the properties of `untyped` whose response is transformed by `successTransformer`.
  init(_ untyped: UntypedRequest, successTransformer: @escaping Transformer) {
    self.init(untyped) { success throws(Failure) in try successTransformer(success).get() }
  }

  /// Creates a request with the properties of `untyped` whose response is made by `makeResponse`.
  init(_ untyped: UntypedRequest, makeResponse: @escaping @Sendable (TransportSuccess) throws(Failure) -> Response) {
    box = Boxed(wrappedValue: untyped)
    self.makeResponse = makeResponse
    successValidator = { _ in }
    failureTransformer = { Failure(transportFailure: $0) }
  }

  /// Creates a request with the untyped properties of `other`. All typed properties are arguments.
  init<OtherResponse, OtherFailure>(
    _ other: Request<OtherResponse, OtherFailure>, successTransformer: @escaping Transformer,
    successValidator: @escaping @Sendable (TransportSuccess) throws(Failure) -> Void,
    failureTransformer: @escaping @Sendable (TransportFailure) -> Failure
  ) {
    box = other.box
    makeResponse = { success throws(Failure) in try successTransformer(success).get() }
    self.successValidator = successValidator
    self.failureTransformer = failureTransformer
  }
}

/// Properties that do not depend on the types. A property that is not set in the request has the value of the gateway that executes it,
/// then of the configuration. Until the request is executed, such a property reads as the value of ``RequestDefaults``.
extension Request {
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

  /// The header fields.
  public var headers: HTTP.Headers {
    get { untyped.headers }
    _modify { yield &untyped.headers }
  }

  /// The body.
  public var body: HTTP.Body {
    get { untyped.body }
    _modify { yield &untyped.body }
  }

  /// The cache policy. It applies to a ``CacheInterceptor`` and to the session's cache.
  public var cachePolicy: CachePolicy {
    get { untyped.cachePolicy }
    set { untyped.settings.cachePolicy = newValue }
  }

  /// The maximum duration of one attempt in seconds, from its start to the last byte of the body. Fractions of a second are exact. A value
  /// that is not positive, or is greater than 10⁹, means no limit.
  public var timeout: TimeInterval {
    get { untyped.timeout }
    set { untyped.settings.timeout = newValue }
  }

  /// The time at which a successful response is passed to ``successTransformer``: by default when its body is in memory. The transformer
  /// of a streamed response returns the body or starts to read it. Transformers that decode need the body in memory.
  public var responseDelivery: ResponseDelivery {
    get { untyped.responseDelivery }
    set { untyped.responseDelivery = newValue }
  }

  /// The handler that is called as the bodies are transferred. Progress restarts with each attempt. `nil` by default.
  public var progressHandler: TransferProgress.Handler? {
    get { untyped.settings.progressHandler }
    set { untyped.settings.progressHandler = newValue }
  }

  /// The handler that is called with the informational responses, trailers and metrics of each attempt, and with retries, redirects,
  /// challenges and cache events. `nil` by default.
  public var eventHandler: TransferEvent.Handler? {
    get { untyped.settings.eventHandler }
    set { untyped.settings.eventHandler = newValue }
  }

  /// The policy of the request: redirects, retries and the deadline for all attempts.
  public var policy: RequestPolicy {
    get { untyped.settings.policy }
    _modify { yield &untyped.settings.policy }
  }

  /// The maximum number of times that recovery strategies may repeat the request; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { untyped.maxRecoveryAttempts }
    set { untyped.settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// The number of times that the request has been sent again. ``BackendService`` counts them.
  public var recoveryAttemptCount: Int {
    get { untyped.recoveryAttemptCount }
    set { untyped.recoveryAttemptCount = newValue }
  }

  /// The failure of the previous attempt, while a ``RecoveryStrategy`` handles it. `nil` when a response arrived and the validator or the
  /// transformer rejected it. It is available even if the caller's error type does not store it.
  public var lastFailure: TransportFailure? { untyped.lastFailure }

  /// A closure that turns a failure that the caller accepts, such as a 304, into a success. It is called before the recovery strategies. It
  /// returns `nil` for any other failure. By default it returns `nil` for every failure.
  public var recoveryTransformer: @Sendable (TransportFailure) -> TransportSuccess? {
    get { untyped.recoveryTransformer ?? { _ in nil } }
    set { untyped.recoveryTransformer = newValue }
  }
}

extension Request {
  /// The request in the form that the transport receives.
  public var httpRequest: HTTP.Request { untyped.httpRequest }

  /// The options that the request sets for the transfer.
  package var transportOptions: TransportOptions { untyped.transportOptions() }

  /// Returns the options for one attempt of an execution that ends by `deadline` and reports its outcome.
  func attemptOptions(by deadline: RequestDeadline?) -> TransportOptions {
    untyped.transportOptions(by: deadline, reportsOutcome: true)
  }

  /// Returns the value of `success`, which is validated and then transformed.
  ///
  /// - Throws: the validator's error or the transformer's failure.
  package func transform(_ success: TransportSuccess) throws(Failure) -> Response {
    try successValidator(success)
    return try makeResponse(success)
  }
}

extension Request: CustomStringConvertible {
  /// The method, the URL with redacted query values, and the response type: `GET https://api.example.com/users/1 → User`.
  public var description: String { "\(httpRequest) → \(Response.self)" }
}

extension Request: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror { Mirror(self, children: ["request": httpRequest, "timeout": timeout]) }
}

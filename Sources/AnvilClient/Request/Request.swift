public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a caller wants from a server, what it gets back, and how that may fail.
///
///     struct User: Decodable, Sendable { let id: Int, login: String }
///
///     let request = Request<User, APIError>(url: url)
///     let user = try await backend.execute(request)    // throws APIError and nothing else
///
/// A value: copy it, change it, keep it. Nothing happens until a ``BackendService`` executes it.
public struct Request<Response: Sendable, Failure: TransportFailureRepresentable>: Recoverable, Sendable {
  /// Turns a successful response into the value that the caller wants, or says why not.
  public typealias Transformer = @Sendable (TransportSuccess) -> Result<Response, Failure>
  /// Makes the caller's error from a response that would not decode.
  public typealias DecodingFailureTransformer = @Sendable (DecodingFailure) -> Failure

  /// What does not depend on the types.
  private(set) var untyped: UntypedRequest

  /// Turns a successful response into the value that the caller wants.
  public var successTransformer: Transformer

  /// Looks at a successful response before ``successTransformer`` and throws where it is none: a 200 whose body is an
  /// error. Does nothing unless set.
  ///
  /// A closure that throws has to name the type: `{ success throws(APIError) in … }`.
  public var successValidator: @Sendable (TransportSuccess) throws(Failure) -> Void

  /// Makes the caller's error from a failed exchange; `mapError` changes it.
  let failureTransformer: @Sendable (TransportFailure) -> Failure

  /// A request whose response `successTransformer` understands.
  ///
  /// - Parameter timeout: seconds, as in `URLRequest`; the most time that one attempt may take.
  public init(
    method: HTTP.Method = .get,
    url: URL,
    headers: HTTP.Headers = [:],
    body: HTTP.Body = .empty,
    cachePolicy: CachePolicy = RequestDefaults.defaultCachePolicy,
    timeout: TimeInterval = RequestDefaults.defaultTimeout,
    successTransformer: @escaping Transformer
  ) {
    untyped = UntypedRequest(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout)
    self.successTransformer = successTransformer
    successValidator = { _ in }
    failureTransformer = { Failure(transportFailure: $0) }
  }

  /// The request of other types that has the untyped properties of `other`. Every typed one is an argument.
  init<OtherResponse, OtherFailure>(
    _ other: Request<OtherResponse, OtherFailure>, successTransformer: @escaping Transformer,
    successValidator: @escaping @Sendable (TransportSuccess) throws(Failure) -> Void,
    failureTransformer: @escaping @Sendable (TransportFailure) -> Failure
  ) {
    untyped = other.untyped
    self.successTransformer = successTransformer
    self.successValidator = successValidator
    self.failureTransformer = failureTransformer
  }
}

/// The properties that do not depend on the types.
extension Request {
  /// The method.
  public var method: HTTP.Method {
    get { untyped.method }
    set { untyped.method = newValue }
  }

  /// The absolute URL.
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

  /// How a cache may answer, a ``CacheInterceptor`` or the session's own.
  public var cachePolicy: CachePolicy {
    get { untyped.cachePolicy }
    set { untyped.cachePolicy = newValue }
  }

  /// The most time in seconds that one attempt may take, from its start to the last byte of the body. Exact below a
  /// second; no limit unless positive and finite.
  public var timeout: TimeInterval {
    get { untyped.timeout }
    set { untyped.timeout = newValue }
  }

  /// When a successful response is handed to ``successTransformer``: with its body in memory, unless set. The transformer
  /// of a streamed one passes its body on or sets out to read it; those that decode need it in memory.
  public var responseDelivery: ResponseDelivery {
    get { untyped.responseDelivery }
    set { untyped.responseDelivery = newValue }
  }

  /// Hears how far the bodies have come, with each attempt anew; nobody does unless set.
  public var progressHandler: TransferProgress.Handler? {
    get { untyped.progressHandler }
    set { untyped.progressHandler = newValue }
  }

  /// Hears of informational responses, trailers and metrics of each attempt, of retries, redirects, challenges and the cache;
  /// nobody does unless set.
  public var eventHandler: TransferEvent.Handler? {
    get { untyped.eventHandler }
    set { untyped.eventHandler = newValue }
  }

  /// What the client may do with the request beyond sending it once: redirects, retries, the deadline of all together.
  public var policy: RequestPolicy {
    get { untyped.policy }
    _modify { yield &untyped.policy }
  }

  /// How many times recovery strategies may have the request sent again; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { untyped.maxRecoveryAttempts }
    set { untyped.maxRecoveryAttempts = newValue }
  }

  /// How many times it has been sent again. ``BackendService`` counts.
  public var recoveryAttemptCount: Int {
    get { untyped.recoveryAttemptCount }
    set { untyped.recoveryAttemptCount = newValue }
  }

  /// Turns a failure into a success before anything else sees it: a 304 that is as good as a 200. `nil` leaves it a
  /// failure, as it does unless set.
  public var recoveryTransformer: @Sendable (TransportFailure) -> TransportSuccess? {
    get { untyped.recoveryTransformer ?? { _ in nil } }
    set { untyped.recoveryTransformer = newValue }
  }
}

extension Request {
  /// The request as it is handed to the transport.
  public var httpRequest: HTTP.Request {
    HTTP.Request(method: method, url: url, headers: headers, body: body)
  }

  /// What the request asks of the transfer.
  public var transportOptions: TransportOptions {
    TransportOptions(
      cachePolicy: cachePolicy, timeout: Duration(timeout: timeout), responseDelivery: responseDelivery,
      progressHandler: progressHandler, eventHandler: eventHandler, policy: policy)
  }

  /// The value that `success` stands for: validated, then transformed.
  ///
  /// - Throws: the validator's error or the transformer's failure.
  public func transform(_ success: TransportSuccess) throws(Failure) -> Response {
    try successValidator(success)
    return try successTransformer(success).get()
  }
}

extension Request: CustomStringConvertible {
  /// Method, URL with query values redacted, and the type wanted: `GET https://api.example.com/users/1 → User`.
  public var description: String { "\(httpRequest) → \(Response.self)" }
}

extension Request: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror { Mirror(self, children: ["request": httpRequest, "timeout": timeout]) }
}

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
  var untyped: UntypedRequest {
    _read { yield box.wrappedValue }
    _modify { yield &box.wrappedValue }
  }
  private var box: Boxed<UntypedRequest>

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
  /// - Parameters:
  ///   - cachePolicy: `nil` leaves it to who executes the request, and at last to ``RequestDefaults``.
  ///   - timeout: seconds, as in `URLRequest`; the most time that one attempt may take. `nil` like `cachePolicy`'s.
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

  /// A request of `untyped` whose response `successTransformer` understands.
  init(_ untyped: UntypedRequest, successTransformer: @escaping Transformer) {
    box = Boxed(wrappedValue: untyped)
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
    box = other.box
    self.successTransformer = successTransformer
    self.successValidator = successValidator
    self.failureTransformer = failureTransformer
  }
}

/// The properties that do not depend on the types. What is not set in a request is the gateway's that executes it, then the
/// configuration's; until then each reads as ``RequestDefaults`` have it.
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
    set { untyped.settings.cachePolicy = newValue }
  }

  /// The most time in seconds that one attempt may take, from its start to the last byte of the body. Exact below a
  /// second; no limit unless positive and finite.
  public var timeout: TimeInterval {
    get { untyped.timeout }
    set { untyped.settings.timeout = newValue }
  }

  /// When a successful response is handed to ``successTransformer``: with its body in memory, unless set. The transformer
  /// of a streamed one passes its body on or sets out to read it; those that decode need it in memory.
  public var responseDelivery: ResponseDelivery {
    get { untyped.responseDelivery }
    set { untyped.responseDelivery = newValue }
  }

  /// Hears how far the bodies have come, with each attempt anew; nobody does unless set.
  public var progressHandler: TransferProgress.Handler? {
    get { untyped.settings.progressHandler }
    set { untyped.settings.progressHandler = newValue }
  }

  /// Hears of informational responses, trailers and metrics of each attempt, of retries, redirects, challenges and the cache;
  /// nobody does unless set.
  public var eventHandler: TransferEvent.Handler? {
    get { untyped.settings.eventHandler }
    set { untyped.settings.eventHandler = newValue }
  }

  /// What the client may do with the request beyond sending it once: redirects, retries, the deadline of all together.
  public var policy: RequestPolicy {
    get { untyped.settings.policy }
    _modify { yield &untyped.settings.policy }
  }

  /// How many times recovery strategies may have the request sent again; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { untyped.maxRecoveryAttempts }
    set { untyped.settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// How many times it has been sent again. ``BackendService`` counts.
  public var recoveryAttemptCount: Int {
    get { untyped.recoveryAttemptCount }
    set { untyped.recoveryAttemptCount = newValue }
  }

  /// Why the attempt before failed, while a ``RecoveryStrategy`` is asked about it; `nil` when the response came and was refused by
  /// validator or transformer. Known whatever the caller's error type keeps.
  public var lastFailure: TransportFailure? { untyped.lastFailure }

  /// Turns a failure into a success before anything else sees it: a 304 that is as good as a 200. `nil` leaves it a
  /// failure, as it does unless set.
  public var recoveryTransformer: @Sendable (TransportFailure) -> TransportSuccess? {
    get { untyped.recoveryTransformer ?? { _ in nil } }
    set { untyped.recoveryTransformer = newValue }
  }
}

extension Request {
  /// The request as it is handed to the transport.
  public var httpRequest: HTTP.Request { untyped.httpRequest }

  /// What the request asks of the transfer.
  public var transportOptions: TransportOptions { untyped.transportOptions }

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

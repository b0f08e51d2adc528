internal import AnvilBodies
public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request that a ``TypedGateway`` created. It is a value that can be changed, stored, and executed any number of times.
///
///     var request = gateway.request("users/\(id)")
///     request.headers[.accept] = "application/vnd.example.v2+json"
///     request.timeout = 5
///     let user = try await request.execute(as: User.self)
///
/// All functions throw the gateway's `Failure`, with two exceptions: the promise of ``execute()``, and ``download(to:options:)``, whose
/// cancellation is a `CancellationError`.
public struct TypedGatewayRequest<Failure: TransportFailureRepresentable>: Sendable {
  /// The method.
  public var method: HTTP.Method
  /// The items of the query. They follow those of the base URL and of a template.
  public var query: HTTP.Query
  /// The fields of this request. They are added to the gateway's fields and replace those of the same name.
  public var headers: HTTP.Headers = [:]
  /// The settings, which are initially the gateway's.
  @Boxed private var settings: RequestSettings

  private let gateway: TypedGateway<Failure>
  private var target: GatewayTarget
  private var ownBody = HTTP.Body.empty

  @inline(never)
  init(_ gateway: TypedGateway<Failure>, _ target: GatewayTarget, method: HTTP.Method, query: HTTP.Query) {
    self.gateway = gateway
    self.target = target
    self.method = method
    self.query = query
    _settings = gateway.$settings
    ownBody.ownEncodingFormat = settings.encodingFormat
  }

  private init<OtherFailure>(_ other: TypedGatewayRequest<OtherFailure>) {
    gateway = TypedGateway(other.gateway)
    target = other.target
    method = other.method
    query = other.query
    headers = other.headers
    _settings = other.$settings
    ownBody = other.ownBody
  }

  /// Returns the request with `type` as the type of its errors.
  package func failing<F: TransportFailureRepresentable>(as type: F.Type) -> TypedGatewayRequest<F> {
    TypedGatewayRequest<F>(self)
  }

  /// The body. It is encoded in ``encodingFormat``, unless the body itself specifies a format.
  public var body: HTTP.Body {
    get { ownBody }
    @inline(never) set {
      let format = ownBody.ownEncodingFormat
      ownBody = newValue
      ownBody.ownEncodingFormat = newValue.ownEncodingFormat ?? format
    }
  }

  /// The format in which ``body`` is encoded.
  public var encodingFormat: any EncodingFormat {
    get { ownBody.encodingFormat }
    set { ownBody.encodingFormat = newValue }
  }
}

/// Settings whose initial values are the gateway's.
extension TypedGatewayRequest {
  /// The format in which the response is decoded, unless the decoding call names one.
  public var decodingFormat: any DecodingFormat {
    get { settings.decodingFormat ?? gateway.defaults.decoder }
    set { settings.decodingFormat = newValue }
  }

  /// The cache policy. It applies to the configuration's cache and to the session's.
  public var cachePolicy: CachePolicy {
    get { settings.cachePolicy ?? gateway.defaults.cachePolicy }
    set { settings.cachePolicy = newValue }
  }

  /// The maximum duration of one attempt in seconds, from its start to the last byte of the body.
  public var timeout: TimeInterval {
    get { settings.timeout ?? gateway.defaults.timeout }
    set { settings.timeout = newValue }
  }

  /// The maximum number of times that recovery strategies may repeat the request; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { settings.maxRecoveryAttempts ?? gateway.defaults.maxRecoveryAttempts }
    set { settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// The policy of the request: redirects, retries and the deadline for all attempts. Settings that it leaves unset are
  /// taken from the gateway.
  public var policy: RequestPolicy {
    get { settings.policy }
    set { settings.policy = newValue.inheriting(from: gateway.policy) }
  }

  /// The handler that is called with the progress of each attempt, in both directions.
  public var progressHandler: TransferProgress.Handler? {
    get { settings.progressHandler }
    set { settings.progressHandler = newValue }
  }

  /// The handler that is called with the informational responses, trailers and metrics of each attempt, and with retries, redirects,
  /// challenges and cache events.
  public var eventHandler: TransferEvent.Handler? {
    get { settings.eventHandler }
    set { settings.eventHandler = newValue }
  }
}

/// A request of a ``Gateway``, whose functions throw ``AnyError``.
public typealias GatewayRequest = TypedGatewayRequest<AnyError>

/// Sending the request.
extension TypedGatewayRequest {
  /// Sends the request and returns a promise of the response, with its body in memory.
  ///
  ///     let users = try await gateway.request("users").execute().decode(as: [User].self).value
  ///
  /// The promise fails with a ``TransportFailure``, whatever `Failure` is: for a status that is not 2xx and for every transport error. The
  /// response in the failure is decoded in the request's format. Cancelling the promise cancels the transfer.
  public func execute() -> Promise<HTTP.Response> {
    Promise { try await respond(.collected, as: TransportFailure.self) }
  }

  /// Sends the request and returns the response with its body in memory, whatever the body contains.
  ///
  /// Cancelling the task cancels the exchange.
  ///
  /// - Throws: `Failure`. A status that is not 2xx is an error as well.
  @discardableResult
  public func send() async throws(Failure) -> HTTP.Response {
    try await respond(.collected, as: Failure.self)
  }

  /// Sends the request and returns the response as soon as its head arrives. The body is read as it arrives.
  ///
  ///     for try await line in try await gateway.request("log").stream().body.lines { … }
  ///
  /// Until the head arrives, cancelling the task cancels the transfer. After that, releasing the body cancels it. See
  /// ``ResponseDelivery/streamed``.
  ///
  /// - Throws: `Failure`. Reading the body throws ``TransportError``.
  public func stream() async throws(Failure) -> HTTP.Response {
    try await respond(.streamed, as: Failure.self)
  }

  /// Sends the request and returns the response when the complete body is in `file`.
  ///
  ///     try await gateway.request("images", "linux.iso").download(to: file)
  ///
  /// An interrupted download resumes where it stopped, in the same call or a later one; see
  /// ``TransportService/download(_:to:options:)``. Each attempt is executed like ``stream()``, with its recovery strategies, but without
  /// a ``timeout`` or a deadline: the options limit the time without data instead. The handlers of the options replace the request's
  /// handlers for progress and events. Cancelling the task ends the transfer and keeps the bytes received so far.
  ///
  /// - Throws: `Failure`, also if the body cannot be written to the file; `CancellationError` if the task is cancelled.
  @discardableResult
  public func download(
    to file: URL, options: DownloadOptions = DownloadOptions()
  ) async throws -> HTTP.Response {
    var request = self
    request.timeout = .infinity
    request.policy = options.policy.inheriting(from: policy)
    request.settings.policy.deadline = nil
    request.progressHandler = options.sendingHandler
    request.eventHandler = options.eventHandler
    do {
      return try await Download(
        request.makeHTTPRequest(), to: file, options: options, policy: request.policy
      ) { [request] attempt in
        var request = request
        request.headers = attempt.headers
        return try await request.respond(.streamed, as: TransportFailure.self)
      }.run()
    } catch let failure as TransportFailure {
      if failure.error.code == .cancelled, Task.isCancelled { throw CancellationError() }
      throw Failure(transportFailure: failure)
    }
  }

  /// Returns the server-sent events of the response. If the method is safe, the source connects again whenever the connection ends.
  ///
  ///     for try await event in gateway.request("feed").events() { print(event.data) }
  ///
  /// A request whose method is not safe, such as a POST, is sent once: the sequence ends with the body, and throws if the body is truncated.
  /// Set ``RequestPolicy/reconnects`` if the server continues the stream after the same request. ``RequestPolicy/idempotency`` only allows
  /// repeated attempts until the head of the response arrives.
  ///
  /// Each connection is executed like ``stream()``, but without a ``timeout`` or a deadline, because an event stream does not end. A
  /// status that is not 2xx ends the sequence with its ``TransportFailure`` after retries and recovery strategies have failed, unless
  /// `statuses` contains it.
  ///
  /// - Parameters:
  ///   - reconnectionTime: the time to wait before connecting again, until the server sets a time.
  ///   - reconnectionTimeout: the maximum time from the loss of a connection, or from the beginning, until the next connection is made. If it
  ///     would pass, the sequence throws the last error. `nil` for no limit.
  ///   - statuses: the statuses after which the source connects again, such as ``Swift/Set/transient``. By default none, as in the HTML
  ///     standard.
  ///   - backoff: the additional time to wait after each failed attempt, and after a short connection without an event.
  ///   - clock: the clock that measures the waits.
  public func events(
    reconnectionTime: Duration = .seconds(3), reconnectionTimeout: Duration? = nil, statuses: Set<HTTP.Status> = [],
    backoff: any BackoffStrategy = ExponentialBackoff(), clock: any Clock<Duration> = ContinuousClock()
  ) -> EventSource {
    var request = self
    request.timeout = .infinity
    request.settings.policy.deadline = nil
    // The source creates a request for each connection. Only its header fields are used; everything else is taken from this request.
    let template = HTTP.Request(method: method, url: gateway.baseURL, headers: headers, body: body)
    return EventSource(
      request: template, reconnects: policy.mayBeginAgain(method) ? .always : .never,
      reconnectionTime: reconnectionTime, reconnectionTimeout: reconnectionTimeout, backoff: backoff, clock: clock,
      isTransient: { EventSource.isTransient($0, statuses: statuses) }
    ) { [request] next in
      var request = request
      request.headers = next.headers
      return try await request.respond(.streamed, as: TransportFailure.self)
    }
  }

  /// Returns the request in the form that the transport receives.
  ///
  /// - Throws: ``TransportFailure`` of code `invalidRequest` when the target is not a valid URL on the gateway's server, for example
  ///   because a segment of the path is `.` or `..`, or because a template leads to another origin.
  public func makeHTTPRequest() throws(TransportFailure) -> HTTP.Request {
    try untyped().httpRequest
  }

  /// Returns the request with the target `url`, which must be on the gateway's server. Neither the base URL's query nor the request's
  /// ``query`` is added to it.
  func at(_ url: URL) -> Self {
    var request = self
    request.target = .url(url)
    return request
  }

  /// Sends the request and returns the response, delivered according to `delivery`.
  @inline(never)
  func respond<F: TransportFailureRepresentable>(
    _ delivery: ResponseDelivery, as failure: F.Type
  ) async throws(F) -> HTTP.Response {
    try await backend.perform(typed(delivery, making: { success throws(F) in success.response }))
  }

  /// Returns the typed request, whose response is made by `makeResponse`.
  func typed<Response, F: TransportFailureRepresentable>(
    _ delivery: ResponseDelivery = .collected,
    making makeResponse: @escaping @Sendable (TransportSuccess) throws(F) -> Response
  ) throws(F) -> AnvilClient.Request<Response, F> {
    do throws(TransportFailure) {
      return AnvilClient.Request(try untyped(delivery), makeResponse: makeResponse)
    } catch {
      throw F(transportFailure: error)
    }
  }

  /// Returns the request in the form that the backend executes.
  func untyped(_ delivery: ResponseDelivery = .collected) throws(TransportFailure) -> UntypedRequest {
    var untyped = UntypedRequest(
      method: method, url: gateway.baseURL, headers: gateway.headers.merging(headers), body: body,
      settings: _settings, defaults: gateway.defaults)
    do throws(GatewayTarget.Invalid) {
      // A gateway sends its requests to its own server only.
      untyped.setTarget(try target.uri(under: gateway.base, query: query), at: gateway.base.origin)
    } catch {
      throw untyped.httpRequest.invalid(error)
    }
    untyped.responseDelivery = delivery
    return untyped
  }

  var backend: BackendService { gateway.backend }
}

/// Sending the request and decoding the response.
extension TypedGatewayRequest where Failure: DecodingFailureRepresentable {
  /// Sends the request and decodes the response in ``decodingFormat``. If the response wraps the value in an object, `container` is the
  /// type of that object.
  ///
  ///     let user = try await request.execute(as: User.self)
  ///
  /// An `Optional` is `nil` when the response has no body, such as a 204, or a body that is only white space. Cancelling the task
  /// cancels the exchange.
  ///
  /// - Throws: `Failure`: for a status that is not 2xx, for a response that cannot be decoded, for a body that cannot be encoded, and for
  ///   every transport error.
  public func execute<R: Decodable & Sendable>(
    as type: R.Type = R.self, container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    guard let container else {
      return try await backend.perform(typed(making: AnvilClient.Request<R, Failure>.decoding(by: nil)))
    }
    return try await backend.perform(typed(making: AnvilClient.Request<R, Failure>.decoding(by: nil, out: container)))
  }

  /// Sends the request and returns the decoded value together with the response.
  ///
  /// - Throws: `Failure`.
  public func execute<R: Decodable & Sendable>(as type: Decoded<R>.Type) async throws(Failure) -> Decoded<R> {
    let decode = AnvilClient.Request<R, Failure>.decoding(by: nil)
    return try await backend.perform(
      typed(making: { success throws(Failure) in Decoded(value: try decode(success), response: success.response) }))
  }
}

extension TypedGatewayRequest: CustomStringConvertible {
  /// The method and the URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String {
    do throws(TransportFailure) { return "\(try makeHTTPRequest())" } catch { return "\(error)" }
  }
}

extension TypedGatewayRequest: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["method": method, "query": query, "headers": headers, "body": body, "timeout": timeout])
  }
}

internal import AnvilBodies
public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request that a ``Gateway`` created. It is a value that can be changed, stored, and executed any number of times.
///
///     var request = gateway.request("users/\(id)")
///     request.headers[.accept] = "application/vnd.example.v2+json"
///     request.timeout = 5
///     let user = try await request.execute(as: User.self)
public struct GatewayRequest: Sendable {
  /// The method.
  public var method: HTTP.Method
  /// The items of the query. They follow those of the base URL and of a template.
  public var query: HTTP.Query
  /// The fields of this request. They are added to the gateway's fields and replace those of the same name.
  public var headers: HTTP.Headers = [:]
  /// The settings, which are initially the gateway's.
  @Boxed private var settings: RequestSettings

  private let gateway: Gateway
  private var target: GatewayTarget
  private var ownBody = HTTP.Body.empty

  @inline(never)
  init(_ gateway: Gateway, _ target: GatewayTarget, method: HTTP.Method, query: HTTP.Query) {
    self.gateway = gateway
    self.target = target
    self.method = method
    self.query = query
    _settings = gateway.$settings
    ownBody.ownEncodingFormat = settings.encodingFormat
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
extension GatewayRequest {
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

extension GatewayRequest {
  /// Sends the request and returns a promise of the response, with its body in memory.
  ///
  /// The promise fails with a ``TransportFailure`` for a status that is not 2xx and for every transport error. The response in the
  /// failure is decoded in the request's format. Cancelling the promise cancels the transfer.
  public func execute() -> Promise<HTTP.Response> {
    Promise { try await respond(.collected) }
  }

  /// Sends the request and returns a promise that is fulfilled when the response head arrives. The body is read as it arrives.
  ///
  ///     for try await line in try await gateway.request("log").stream().value.body.lines { … }
  ///
  /// Until the head arrives, cancelling the promise cancels the transfer. After that, releasing the body cancels it. See
  /// ``ResponseDelivery/streamed``.
  public func stream() -> Promise<HTTP.Response> {
    Promise { try await respond(.streamed) }
  }

  /// Sends the request and returns a promise that is fulfilled when the complete body is in `file`.
  ///
  ///     try await gateway.request("images", "linux.iso").download(to: file).value
  ///
  /// An interrupted download resumes where it stopped, in the same call or a later one; see
  /// ``TransportService/download(_:to:options:)``. Each attempt is executed like ``stream()``, with its recovery strategies, but without
  /// a ``timeout`` or a deadline: the options limit the time without data instead. The handlers of the options replace the request's
  /// handlers for progress and events. Cancelling the promise ends the transfer and keeps the bytes received so far.
  public func download(to file: URL, options: DownloadOptions = DownloadOptions()) -> Promise<HTTP.Response> {
    Promise { try await respond(into: file, options) }
  }

  /// Sends the request and returns the response when the complete body is in `file`. Implements ``download(to:options:)``.
  ///
  /// - Throws: ``TransportFailure``.
  func respond(into file: URL, _ options: DownloadOptions) async throws -> HTTP.Response {
    var request = self
    request.timeout = .infinity
    request.policy = options.policy.inheriting(from: policy)
    request.settings.policy.deadline = nil
    request.progressHandler = options.sendingHandler
    request.eventHandler = options.eventHandler
    return try await Download(request.makeHTTPRequest(), to: file, options: options, policy: request.policy) {
      [request] attempt in
      var request = request
      request.headers = attempt.headers
      return try await request.respond(.streamed)
    }.run()
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
      return try await request.respond(.streamed)
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
  func at(_ url: URL) -> GatewayRequest {
    var request = self
    request.target = .url(url)
    return request
  }

  /// Sends the request and returns the response, delivered according to `delivery`.
  @inline(never)
  func respond(_ delivery: ResponseDelivery) async throws(TransportFailure) -> HTTP.Response {
    try await gateway.backend.perform(
      AnvilClient.Request<HTTP.Response, TransportFailure>(
        untyped(delivery), successTransformer: { .success($0.response) }))
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

extension GatewayRequest: CustomStringConvertible {
  /// The method and the URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String {
    do throws(TransportFailure) { return "\(try makeHTTPRequest())" } catch { return "\(error)" }
  }
}

extension GatewayRequest: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["method": method, "query": query, "headers": headers, "body": body, "timeout": timeout])
  }
}

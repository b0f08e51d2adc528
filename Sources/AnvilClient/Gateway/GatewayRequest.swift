public import AnvilHTTP
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request that a ``Gateway`` made: a value to be changed, kept, and executed any number of times.
///
///     var request = gateway.request("users/\(id)")
///     request.headers[.accept] = "application/vnd.example.v2+json"
///     request.timeout = 5
///     let user = try await request.execute(as: User.self)
public struct GatewayRequest: Sendable {
  /// The method.
  public var method: HTTP.Method
  /// The items of the query that follow those of the base URL and of a template.
  public var query: HTTP.Query
  /// The fields that this request adds to the gateway's, or has in their place.
  public var headers: HTTP.Headers = [:]
  /// Begins as the gateway's.
  @Boxed private var settings: RequestSettings

  private let gateway: Gateway
  private var target: GatewayTarget
  private var ownBody = HTTP.Body.empty

  init(_ gateway: Gateway, _ target: GatewayTarget, method: HTTP.Method, query: HTTP.Query) {
    self.gateway = gateway
    self.target = target
    self.method = method
    self.query = query
    _settings = gateway.$settings
    ownBody.ownEncodingFormat = settings.encodingFormat
  }

  /// The body. It encodes in the gateway's format; a body that is set here and names no format of its own does so, too.
  public var body: HTTP.Body {
    get { ownBody }
    set {
      let format = ownBody.ownEncodingFormat
      ownBody = newValue
      ownBody.ownEncodingFormat = newValue.ownEncodingFormat ?? format
    }
  }

  /// The format in which the body is encoded: `body.encodingFormat`.
  public var encodingFormat: any EncodingFormat {
    get { ownBody.encodingFormat }
    set { ownBody.encodingFormat = newValue }
  }
}

/// What a request begins with is its gateway's.
extension GatewayRequest {
  /// The format in which the response is decoded, unless the decoding call names one.
  public var decodingFormat: any DecodingFormat {
    get { settings.decodingFormat ?? gateway.defaults.decoder }
    set { settings.decodingFormat = newValue }
  }

  /// How a cache may answer, the configuration's or the session's own.
  public var cachePolicy: CachePolicy {
    get { settings.cachePolicy ?? gateway.defaults.cachePolicy }
    set { settings.cachePolicy = newValue }
  }

  /// The most time in seconds that one attempt may take, from its start to the last byte of the body.
  public var timeout: TimeInterval {
    get { settings.timeout ?? gateway.defaults.timeout }
    set { settings.timeout = newValue }
  }

  /// How many times recovery strategies may have the request sent again; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { settings.maxRecoveryAttempts ?? gateway.defaults.maxRecoveryAttempts }
    set { settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// What the client may do with the request beyond sending it once: redirects, retries, the deadline of all together. What is not set in it is the
  /// gateway's.
  public var policy: RequestPolicy {
    get { settings.policy }
    set { settings.policy = newValue.inheriting(from: gateway.policy) }
  }

  /// Hears how far each attempt has come, in both directions.
  public var progressHandler: TransferProgress.Handler? {
    get { settings.progressHandler }
    set { settings.progressHandler = newValue }
  }

  /// Hears of informational responses, trailers and metrics of each attempt, of retries, redirects, challenges and the cache.
  public var eventHandler: TransferEvent.Handler? {
    get { settings.eventHandler }
    set { settings.eventHandler = newValue }
  }
}

extension GatewayRequest {
  /// Sends the request and promises the response, with its body in memory.
  ///
  /// The promise fails with a ``TransportFailure`` for a status that is not 2xx and for all that can happen on the way;
  /// the failure's response decodes in the request's format. Cancelling the promise cancels the transfer.
  public func execute() -> Promise<HTTP.Response> {
    Promise { try await respond(.collected) }
  }

  /// Sends the request and promises the response as soon as its head has come; the body is read as it arrives.
  ///
  ///     for try await line in try await gateway.request("log").stream().value.body.lines { … }
  ///
  /// Cancelling the promise cancels the transfer until the head has come; from then on, letting go of the body does.
  /// See ``ResponseDelivery/streamed``.
  public func stream() -> Promise<HTTP.Response> {
    Promise { try await respond(.streamed) }
  }

  /// Sends the request and promises the response when its body is in `file` as a whole.
  ///
  ///     try await gateway.request("images", "linux.iso").download(to: file).value
  ///
  /// A download that was cut short goes on where it stopped, in the same call or a later one; see
  /// ``TransportService/download(_:to:options:)``. Each attempt goes the way of ``stream()``, with its recovery strategies, but
  /// without a ``timeout`` or a deadline: the options have a limit for silence. They also say who hears of progress and events, in
  /// place of the request's own handlers. Cancelling the promise ends the transfer and leaves what has come.
  public func download(to file: URL, options: DownloadOptions = DownloadOptions()) -> Promise<HTTP.Response> {
    Promise { try await respond(into: file, options) }
  }

  /// Sends the request and returns the response when its body is in `file`: what ``download(to:options:)`` promises.
  ///
  /// - Throws: ``TransportFailure``.
  func respond(into file: URL, _ options: DownloadOptions) async throws -> HTTP.Response {
    var request = self
    request.timeout = .infinity
    request.policy = options.policy.inheriting(from: policy)
    request.settings.policy.deadline = nil
    request.progressHandler = options.sendingHandler
    request.eventHandler = options.eventHandler
    return try await Download(request.makeHTTPRequest(), to: file, options: options) { [request] attempt in
      var request = request
      request.headers = attempt.headers
      return try await request.respond(.streamed)
    }.run()
  }

  /// The server-sent events that the request is answered with, connected to again whenever the connection ends.
  ///
  ///     for try await event in gateway.request("feed").events() { print(event.data) }
  ///
  /// Each connection goes the way of ``stream()``, but without a ``timeout`` or a deadline: streams of events
  /// have no end. A status that is not 2xx ends the sequence with its ``TransportFailure``, once recovery strategies have given
  /// up.
  ///
  /// - Parameters:
  ///   - reconnectionTime: how long to wait before connecting again, until the server sets a time itself.
  ///   - backoff: how long to wait in addition after each attempt that failed.
  ///   - clock: what the waits are measured by.
  public func events(
    reconnectionTime: Duration = .seconds(3), backoff: any BackoffStrategy = ExponentialBackoff(),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> EventSource {
    var request = self
    request.timeout = .infinity
    request.settings.policy.deadline = nil
    // Of the request that the source makes anew each time, the header fields count: the rest is this request's.
    let template = HTTP.Request(method: method, url: gateway.baseURL, headers: headers, body: body)
    return EventSource(
      request: template, reconnectionTime: reconnectionTime, backoff: backoff, clock: clock
    ) { [request] next in
      var request = request
      request.headers = next.headers
      return try await request.respond(.streamed)
    }
  }

  /// The request as it is handed to the transport.
  ///
  /// - Throws: ``TransportFailure`` of code `invalidRequest` when a segment of the path is `.` or `..`, or a path or a
  ///   template leads to another server.
  public func makeHTTPRequest() throws(TransportFailure) -> HTTP.Request {
    try untyped().httpRequest
  }

  /// The request sent to `url`, of the gateway's server, with nothing added to its query.
  func at(_ url: URL) -> GatewayRequest {
    var request = self
    request.target = .url(url)
    return request
  }

  /// Sends the request and hands the response over as `delivery` says.
  func respond(_ delivery: ResponseDelivery) async throws(TransportFailure) -> HTTP.Response {
    try await gateway.backend.perform(
      AnvilClient.Request<HTTP.Response, TransportFailure>(
        untyped(delivery), successTransformer: { .success($0.response) }))
  }

  /// The request as the backend executes it.
  func untyped(_ delivery: ResponseDelivery = .collected) throws(TransportFailure) -> UntypedRequest {
    var untyped = UntypedRequest(
      method: method, url: gateway.baseURL, headers: gateway.headers.merging(headers), body: body,
      settings: _settings, defaults: gateway.defaults)
    do throws(GatewayTarget.Invalid) {
      untyped.url = try target.url(under: gateway.base, query: query)
    } catch {
      throw untyped.httpRequest.invalid(error)
    }
    untyped.responseDelivery = delivery
    untyped.home = gateway.base.origin
    return untyped
  }

  var backend: BackendService { gateway.backend }
}

extension GatewayRequest: CustomStringConvertible {
  /// Method and URL, credentials and query values redacted: safe to log.
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

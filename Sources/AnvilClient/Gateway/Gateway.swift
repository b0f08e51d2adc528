public import AnvilHTTP
internal import AnvilJSON
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The short way into an API: a base URL, what all requests have in common, and requests made from paths.
///
///     let gateway = Gateway("https://api.example.com/v1")
///
///     let user = try await gateway.get("users/\(id)", as: User.self)
///     let repos = try await gateway.request("users", id, "repos").execute().decode(as: [Repo].self).value
///
/// A value: a copy with other headers or formats is another gateway over the same session. Requests take the gateway as it
/// is when they are made. What a request leaves unset is the gateway's, what that leaves unset its ``ClientConfiguration``'s.
public struct Gateway: Sendable {
  /// Where paths begin. May have a path and a query of its own, which every request has too; a fragment is left out.
  public var baseURL: URL {
    get { base.url }
    set { base = GatewayBase(newValue) }
  }
  private(set) var base: GatewayBase
  /// The fields of every request; one that the request has by the same name replaces them. Those of the configuration that are not
  /// set here hold, too.
  public var headers: HTTP.Headers {
    get { ownHeaders }
    set { ownHeaders = backend.headers.merging(newValue) }
  }
  private var ownHeaders: HTTP.Headers
  /// What its requests inherit: what it says itself, and else the configuration.
  @Boxed private(set) var settings: RequestSettings

  let backend: BackendService
  let defaults = RequestDefaults.current

  /// A gateway to what is under `baseURL`, through `backend`, whose configuration and strategies hold for it.
  ///
  /// - Parameters:
  ///   - baseURL: where paths begin.
  ///   - headers: the fields of every request.
  ///   - encodingFormat: the format of bodies. `nil` for the configuration's, and at last Anvil's JSON.
  ///   - decodingFormat: the format of responses. `nil` for the configuration's, and at last that of ``RequestDefaults``.
  ///   - backend: what executes the requests.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: (any EncodingFormat)? = nil,
    decodingFormat: (any DecodingFormat)? = nil, backend: BackendService
  ) {
    base = GatewayBase(baseURL)
    ownHeaders = backend.headers.merging(headers)
    self.backend = backend
    _settings = backend.settings
    if let encodingFormat { settings.encodingFormat = encodingFormat }
    if let decodingFormat { settings.decodingFormat = decodingFormat }
  }

  /// A gateway to what is under `baseURL`, over `session`, that behaves as `configuration` says.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: (any EncodingFormat)? = nil,
    decodingFormat: (any DecodingFormat)? = nil, session: any TransportSession,
    configuration: ClientConfiguration = .standard
  ) {
    self.init(
      baseURL: baseURL, headers: headers, encodingFormat: encodingFormat, decodingFormat: decodingFormat,
      backend: BackendService(session: session, configuration: configuration))
  }

  /// A gateway to what is under a URL that the program has in its text, over `session`. A text that is no URL ends the program.
  public init(_ baseURL: StaticString, session: any TransportSession, configuration: ClientConfiguration = .standard) {
    guard let url = URL(string: "\(baseURL)"), url.host() != nil else {
      preconditionFailure("\"\(baseURL)\" is no URL of a server")
    }
    self.init(baseURL: url, session: session, configuration: configuration)
  }

  /// A request for the path of `components` under ``baseURL``; a GET without a body until it is changed.
  ///
  ///     gateway.request("repos", owner, name, "issues", query: ["state": "open", "page": 2])
  ///
  /// Each component is one segment of the path, whatever it holds: `/`, `?`, `%` and all but letters, digits and `-._~` are
  /// sent as `%XX`. One literal alone is a path, see ``request(_:method:query:)-(HTTP.Path,_,_)``. An empty component is an empty
  /// segment. `.` and `..` cannot be sent as segments, since they mean another place however they are written: executing such a
  /// request fails with `TransportError.Code.invalidRequest`.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  @_disfavoredOverload
  public func request(
    _ components: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> GatewayRequest {
    request(path: components, method: method, query: query)
  }

  /// A request for `path` under ``baseURL``; a GET without a body until it is changed.
  ///
  ///     gateway.request("repos/\(owner)/\(name)/issues", query: ["state": "open", "page": page])
  ///
  /// `nil` leaves an item of the query out.
  public func request(
    _ path: HTTP.Path, method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> GatewayRequest {
    GatewayRequest(self, GatewayTarget(path), method: method, query: query)
  }

  /// The same for components in an array.
  package func request(
    path components: [any CustomStringConvertible & Sendable], method: HTTP.Method, query: HTTP.Query
  ) -> GatewayRequest {
    GatewayRequest(self, .components(components.map(\.description)), method: method, query: query)
  }

  /// A request for what `template` expands to, relative to ``baseURL``.
  ///
  ///     try gateway.request(template: "repos/{owner}/{name}/issues{?state,page}", ["owner": "ada", "name": "bellows"])
  ///
  /// Values are text, numbers, lists and dictionaries of them; `nil` leaves the variable out.
  ///
  /// A template may be a whole URL, as APIs that describe themselves give them, of the same scheme, host and port as
  /// ``baseURL``. Values that would make another place of it make executing the request fail, as `..` does.
  ///
  /// - Throws: ``URITemplate/InvalidTemplate``, ``URITemplate/InvalidPrefix``.
  ///
  /// Source: RFC 6570.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws -> GatewayRequest {
    try request(template: URITemplate(template), values, method: method, query: query)
  }

  /// A request for what `template` expands to, relative to ``baseURL``.
  ///
  /// - Throws: ``URITemplate/InvalidPrefix``.
  public func request(
    template: URITemplate, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) throws(URITemplate.InvalidPrefix) -> GatewayRequest {
    let expansion = try template.expanded(values.compactMapValues(\.uriTemplateValue))
    return GatewayRequest(self, .reference(expansion), method: method, query: query)
  }
}

/// What requests inherit. What is not set in a gateway reads as its configuration has it, and at last as ``RequestDefaults`` had it when
/// the gateway was made.
extension Gateway {
  /// The format in which bodies are encoded, unless a request or a body names another: Anvil's JSON unless set.
  public var encodingFormat: any EncodingFormat {
    get { settings.encodingFormat ?? JSON.Encoder() }
    set { settings.encodingFormat = newValue }
  }

  /// The format in which responses are decoded, unless a request names another or the decoding call does.
  public var decodingFormat: any DecodingFormat {
    get { settings.decodingFormat ?? defaults.decoder }
    set { settings.decodingFormat = newValue }
  }

  /// How a cache may answer, the configuration's or the session's own.
  public var cachePolicy: CachePolicy {
    get { settings.cachePolicy ?? defaults.cachePolicy }
    set { settings.cachePolicy = newValue }
  }

  /// The most time in seconds that one attempt may take, from its start to the last byte of the body.
  public var timeout: TimeInterval {
    get { settings.timeout ?? defaults.timeout }
    set { settings.timeout = newValue }
  }

  /// How many times recovery strategies may have a request sent again; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { settings.maxRecoveryAttempts ?? defaults.maxRecoveryAttempts }
    set { settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// What the client may do with a request beyond sending it once: redirects, retries, the deadline of all together. What is not set
  /// in it is the configuration's, and the sensitive fields of both hold.
  public var policy: RequestPolicy {
    get { settings.policy }
    set { settings.policy = newValue.inheriting(from: backend.settings.wrappedValue.policy) }
  }

  /// Hears how far each attempt of each request has come, in both directions.
  public var progressHandler: TransferProgress.Handler? {
    get { settings.progressHandler }
    set { settings.progressHandler = newValue }
  }

  /// Hears of what happens on the way of each request; see ``TransportOptions/eventHandler``.
  public var eventHandler: TransferEvent.Handler? {
    get { settings.eventHandler }
    set { settings.eventHandler = newValue }
  }
}

extension Gateway: CustomStringConvertible {
  /// `Gateway to ` and the base URL, credentials and query values redacted: safe to log.
  public var description: String { "Gateway to \(baseURL.redactedDescription)" }
}

extension Gateway: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["baseURL": baseURL.redactedDescription, "headers": headers, "timeout": timeout])
  }
}

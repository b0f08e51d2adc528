public import AnvilHTTP
internal import AnvilJSON
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A client for one API: a base URL and the settings that all requests share. It creates requests from paths.
///
///     let gateway = Gateway("https://api.example.com/v1")
///
///     let user = try await gateway.get("users/\(id)", as: User.self)
///     let repos = try await gateway.request("users", id, "repos").execute().decode(as: [Repo].self).value
///
/// A gateway is a value: a copy with other headers or formats is another gateway over the same session. A request is created with the
/// settings that the gateway has at that time. A setting that a request leaves unset is taken from the gateway, and then from its
/// ``ClientConfiguration``.
public struct Gateway: Sendable {
  /// The URL that paths are appended to. It may have a path and a query, which become part of every request's URL. A fragment is removed.
  ///
  /// Credentials of the configuration that are not assigned to an origin are sent to this server.
  public var baseURL: URL {
    get { base.url }
    set { base = GatewayBase(newValue) }
  }
  private(set) var base: GatewayBase
  /// The fields that are added to every request. A field of the same name in the request replaces them. Fields of the configuration are
  /// added as well, unless they are set here.
  public var headers: HTTP.Headers {
    get { ownHeaders }
    set { ownHeaders = backend.headers.merging(newValue) }
  }
  private var ownHeaders: HTTP.Headers
  /// The settings that requests inherit: those of the gateway, completed by those of the configuration.
  @Boxed private(set) var settings: RequestSettings

  let backend: BackendService
  let defaults = RequestDefaults.current

  /// Creates a gateway to `baseURL` whose requests are executed by `backend`, with the configuration and strategies of `backend`.
  ///
  /// - Parameters:
  ///   - baseURL: the URL that paths are appended to.
  ///   - headers: the fields that are added to every request.
  ///   - encodingFormat: the format of request bodies. With `nil`, the configuration's format is used, or Anvil's JSON if the configuration
  ///     sets none.
  ///   - decodingFormat: the format of responses. With `nil`, the configuration's format is used, or that of ``RequestDefaults`` if the
  ///     configuration sets none.
  ///   - backend: the service that executes the requests.
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

  /// Creates a gateway to `baseURL` that sends its requests over `session`, with the behavior that `configuration` describes.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: (any EncodingFormat)? = nil,
    decodingFormat: (any DecodingFormat)? = nil, session: any TransportSession,
    configuration: ClientConfiguration = .standard
  ) {
    self.init(
      baseURL: baseURL, headers: headers, encodingFormat: encodingFormat, decodingFormat: decodingFormat,
      backend: BackendService(session: session, configuration: configuration))
  }

  /// Creates a gateway to a URL that is a literal in the program. A literal that is not a URL with a host stops the program.
  public init(_ baseURL: StaticString, session: any TransportSession, configuration: ClientConfiguration = .standard) {
    guard let url = URL(string: "\(baseURL)"), url.host() != nil else {
      preconditionFailure("\"\(baseURL)\" is not a URL with a host")
    }
    self.init(baseURL: url, session: session, configuration: configuration)
  }

  /// Returns a request for the path of `components` under ``baseURL``. It is a GET without a body unless it is changed.
  ///
  ///     gateway.request("repos", owner, name, "issues", query: ["state": "open", "page": 2])
  ///
  /// Each component is one segment of the path, whatever characters it contains: `/`, `?`, `%` and all other characters except letters,
  /// digits and `-._~` are sent as `%XX`. A single literal is a path instead, see ``request(_:method:query:)-(HTTP.Path,_,_)``. An empty
  /// component is an empty segment. `.` and `..` cannot be sent as segments, since they change the path even when they are
  /// percent-encoded: executing such a request fails with `TransportError.Code.invalidRequest`.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  @_disfavoredOverload
  public func request(
    _ components: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> GatewayRequest {
    request(path: components, method: method, query: query)
  }

  /// Returns a request for `path` under ``baseURL``. It is a GET without a body unless it is changed.
  ///
  ///     gateway.request("repos/\(owner)/\(name)/issues", query: ["state": "open", "page": page])
  ///
  /// An item of the query whose value is `nil` is omitted.
  @inline(never)
  public func request(
    _ path: HTTP.Path, method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> GatewayRequest {
    GatewayRequest(self, GatewayTarget(path), method: method, query: query)
  }

  /// Returns a request for the path of `components`, which are given as an array.
  package func request(
    path components: [any CustomStringConvertible & Sendable], method: HTTP.Method, query: HTTP.Query
  ) -> GatewayRequest {
    GatewayRequest(self, .components(components.map(\.description)), method: method, query: query)
  }

  /// Returns a request for the expansion of `template`, relative to ``baseURL``.
  ///
  ///     try gateway.request(template: "repos/{owner}/{name}/issues{?state,page}", ["owner": "ada", "name": "bellows"])
  ///
  /// Values are text, numbers, lists and dictionaries of them. A variable whose value is `nil` is omitted.
  ///
  /// A template may be a complete URL, as in APIs whose responses contain templates, if it has the scheme, host and port of ``baseURL``.
  /// If the values would change the scheme, host or port, or add a `..` segment, executing the request fails.
  ///
  /// - Throws: ``URITemplate/InvalidTemplate``, ``URITemplate/InvalidPrefix``.
  ///
  /// Source: RFC 6570.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws -> GatewayRequest {
    try request(template: URITemplate(template), values, method: method, query: query)
  }

  /// Returns a request for the expansion of a template that is already parsed.
  func request(
    template: URITemplate, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) throws(URITemplate.InvalidPrefix) -> GatewayRequest {
    let expansion = try template.expanded(values.compactMapValues(\.uriTemplateValue))
    return GatewayRequest(self, .reference(expansion), method: method, query: query)
  }
}

/// Settings that requests inherit. A setting that the gateway leaves unset has the configuration's value, or the value that
/// ``RequestDefaults`` had when the gateway was created.
extension Gateway {
  /// The format in which bodies are encoded, unless a request or a body sets another. The default is Anvil's JSON.
  public var encodingFormat: any EncodingFormat {
    get { settings.encodingFormat ?? JSON.Encoder() }
    set { settings.encodingFormat = newValue }
  }

  /// The format in which responses are decoded, unless a request or the decoding call sets another.
  public var decodingFormat: any DecodingFormat {
    get { settings.decodingFormat ?? defaults.decoder }
    set { settings.decodingFormat = newValue }
  }

  /// The cache policy. It applies to the configuration's cache and to the session's.
  public var cachePolicy: CachePolicy {
    get { settings.cachePolicy ?? defaults.cachePolicy }
    set { settings.cachePolicy = newValue }
  }

  /// The maximum duration of one attempt in seconds, from its start to the last byte of the body.
  public var timeout: TimeInterval {
    get { settings.timeout ?? defaults.timeout }
    set { settings.timeout = newValue }
  }

  /// The maximum number of times that recovery strategies may repeat a request; `nil` for no limit.
  public var maxRecoveryAttempts: Int? {
    get { settings.maxRecoveryAttempts ?? defaults.maxRecoveryAttempts }
    set { settings.maxRecoveryAttempts = .some(newValue) }
  }

  /// The policy of requests: redirects, retries and the deadline for all attempts. Settings that it leaves unset are
  /// taken from the configuration. The sensitive fields of both apply.
  public var policy: RequestPolicy {
    get { settings.policy }
    set { settings.policy = newValue.inheriting(from: backend.settings.wrappedValue.policy) }
  }

  /// The handler that is called with the progress of each attempt of each request, in both directions.
  public var progressHandler: TransferProgress.Handler? {
    get { settings.progressHandler }
    set { settings.progressHandler = newValue }
  }

  /// The handler that is called with the events of each request; see ``TransportOptions/eventHandler``.
  public var eventHandler: TransferEvent.Handler? {
    get { settings.eventHandler }
    set { settings.eventHandler = newValue }
  }
}

extension Gateway: CustomStringConvertible {
  /// The text `Gateway to ` and the base URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String { "Gateway to \(baseURL.redactedDescription)" }
}

extension Gateway: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["baseURL": baseURL.redactedDescription, "headers": headers, "timeout": timeout])
  }
}

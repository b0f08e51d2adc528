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
///
/// Calls of a ``Gateway`` throw ``AnyError``. ``failing(as:)`` returns the gateway with an error type of your own, which its calls and the
/// calls of its requests throw instead:
///
///     let api = gateway.failing(as: APIError.self)
///     do {
///       let user = try await api.get("users/\(id)", as: User.self)
///     } catch {
///       switch error {          // error is an APIError: the switch is checked to be complete
///       case .notFound: …
///       }
///     }
///
/// A type that only conforms to ``TransportFailureRepresentable`` is enough for calls that decode nothing.
public struct TypedGateway<Failure: TransportFailureRepresentable>: Sendable {
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
  let defaults: RequestDefaults.Values

  init<OtherFailure>(_ other: TypedGateway<OtherFailure>) {
    base = other.base
    ownHeaders = other.ownHeaders
    _settings = other.$settings
    backend = other.backend
    defaults = other.defaults
  }

  /// Returns the gateway with `type` as the type of its errors.
  public func failing<F: TransportFailureRepresentable>(as type: F.Type) -> TypedGateway<F> {
    TypedGateway<F>(self)
  }
}

/// A gateway whose calls throw ``AnyError``.
public typealias Gateway = TypedGateway<AnyError>

extension TypedGateway where Failure == AnyError {
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
    defaults = RequestDefaults.current
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
}

/// Requests.
extension TypedGateway {
  /// Returns a request for `path` under ``baseURL``, followed by one segment for each of `segments`. It is a GET without a body unless it is
  /// changed.
  ///
  ///     gateway.request("repos/\(owner)/\(name)/issues", query: ["state": "open", "page": page])
  ///     gateway.request("repos", owner, name, "issues", query: ["state": "open", "page": page])        // the same
  ///
  /// The path is a literal: its slashes separate segments, and an interpolated value is the text of one segment. Each of `segments` is one
  /// segment, whatever characters it contains: `/`, `?`, `%` and all other characters except letters, digits and `-._~` are sent as `%XX`.
  /// An item of the query whose value is `nil` is omitted.
  ///
  /// `.` and `..` cannot be sent as segments, since they change the path even when they are percent-encoded: executing such a request
  /// fails with `TransportError.Code.invalidRequest`. A path with a query cannot be followed by segments, and fails in the same way.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  @inline(never)
  public func request(
    _ path: HTTP.Path = "", _ segments: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) -> TypedGatewayRequest<Failure> {
    request(path, segments: segments, method: method, query: query)
  }

  /// Returns a request for `path`, followed by the segments of an array.
  package func request(
    _ path: HTTP.Path, segments: [any CustomStringConvertible & Sendable], method: HTTP.Method, query: HTTP.Query
  ) -> TypedGatewayRequest<Failure> {
    request(GatewayTarget(path, segments: segments), method: method, query: query)
  }

  /// Unavailable, because a `String` may be a path or the text of one segment.
  @available(
    *, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for the text of one segment"
  )
  public func request(
    _ path: String, _ segments: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) -> TypedGatewayRequest<Failure> {
    fatalError("unavailable")
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
  /// - Throws: `Failure`, created from a ``TransportFailure`` with the code `invalidRequest`, for an invalid template or prefix. The
  ///   underlying error is ``URITemplate/InvalidTemplate`` or ``URITemplate/InvalidPrefix``.
  ///
  /// Source: RFC 6570.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws(Failure) -> TypedGatewayRequest<Failure> {
    let parsed: URITemplate
    do throws(URITemplate.InvalidTemplate) {
      parsed = try URITemplate(template)
    } catch {
      throw Failure(transportFailure: HTTP.Request(method: method, url: baseURL).invalid(error))
    }
    do throws(URITemplate.InvalidPrefix) {
      let expansion = try parsed.expanded(values.compactMapValues(\.uriTemplateValue))
      return request(.reference(expansion), method: method, query: query)
    } catch {
      throw Failure(transportFailure: HTTP.Request(method: method, url: baseURL).invalid(error))
    }
  }

  /// Returns a request for `target` with `body`.
  func request(
    _ target: GatewayTarget, method: HTTP.Method, query: HTTP.Query, body: HTTP.Body? = nil
  ) -> TypedGatewayRequest<Failure> {
    var request = TypedGatewayRequest(self, target, method: method, query: query)
    if let body { request.body = body }
    return request
  }
}

/// Settings that requests inherit. A setting that the gateway leaves unset has the configuration's value, or the value that
/// ``RequestDefaults`` had when the gateway was created.
extension TypedGateway {
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

/// Typed requests that are executed by a gateway.
extension TypedGateway {
  /// Executes a request whose types define its response and its failure.
  ///
  ///     let user = try await gateway.execute(Request<User, APIError>(url: path))       // path: users/1
  ///
  /// A URL without a scheme is a path under ``baseURL``, whose query precedes the URL's. The gateway's headers are added only for the
  /// base URL's server. The gateway's timeout, policy, cache policy, formats, recovery attempts and handlers apply where the request
  /// leaves them unset. The sensitive header fields of both apply.
  ///
  /// - Throws: the request's `Failure` only.
  public func execute<Response, F>(_ request: Request<Response, F>) async throws(F) -> Response {
    var request = request
    request.untyped.inherit($settings)
    request.untyped.home = base.origin
    if request.url.scheme == nil {
      do throws(GatewayTarget.Invalid) {
        let target = try GatewayTarget.reference(request.url.relativeString).uri(under: base, query: [:])
        request.untyped.setTarget(target, at: base.origin)
      } catch {
        throw request.failureTransformer(request.httpRequest.invalid(error))
      }
    } else if HTTP.Origin(request.url) == base.origin {
      request.untyped.setTarget(.url(request.url), at: base.origin)
    }
    if request.untyped.isAtHome { request.headers = headers.merging(request.headers) }
    return try await backend.perform(request)
  }
}

extension TypedGateway: CustomStringConvertible {
  /// The text `Gateway to ` and the base URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String { "Gateway to \(baseURL.redactedDescription)" }
}

extension TypedGateway: CustomReflectable {
  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["baseURL": baseURL.redactedDescription, "headers": headers, "timeout": timeout])
  }
}

public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

/// A client for one API: a base URL and the settings that all requests share. It creates requests from paths.
///
///     let gateway = Gateway("https://api.example.com/v1")
///
///     let user = try await gateway.get("users/\(id)", as: User.self)
///     let repos = try await gateway.request("users", id, "repos").execute().decode(as: [Repo].self).value
///
/// A gateway is a value: a copy with other settings is another gateway over the same session. Its settings are those of
/// ``RequestSettings``, which it takes from its ``ClientConfiguration`` unless it sets them. A request is created with the settings that the
/// gateway has at that time. ``configured(_:)`` returns a gateway with a changed configuration.
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
public struct TypedGateway<Failure: TransportFailureRepresentable>: RequestConfigurable, Sendable {
  /// The URL that paths are appended to. It may have a path and a query, which become part of every request's URL. A fragment is removed.
  ///
  /// Credentials of the configuration that are not assigned to an origin are sent to this server.
  public var baseURL: URL {
    get { parts.base.url }
    set { parts.base = GatewayBase(newValue) }
  }
  /// The settings of this gateway. Its requests inherit them; unset ones are taken from the configuration.
  public var settings: RequestSettings {
    get { parts.settings }
    set { parts.settings = newValue }
  }
  @Boxed private(set) var parts: GatewayParts

  private init(_ parts: Boxed<GatewayParts>) {
    _parts = parts
  }

  /// Returns the gateway with `type` as the type of its errors.
  public func failing<F: TransportFailureRepresentable>(as type: F.Type) -> TypedGateway<F> {
    TypedGateway<F>(_parts)
  }

  /// Returns the gateway with a changed configuration. It has the same session, settings and type of errors.
  ///
  ///     let github = gateway.configured { $0.authentication = [.bearer(tokens)] }
  ///
  /// Objects that the configuration contains stay shared with the original gateway: the cookie jar, the cache, the retry budget, the circuit
  /// breaker, the rate limiter and the observers. A gateway that was created with a ``BackendService`` keeps its interceptors.
  public func configured(_ change: (inout ClientConfiguration) -> Void) -> TypedGateway {
    var gateway = self
    gateway.parts.backend = parts.backend.configured(change)
    return gateway
  }

  /// Returns the gateway with a closure that may recover from a failure: it returns the request to send next, or `nil` to let the call fail.
  ///
  ///     let api = gateway.recovering { failure, request in
  ///       guard failure.transportError?.code == .clientError(.paymentRequired), await shop.pay() else { return nil }
  ///       return request
  ///     }
  ///
  /// The closure is called with the failure and the request that was sent, after the configuration's retries and authentication have had
  /// their turn. If there are several closures, they are called in the order of their addition, those of the request first, until one returns
  /// a request. A call is recovered at most ten times. A cancelled call, one without time left, and one whose body was a stream that has been
  /// read are not recovered.
  ///
  /// Calls that return a promise fail with a ``TransportFailure``, from which `Failure` is created for the closure.
  public func recovering(
    _ recover: @escaping @Sendable (Failure, HTTP.Request) async -> HTTP.Request?
  ) -> TypedGateway {
    var gateway = self
    gateway.parts.recoveries.append(UntypedRequest.recovery(recover))
    return gateway
  }
}

/// The parts of a gateway that do not depend on the type of its errors.
struct GatewayParts: Sendable {
  var base: GatewayBase
  var backend: BackendService {
    didSet { inheritedSettings = _settings.inheriting(from: backend.settings) }
  }
  @Boxed var settings: RequestSettings {
    didSet { inheritedSettings = _settings.inheriting(from: backend.settings) }
  }
  /// The settings that requests inherit: those of the gateway, completed by those of the configuration.
  private(set) var inheritedSettings: Boxed<RequestSettings>
  var recoveries: [UntypedRequest.Recovery] = []

  init(_ base: GatewayBase, _ backend: BackendService) {
    self.base = base
    self.backend = backend
    _settings = RequestSettings.unset
    inheritedSettings = backend.settings
  }
}

/// A gateway whose calls throw ``AnyError``.
public typealias Gateway = TypedGateway<AnyError>

extension TypedGateway where Failure == AnyError {
  /// Creates a gateway to `baseURL` whose requests are executed by `backend`, with the configuration of `backend`.
  public init(baseURL: URL, backend: BackendService) {
    _parts = Boxed(wrappedValue: GatewayParts(GatewayBase(baseURL), backend))
  }

  /// Creates a gateway to `baseURL` that sends its requests over `session`, with the behavior that `configuration` describes.
  public init(baseURL: URL, session: any TransportSession, configuration: ClientConfiguration = .standard) {
    self.init(baseURL: baseURL, backend: BackendService(session: session, configuration: configuration))
  }

  /// Creates a gateway to a URL that is a literal in the program. A literal that is not a URL with a host stops the program.
  public init(_ baseURL: StaticString, session: any TransportSession, configuration: ClientConfiguration = .standard) {
    guard let url = URL(string: "\(baseURL)"), url.host() != nil else {
      preconditionFailure("\"\(baseURL)\" is not a URL with a host")
    }
    self.init(baseURL: url, session: session, configuration: configuration)
  }

  /// Unavailable, because a `String` that is not a literal may not be a URL.
  @available(
    *, unavailable, message: "write Gateway(baseURL: url) for a URL that is not a literal, with url of type URL"
  )
  public init(
    _ baseURL: String, session: (any TransportSession)? = nil, configuration: ClientConfiguration = .standard
  ) {
    fatalError("unavailable")
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
  /// An item of the query whose value is `nil` is omitted, and an array has an item for each element.
  ///
  /// `.` and `..` cannot be sent as segments, since they change the path even when they are percent-encoded: executing such a request
  /// fails with `TransportError.Code.invalidRequest`. A path with a query cannot be followed by segments, and fails in the same way.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  @inline(never)
  public func request(
    _ path: HTTP.Path = "", _ segments: any HTTP.PathValue & Sendable..., method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) -> TypedGatewayRequest<Failure> {
    request(path, segments: segments, method: method, query: query)
  }

  package func request(
    _ path: HTTP.Path, segments: [any HTTP.PathValue & Sendable], method: HTTP.Method, query: HTTP.Query
  ) -> TypedGatewayRequest<Failure> {
    request(GatewayTarget(path, segments: segments), method: method, query: query)
  }

  /// Unavailable, because a `String` may be a path or the text of one segment.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  public func request(
    _ path: String, _ segments: any HTTP.PathValue & Sendable..., method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) -> TypedGatewayRequest<Failure> {
    fatalError("unavailable")
  }

  /// Returns a request for the expansion of `template`, relative to ``baseURL``.
  ///
  ///     try gateway.request(template: "repos/{owner}/{name}/issues{?state,page}", ["owner": "ada", "name": "bellows"])
  ///
  /// Values are those of paths and queries, and arrays and dictionaries of them. A variable whose value is `nil` is omitted.
  ///
  /// A template may be a complete URL, as in APIs whose responses contain templates, if it has the scheme, host and port of ``baseURL``.
  /// If the values would change the scheme, host or port, or add a `..` segment, executing the request fails.
  ///
  /// - Throws: `Failure`, created from a ``TransportFailure`` with the code `invalidRequest`, for an invalid template or prefix, which its
  ///   reason names, and for a value that has no text, such as infinity.
  ///
  /// Source: RFC 6570.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws(Failure) -> TypedGatewayRequest<Failure> {
    do {
      let parsed = try URITemplate(template)
      let variables = try values.compactMapValues { value in
        do {
          return try value.uriTemplateValue?.value
        } catch {
          throw GatewayTarget.Invalid(description: "a variable of the template cannot be sent: \(error)")
        }
      }
      return request(.reference(try parsed.expanded(variables)), method: method, query: query)
    } catch {
      throw Failure(transportFailure: HTTP.Request(method: method, url: baseURL).invalid(error))
    }
  }

  func request(
    _ target: GatewayTarget, method: HTTP.Method, query: HTTP.Query, body: HTTP.Body = .empty
  ) -> TypedGatewayRequest<Failure> {
    TypedGatewayRequest(call: call(target, method: method, query: query, body: body))
  }

  func call(_ target: GatewayTarget, method: HTTP.Method, query: HTTP.Query, body: HTTP.Body) -> GatewayCall {
    GatewayCall(gateway: _parts, target: target, method: method, query: query, body: body)
  }
}

/// Typed requests that are executed by a gateway.
extension TypedGateway {
  /// Executes a request whose types define its response and its failure.
  ///
  ///     let user = try await gateway.execute(Request<User, APIError>(url: path))       // path: users/1
  ///
  /// A URL without a scheme is a path under ``baseURL``, whose query precedes the URL's. The gateway's headers are added only for the
  /// base URL's server. Its other settings apply where the request leaves them unset.
  ///
  /// - Throws: the request's `Failure` only.
  @concurrent
  public func execute<Response, F>(_ request: Request<Response, F>) async throws(F) -> Response {
    let base = parts.base
    var untyped = request.untyped
    untyped.home = base.origin
    if request.url.scheme == nil {
      do throws(GatewayTarget.Invalid) {
        let target = try GatewayTarget.reference(request.url.relativeString).uri(under: base, query: [:])
        untyped.setTarget(target, at: base.origin)
      } catch {
        throw request.failureTransformer(request.httpRequest.invalid(error))
      }
    } else if HTTP.Origin(request.url) == base.origin {
      untyped.setTarget(.url(request.url), at: base.origin)
    }
    untyped.inherit(parts.inheritedSettings, withHeaders: untyped.isAtHome)
    untyped.recoveries += parts.recoveries
    return try await parts.backend.perform(
      untyped, makeResponse: { success, format throws(F) in try request.transform(success, by: format) },
      makeFailure: request.failureTransformer)
  }
}

extension TypedGateway: CustomStringConvertible, CustomReflectable {
  /// The text `Gateway to ` and the base URL. Credentials and query values are redacted, so it is safe to log.
  public var description: String { "Gateway to \(baseURL.redactedDescription)" }

  /// A mirror without secrets, so that `dump` shows no more than a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["baseURL": baseURL.redactedDescription, "settings": settings])
  }
}

public import AnvilHTTP
public import AnvilJSON
public import AnvilModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The short way into an API: a base URL, what all requests have in common, and requests made from paths.
///
///     var gateway = Gateway(baseURL: url)
///     gateway.headers = [.accept: .applicationJSON]
///
///     let user = try await gateway.request("users", id).execute().decode(as: User.self).value
///
/// A value: a copy with other headers or formats is another gateway over the same session. Requests take the gateway as it
/// is when they are made.
public struct Gateway: Sendable {
  /// Where paths begin. May have a path and a query of its own, which every request has too; a fragment is left out.
  public var baseURL: URL
  /// The fields of every request; one that the request has by the same name replaces them.
  public var headers: HTTP.Headers
  /// The format in which bodies are encoded, unless a request or a body names another.
  public var encodingFormat: any EncodingFormat
  /// The format in which responses are decoded, unless a request names another or the decoding call does.
  public var decodingFormat: any DecodingFormat
  /// How a cache may answer, a ``CacheInterceptor`` or the session's own.
  public var cachePolicy = RequestDefaults.defaultCachePolicy
  /// The most time in seconds that one attempt may take, from its start to the last byte of the body.
  public var timeout = RequestDefaults.defaultTimeout
  /// How many times recovery strategies may have a request sent again; `nil` for no limit.
  public var maxRecoveryAttempts = RequestDefaults.defaultMaxRecoveryAttempts
  /// What the client may do with a request beyond sending it once: redirects, retries, the deadline of all together. A typed
  /// request has of it what its own policy leaves unset.
  public var policy = RequestPolicy()
  /// What requests pass through in this order before they are executed: once for each, however often it is sent. What one
  /// throws is the promise's failure.
  public var requestMiddleware: [any Middleware<HTTP.Request>] = []
  /// What successful responses pass through in this order. What one throws is the promise's failure.
  public var responseMiddleware: [any Middleware<HTTP.Response>] = []

  let backend: BackendService

  /// A gateway to what is under `baseURL`, through `backend`, whose preparation and recovery strategies hold for it.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: any EncodingFormat = JSON.Encoder(),
    decodingFormat: any DecodingFormat = RequestDefaults.defaultDecoder, backend: BackendService
  ) {
    self.baseURL = baseURL
    self.headers = headers
    self.encodingFormat = encodingFormat
    self.decodingFormat = decodingFormat
    self.backend = backend
  }

  /// A request for the path of `components` under ``baseURL``; a GET without a body until it is changed.
  ///
  ///     gateway.request("repos", owner, name, "issues", query: ["state": "open", "page": 2])
  ///
  /// Each component is one segment of the path, whatever it holds: `/`, `?`, `%` and all but letters, digits and `-._~` are
  /// sent as `%XX`. An empty component is an empty segment. `.` and `..` cannot be sent as segments, since they mean
  /// another place however they are written: executing such a request fails with `TransportError.Code.invalidRequest`.
  ///
  /// Source: RFC 3986 §3.3, §6.2.2.3.
  public func request(
    _ components: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> GatewayRequest {
    request(path: components, method: method, query: query)
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

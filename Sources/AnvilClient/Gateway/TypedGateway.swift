public import AnvilHTTP

/// A gateway whose calls all throw one type of error, chosen by the caller.
///
///     let api = Gateway("https://api.example.com/v1").failing(as: APIError.self)
///     do {
///       let user = try await api.get("users/\(id)", as: User.self)
///     } catch {
///       switch error {          // error is an APIError: the switch is checked to be complete
///       case .notFound: …
///       }
///     }
///
/// The properties of ``gateway`` are also properties of this type.
@dynamicMemberLookup
public struct TypedGateway<Failure: DecodingFailureRepresentable>: Sendable {
  /// The gateway that creates the requests.
  public var gateway: Gateway

  /// Accesses a property of ``gateway``.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Gateway, Value>) -> Value {
    get { gateway[keyPath: keyPath] }
    set { gateway[keyPath: keyPath] = newValue }
  }

  /// Returns a request for `path`; see ``Gateway/request(_:method:query:)-(HTTP.Path,_,_)``.
  public func request(
    _ path: HTTP.Path, method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> TypedGatewayRequest<Failure> {
    TypedGatewayRequest(request: gateway.request(path, method: method, query: query))
  }

  /// Returns a request for the path of `components`, each of which is one segment; see ``Gateway``.
  @_disfavoredOverload
  public func request(
    _ components: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> TypedGatewayRequest<Failure> {
    TypedGatewayRequest(request: gateway.request(path: components, method: method, query: query))
  }

  /// Returns a request for the expansion of `template`; see ``Gateway/request(template:_:method:query:)``.
  ///
  /// - Throws: `Failure` only, created from a ``TransportFailure`` with the code `invalidRequest` for an invalid template or prefix.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws(Failure) -> TypedGatewayRequest<Failure> {
    let parsed: URITemplate
    do throws(URITemplate.InvalidTemplate) {
      parsed = try URITemplate(template)
    } catch {
      throw Failure(transportFailure: HTTP.Request(method: method, url: gateway.baseURL).invalid(error))
    }
    do throws(URITemplate.InvalidPrefix) {
      return TypedGatewayRequest(request: try gateway.request(template: parsed, values, method: method, query: query))
    } catch {
      throw Failure(transportFailure: HTTP.Request(method: method, url: gateway.baseURL).invalid(error))
    }
  }

  /// Executes a request whose types define its response and its failure; see ``Gateway/execute(_:)``.
  ///
  /// - Throws: `Failure` only.
  public func execute<Response>(_ request: Request<Response, Failure>) async throws(Failure) -> Response {
    try await gateway.execute(request)
  }
}

extension Gateway {
  /// Returns a gateway whose calls throw errors of `type`.
  public func failing<F: DecodingFailureRepresentable>(as type: F.Type) -> TypedGateway<F> {
    TypedGateway(gateway: self)
  }

  /// Returns a request for `path` with `body`, for the shorthand calls.
  func request(_ path: HTTP.Path, method: HTTP.Method, query: HTTP.Query, body: HTTP.Body) -> GatewayRequest {
    var request = request(path, method: method, query: query)
    request.body = body
    return request
  }
}

extension TypedGateway: CustomStringConvertible, CustomReflectable {
  /// The gateway's description, safe to log.
  public var description: String { gateway.description }
  /// The gateway's mirror, without secrets.
  public var customMirror: Mirror { gateway.customMirror }
}

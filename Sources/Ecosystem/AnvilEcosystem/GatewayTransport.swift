#if OpenAPIRuntime
public import AnvilBase
public import AnvilClient
internal import AnvilHTTP
public import HTTPTypes
public import OpenAPIRuntime

/// A transport for clients of swift-openapi-generator that sends their requests with a gateway.
///
///     let client = Client(serverURL: url, transport: GatewayTransport(gateway))
///
/// Retries, redirects, authentication, cookies, the cache, logs and recordings are those of the gateway. Its fields and credentials are sent only to the
/// server of its base URL. A response of any status is returned to the client, which knows the statuses of the contract. Bodies are streamed.
///
/// A request whose body can be read again, and has a known length of at most 8 MiB, can be sent again by the gateway's retries.
public struct GatewayTransport: ClientTransport {
  private static let replayableLength: Int64 = 8 << 20

  private let execute:
    @Sendable (Request<HTTP.Response, TransportFailure>) async throws(TransportFailure) -> HTTP.Response

  /// Creates a transport over a gateway of any failure type.
  public init<Failure: TransportFailureRepresentable>(_ gateway: TypedGateway<Failure>) {
    execute = { request throws(TransportFailure) in try await gateway.execute(request) }
  }

  /// Sends a request of the generated client.
  ///
  /// - Throws: `TransportFailure` if there is no complete response. `HTTP.MessageError` if the request cannot be sent.
  public func send(
    _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?) {
    var base = baseURL.absoluteString[...]
    while base.hasSuffix("/") { base.removeLast() }
    guard let url = URL(string: base + (request.path ?? "")), url.scheme != nil else { throw HTTP.MessageError.url }
    var call = Request<HTTP.Response, TransportFailure>(
      method: try request.plainMethod(), url: url, headers: HTTP.Headers(request.headerFields),
      body: try await Self.body(body), responseDelivery: .streamed)
    // The contract decides what a status means, so that a complete response is never a failure.
    call.acceptedStatuses = Self.everyStatus
    let response = try await execute(call)
    // The request accepts no status that the package does not have.
    let head = HTTPTypes.HTTPResponse(
      status: .init(code: response.code), headerFields: try HTTPFields(response.headers))
    // The runtime expects a body where the contract has one, also if it is empty.
    return (head, response.canHaveBody ? OpenAPIRuntime.HTTPBody(response.body) : nil)
  }

  private static let everyStatus = Set((300...999).map(HTTP.Status.init(code:)))

  /// Returns the body to send: in memory, so that it can be sent again, if it can be read again and is small.
  private static func body(_ body: OpenAPIRuntime.HTTPBody?) async throws -> HTTP.Body {
    guard let body else { return .empty }
    guard case .known(let length) = body.length else { return .stream(body.map { Data($0) }, length: nil) }
    if body.iterationBehavior == .multiple, length <= replayableLength {
      return HTTP.Body(try await Data(collecting: body, upTo: Int(replayableLength)))
    }
    return .stream(body.map { Data($0) }, length: Int(exactly: length))
  }
}

extension OpenAPIRuntime.HTTPBody {
  /// Creates the body of a response.
  fileprivate convenience init(_ body: HTTP.Body) {
    if let data = body.data {
      self.init(data)
    } else {
      self.init(
        body.map { ArraySlice($0) }, length: body.length.map { .known(Int64($0)) } ?? .unknown,
        iterationBehavior: .single)
    }
  }
}
#endif

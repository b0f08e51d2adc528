import Anvil
import AnvilSQLite
import AnvilSync
import Foundation

/// The context in which an operation runs.
struct Call: Sendable {
  let id: String
  let worker: Int
  let client: SoakClient
  let server: SoakServer
  let store: Store
  let secrets: Secrets
  let findings: Findings
  /// A folder for the operation's files, which does not exist yet and is removed after it.
  let folder: URL
  /// The expected versions of the worker's rows.
  let rows: WorkerRows
  /// The operation's deadline, if it has one that it may miss.
  let deadline: Duration?

  /// A request for the path of `components`, with the fields of the operation.
  func request(
    _ components: any HTTP.PathValue & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> GatewayRequest {
    var request = client.gateway.request("", segments: components, method: method, query: query)
    prepare(&request)
    return request
  }

  /// The same for a response that is stored.
  func managedRequest(_ components: any HTTP.PathValue & Sendable...) -> TypedManagedGatewayRequest<AnyError> {
    var request = client.gateway.request("", segments: components, method: .get, query: [:])
    prepare(&request)
    return TypedManagedGatewayRequest(request, context: store)
  }

  private func prepare(_ request: inout GatewayRequest) {
    request.headers[SoakServer.operationField] = .init(rawValue: id)
    request.headers["X-Api-Key"] = .init(rawValue: secrets.secret("key"))
    request.query["api_key"] = secrets.secret("key")
    if let deadline { request.deadline = deadline }
  }

  /// Checks that the response is for this operation.
  func checkEcho(_ response: HTTP.Response) {
    let echo = response.headers[SoakServer.echoField]?.rawValue
    // A faulty response does not name its operation.
    let isFaulty = echo == nil && !server.ledger.record(of: id).faults.isEmpty
    findings.expect(
      echo == id || isFaulty,
      "operation \(id) received the response of \(echo ?? "no operation"): \(response), \(response.history)")
  }

  /// Checks that the response's body is for this operation.
  func check(_ echo: Echo, _ response: HTTP.Response) {
    checkEcho(response)
    findings.expect(
      echo.echo == id || echo.echo == "stranger", "operation \(id) received the body of \(echo.echo): \(response)")
  }
}

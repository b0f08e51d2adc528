import Anvil
import Foundation
import Rounds

/// Sends a request and processes its response to the end of the road.
struct Requester: Sendable {
  private let load: Load
  private let road: Road
  private let session: any TransportSession
  private let request: HTTP.Request
  private let options: TransportOptions
  private let gateway: Gateway
  private let standard: Gateway
  private let typedRequest: AnyRequest<Account>

  init(_ load: Load, road: Road, session: any TransportSession) throws {
    guard let url = URL(string: load.url) else { throw BenchmarkError("no URL: \(load.url)") }
    (self.load, self.road, self.session) = (load, road, session)
    request = HTTP.Request(url: url, headers: Self.headers)
    // The same timeout as on the other roads.
    options = TransportOptions(
      timeout: .seconds(60), responseDelivery: load.consumption == .collect ? .collected : .streamed)
    let base = url.deletingLastPathComponent()
    let backend = BackendService(transportService: TransportService(session: session))
    var gateway = Gateway(baseURL: base, backend: backend)
    gateway.headers = Self.headers
    self.gateway = gateway
    var standard = Gateway(baseURL: base, session: session)
    standard.headers = Self.headers
    self.standard = standard
    typedRequest = AnyRequest<Account>(url: url)
  }

  private static let headers: HTTP.Headers = [
    .accept: "*/*", .acceptEncoding: "identity", .userAgent: "anvil-transport-bench",
  ]

  func perform() async throws {
    switch road {
    case .transport: try await transfer(request)
    case .decoder: try check(JSON.Decoder().decode(Account.self, from: await transfer(makeRequest())))
    case .gateway: try check(await gateway.request("500.json").execute().decode(as: Account.self).value)
    case .typed: try check(await gateway.execute(typedRequest))
    case .short: try check(await standard.get("500.json", as: Account.self))
    }
  }

  @discardableResult
  private func transfer(_ request: HTTP.Request) async throws -> Data {
    let response = try await session.send(request, options: options)
    var byteCount = 0
    var body = Data()
    if load.consumption == .collect {
      for try await chunk in response.body {
        if body.isEmpty {
          body = chunk
          if chunk.count < load.byteCount { body.reserveCapacity(load.byteCount) }
        } else {
          body.append(chunk)
        }
      }
      byteCount = body.count
    } else {
      for try await chunk in response.body { byteCount += chunk.count }
    }
    guard response.head.code == 200, byteCount == load.byteCount else {
      throw LoadError.unexpected(status: response.head.code, byteCount: byteCount)
    }
    return body
  }

  private func makeRequest() throws -> HTTP.Request {
    guard let url = URL(string: load.url) else { throw BenchmarkError("no URL: \(load.url)") }
    return HTTP.Request(url: url, headers: Self.headers)
  }

  private func check(_ account: Account) throws {
    guard account.id == 8_675_309, account.tags.count == 3 else { throw BenchmarkError("another model than expected") }
  }
}

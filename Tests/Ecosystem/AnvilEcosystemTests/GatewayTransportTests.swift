#if OpenAPIRuntime
import Anvil
import AnvilEcosystem
import AnvilTesting
import Foundation
import HTTPTypes
import OpenAPIRuntime
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct GatewayTransportTests {
  private let session = StubSession()

  private var transport: GatewayTransport {
    var configuration = ClientConfiguration.standard
    configuration.headers = ["x-client": "shop"]
    return GatewayTransport(Gateway("https://api.example.com/v1", session: session, configuration: configuration))
  }

  private func send(
    _ path: String, _ method: HTTP.Method = .get, body: OpenAPIRuntime.HTTPBody? = nil,
    base: String = "https://api.example.com/v1/"
  ) async throws -> (status: Int, text: String?) {
    let request = HTTPTypes.HTTPRequest(
      method: try #require(.init(method)), scheme: nil, authority: nil, path: path)
    let url = try #require(URL(string: base))
    let (response, body) = try await transport.send(request, body: body, baseURL: url, operationID: "operation")
    guard let body else { return (response.status.code, nil) }
    return (response.status.code, String(decoding: try await Data(collecting: body, upTo: 1 << 20), as: UTF8.self))
  }

  @Test func aRequestIsSentBelowTheServerURLWithTheFieldsOfTheGateway() async throws {
    session.on("any", where: { _ in true }) { _ in .json("[1]") }
    let answer = try await send("/users?page=2")
    #expect(answer == (200, "[1]"))
    #expect(session.requests.map(\.url.absoluteString) == ["https://api.example.com/v1/users?page=2"])
    #expect(session.requests.first?.headers["x-client"] == "shop")
  }

  @Test func fieldsOfTheGatewayAreNotSentToAnotherServer() async throws {
    session.on("any", where: { _ in true }) { _ in .status(204) }
    #expect(try await send("/users", base: "https://other.example.com") == (204, nil))
    #expect(session.requests.first?.headers.contains("x-client") == false)
  }

  @Test(arguments: [301, 400, 404, 500, 777]) func everyStatusIsAResponse(status: Int) async throws {
    session.on("any", where: { _ in true }) { _ in
      .status(HTTP.Status(code: status), headers: [.retryAfter: "9999"], body: Data("reason".utf8))
    }
    #expect(try await send("/users") == (status, "reason"))
  }

  @Test(arguments: [200, 404, 503]) func anEmptyBodyIsABody(status: Int) async throws {
    session.on("any", where: { _ in true }) { _ in
      .status(HTTP.Status(code: status), headers: [.contentType: "text/plain", .retryAfter: "9999"])
    }
    #expect(try await send("/users") == (status, ""))
    #expect(try await send("/users", .head) == (status, nil))
  }

  @Test(arguments: [204, 304]) func aResponseThatCannotHaveABodyHasNone(status: Int) async throws {
    session.on("any", where: { _ in true }) { _ in .status(HTTP.Status(code: status)) }
    #expect(try await send("/users") == (status, nil))
  }

  @Test(arguments: [-1, 1000]) func aStatusThatNoMessageCanHaveIsAFailure(status: Int) async {
    session.on("any", where: { _ in true }) { _ in .status(HTTP.Status(code: status)) }
    let failure = await #expect(throws: TransportFailure.self) { try await send("/users") }
    #expect(failure?.error.code == .unknownStatus(status))
  }

  @Test func aSmallBodyThatCanBeReadAgainIsRetried() async throws {
    session.on("first", where: { _ in true }, times: 1) { _ in .status(503, headers: [.retryAfter: "0"]) }
    session.on("second", where: { _ in true }) { _ in .status(204) }
    #expect(try await send("/users/1", .put, body: OpenAPIRuntime.HTTPBody(Data("data".utf8))).status == 204)
    #expect(session.requests.map(\.body.string) == ["data", "data"])
  }

  @Test func aStreamIsSentOnce() async throws {
    session.on("any", where: { _ in true }) { _ in .status(503, headers: [.retryAfter: "0"]) }
    let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
      continuation.yield([1, 2])
      continuation.yield([3])
      continuation.finish()
    }
    let body = OpenAPIRuntime.HTTPBody(chunks, length: .known(3), iterationBehavior: .single)
    #expect(try await send("/users/1", .put, body: body).status == 503)
    #expect(session.requests.map(\.body.data) == [Data([1, 2, 3])])
  }

  @Test func aBodyIsDeliveredAsItArrives() async throws {
    session.on("any", where: { _ in true }) { _ in .chunks(repeatElement(Data(count: 1 << 16), count: .max)) }
    let request = HTTPTypes.HTTPRequest(method: try #require(.init(.get)), scheme: nil, authority: nil, path: "/stream")
    let url = try #require(URL(string: "https://api.example.com"))
    let (_, body) = try await transport.send(request, body: nil, baseURL: url, operationID: "stream")
    var count = 0
    for try await chunk in try #require(body) {
      count += chunk.count
      if count > 100 { break }
    }
    #expect(count > 100)
  }

  @Test func aFailureOfTheTransportIsThrown() async {
    session.on("any", where: { _ in true }) { _ in .failure(TransportError(code: .tlsFailure)) }
    await #expect(throws: TransportFailure.self) { try await send("/users") }
  }

  @Test func aTruncatedErrorBodyEndsWithAnError() async {
    session.on("any", where: { _ in true }) { _ in
      .chunks([Data("part".utf8)], error: TransportError(code: .truncatedResponse, phase: .body), status: 404)
    }
    let error = await #expect(throws: TransportError.self) { try await send("/users") }
    #expect(error?.code == .truncatedResponse)
  }

  @Test func aPathThatIsNoURLIsAnError() async {
    await #expect(throws: HTTP.MessageError.url) { try await send("/a", base: "relative") }
  }
}
#endif

import Anvil
import AnvilTesting
import Foundation
import Testing

/// Models that are compressed as they are sent: a server sends them back as they came, and the session decompresses them.
@Suite(.timeLimit(.minutes(15))) struct CompressedBodyTests {
  private struct Profile: Codable, Equatable, Sendable {
    var firstName: String
  }

  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.post, "/echo") { request in
      .status(
        200,
        headers: [
          .contentEncoding: request.headers[.contentEncoding] ?? .encodingIdentity,
          .contentType: request.headers[.contentType] ?? "",
        ], body: request.body)
    }
  }

  @Test func aCompressedModelIsEncodedInTheGatewaysFormat() async throws {
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var gateway = Gateway(baseURL: server.url)
    gateway.encodingFormat = encoder
    let body = try HTTP.Body.encoding(Profile(firstName: "Ada")).gzipped()
    for _ in 0..<2 {
      let echo = try await gateway.post("echo", body: body, as: Decoded<[String: String]>.self)
      #expect(echo.value == ["first_name": "Ada"])
      #expect(echo.response.headers[.contentType] == .applicationJSON)
    }
    #expect(server.requests.map { $0.headers[.contentEncoding] } == [.encodingGzip, .encodingGzip])
  }

  @Test func aModelsOwnFormatTakesPrecedence() async throws {
    var body = try HTTP.Body.encoding(Profile(firstName: "Ada"), with: JSON.Encoder()).gzipped()
    body.encodingFormat = PropertyListEncoder()
    let echo = try await Gateway(baseURL: server.url).post("echo", body: body, as: Profile.self)
    #expect(echo == Profile(firstName: "Ada"))
  }

  @Test func aModelThatCannotBeEncodedFailsWhenItIsSent() async throws {
    let body = try HTTP.Body.encoding([Double.infinity]).gzipped()
    let failure = await #expect(throws: AnyError.self) {
      try await Gateway(baseURL: server.url).post("echo", body: body)
    }
    #expect(failure?.transportError?.code == .invalidRequest)
  }

  private struct Nothing: EncodingFormat {
    func encode<T: Encodable>(_ value: T) -> Data { Data() }
  }

  @Test func anEmptyEncodedModelIsAnEmptyGzipMember() async throws {
    var request = Gateway(baseURL: server.url).request("echo", method: .post)
    request.body = try .encoding(1, with: Nothing()).gzipped()
    #expect(try await request.send().body.isEmpty)
    #expect(server.requests.first?.body.isEmpty == false)
  }
}

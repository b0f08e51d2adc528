import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Testing

/// Streams are read before URLSession sends them, and cannot be sent a second time. Rules R4 and D1.
@Suite(.timeLimit(.minutes(15))) struct OneShotBodyTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer(requestBodies: .counted)
    server.on(.put, "/busy") { _ in .status(503) }
    server.on(.put, "/moved") { _ in .status(307, headers: [.location: "/end"]) }
    server.on(.put, "/challenge") { _ in .status(401, headers: [.wwwAuthenticate: "Basic realm=\"r\""]) }
    server.on(.put, "/end") { .text("\($0.bodyByteCount)") }
  }

  private func failure(of path: HTTP.Path, at url: URL, size: Int) async throws -> TransportFailure? {
    var gateway = Gateway(baseURL: url, session: URLTransportSession()).failing(as: TransportFailure.self)
    let credential = try Credential.password(username: "a", password: "b")
    gateway = gateway.configured { $0.authentication = [.credential(credential)] }
    var request = gateway.request(path, method: .put)
    request.body = .stream(
      AsyncStream<Data> { chunks in
        for _ in 0..<5 { chunks.yield(Data(count: size / 5)) }
        chunks.finish()
      })
    return await #expect(throws: TransportFailure.self) { try await request.send() }
  }

  /// The larger body is kept in a temporary file.
  @Test(arguments: [5, 20 << 20]) func aStreamIsNotSentAgain(size: Int) async throws {
    let busy = try await failure(of: "busy", at: server.url, size: size)
    #expect(busy?.error.code == .serverError(.serviceUnavailable))
    #expect(busy?.error.reason?.contains("its body is a stream that has been read") == true, "\(busy as Any)")
    let moved = try await failure(of: "moved", at: server.url, size: size)
    #expect(moved?.error.reason?.contains("the body is a stream") == true, "\(moved as Any)")
    let challenge = try await failure(of: "challenge", at: server.url, size: size)
    #expect(challenge?.error.code == .clientError(.unauthorized), "\(challenge as Any)")
    #expect(server.requests.map(\.bodyByteCount) == Array(repeating: size / 5 * 5, count: 3))
  }

  @Test func aStreamIsNotSentAgainAfterARefusedConnection() async throws {
    let refused = try await failure(of: "x", at: try #require(URL(string: "http://127.0.0.1:1/")), size: 5)
    #expect(refused?.error.code == .noConnection)
    #expect(refused?.error.reason?.contains("its body is a stream that has been read") == true, "\(refused as Any)")
  }
}

#if AsyncHTTPClient
import Anvil
import AnvilEcosystem
import AnvilTesting
import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization
import Testing

/// The session contract on async-http-client. With the stub, libcurl performs the requests of the client: what is tested is the session.
@Suite(.timeLimit(.minutes(15))) struct AsyncHTTPSessionTests {
  /// What a client of the library does not report, or does by itself.
  static let unsupported: Set<TransportContract.Need> = [
    .events, .decompression, .brotli, .zstandard, .untrustedServers,
  ]

  /// Cases that do not hold with the library, with the reason. libcurl, which performs the requests of the stub, passes them.
  ///
  /// Seen with async-http-client 1.33.1 and SwiftNIO 2.101.3.
  static let excluded = [
    (
      "chunk extensions are ignored",
      "SwiftNIO's parser rejects blanks beside the semicolon: HPE_INVALID_CHUNK_SIZE and HPE_STRICT"
    ),
    ("values in UTF-8 and in Latin-1 are text", "SwiftNIO replaces bytes that are not UTF-8 by U+FFFD"),
    (
      "all bytes before a truncation can be read",
      """
      when the server closes the connection, SwiftNIO reads the rest at once, and the client discards what its reader has not requested: \
      between 3.4 and 4.9 of 5.2 million bytes can be read
      """
    ),
    (
      "an idle connection that the server has closed is replaced",
      """
      a request that is written before the client reads the end of the connection is lost: a POST fails with remoteConnectionClosed in 8 of \
      25 runs
      """
    ),
    (
      "unrequested bytes from a server are not the next response",
      """
      a request that is written before the client reads the bytes gets them as its response: in 1 of 27 runs, on a busy machine. If the client \
      reads them first, it closes the connection, and the session replaces it
      """
    ),
  ]

  static let cases = TransportContract.cases.filter { contractCase in
    #if ECOSYSTEM_STUBS
    contractCase.needs.isDisjoint(with: unsupported)
    #else
    contractCase.needs.isDisjoint(with: unsupported) && !excluded.contains { $0.0 == contractCase.name }
    #endif
  }

  @Test(arguments: cases) func contractHolds(_ contractCase: TransportContract.Case) async throws {
    try await withClient { try await contractCase.run(on: AsyncHTTPSession($0)) }
  }

  @Test func excludedCasesExist() {
    let names = Set(TransportContract.cases.map(\.name))
    for (name, _) in Self.excluded { #expect(names.contains(name), "no case is called \(name)") }
  }

  @Test func aGatewayWorksOverAClient() async throws {
    struct User: Decodable, Sendable { var id: Int }
    let server = try LoopbackServer()
    server.on(.get, "/old") { _ in .status(302, headers: [.location: "/users/1"]) }
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1}"#) }
    try await withClient { client in
      let gateway = Gateway(baseURL: server.url, session: AsyncHTTPSession(client))
      let user = try await gateway.get("old", as: Decoded<User>.self)
      #expect(user.value.id == 1)
      #expect(user.response.history.redirections.count == 1)
    }
  }

  /// Runs `body` with a client, and shuts the client down.
  private func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    #if ECOSYSTEM_STUBS
    HTTPClient.stub { try await StubbedExchange.perform($0, until: $1) }
    #endif
    let client = HTTPClient(configuration: configuration)
    do {
      try await body(client)
    } catch {
      try await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }
}

#if ECOSYSTEM_STUBS
/// The session on clients with errors that the library has only sometimes.
@Suite final class AsyncHTTPSessionFailureTests: Sendable {
  private let server: LoopbackServer
  private let attempts = Mutex(0)

  init() throws {
    server = try LoopbackServer()
    server.on(.post, "/") { .status(200, body: $0.body) }
  }

  /// Sends the body `whole` with a client that passes the number of each attempt to `fail`, before it performs the request.
  private func post(
    _ fail: @escaping @Sendable (Int, HTTPClientRequest) async throws -> Void
  ) async throws(TransportError) -> TransportResponse {
    let client = HTTPClient { request, deadline in
      let attempt = self.attempts.withLock { count in
        count += 1
        return count
      }
      try await fail(attempt, request)
      return try await StubbedExchange.perform(request, until: deadline)
    }
    let request = HTTP.Request(method: .post, url: server.url, body: HTTP.Body("whole"))
    return try await AsyncHTTPSession(client).send(request, options: TransportOptions())
  }

  @Test func aConnectionThatWasAlreadyClosedIsReplaced() async throws {
    let response = try await post { attempt, _ in
      if attempt == 1 { throw ChannelError.ioOnClosedChannel }
    }
    #expect(response.head.code == 200)
    #expect(server.requests.map(\.body) == [Data("whole".utf8)])
  }

  @Test func connectionsThatWereAlreadyClosedAreLostBeforeAnythingIsSent() async {
    // In this phase the error proves to the retries that the server has not received the request.
    await #expect(throws: TransportError(code: .connectionLost, phase: .queue)) {
      try await post { _, _ in throw ChannelError.ioOnClosedChannel }
    }
    #expect(attempts.withLock(\.self) == 2)
  }

  @Test(arguments: [ChannelError.ioOnClosedChannel, .eof])
  func aConnectionThatIsClosedWhileTheBodyIsSentIsLost(error: ChannelError) async {
    await #expect(throws: TransportError(code: .connectionLost, phase: .send)) {
      try await post { _, request in
        var chunks = request.body?.makeAsyncIterator()
        _ = try await chunks?.next()
        throw error
      }
    }
    #expect(attempts.withLock(\.self) == 1)
  }

  @Test func aRequestOfACancelledTaskIsNotPassedToTheClient() async {
    let task = Task {
      // Ends when the task is cancelled.
      try? await Task.sleep(for: .seconds(3600))
      return try await post { _, _ in }
    }
    task.cancel()
    await #expect(throws: TransportError(code: .cancelled, phase: .send)) { try await task.value }
    #expect(attempts.withLock(\.self) == 0)
  }
}
#endif
#endif

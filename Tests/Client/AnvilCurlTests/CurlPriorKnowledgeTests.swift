import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCurl

/// More than one request by a session that uses HTTP/2 without negotiation. Source: RFC 9113 §3.3.
@Suite(.timeLimit(.minutes(15))) struct CurlPriorKnowledgeTests {
  private func session(_ base: CurlSession.Configuration = .init()) -> CurlSession {
    CurlSession(
      configuration: configured(base) {
        $0.httpVersion = .http2PriorKnowledge
        $0.proxy = .none
      })
  }

  /// Returns the outcomes of `count` requests, one after another or all at once.
  private func outcomes(
    _ count: Int, concurrently: Bool, _ send: @escaping @Sendable (Int) async -> Outcome
  ) async -> [Outcome] {
    await withTaskGroup(of: Outcome.self) { group in
      var outcomes: [Outcome] = []
      for number in 0..<count {
        group.addTask { await send(number) }
        if !concurrently, let outcome = await group.next() { outcomes.append(outcome) }
      }
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
  }

  @Test(arguments: [false, true], [HTTP.Method.get, .post]) func cleartextRequestsFollowEachOther(
    concurrently: Bool, method: HTTP.Method
  ) async throws {
    let session = session()
    let server = try HTTP2Server { _ in .answer }
    let url = try server.url()
    let body = method == .post ? HTTP.Body("body") : .empty
    let all = await outcomes(25, concurrently: concurrently) { _ in
      await session.exchange(HTTP.Request(method: method, url: url, body: body))
    }
    #expect(all.allSatisfy { $0.head?.code == 200 }, "\(all.first { $0.head?.code != 200 }.debugDescription)")
    #expect(all.allSatisfy { $0.metrics?.protocolName == "h2" })
    if !concurrently {
      #expect(all.count { $0.metrics?.isConnectionReused == true } == (CurlLibrary.reusesCleartextHTTP2 ? 24 : 0))
    }
  }

  @Test(.enabled(if: Nginx.shared?["H2C_URL"] != nil, "ANVIL_NGINX_H2C_URL is not set: scripts/with-nginx"))
  func cleartextBodiesAreSentAndReceived() async throws {
    let nginx = try #require(Nginx.shared)
    let url = try #require(nginx["H2C_URL"].flatMap(URL.init(string:)))
    let session = session(configured { $0.connections.perHost = 20 })
    for concurrently in [false, true] {
      let downloads = await outcomes(10, concurrently: concurrently) { _ in
        await session.get(url.appending(path: "bytes/1000000"))
      }
      #expect(downloads.allSatisfy { $0.body.count == 1_000_000 && $0.metrics?.protocolName == "h2" })
      let uploads = await outcomes(10, concurrently: concurrently) { number in
        let body = HTTP.Body(Data(count: number * 40_000))
        return await session.exchange(HTTP.Request(method: .put, url: url.appending(path: "upload"), body: body))
      }
      #expect(uploads.allSatisfy { $0.head?.code == 200 }, "\(uploads.first { $0.head?.code != 200 }.debugDescription)")
    }
  }

  @Test(.enabled(if: Nginx.shared?["HTTP1_URL"] != nil, "ANVIL_NGINX_HTTP1_URL is not set: scripts/with-nginx"))
  func aServerThatNegotiatesHTTP1IsRefused() async throws {
    let nginx = try #require(Nginx.shared)
    let outcome = await session(nginx.configuration).get(try #require(nginx["HTTP1_URL"].flatMap(URL.init(string:))))
    #expect(outcome.error?.code == .malformedResponse && outcome.head == nil)
    #expect(outcome.reason == "the response is in HTTP/1.1, and only HTTP/2 is allowed")
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func connectionsWithTLSAreReused() async throws {
    let nginx = try #require(Nginx.shared)
    let session = session(nginx.configuration)
    let all = await outcomes(25, concurrently: false) { _ in await session.get(nginx.url) }
    #expect(all.allSatisfy { $0.text == "nginx\n" && $0.metrics?.protocolName == "h2" })
    #expect(all.count { $0.metrics?.isConnectionReused == true } == 24)
  }
}

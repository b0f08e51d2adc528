import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// HTTP/2 over TLS, against nginx, and many slow responses.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
struct CurlHTTP2Tests {
  let nginx: Nginx

  init() throws {
    nginx = try #require(Nginx.shared)
  }

  private func session(_ change: (inout CurlSession.Configuration) -> Void = { _ in }) -> CurlSession {
    CurlSession(configuration: configured(nginx.configuration, change))
  }

  /// Returns the number of the process's requests that used a new connection.
  private func newConnections(_ outcomes: [Outcome]) -> Int {
    outcomes.count { $0.metrics?.isConnectionReused == false }
  }

  /// Returns the outcomes of `count` concurrent requests.
  private func outcomes(_ count: Int, by session: CurlSession, at url: URL) async -> [Outcome] {
    await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<count { group.addTask { await session.get(url) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func http2IsUsedIfTheServerOffersIt() async throws {
    let session = session()
    let first = await session.get(nginx.url)
    #expect(first.metrics?.protocolName == "h2")
    #expect(first.metrics?.isConnectionReused == false)
    #expect(first.metrics?.secured != nil)
    let second = await session.get(nginx.url)
    #expect(second.metrics?.protocolName == "h2")
    #expect(second.metrics?.isConnectionReused == true)
    #expect(second.metrics?.secured == nil)
  }

  @Test func http2IsNotUsedIfItIsDisabled() async throws {
    #expect(await session { $0.httpVersion = .http1 }.get(nginx.url).metrics?.protocolName == "http/1.1")
    #expect(await session().get(nginx.plainURL).metrics?.protocolName == "http/1.1")
  }

  @Test func http2IsUsedWithPriorKnowledge() async throws {
    let session = session { $0.httpVersion = .http2PriorKnowledge }
    #expect(await session.get(nginx.url).metrics?.protocolName == "h2")
    // A server that rejects the preface as a bad HTTP/1.1 request has answered in a protocol that was not requested.
    #expect(await session.get(nginx.plainURL).error != nil)
  }

  @Test func manyRequestsShareAConnection() async throws {
    let session = session { $0.connections.perMultiplexedHost = 1 }
    let outcomes = await outcomes(100, by: session, at: nginx.url.appending(path: "bytes/10000"))
    #expect(outcomes.allSatisfy { $0.body.count == 10_000 && $0.metrics?.protocolName == "h2" })
    #expect(newConnections(outcomes) == 1)
  }

  @Test func sendsAndReceivesLargeBodiesBothWays() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/*") { .status(200, body: $0.body) }
    let url = nginx.url.appending(path: "to/\(server.port)/echo")
    let session = session()
    for size in [0, 1, 60_000, 70_000, 3_000_000] {
      let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 / 251 &+ $0) })
      let outcome = await session.exchange(HTTP.Request(method: .post, url: url, body: HTTP.Body(body)))
      #expect(outcome.body == body, "\(size): \(outcome.error.debugDescription)")
    }
  }

  /// The limit of one connection applies to multiplexed hosts, and not to hosts that support only HTTP/1.1.
  @Test(.enabled(if: Nginx.shared?["HTTP1_URL"] != nil, "ANVIL_NGINX_HTTP1_URL is not set: scripts/with-nginx"))
  func aHostWithoutHTTP2IsRemembered() async throws {
    let server = try SlowServer()
    let url = try #require(nginx["HTTP1_URL"].flatMap(URL.init(string:))).appending(path: "to/\(server.port)/")
    let session = session { $0.connections.perMultiplexedHost = 1 }
    let first = await session.get(url)
    #expect(first.text == "slow")
    #expect(first.metrics?.protocolName == "http/1.1")
    let later = await outcomes(8, by: session, at: url)
    #expect(later.allSatisfy { $0.text == "slow" && $0.metrics?.protocolName == "http/1.1" })
    #expect(newConnections(later) > 1)
  }

  /// libcurl before 8.0 uses a whole CPU while a stream is paused, so such transfers use HTTP/1.1.
  @Test func pausableTransfersAvoidHTTP2OnOldLibraries() async throws {
    let session = session()
    let streamed = await session.exchange(
      HTTP.Request(url: nginx.url.appending(path: "bytes/1000000")), delivery: .streamed)
    #expect(streamed.body.count == 1_000_000)
    let upload = HTTP.Request(
      method: .put, url: nginx.url.appending(path: "upload"), body: HTTP.Body(Data(count: 1_000_000)))
    let uploaded = await session.exchange(upload)
    #expect(uploaded.text.contains("1000000"))
    let version = streamed.metrics?.protocolName
    #expect(version == "http/1.1" || version == "h2")
    #expect(uploaded.metrics?.protocolName == version)
    #expect(await session.get(nginx.url).metrics?.protocolName == "h2")
  }

  @Test func cancellingAStreamDoesNotAffectOthers() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/never") { _ in .fault(.neverAnswers) }
    server.on(.get, "/late") { _ in .text("late").after(.milliseconds(150)) }
    let session = session { $0.connections.perMultiplexedHost = 1 }
    let base = nginx.url.appending(path: "to/\(server.port)")
    let late = (0..<10).map { _ in Task { await session.get(base.appending(path: "late")) } }
    let never = (0..<10).map { _ in Task { await session.get(base.appending(path: "never"), timeout: nil) } }
    await waitUntil { server.requests.count { $0.path == "/never" } == 10 }
    for task in never { task.cancel() }
    for task in never { #expect(await task.value.error?.code == .cancelled) }
    for task in late { #expect(await task.value.text == "late") }
    #expect(await session.get(base.appending(path: "late")).text == "late")
  }

  /// nginx ends a connection after `keepalive_requests` with a GOAWAY. It has not processed the streams after the last one that the GOAWAY
  /// names, so they are sent again, whatever their method.
  @Test(
    .enabled(
      if: Nginx.shared?["FEW_REQUESTS_URL"] != nil, "ANVIL_NGINX_FEW_REQUESTS_URL is not set: scripts/with-nginx"),
    arguments: [1, 8], [10, 100_000])
  func requestsThatAServerDidNotProcessAreSentAgain(connections: Int, size: Int) async throws {
    let server = try LoopbackServer()
    server.on(.post, "/*") { .status(200, body: Data($0.path.utf8)) }
    server.on(.get, "/*") { .status(200, body: Data($0.path.utf8)) }
    let url = try #require(nginx["FEW_REQUESTS_URL"].flatMap(URL.init(string:)))
      .appending(path: "to/\(server.port)")
    let session = session {
      // With TLS this is negotiated all the same, and large bodies are sent with HTTP/2 too.
      $0.httpVersion = .http2PriorKnowledge
      $0.connections.perMultiplexedHost = connections
    }
    let count = 300
    let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
      let body = HTTP.Body(Data(count: size))
      var outcomes: [(Int, Outcome)] = []
      for number in 0..<count {
        // At most 30 at a time, so that no request is refused again and again.
        if number >= 30, let outcome = await group.next() { outcomes.append(outcome) }
        group.addTask {
          let isSafe = number % 3 == 0
          let request = HTTP.Request(
            method: isSafe ? .get : .post, url: url.appending(path: "\(number)"), body: isSafe ? .empty : body)
          return (number, await session.exchange(request))
        }
      }
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
    let failed = outcomes.filter { number, outcome in outcome.text != "/\(number)" }
    #expect(failed.isEmpty, "\(failed.count) failed: \(failed.first.debugDescription)")
    // Every POST was processed once.
    let posts = server.requests.filter { $0.method == .post }.map(\.path)
    #expect(posts.count == Set(posts).count && posts.count == 200)
  }

  // MARK: A thousand slow responses, in separate processes, so that memory and threads can be counted

  @Test func aThousandSlowResponsesShareFewConnections() async {
    await #expect(processExitsWith: .success) {
      let nginx = try #require(Nginx.shared)
      let server = try SlowServer()
      let url = nginx.url.appending(path: "to/\(server.port)/")
      try await Self.expectThousand(by: CurlSession(configuration: nginx.configuration), at: url, server, new: 10)
    }
  }

  @Test func aThousandSlowHTTP1ResponsesAreReceived() async {
    await #expect(processExitsWith: .success) {
      let server = try SlowServer()
      let session = CurlSession(configuration: configured { $0.connections.perHost = 256 })
      try await Self.expectThousand(
        by: session, at: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), server, new: 256)
    }
  }

  /// Expects that a thousand concurrent requests use at most `limit` new connections, without a thread for each.
  private static func expectThousand(
    by session: CurlSession, at url: URL, _ server: SlowServer, new limit: Int
  ) async throws {
    #expect(await session.get(url).text == "slow")
    await ProcessFigures.startTaskThreads()
    let memory = ProcessFigures.residentSize
    let before = ProcessFigures.descriptorCount
    let threads = ProcessFigures.threadCount
    var most = (memory: memory, threads: threads)
    let all = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<1000 { group.addTask { await session.get(url) } }
      var outcomes: [Outcome] = []
      for await outcome in group {
        outcomes.append(outcome)
        if outcomes.count % 100 == 50 {
          most = (max(most.memory, ProcessFigures.residentSize), max(most.threads, ProcessFigures.threadCount))
        }
      }
      return outcomes
    }
    #expect(all.allSatisfy { $0.text == "slow" }, "\(all.first { $0.text != "slow" }.debugDescription)")
    #expect(all.count { $0.metrics?.isConnectionReused == false } <= limit)
    guard ProcessFigures.areAvailable else { return }
    #expect(memory > 0 && threads > 0)
    #expect(most.threads <= threads + 8)
    // The count includes descriptors of the server in this process, which notices closed connections later.
    await waitUntil { ProcessFigures.descriptorCount <= before + 2 * limit + 8 }
    let growth = most.memory - memory
    #expect(!ProcessFigures.countsMemory || growth <= 1000 * 40, "\(growth) kB")
  }
}

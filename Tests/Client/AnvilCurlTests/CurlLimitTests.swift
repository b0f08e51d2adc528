import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The limits of a session: heads, bodies and connections.
@Suite(.timeLimit(.minutes(15))) struct CurlLimitTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  // MARK: Heads and bodies

  @Test func headSizesAreLimited() async throws {
    let fields = (0..<100).map { "X-\($0): \(String(repeating: "x", count: 90))\r\n" }.joined()
    let head = Data("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n".utf8)
    server.on(.get, "/") { _ in .raw([.send(head), .close]) }
    let tight = CurlSession(configuration: configured { $0.headSizeLimit = 9_000 })
    let outcome = await tight.get(server.url("/"))
    #expect(outcome.error?.code == .responseTooLarge)
    #expect(outcome.error?.phase == .firstByte)
    #expect(outcome.reason == "the head has more than 9000 bytes")
    #expect(await CurlSession().get(server.url("/")).head?.headers.count == 101)
  }

  /// libcurl's limit, and its limit for URLs alone.
  @Test(arguments: [1 << 20, 9 << 20]) func aRequestWithALargeHeadIsInvalid(size: Int) async throws {
    server.on(.get, "/") { _ in .text("ok") }
    let text = String(repeating: "x", count: size)
    let session = CurlSession()
    for request in [
      HTTP.Request(url: server.url("/?\(text)")), HTTP.Request(url: server.url("/"), headers: ["X": "\(text)"]),
    ] {
      let outcome = await session.exchange(request)
      #expect(outcome.error?.code == .invalidRequest)
      #expect(outcome.reason == "the URL and the header fields have more than 1 MB together")
    }
    #expect(await session.get(server.url("/")).text == "ok")
  }

  @Test func endlessHeadsAreRejected() async throws {
    let lines = Data(String(repeating: "X: y\r\n", count: 1000).utf8)
    server.on(.get, "/lines") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\n".utf8))] + repeatElement(.send(lines), count: 200) + [.hang])
    }
    server.on(.get, "/line") { _ in
      .raw(
        [.send(Data("HTTP/1.1 200 OK\r\nX: ".utf8))]
          + repeatElement(.send(Data(repeating: 0x79, count: 9000)), count: 200) + [.hang])
    }
    for (path, reason) in [
      ("/lines", "the head has more than 262144 bytes"), ("/line", "a line of the head has more than 100 kB"),
    ] {
      let outcome = await CurlSession().get(server.url(path))
      #expect(outcome.error?.code == .responseTooLarge && outcome.reason == reason, "\(path): \(outcome)")
    }
  }

  @Test func interimResponsesDoNotCountAgainstTheHeadLimit() async throws {
    let hint = Data("HTTP/1.1 103 Early Hints\r\nLink: \(String(repeating: "x", count: 500))\r\n\r\n".utf8)
    let end = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    server.on(.get, "/") { _ in .raw(Array(repeating: .send(hint), count: 5) + [.send(end), .close]) }
    let session = CurlSession(configuration: configured { $0.headSizeLimit = 1_000 })
    #expect(await session.get(server.url("/")).text == "ok")
  }

  @Test(arguments: ["100 Continue", "102 Processing", "103 Early Hints"])
  func theNumberOfInterimResponsesIsLimited(status: String) async throws {
    let interim = "HTTP/1.1 \(status)\r\n\r\n"
    server.on(.get, "/:count") { request in
      let run = String(repeating: interim, count: Int(request.parameters["count"] ?? "") ?? 0)
      return .raw([.send(Data("\(run)HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)), .close])
    }
    #expect(await CurlSession().get(server.url("/100")).text == "ok")
    let outcome = await CurlSession().get(server.url("/101"))
    #expect(outcome.error?.code == .responseTooLarge, "\(outcome)")
    #expect(outcome.error?.phase == .firstByte)
    #expect(outcome.reason == "the response has more than 100 interim responses")
  }

  @Test func endlessInterimResponsesAreRejected() async throws {
    let endless = try RawServer { socket in
      guard socket.readHead() != nil else { return }
      while socket.write("HTTP/1.1 102 Processing\r\n\r\n") {}
    }
    let outcome = await CurlSession().get(try endless.url())
    #expect(outcome.reason == "the response has more than 100 interim responses", "\(outcome)")
  }

  @Test(arguments: Packed.zeros.indices) func decompressedSizesAreLimited(index: Int) async throws {
    let (coding, bytes) = Packed.zeros[index]
    server.on(.get, "/") { _ in .status(200, headers: [.contentEncoding: .init(rawValue: coding)], body: bytes) }
    let url = server.url("/")
    let outcome = await CurlSession().get(url)
    #expect(outcome.error?.code == .responseTooLarge)
    #expect(outcome.error?.phase == .body)
    #expect(outcome.reason == "decompressed to more than 250 times the received size")
    #expect(outcome.body.count < 3 << 20)
    let small = CurlSession(
      configuration: configured { $0.decompression = .automatic(.init(size: 5_000_000, ratio: .max)) })
    #expect(await small.get(url).reason == "decompressed to more than 5000000 bytes")
    let large = CurlSession(configuration: configured { $0.decompression = .automatic(.init(ratio: .max)) })
    #expect(await large.get(url).body == Data(count: 8 << 20))
    // A slow reader receives the whole body.
    let options = TransportOptions(responseDelivery: .streamed)
    let response = try await large.send(HTTP.Request(url: url), options: options)
    var count = 0
    for try await chunk in response.body {
      count += chunk.count
      await Task.yield()
    }
    #expect(count == 8 << 20)
    let off = CurlSession(configuration: configured { $0.decompression = .off })
    #expect(await off.get(url).body == bytes)
    #expect(server.requests.last?.headers.contains(.acceptEncoding) == false)
  }

  // MARK: Connections

  @Test func connectionsPerHostAreLimited() async throws {
    server.on(.get, "/:id") { .text($0.parameters["id"] ?? "").after(.milliseconds(3)) }
    for limit in [1, 4, 16] {
      let session = CurlSession(configuration: configured { $0.connections.perHost = limit })
      let before = Set(server.requests.map(\.connection))
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<100 {
          let url = server.url("/\(index)")
          group.addTask { #expect(await session.get(url).text == "\(index)") }
        }
      }
      let used = Set(server.requests.map(\.connection)).subtracting(before)
      #expect(used.count <= limit, "\(used.count) of \(limit)")
      await session.shutDown()
    }
  }

  @Test func extremeLimitsAreAccepted() async throws {
    server.on(.get, "/") { _ in .text("ok") }
    for odd in [0, -1, Int.min, Int.max] {
      let session = CurlSession(
        configuration: configured {
          $0.connections.perHost = odd
          $0.connections.perMultiplexedHost = odd
          $0.connections.total = odd
          $0.connections.idle = odd
          $0.connections.idleLifetime = .seconds(odd)
          $0.headSizeLimit = max(odd, 1000)
        })
      #expect(await session.get(server.url("/")).text == "ok", "\(odd)")
    }
  }

  @Test func expiredConnectionsAreNotReused() async throws {
    server.on(.get, "/") { _ in .text("ok") }
    let session = CurlSession(configuration: configured { $0.connections.idleLifetime = .zero })
    #expect(await session.get(server.url("/")).text == "ok")
    try await Task.sleep(for: .milliseconds(2100))
    #expect(await session.get(server.url("/")).metrics?.isConnectionReused == false)
    #expect(await CurlSession.shared.get(server.url("/")).text == "ok")
    #expect(await CurlSession.shared.get(server.url("/")).metrics?.isConnectionReused == true)
  }
}

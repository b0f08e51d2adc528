import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

/// Field values in Latin-1, which are sent back with the bytes that were received. Source: RFC 9110 §5.5.
@Suite(.timeLimit(.minutes(15))) struct CurlOpaqueFieldTests {
  private let jar = CookieJar(publicSuffixes: .singleLabels)

  /// A server that sends `heads` one after the other, in Latin-1, and a list of the heads of its requests.
  private func server(_ heads: String...) throws -> (RawServer, Recorder<String>) {
    let received = Recorder<String>()
    let server = try RawServer { connection in
      var head: [UInt8] = []
      while let byte = connection.read(1) {
        head += byte
        guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
        let number = received.all.count
        received.add(String(String.UnicodeScalarView(head.map(Unicode.Scalar.init))))
        head = []
        guard heads.indices.contains(number) else { return }
        connection.write((heads[number] + "\r\n\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      }
    }
    return (server, received)
  }

  private func gateway(_ server: RawServer, _ cookies: CookieJar? = nil) throws -> Gateway {
    Gateway(baseURL: try server.url(), session: CurlSession(configuration: configured { $0.proxy = .none }))
      .configured {
        $0.cookies = cookies
        $0.cache = MemoryCacheStorage()
      }
  }

  @Test func cookiesAreSentBackAsTheyWereSet() async throws {
    let (server, received) = try server(
      "HTTP/1.1 200 OK\r\nSet-Cookie: n\u{E9}=\u{FC}\u{80}; Max-Age=60\r\nContent-Length: 0",
      "HTTP/1.1 200 OK\r\nContent-Length: 0", "HTTP/1.1 200 OK\r\nContent-Length: 0")
    for path in ["a", "b"] as [HTTP.Path] { try await gateway(server, jar).request(path).send() }
    #expect(received.all.last?.contains("\r\nCookie: n\u{E9}=\u{FC}\u{80}\r\n") == true, "\(received.all)")

    let file = FileManager.default.temporaryDirectory.appending(path: "jar-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try jar.save(to: file)
    let loaded = CookieJar(publicSuffixes: .singleLabels)
    try loaded.load(from: file)
    try await gateway(server, loaded).request("c").send()
    #expect(received.all.last?.contains("\r\nCookie: n\u{E9}=\u{FC}\u{80}\r\n") == true, "\(received.all)")
  }

  @Test func entityTagsAreSentBackAsTheyWereReceived() async throws {
    let (server, received) = try server(
      "HTTP/1.1 200 OK\r\nETag: \"\u{E9}\"\r\nCache-Control: no-cache\r\nContent-Length: 0",
      "HTTP/1.1 304 Not Modified\r\nETag: \"\u{E9}\"", "HTTP/1.1 204 No Content")
    let gateway = try gateway(server)
    try await gateway.request("a").send()
    let response = try await gateway.request("a").send()
    #expect(received.all.last?.contains("\r\nIf-None-Match: \"\u{E9}\"\r\n") == true, "\(received.all)")
    #expect(response.code == 200)
    var update = gateway.request("a", method: .put)
    update.headers[.ifMatch] = response.headers[.eTag]
    try await update.send()
    #expect(received.all.last?.contains("\r\nIf-Match: \"\u{E9}\"\r\n") == true, "\(received.all)")
  }

  @Test func d3_theBytesOfALocationAreEncoded() async throws {
    let (server, received) = try server(
      "HTTP/1.1 302 Found\r\nLocation: /b\u{E9}?c=\u{FC}\r\nContent-Length: 0",
      // In UTF-8.
      "HTTP/1.1 302 Found\r\nLocation: /stra\u{C3}\u{9F}e\r\nContent-Length: 0", "HTTP/1.1 204 No Content")
    let response = try await gateway(server).request("a").send()
    #expect(
      received.all.map { $0.prefix { $0 != "\r\n" } } == [
        "GET /a HTTP/1.1", "GET /b%E9?c=%FC HTTP/1.1", "GET /stra%C3%9Fe HTTP/1.1",
      ])
    #expect(response.code == 204)
  }
}

internal import AnvilHTTP
internal import AnvilTestSupport
internal import Foundation
internal import Testing

@testable internal import AnvilServer

/// Encrypted connections, with an encryption that needs no library: letters are replaced by others.
@Suite(.timeLimit(.minutes(15)))
struct EncryptedConnectionTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer(address: .ipv4, security: Substitution())
    server.on(.get, "/a") { _ in .text("abc") }
    server.on(.get, "/large") { _ in .status(200, body: Data(repeating: 0x41, count: 3_000_000)) }
  }

  @Test func urlIsHTTPS() {
    #expect(server.url("/a").absoluteString == "https://127.0.0.1:\(server.port)/a")
  }

  /// The first request arrives with the end of the handshake, and the second with the client's last message.
  @Test func requestsInOneSegmentAreAnswered() async throws {
    let client = try RawSocketClient(port: server.port)
    let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    await client.send("??" + Substitution.encrypted(request + request) + "$")
    let received = try await client.readToEnd()
    let replies = Substitution.decrypted(received.text)
    #expect(received.ending == .fin)
    #expect(replies.hasPrefix("!HTTP/1.1 200 OK\r\n") && replies.components(separatedBy: "\r\n\r\nabc").count == 3)
    #expect(server.requests.count == 2)
  }

  @Test func theServerSendsACloseNotify() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("?")
    await client.send("?")
    #expect(try await client.read(through: "!") == "!")
    await client.send(Substitution.encrypted("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
    let received = try await client.readToEnd()
    #expect(Substitution.decrypted(received.text).hasSuffix("\r\n\r\nabc$"))
    #expect(received.ending == .fin)
  }

  @Test func largeRepliesAreSentCompletely() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("??" + Substitution.encrypted("GET /large HTTP/1.0\r\n\r\n"))
    let received = try await client.readToEnd()
    #expect(received.text.utf8.count { $0 == 0x42 } == 3_000_000)
    #expect(received.text.hasSuffix("BB$"))
  }

  @Test func aFailedHandshakeClosesTheConnection() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("?#")
    #expect(try await client.readToEnd() == RawSocketClient.Received(text: "#", ending: .fin))
    #expect(server.requests.isEmpty)
  }

  @Test func requestsInClearTextAreRejected() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    let received = try await client.readToEnd()
    #expect(received.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(received.text.hasSuffix(#""reason":"the port expects TLS: use https"}"#))
    #expect(server.requests.isEmpty)
  }

  @Test func stopsDuringAHandshake() async throws {
    let client = try RawSocketClient(port: server.port)
    await client.send("?")
    server.stop()
    #expect(try await client.readToEnd().text == "")
  }
}

/// The handshake is `??`, answered by `!`. Then letters are replaced by their successors, and `$` ends a side.
private struct Substitution: ConnectionSecurity {
  func makeChannel() -> sending (any SecureChannel)? { Channel() }

  static func encrypted(_ text: String) -> String {
    String(decoding: text.utf8.map { shifted($0, by: 1) }, as: UTF8.self)
  }

  static func decrypted(_ text: String) -> String {
    String(decoding: text.utf8.map { shifted($0, by: -1) }, as: UTF8.self)
  }

  private static func shifted(_ byte: UInt8, by distance: Int) -> UInt8 {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    guard let index = letters.firstIndex(of: byte) else { return byte }
    return letters[(index + distance + letters.count) % letters.count]
  }

  private final class Channel: SecureChannel {
    private var count = 0
    private var pending: [UInt8] = []
    private var output = Data()

    func handshake(_ received: [UInt8]) -> HandshakeProgress {
      for (index, byte) in received.enumerated() {
        guard byte == UInt8(ascii: "?") else {
          output.append(UInt8(ascii: "#"))
          return .failed
        }
        count += 1
        if count == 2 {
          output.append(UInt8(ascii: "!"))
          pending = Array(received[(index + 1)...])
          return .complete
        }
      }
      return .incomplete
    }

    func decrypt(_ received: [UInt8]) -> Decryption {
      defer { pending = [] }
      let bytes = pending + received
      let content = bytes.prefix { $0 != UInt8(ascii: "$") }
      return Decryption(bytes: content.map { shifted($0, by: -1) }, isEnd: content.count < bytes.count)
    }

    func encrypt(_ data: Data) -> Int? {
      let part = data.prefix(1 << 18)
      output.append(contentsOf: part.map { shifted($0, by: 1) })
      return part.count
    }

    func close() { if count == 2 { output.append(UInt8(ascii: "$")) } }

    func takeOutput() -> Data {
      defer { output = Data() }
      return output
    }
  }
}

import AnvilTestSupport
import Foundation

/// A small proxy on 127.0.0.1: HTTP with CONNECT, and SOCKS5. It resolves every host to 127.0.0.1.
final class TestProxy: Sendable {
  struct Credentials: Sendable {
    let user: String
    let password: String
  }

  /// The heads of requests to the proxy itself, or `socks5 TYPE host:port`: type 1 is IPv4, 3 a name and 4 IPv6.
  let asked = Recorder<String>()
  private let server: RawServer

  /// - Parameter credentials: The credentials that the proxy requires, if any.
  init(_ credentials: Credentials? = nil) throws {
    let asked = asked
    server = try RawServer { client in
      guard let first = client.read(1) else { return }
      if first == [5] {
        Self.serveSOCKS(client, credentials, asked)
      } else if let rest = client.readHead() {
        Self.serveHTTP(client, String(decoding: first, as: UTF8.self) + rest, credentials, asked)
      }
    }
  }

  func url(_ scheme: String) throws -> URL { try server.url("", scheme: scheme) }

  // MARK: HTTP

  private static func serveHTTP(
    _ client: RawSocket, _ head: String, _ credentials: Credentials?, _ asked: Recorder<String>
  ) {
    asked.add(head)
    let lines = head.split(separator: "\r\n")
    if let credentials {
      let token = Data("\(credentials.user):\(credentials.password)".utf8).base64EncodedString()
      guard lines.contains("Proxy-Authorization: Basic \(token)") else {
        client.write(
          "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
        )
        return
      }
    }
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return }
    if words[0] == "CONNECT" {
      guard let origin = connect(to: words[1]) else {
        client.write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        return
      }
      client.write("HTTP/1.1 200 OK\r\n\r\n")
      return RawSocket.join(client, origin)
    }
    // `http://host:port/target`. Fields for the proxy are not forwarded.
    guard let url = URL(string: String(words[1])), let port = url.port, let origin = connect(to: ":\(port)") else {
      return
    }
    let fields = lines.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
    let target = url.path().isEmpty ? "/" : url.path()
    origin.write("\(words[0]) \(target) HTTP/1.1\r\nConnection: close\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
    RawSocket.join(client, origin)
  }

  private static func connect(to authority: Substring) -> RawSocket? {
    guard let port = authority.split(separator: ":").last.flatMap({ Int($0) }) else { return nil }
    return try? RawSocket.connected(to: port)
  }

  // MARK: SOCKS5. Source: RFC 1928, RFC 1929.

  private static func serveSOCKS(_ client: RawSocket, _ credentials: Credentials?, _ asked: Recorder<String>) {
    guard let count = client.read(1)?.first, let methods = client.read(exactly: Int(count)) else { return }
    let method: UInt8 = credentials == nil ? 0 : 2
    guard methods.contains(method) else {
      client.write([5, 0xFF])
      return
    }
    client.write([5, method])
    if let credentials {
      guard client.read(1) == [1], let user = text(from: client), let password = text(from: client) else { return }
      let isRight = user == credentials.user && password == credentials.password
      client.write([1, isRight ? 0 : 1])
      guard isRight else { return }
    }
    guard let request = client.read(exactly: 4), request[1] == 1 else { return }
    let host: String?
    switch request[3] {
    case 1: host = client.read(exactly: 4)?.map(String.init).joined(separator: ".")
    case 3: host = text(from: client)
    default: host = client.read(exactly: 16).map { _ in "ipv6" }
    }
    guard let host, let port = client.read(exactly: 2) else { return }
    let number = Int(port[0]) << 8 | Int(port[1])
    asked.add("socks5 \(request[3]) \(host):\(number)")
    guard let origin = try? RawSocket.connected(to: number) else {
      client.write([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])
      return
    }
    client.write([5, 0, 0, 1, 127, 0, 0, 1, port[0], port[1]])
    RawSocket.join(client, origin)
  }

  private static func text(from client: RawSocket) -> String? {
    guard let count = client.read(1)?.first, let bytes = client.read(exactly: Int(count)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

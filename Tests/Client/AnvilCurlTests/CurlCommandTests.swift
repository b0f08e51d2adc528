import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The command of a request, run by curl, in comparison with the request that a session sends.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "there is no curl"),
  .timeLimit(.minutes(15)))
struct CurlCommandTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    for method in [HTTP.Method.get, .post, .put] { server.on(method, "/*") { _ in .text("") } }
  }

  private func run(_ command: String) throws -> Int32 {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", command]
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus
  }

  /// The lines of a request that do not depend on the client's name and abilities.
  private func lines(_ request: LoopbackServer.Request, _ headers: HTTP.Headers) -> [String] {
    let own: Set<HTTP.HeaderKey> = [.userAgent, .accept, .acceptEncoding]
    let fields = request.headers.filter { headers.contains($0.key) || !own.contains($0.key) }
      .map { "\($0.key.rawValue.lowercased()): \($0.value.rawValue)" }
    return ["\(request.method) \(request.target)"] + fields.sorted() + [String(decoding: request.body, as: UTF8.self)]
  }

  @Test(
    arguments: [
      [:], ["Cookie": "a=1", "X-A": "b", "Cookie": " b=2 "], ["X-Empty": "", "X-Blank": " \t", "User-Agent": ""],
      ["X-At": "@/etc/hostname", "X-Semicolon": "a;", "X-Colon": ": a", "X-Space": " a  b "],
      ["Host": "other.example", "Accept": "", "Accept-Encoding": "gzip", "Connection": "close", "TE": "trailers"],
      ["Content-Type": "", "Expect": "100-continue"], ["Range": "bytes=0-", "Upgrade": "x", "Keep-Alive": "1"],
      ["Authorization": "Basic YTpi", "Proxy-Connection": "close", "X-A": "1", "x-a": "2", "Cookie": ""],
      ["If-Modified-Since": "x", "Referer": "y", "Accept-Encoding": "", "Trailer": "X"], ["Content-Length": "5"],
    ] as [HTTP.Headers])
  func curlSendsTheRequestOfASession(headers: HTTP.Headers) async throws {
    let session = CurlSession(configuration: configured { $0.proxy = .none })
    let url = server.url("/a/../b?c=[1]&d={2}&e=%7e")
    let body = HTTP.Body(Data("@a\n'b".utf8))
    var requests = [
      HTTP.Request(method: .post, url: url, headers: headers, body: body),
      HTTP.Request(method: .put, url: url, headers: headers, body: body),
    ]
    if !headers.contains(.contentLength) { requests.append(HTTP.Request(url: url, headers: headers)) }
    for request in requests {
      let command = request.curlCommand(redaction: nil)
      let count = server.requests.count
      #expect(try run("env -u http_proxy \(command) --silent --max-time 60") == 0, "\(command)")
      #expect(await session.exchange(request).head?.code == 200)
      let received = server.requests.dropFirst(count).map { lines($0, headers) }
      #expect(received.count == 2 && received.first == received.last, "\(command): \(received)")
    }
  }
}

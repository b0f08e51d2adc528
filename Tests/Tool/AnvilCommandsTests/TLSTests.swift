#if os(Linux)
import Anvil
import AnvilHTTP
import AnvilServer
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// `anvil serve --tls` and `anvil proxy --tls` with clients that trust their authority, and with others.
@Suite(.timeLimit(.minutes(15)))
struct TLSTests {
  private let folder: TemporaryFolder
  private let authority: URL

  init() throws {
    folder = try TemporaryFolder()
    authority = folder.url.appending(path: "authority.pem")
  }

  private var options: [String] { ["--tls", "--authority", authority.path()] }

  /// Writes an archive with an exchange for `/a` of each host.
  private func archive(_ hosts: [String] = ["api.example.com"]) throws -> String {
    let entries = hosts.map { host in
      """
      {"time": 1, "request": {"method": "GET", "url": "https://\(host)/a"},
       "response": {"status": 200, "headers": [], "content": {"mimeType": "text/plain", "text": "recorded"}}}
      """
    }
    let path = folder.path("recording.har")
    try Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8).write(to: URL(filePath: path))
    return path
  }

  private func session(
    trust: CurlSession.Configuration.TLS.Trust? = nil, resolving host: String? = nil, port: Int? = nil
  ) -> CurlSession {
    var configuration = CurlSession.Configuration()
    configuration.proxy = .none
    configuration.decompression = .off
    configuration.tls.trust = trust ?? .authorities(.file(authority))
    if let host, let port { configuration.resolveOverrides = [.init(host: host, port: port, addresses: ["127.0.0.1"])] }
    return CurlSession(configuration: configuration)
  }

  private func send(
    _ url: String, _ method: HTTP.Method = .get, body: Data = Data(), by session: CurlSession
  ) async throws -> (head: HTTP.Response, body: Data) {
    let request = HTTP.Request(
      method: method, url: try #require(URL(string: url)), body: body.isEmpty ? .empty : HTTP.Body(body))
    let response = try await session.send(request, options: TransportOptions(timeout: .seconds(60)))
    var data = Data()
    for try await chunk in response.body { data.append(chunk) }
    return (response.head, data)
  }

  @Test(arguments: ["localhost", "127.0.0.1", "api.example.com", "192.0.2.1"])
  func trustingClientsReceiveResponses(host: String) async throws {
    let path = try archive(["api.example.com", "192.0.2.1"])
    let outcome = try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      let port = try #require(url.port)
      #expect(url.absoluteString == "https://127.0.0.1:\(port)")
      let session = session(resolving: host, port: port)
      // The second request uses the same connection.
      for _ in 1...2 {
        #expect(try await send("https://\(host):\(port)/a", by: session).body == Data("recorded".utf8))
      }
    }
    #expect(outcome.status == 0 && outcome.error == "")
  }

  @Test func otherClientsRejectTheCertificate() async throws {
    let path = try archive()
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      let port = try #require(url.port)
      let untrusting = session(trust: .system)
      await #expect { try await send("https://localhost:\(port)/a", by: untrusting) } throws: {
        ($0 as? TransportError)?.code == .tlsFailure
      }
      // The certificate is not for a host that was not recorded.
      let misled = session(resolving: "other.example.com", port: port)
      await #expect { try await send("https://other.example.com:\(port)/a", by: misled) } throws: {
        ($0 as? TransportError)?.code == .tlsFailure
      }
      #expect(try await send("https://localhost:\(port)/a", by: session()).head.code == 200)
    }
  }

  @Test func proxyForwardsLargeBodiesInBothDirections() async throws {
    let origin = try LoopbackServer()
    origin.on(.post, "/*") { .status(200, body: $0.body) }
    var generator = SeededGenerator(seed: 1)
    let part = Data((0..<65_537).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
    let body = Data(repeatElement(part, count: 77).joined())
    try await withListening(arguments: ["proxy", "--origin", origin.url.absoluteString] + options) {
      (url: URL) async throws in
      let session = session()
      for _ in 1...2 { #expect(try await send("\(url)/a", .post, body: body, by: session).body == body) }
    }
  }

  @Test func faultsWorkWithTLS() async throws {
    let path = try archive()
    for fault in ["truncated-body", "truncated-chunks", "reset-in-body", "close-before-head", "not-http"] {
      try await withListening(arguments: ["serve", path, "--faults", fault] + options) { (url: URL) async throws in
        await #expect(throws: TransportError.self, "\(fault)") { try await send("\(url)/a", by: session()) }
      }
    }
  }

  @Test func clientsWithoutTLSDoNotAffectOthers() async throws {
    let path = try archive()
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      let port = try #require(url.port)
      let answer = try await send("http://localhost:\(port)/a", by: session())
      #expect(answer.head.code == 400)
      #expect(String(decoding: answer.body, as: UTF8.self).contains("the port expects TLS: use https"))

      // The head of a handshake, with other bytes after it.
      let rubbish = try RawSocketClient(port: port)
      await rubbish.send("\u{16}\u{3}\u{1}\u{1}\u{0}" + String(repeating: "x", count: 1000))
      _ = try await rubbish.readToEnd()
      let silent = try RawSocketClient(port: port)
      silent.finishSending()
      #expect(try await silent.readToEnd() == RawSocketClient.Received(text: "", ending: .fin))
      let half = try RawSocketClient(port: port)
      await half.send("\u{16}\u{3}\u{1}\u{1}\u{0}\u{1}")
      half.finishSending()
      #expect(try await half.readToEnd() == RawSocketClient.Received(text: "", ending: .fin))

      #expect(try await send("\(url)/a", by: session()).head.code == 200)
    }
  }

  @Test func recordingsOfManyHostsAreServed() async throws {
    let hosts = (1...1500).map { "host\($0).example.com" } + ["a_b.example.com", "a,b.example.com"]
    let path = try archive(hosts)
    try await withListening(arguments: ["serve", path] + options) { (url: URL) async throws in
      let port = try #require(url.port)
      for host in ["localhost", "a_b.example.com"] {
        let session = session(resolving: host, port: port)
        #expect(try await send("https://\(host):\(port)/a", by: session).head.code == 200)
      }
    }
  }

  @Test func fileContainsOnlyTheCertificateOfThisRun() async throws {
    let path = try archive()
    var certificates: Set<String> = []
    try Data("old".utf8).write(to: authority)
    for _ in 1...2 {
      try await withListening(arguments: ["serve", path] + options) { (_: URL) async throws in
        let text = try String(contentsOf: authority, encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----\n") && !text.contains("KEY"))
        let attributes = try FileManager.default.attributesOfItem(atPath: authority.path())
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        certificates.insert(text)
      }
    }
    #expect(certificates.count == 2)
    #expect(FileManager.default.fileExists(atPath: authority.path()))
  }

  @Test func temporaryFileIsRemovedAtTheEnd() async throws {
    var file = ""
    try await withListening(arguments: ["proxy", "--tls"], lineCount: 3) { (url: URL, lines: [String]) async throws in
      let port = try #require(url.port)
      let words = lines[1].split(separator: " ").map(String.init)
      file = String(words[1].dropLast())
      #expect(lines[1] == "trust \(file), for example:")
      #expect(lines[2] == "curl -x https://localhost:\(port) --proxy-cacert \(file) http://example.com/")
      let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
      #expect(file.count <= folder.count + 20, "Longer names do not leave room for the command in a line.")
      #expect(FileManager.default.fileExists(atPath: file))
    }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test(.enabled(if: Self.curl != nil)) func printedCurlExampleWorks() async throws {
    let path = try archive()
    let spaced = folder.path("an authority's.pem")
    let outcome = try await withListening(arguments: ["serve", path, "--tls", "--authority", spaced], lineCount: 3) {
      (_: URL, lines: [String]) async throws in
      let command = try #require(lines[2].split(separator: "curl ", maxSplits: 1).last)
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "\(Self.curl ?? "") -s --noproxy '*' \(command)a"]
      let output = Pipe()
      process.standardOutput = output
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let data = try output.fileHandleForReading.readToEnd()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && data == Data("recorded".utf8))
    }
    #expect(outcome.status == 0)
  }

  /// The program, or `nil` if it is not installed.
  private static let curl = ["/usr/bin/curl", "/usr/local/bin/curl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test func unwritableFileIsReported() async throws {
    let path = try archive()
    for (file, reason) in [
      (folder.path("missing/a.pem"), "its folder does not exist"), (folder.url.path(), "it is a folder"),
      ("/dev/zero", "it exists and is not a regular file"),
    ] {
      let outcome = await anvil("serve", path, "--tls", "--authority", file)
      #expect(outcome == Outcome(status: 74, output: "", error: "anvil: \(file) cannot be written: \(reason)\n"))
    }
  }

  @Test func portInUseLeavesTheFileUnchanged() async throws {
    let other = try LoopbackServer()
    let outcome = await anvil(arguments: ["proxy", "--port", "\(other.port)"] + options)
    #expect(outcome.status == 3 && outcome.error.hasPrefix("anvil: cannot listen on port \(other.port): "))
    #expect(!FileManager.default.fileExists(atPath: authority.path()))
  }
}
#endif

import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

#if os(Linux)
/// The options about connections, of the transport curl.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(.enabled(if: OpenSSLServer.program != nil)) func certificatesAreCheckedUnlessInsecure() async throws {
    let server = try OpenSSLServer(in: folder.url)
    let url = "https://localhost:\(server.port)/"
    #expect(await anvil("get", url).status == 3)
    #expect(await anvil("get", url, "--insecure").status == 0)
    #expect(await anvil("get", url, "-k").status == 0)
    #expect(await anvil("get", url, "--cacert", server.certificate.path).status == 0)
  }

  @Test(.enabled(if: OpenSSLServer.program != nil), arguments: ["--cert-key", "--key"])
  func clientCertificateIsSent(option: String) async throws {
    let server = try OpenSSLServer(in: folder.url, verifiesClients: true)
    let url = "https://localhost:\(server.port)/"
    #expect(await anvil("get", url, "-k").status == 3)
    let outcome = await anvil(
      "get", url, "-k", "--cert", server.certificate.path, option, server.key.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Client certificate"))
  }

  @Test func resolveSetsTheAddressOfAHost() async throws {
    let server = try server(json: "{}")
    let url = "http://api.example.com:\(server.port)/"
    let outcome = await anvil("get", url, "--resolve", "api.example.com:\(server.port):127.0.0.1")
    #expect(outcome == Outcome(status: 0, output: "{}", error: ""))
    #expect(server.requests.last?.headers[.host]?.rawValue == "api.example.com:\(server.port)")
  }

  @Test(arguments: ["http://", "HTTP://", "Http://", ""]) func requestIsSentToTheProxy(scheme: String) async throws {
    let proxy = try LoopbackServer()
    proxy.onAnythingElse { .text($0.target + " " + ($0.headers[.proxyAuthorization]?.rawValue ?? "")) }
    let address = "me:secret@127.0.0.1:\(proxy.port)"
    let outcome = await anvil(
      "get", "http://example.com/a", "--proxy", scheme + address)
    #expect(outcome.output == "http://example.com/a Basic bWU6c2VjcmV0")
  }

  @Test func httpVersionOptionsSelectTheVersion() async throws {
    let server = try server(json: "{}")
    #expect(await anvil("get", server.argument(), "--http1.1").status == 0)
    // The server does not support HTTP/2.
    #expect(await anvil("get", server.argument(), "--http2").status == 3)
  }

  @Test func compressionOptionsSetAcceptEncoding() async throws {
    let server = try server(json: "{}")
    _ = await anvil("get", server.argument(), "--compressed")
    #expect(server.requests.last?.headers[.acceptEncoding]?.rawValue.contains("gzip") == true)
    _ = await anvil("get", server.argument(), "--no-compressed")
    #expect(server.requests.last?.headers[.acceptEncoding] == nil)
  }

  @Test func basicSendsCredentialsWithoutAChallenge() async throws {
    let server = try server(json: "{}")
    _ = await anvil("get", server.argument(), "-u", "me:pw")
    #expect(server.requests.last?.headers[.authorization] == nil)
    _ = await anvil("get", server.argument(), "-u", "me:pw", "--basic")
    #expect(server.requests.last?.headers[.authorization]?.rawValue == "Basic bWU6cHc=")
  }

  @Test func redirectsHaveALimit() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/:n") { request in
      let number = Int(request.parameters["n"] ?? "") ?? 0
      return number == 3 ? .text("end") : .status(302, headers: ["Location": "/\(number + 1)"])
    }
    #expect(await anvil("get", server.argument("/0"), "-L").output == "end")
    #expect(await anvil("get", server.argument("/0"), "--max-redirs", "3").output == "end")
    #expect(await anvil("get", server.argument("/0"), "--max-redirs", "2").status == 3)
  }

  @Test(arguments: [
    (
      ["--proxy", "ftp://x"],
      "the proxy's URL in --proxy is invalid: its scheme is not http, https, socks4, socks4a, socks5 or socks5h"
    ),
    (["--resolve", "a:b"], #"--resolve "a:b" is not HOST:PORT:ADDRESS"#),
    (["--cert-key", "/etc/hosts"], "--cert-key needs --cert"),
    (["--key", "/etc/hosts"], "--key needs --into or --cert"),
    (["-k", "--cacert", "/etc/hosts"], "--insecure and --cacert cannot be used together"),
    (["--http1.1", "--http2"], "--http1.1 and --http2 cannot be used together"),
    (["-k", "--transport", "urlsession"], "--insecure needs the transport curl"),
    (["--max-redirs", "x"], #"--max-redirs "x" is not a number from 0 to 1000"#),
    (["--basic"], "--basic needs a user: --user, --user-file, --netrc or ANVIL_USER"),
  ])
  func optionsAreChecked(options: [String], message: String) async {
    let outcome = await anvil(arguments: ["get", "localhost"] + options)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil get --help'.\n"))
  }

  /// Whatever a parser takes for the host or the port may be a part of the password.
  @Test(arguments: [
    "http://smith:p#7Word@127.0.0.1:1", "http://smith:p/7Word@127.0.0.1:1", "http://smith:p@7Word@127.0.0.1:1",
    "http://smith:p?7Word@127.0.0.1:1", "http://smith:12#7Word@127.0.0.1:1", "http://smith:12/7Word@127.0.0.1:1",
    "smith:12#7Word@127.0.0.1:1", "http://smith:p7Word@127.0.0.1:99999", "ftp://smith:p7Word@127.0.0.1:1",
    "http://smith:%007Word@127.0.0.1:1", "http://smith:7Word@a..b:1", "smith:7Word@a..b", "HTTP://smith:7Word@a..b:1",
    "http://smith:7Word@:1", "://smith:7Word@a:1",
  ])
  func noMessageQuotesThePasswordOfAProxy(text: String) async {
    for more in [[], ["--curl"], ["--verbose"]] {
      let outcome = await anvil(arguments: ["get", "http://example.invalid/", "--proxy", text] + more)
      #expect(outcome.status == 64, "\(outcome)")
      #expect(!outcome.error.contains("7Word") && !outcome.error.contains("smith"), "\(outcome.error)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test(arguments: ["socks", "SOCKS5", "Socks5h", "socks4a", "socks4", "HTTPS", "socks5", "socks5h", "https"])
  func proxiesHaveTheSchemesOfTheEnvironment(scheme: String) async {
    for rest in ["127.0.0.1:1", "[::1]:1", "proxy.example", "proxy.example.", "me:secret@my_proxy:1", "1:1"] {
      let outcome = await anvil("get", "http://a.example/", "--proxy", "\(scheme)://\(rest)", "--curl")
      #expect(outcome.status == 0 && outcome.output.contains("--proxy"), "\(rest) \(outcome)")
    }
  }

  @Test func curlCommandHasTheSameOptions() async {
    let outcome = await anvil("get", "https://a/", "-k", "--http1.1", "--proxy", "none", "--curl")
    #expect(outcome.output == "curl 'https://a/' --http1.1 -k --noproxy '*'\n")
  }
}

/// `openssl s_server`, which answers each request with a page about the connection.
private final class OpenSSLServer {
  let port: Int
  let certificate: URL
  let key: URL
  private let process: Process

  init(in folder: URL, verifiesClients: Bool = false) throws {
    certificate = folder.appending(path: "server.crt")
    key = folder.appending(path: "server.key")
    let free = try LoopbackServer()
    port = free.port
    free.stop()
    try Self.process([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key.path, "-out", certificate.path,
    ]).waitUntilExit()
    let output = Pipe()
    var arguments = ["s_server", "-accept", "\(port)", "-cert", certificate.path, "-key", key.path, "-www"]
    if verifiesClients { arguments += ["-Verify", "1", "-verify_return_error", "-CAfile", certificate.path] }
    process = try Self.process(arguments, output: output)
    var text = ""
    while !text.contains("ACCEPT"), case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// The program, or `nil` if it is not installed.
  static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  deinit {
    // The termination signal may be ignored in this process and its children.
    kill(process.processIdentifier, SIGKILL)
  }

  private static func process(_ arguments: [String], output: Pipe = Pipe()) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program ?? "")
    process.arguments = arguments
    process.standardInput = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
#endif

import AnvilBase
import AnvilClient
import AnvilCurl
import AnvilTestSupport
import Foundation

/// A TLS server on 127.0.0.1, run as `openssl s_server`. It sends each text in one record, and serves one connection
/// at a time.
final class TLSServer: Sendable {
  /// The decrypted text of the requests.
  let received = Recorder<String>()
  let url: URL
  let port: Int
  /// The server's self-signed certificate.
  let certificate: URL
  private let process: Process
  private let input = Pipe()
  private let folder: URL

  /// The program, or `nil` if it is not installed.
  static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "anvil-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "server.crt")
    let key = folder.appending(path: "server.key").path()
    let making = try Self.run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate.path(),
    ])
    making.waitUntilExit()
    // A port that is currently free.
    port = try RawSocket.listening(backlog: 1).port
    url = try TLSServer.url(port)
    let output = Pipe()
    process = try Self.run(
      ["s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path(), "-key", key],
      input: input, output: output)
    let received = received
    let thread = OwnedThread.start(stackSize: 1 << 20) {
      while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
        received.add(String(decoding: bytes, as: UTF8.self))
      }
    }
    thread?.detach()
    // The program does not report when it starts to listen.
    while process.isRunning, (try? RawSocket.connected(to: port)) == nil { usleep(2_000) }
  }

  deinit {
    // The termination signal may be ignored in this process and its children.
    kill(process.processIdentifier, SIGKILL)
    // A `Process` is retained until its end has been noticed.
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func url(_ port: Int) throws -> URL {
    guard let url = URL(string: "https://127.0.0.1:\(port)/") else { throw CocoaError(.fileNoSuchFile) }
    return url
  }

  private static func run(_ arguments: [String], input: Pipe = Pipe(), output: Pipe = Pipe()) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program ?? "")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// A configuration that trusts the server, with one request at a time on each connection.
  var configuration: CurlSession.Configuration {
    configured {
      $0.proxy = .none
      $0.httpVersion = .http1
      $0.tls.trust = .authorities(.file(certificate))
    }
  }

  /// Sends `text` to the connected client, in one record.
  func send(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Waits for a request that contains `text`.
  func waitForRequest(_ text: String) async throws {
    await waitUntil { received.all.joined().contains(text) }
  }
}

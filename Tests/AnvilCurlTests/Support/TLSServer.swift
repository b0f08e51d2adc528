import AnvilClient
import AnvilCurl
import AnvilPlatform
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A TLS server on 127.0.0.1, which is `openssl s_server`: each text that it is given goes out in one record. It serves one
/// connection after another.
final class TLSServer: Sendable {
  /// What it was asked, decrypted.
  let received = Recorder<String>()
  let url: URL
  /// Its certificate, which signs itself.
  let certificate: URL
  private let process: Process
  private let input = Pipe()
  private let folder: URL

  /// The program; `nil` where there is none.
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
    // A port that nobody has at this moment.
    let port = try RawSocket.listening(backlog: 1).port
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
    // It says nothing of when it listens.
    while process.isRunning, (try? RawSocket.connected(to: port)) == nil { usleep(2_000) }
  }

  deinit {
    // The signal to terminate may be ignored in this process and what it starts.
    kill(process.processIdentifier, SIGKILL)
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

  /// A configuration that trusts the server, for connections that carry one request at a time.
  var configuration: CurlSession.Configuration {
    configured {
      $0.proxy = .none
      $0.httpVersion = .http1
      $0.tls.trust = .authorities(.file(certificate))
    }
  }

  /// Sends `text` to the client that is connected, in one record.
  func send(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Waits for the request that has `text` in it.
  func waitForRequest(_ text: String) async throws {
    try await wait { received.all.joined().contains(text) }
  }
}

import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

#if os(Linux)
private let environment = ProcessInfo.processInfo.environment

/// Downloads from nginx, which `scripts/with-nginx` starts.
@Suite(
  .enabled(if: environment["ANVIL_NGINX_URL"] != nil, "there is no nginx: run beside scripts/with-nginx"),
  .timeLimit(.minutes(15)))
struct NginxDownloadTests {
  @Test(arguments: ["ANVIL_NGINX_HTTP_URL", "ANVIL_NGINX_URL"]) func resumesWhereItWasInterrupted(
    name: String
  ) async throws {
    let base = try #require(environment[name].flatMap { URL(string: $0) })
    var configuration = CurlSession.Configuration()
    let authority = try #require(environment["ANVIL_NGINX_CA"])
    configuration.tls.trust = .authorities(.file(URL(filePath: authority)))
    let session = CuttingSession(session: CurlSession(configuration: configuration), cuts: [100_000, 1, 300_000])
    let gateway = Gateway(
      baseURL: base, backend: BackendService(transportService: TransportService(session: session)))
    let target = FileManager.default.temporaryDirectory.appending(path: "anvil-nginx-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: target) }
    var options = DownloadOptions()
    options.backoff = ExponentialBackoff(base: .zero)

    let response = try await gateway.request("bytes", 1_000_000).download(to: target, options: options)
    #expect(response.code == 206)
    #expect(session.ranges == ["-", "bytes=100000-", "bytes=100001-", "bytes=400001-"])
    let whole = try await gateway.request("bytes", 1_000_000).execute().value.body.data
    #expect(try Data(contentsOf: target) == whole)
  }
}

/// Ends the first bodies after so many bytes, as a connection that is lost.
private final class CuttingSession: TransportSession {
  private let session: CurlSession
  private let cuts: Mutex<[Int]>
  private let asked = Mutex<[String]>([])

  init(session: CurlSession, cuts: [Int]) {
    self.session = session
    self.cuts = Mutex(cuts)
  }

  var ranges: [String] { asked.withLock { $0 } }

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    asked.withLock { $0.append(request.headers[.range]?.rawValue ?? "-") }
    var response = try await session.send(request, options: options)
    guard var rest = cuts.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return response }
    let (body, writer) = TransportBody.makeStream()
    for try await chunk in response.body {
      writer.yield(chunk.prefix(rest))
      rest -= min(rest, chunk.count)
      if rest == 0 { break }
    }
    writer.finish(TransportError(code: .truncatedResponse, phase: .body))
    response.body = body
    return response
  }
}
#endif

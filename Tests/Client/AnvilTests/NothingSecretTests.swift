import Anvil
import AnvilObservability
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// A secret in every possible place, and all texts that describe exchanges.
@Suite(.timeLimit(.minutes(15))) struct NothingSecretTests {
  private static let secret = "t0psecret"

  /// The recorded texts.
  private final class Told: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ value: Any) {
      var dumped = ""
      dump(value, to: &dumped)
      texts.withLock { $0 += ["\(value)", String(reflecting: value)] + (value is any Error ? [dumped] : []) }
    }

    var leaks: [String] { texts.withLock { $0.filter { $0.contains(NothingSecretTests.secret) } } }
    var count: Int { texts.withLock(\.count) }
  }

  private func server() throws -> LoopbackServer {
    let server = try LoopbackServer()
    let secrets: HTTP.Headers = [
      .setCookie: "sid=\(Self.secret)", "X-Token": "\(Self.secret)", .link: "</a?token=\(Self.secret)>; rel=next",
    ]
    let body = Data(#"{"access_token": "\#(Self.secret)", "id": "x"}"#.utf8)
    for status in [200, 400, 401, 404, 500, 503] {
      let headers = secrets.merging([.contentType: .applicationJSON, .wwwAuthenticate: "Basic realm=x"])
      server.on(.post, "/\(status)") { _ in .status(HTTP.Status(code: status), headers: headers, body: body) }
    }
    server.on(.post, "/302") { _ in .status(302, headers: [.location: "/404?code=\(Self.secret)"]) }
    server.on(.get, "/404") { _ in .status(404, headers: secrets) }
    server.on(.post, "/cut") { _ in .fault(.truncatedBody) }
    server.on(.post, "/reset") { _ in .fault(.resetBeforeHead) }
    let half =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"token\":\"\(Self.secret)\""
    server.on(.post, "/half") { _ in .raw([.send(Data(half.utf8)), .close]) }
    return server
  }

  @Test(arguments: ["200", "302", "400", "401", "404", "500", "503", "cut", "reset", "half", "nowhere"])
  func noOutputContainsSecrets(path: String) async throws {
    let server = try server()
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let told = Told()
    let spans = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: spans) }
    let recorder = HARRecorder()
    let exporter = OTLPExporter(to: .file(spans), service: "test")
    let origin = try #require(HTTP.Origin(server.url))
    let credential = try Credential.basic(username: "ada", password: Self.secret)
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .milliseconds(1))
    let interceptors: [any Interceptor] = [
      RequestLog(details: .heads) { told.add($0) }.interceptor, RedirectInterceptor(),
      AuthenticationInterceptor(credentials: [origin: credential]), CookieInterceptor(jar: CookieJar()),
      CacheInterceptor(), RetryInterceptor(policy: policy), recorder, exporter,
    ]
    let session = try CassetteSession(file: file, mode: .record(TransportService.sessionForTests))
    let gateway = Gateway(
      baseURL: server.url,
      backend: BackendService(transportService: TransportService(session: session, interceptors: interceptors)))

    var request = gateway.request("\(path)", method: .post, query: ["api_key": Self.secret])
    request.headers = ["X-Api-Key": "\(Self.secret)", .cookie: "a=\(Self.secret)"]
    request.body = HTTP.Body(Data(#"{"password": "\#(Self.secret)"}"#.utf8), contentType: .applicationJSON)
    request.idempotency = .idempotent
    request.eventHandler = { event in
      if case .informational = event { return }
      if case .trailers = event { return }
      told.add(event)
    }
    told.add(request)
    told.add(try request.makeHTTPRequest().curlCommand())
    struct Model: Decodable, Sendable { var id: Int }
    do {
      _ = try await request.execute().decode(as: Model.self).value
      Issue.record("nothing failed")
    } catch let failure as TransportFailure {
      told.add("\(failure) \(failure.error) \(failure.history.attempts) \(failure.history.redirections)")
      told.add(failure)
      told.add(failure.error)
    } catch {
      told.add(error)
    }
    told.add(String(decoding: try recorder.archive(), as: UTF8.self))
    await exporter.close()
    told.add(try String(contentsOf: spans, encoding: .utf8))
    told.add(try String(contentsOf: file, encoding: .utf8))
    #expect(told.leaks.isEmpty)
    #expect(told.count > 10)
  }
}

extension TransportService {
  /// A separate session, without state of other tests.
  fileprivate static var sessionForTests: any TransportSession {
    #if os(Linux)
    CurlSession()
    #else
    URLTransportSession()
    #endif
  }
}

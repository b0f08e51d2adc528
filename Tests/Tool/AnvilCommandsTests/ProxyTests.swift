import Anvil
import AnvilCommands
import AnvilCurl
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// `anvil proxy` between a client and a server.
@Suite(.timeLimit(.minutes(15)))
struct ProxyTests {
  private let origin: LoopbackServer

  init() throws {
    origin = try LoopbackServer()
  }

  /// Runs the proxy with these arguments while `body` runs, which receives its URL.
  @discardableResult
  private func withProxy(_ arguments: String..., body: (URL) async throws -> Void) async throws -> Outcome {
    try await withListening(arguments: ["proxy"] + arguments, body: body)
  }

  private func send(
    _ method: HTTP.Method = .get, _ url: URL, _ headers: HTTP.Headers = [:], body: String = "", proxy: URL? = nil
  ) async throws -> (head: HTTP.Response, body: String) {
    var configuration = CurlSession.Configuration()
    configuration.proxy = proxy.map { .server($0) } ?? .none
    configuration.decompression = .off
    let request = HTTP.Request(
      method: method, url: url, headers: headers, body: body.isEmpty ? .empty : HTTP.Body(Data(body.utf8)))
    let response = try await CurlSession(configuration: configuration).send(
      request, options: TransportOptions(timeout: .seconds(60)))
    var data = Data()
    for try await chunk in response.body { data.append(chunk) }
    return (response.head, String(decoding: data, as: UTF8.self))
  }

  @Test func rawTextInATargetIsForwardedEncoded() async throws {
    origin.on(.get, "/*") { .text($0.target) }
    try await withProxy("--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      for prefix in ["", "http://h.example", "http://[::1]:1"] {
        let client = try RawSocketClient(port: try #require(proxy.port))
        await client.send(
          "GET \(prefix)/\u{E9}/%2f%41?q=\u{FC}[]{%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n/%C3%A9/%2f%41?q=%C3%BC%5B%5D%7B%25zz"))
      }
    }
  }

  @Test func forwardsToTheOrigin() async throws {
    origin.on(.post, "/*") { request in
      .status(
        418,
        headers: [.contentType: "text/x", .setCookie: "a=1", .setCookie: "b=2", .connection: "X-Hop", "X-Hop": "1"],
        body: Data("\(request.target) ".utf8) + request.body)
    }
    let outcome = try await withProxy("--origin", origin.url.absoluteString + "/base/") { (proxy: URL) async throws in
      let url = try #require(URL(string: "\(proxy)/a%2Fb?x=%20y&x"))
      let answer = try await send(.post, url, ["X-A": "1", "x-a": "2", .te: "trailers"], body: "body")
      #expect(answer.head.code == 418)
      #expect(answer.body == "/base/a%2Fb?x=%20y&x body")
      #expect(answer.head.headers.values(for: .setCookie) == ["a=1", "b=2"])
      #expect(!answer.head.headers.contains("X-Hop"))
      #expect(answer.head.headers[.via]?.rawValue.hasPrefix("1.1 anvil-") == true)
    }
    let request = try #require(origin.requests.first)
    #expect(request.headers.values(for: "X-A") == ["1", "2"])
    #expect(request.headers[.host] == "127.0.0.1:\(origin.port)")
    #expect(!request.headers.contains(.te))
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
  }

  /// A page of another site could otherwise read the origin's responses under a host name that resolves to the loopback interface.
  @Test func requestsForOtherHostsAreRejected() async throws {
    origin.on(.get, "/a") { _ in .text("there") }
    let named = "http://origin.example:\(origin.port)"
    try await withProxy("--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      for (host, code) in [
        ("evil.example", 421), ("evil.example:\(proxy.port ?? 0)", 421), ("127.0.0.1.evil.example", 421),
        ("localhost@evil.example", 400), ("LOCALHOST", 200), ("localhost:1", 200), ("127.0.0.1", 200), ("[::1]:8", 200),
      ] {
        let answer = try await send(.get, proxy.appending(path: "a"), [.host: HTTP.HeaderValue(rawValue: host)])
        #expect(answer.head.code == code, "\(host)")
        if code == 421 { #expect(answer.body == "anvil: unknown host\n") }
      }
    }
    #expect(origin.requests.count == 4)
    // The name of the origin is known.
    try await withProxy("--origin", named) { (proxy: URL) async throws in
      let answer = try await send(.get, proxy, [.host: "Origin.Example"])
      #expect(answer.head.code == 502)
    }
  }

  /// Source: RFC 9110 §7.6.2, §9.3.7, §9.3.8.
  @Test(arguments: [false, true]) func requestsWithoutForwardsLeftAreAnswered(isReverse: Bool) async throws {
    origin.on(.trace, "/*") { .text($0.headers["Max-Forwards"]?.rawValue ?? "none") }
    origin.on(.options, "/*") { .text($0.headers["Max-Forwards"]?.rawValue ?? "none") }
    origin.on(.get, "/*") { .text($0.headers["Max-Forwards"]?.rawValue ?? "none") }
    let arguments = isReverse ? ["--origin", origin.url.absoluteString] : []
    try await withListening(arguments: ["proxy"] + arguments) { (proxy: URL) async throws in
      func answer(_ method: HTTP.Method, _ count: HTTP.HeaderValue?) async throws -> (head: HTTP.Response, body: String)
      {
        var headers: HTTP.Headers = [.authorization: "Bearer t0p", .cookie: "a=t0p", "X-Api-Key": "t0p", "X-A": "1"]
        if let count { headers.add("Max-Forwards", count) }
        return isReverse
          ? try await send(method, proxy.appending(path: "a"), headers)
          : try await send(method, origin.url("/a"), headers, proxy: proxy)
      }
      let trace = try await answer(.trace, "0")
      #expect(trace.head.code == 200 && trace.head.headers[.contentType] == "message/http")
      #expect(trace.body.hasPrefix(isReverse ? "TRACE /a HTTP/1.1\r\n" : "TRACE \(origin.url)/a HTTP/1.1\r\n"))
      #expect(trace.body.contains("\r\nX-A: 1\r\n") && trace.body.contains("\r\nMax-Forwards: 0\r\n"))
      #expect(trace.body.hasSuffix("\r\n\r\n") && !trace.body.contains("t0p"))
      let options = try await answer(.options, "0")
      #expect(options.head.code == 200 && options.body == "" && options.head.headers[.contentLength] == "0")
      #expect(origin.requests.isEmpty)
      for (count, forwarded) in [("1", "0"), ("10", "9"), ("99999999999999999999", "\(Int.max - 1)"), ("x", "x")] {
        #expect(try await answer(.trace, HTTP.HeaderValue(rawValue: count)).body == forwarded)
        #expect(try await answer(.options, HTTP.HeaderValue(rawValue: count)).body == forwarded)
      }
      #expect(try await answer(.trace, nil).body == "none")
      // Only these two methods are limited.
      #expect(try await answer(.get, "0").body == "0")
    }
  }

  @Test func forwardsToTheServerNamedByTheRequest() async throws {
    origin.on(.get, "/a") { _ in .text("there") }
    try await withProxy { (proxy: URL) async throws in
      #expect(try await send(.get, origin.url("/a?b"), proxy: proxy).body == "there")
      let answer = try await send(.get, proxy.appending(path: "a"))
      #expect(answer.head.code == 400)
      #expect(answer.body == "anvil: the target is not an absolute URL, and --origin is not set\n")
    }
    #expect(origin.requests.map(\.target) == ["/a?b"])
  }

  @Test func answersFromTheCache() async throws {
    let count = Mutex(0)
    origin.on(.get, "/*") { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .status(200, headers: [.cacheControl: "max-age=100"], body: Data("\(number)".utf8))
    }
    origin.on(.put, "/*") { _ in .status(204) }
    let outcome = try await withProxy("--cache", "-v", "--origin", origin.url.absoluteString) {
      (proxy: URL) async throws in
      let url = try #require(URL(string: "\(proxy)/a?token=secret"))
      #expect(try await send(.get, url).body == "1")
      let reused = try await send(.get, url)
      #expect(reused.body == "1")
      // In seconds: 0, unless the machine is busy.
      let age = try #require(reused.head.headers[.age])
      #expect(Int(age.rawValue).map { $0 < 100 } == true)
      let head = try await send(.head, url)
      #expect(head.head.headers[.contentLength] == "1")
      #expect(origin.requests.count == 1)
      #expect(try await send(.put, url).head.code == 204)
      #expect(try await send(.get, url).body == "2")
    }
    let url = "\(origin.url)/a?token=<redacted>"
    #expect(
      outcome.error == """
        GET \(url) → 200 OK (cache: miss)
        GET \(url) → 200 OK (cache: hit)
        HEAD \(url) → 200 OK (cache: hit)
        PUT \(url) → 204 No Content
        GET \(url) → 200 OK (cache: miss)

        """)
  }

  @Test func responsesAreStoredOnlyWithTheOption() async throws {
    origin.on(.get, "/*") { _ in .status(200, headers: [.cacheControl: "max-age=100"]) }
    try await withProxy("--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      for _ in 1...2 { #expect(try await send(.get, proxy).head.headers[.age] == nil) }
    }
    #expect(origin.requests.count == 2)
  }

  @Test func storedResponsesSurviveTheProxy() async throws {
    origin.on(.get, "/*") { _ in .status(200, headers: [.cacheControl: "max-age=100"], body: Data("kept".utf8)) }
    let store = FileManager.default.temporaryDirectory.appending(path: "anvil-proxy-\(UUID().uuidString).db")
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path() + suffix) } }
    for _ in 1...2 {
      try await withProxy("--cache", "--store", store.path(), "--origin", origin.url.absoluteString) {
        (proxy: URL) async throws in
        // A response is stored after it was sent. The second request waits for that. Otherwise the proxy may end first.
        for _ in 1...2 { #expect(try await send(.get, proxy).body == "kept") }
      }
    }
    #expect(origin.requests.count == 1)
  }

  @Test func conditionalRequestIsForwardedToTheOrigin() async throws {
    origin.on(.get, "/*") { request in
      request.headers.contains(.ifNoneMatch) ? .status(304, headers: [.eTag: "\"a\""]) : .text("whole")
    }
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      let answer = try await send(.get, proxy, [.ifNoneMatch: "\"a\""])
      #expect(answer.head.code == 304)
      #expect(answer.head.headers[.eTag] == "\"a\"")
    }
  }

  @Test func informationalResponsesAreForwarded() async throws {
    origin.on(.get, "/*") { request in
      request.sendInformational(103, headers: [.link: "</a>; rel=preload", .connection: "X-A", "X-A": "1"])
      request.sendInformational(102)
      return .status(200, headers: [.cacheControl: "max-age=100"], body: Data("final".utf8))
    }
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      for round in 1...2 {
        let heads = Mutex<[HTTP.Response]>([])
        let options = TransportOptions(eventHandler: { event in
          if case .informational(let head) = event { heads.withLock { $0.append(head) } }
        })
        let response = try await CurlSession().send(HTTP.Request(url: proxy), options: options)
        for try await _ in response.body {}
        #expect(response.head.code == 200)
        // The second is answered from the cache.
        #expect(heads.withLock { $0.map(\.code) } == (round == 1 ? [103, 102] : []))
        #expect(heads.withLock { $0.first?.headers[.link] } == (round == 1 ? "</a>; rel=preload" : nil))
        #expect(heads.withLock { $0.first?.headers.contains("X-A") } != true)
      }
    }
    #expect(origin.requests.count == 1)
  }

  @Test(arguments: [false, true]) func bodiesOfAnyLengthAreForwarded(isChunked: Bool) async throws {
    let chunk = Data(repeating: 0x61, count: 1 << 16)
    let chunks = repeatElement(chunk, count: 320)
    origin.on(.get, "/*") { _ in
      isChunked ? .chunked(chunks) : .status(200, length: chunk.count * 320, body: chunks)
    }
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      #expect(try await send(.get, proxy).body.utf8.count == chunk.count * 320)
    }
  }

  @Test(arguments: [LoopbackServer.Fault.truncatedBody, .truncatedChunks, .resetInBody, .badChunk])
  func truncatedBodyDoesNotLookComplete(fault: LoopbackServer.Fault) async throws {
    origin.on(.get, "/*") { _ in .fault(fault) }
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      await #expect(throws: TransportError.self) { try await send(.get, proxy) }
    }
  }

  @Test(arguments: ["Transfer-Encoding:\r\n chunked", "Content-Length:\r\n 2", "Content-Length: 2\r\n\t2"])
  func foldedFramingIsNotForwarded(field: String) async throws {
    origin.on(.get, "/*") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n2\r\nok\r\n0\r\n\r\n".utf8)), .close])
    }
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      let answer = try await send(.get, proxy)
      #expect(answer.head.code == 502)
      #expect(answer.body.hasPrefix("anvil: malformed response"))
    }
  }

  @Test func otherFoldedFieldsAreForwardedInOneLine() async throws {
    origin.on(.get, "/*") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nX-A: b\r\n  c\r\nContent-Length: 2\r\n\r\nok".utf8)), .close])
    }
    try await withProxy("--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      let answer = try await send(.get, proxy)
      #expect(answer.head.headers[.init(rawValue: "X-A")] == "b c")
      #expect(answer.body == "ok")
    }
  }

  @Test(arguments: [
    (LoopbackServer.Fault.closeBeforeHead, "connection lost before the response"), (.notHTTP, "malformed response"),
  ])
  func failedForwardingIsA502(fault: LoopbackServer.Fault, reason: String) async throws {
    origin.on(.get, "/*") { _ in .fault(fault) }
    try await withProxy("--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      let answer = try await send(.get, proxy)
      #expect(answer.head.code == 502)
      #expect(answer.body.hasPrefix("anvil: \(reason)"))
      #expect(answer.body.hasSuffix("\n") && answer.body.split(separator: "\n").count == 1)
    }
  }

  @Test(arguments: ["foo", "gzip, chunked", "chunked\r\nTransfer-Encoding: chunked"])
  func unknownTransferCodingIsA502(coding: String) async throws {
    origin.on(.get, "/*") { _ in
      .raw([.send(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8))])
    }
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      let answer = try await send(.get, proxy)
      #expect(answer.head.code == 502)
      #expect(answer.body.hasPrefix("anvil: malformed response"), "\(answer.body)")
    }
  }

  @Test func onlyIfCachedWithoutAStoredResponseIsA504() async throws {
    try await withProxy("--cache", "--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      #expect(try await send(.get, proxy, [.cacheControl: "only-if-cached"]).head.code == 504)
    }
    #expect(origin.requests.isEmpty)
  }

  @Test func requestsToTheProxyItselfAreRejected() async throws {
    try await withProxy { (proxy: URL) async throws in
      #expect(try await send(.get, proxy.appending(path: "a"), proxy: proxy).head.code == 508)
    }
  }

  @Test func proxyEndsDuringAResponse() async throws {
    origin.on(.get, "/*") { _ in .fault(.neverAnswers) }
    var pending: Task<Void, any Error>?
    let outcome = try await withProxy("--origin", origin.url.absoluteString) { (proxy: URL) async throws in
      pending = Task { _ = try await send(.get, proxy) }
      await waitUntil { !origin.requests.isEmpty }
    }
    #expect(outcome.status == 0)
    _ = await pending?.result
  }

  @Test func exchangesAreRecorded() async throws {
    origin.on(.get, "/a") { request in
      request.headers.contains(.acceptEncoding) ? .status(500) : .json(#"{"token": "t0p", "n": 1}"#)
    }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "proxy.har")
    let outcome = try await withProxy("--origin", origin.url.absoluteString, "--record", file.path()) {
      (proxy: URL) async throws in
      #expect(try Data(contentsOf: file).isEmpty == false)
      _ = try await send(.get, proxy.appending(path: "a"), [.acceptEncoding: "gzip", .authorization: "t0p"])
      // Exchanges are recorded while the proxy runs.
      try await waitUntil { try !entries(file).isEmpty }
      _ = try await send(.post, proxy.appending(path: "b"), body: "x")
    }
    #expect(outcome.status == 0 && outcome.error == "")
    #expect(try entries(file).compactMap { $0["response"]?["status"]?.int } == [200, 404])
    #expect(try entries(file)[0]["response"]?["content"]?["text"]?.string?.contains(#""n":1"#) == true)
    #expect(try entries(file)[1]["request"]?["postData"]?["text"] == "x")
    #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("t0p"))
  }

  /// Some servers compress without being asked, for example stores of objects that hold compressed files.
  @Test func bodiesThatAreCompressedUnaskedAreRecordedAndForwardedDecoded() async throws {
    let packed = try #require(try HTTP.Body(Data(#"{"n": 1}"#.utf8)).gzipped().data)
    origin.on(.get, "/*") { request in
      let coding: HTTP.HeaderValue = request.target == "/other" ? "aes128gcm" : .encodingGzip
      return .status(200, headers: [.contentType: "application/json", .contentEncoding: coding], body: packed)
    }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "proxy.har")
    try await withProxy("--origin", origin.url.absoluteString, "--record", file.path()) { (proxy: URL) async throws in
      let decoded = try await send(.get, proxy.appending(path: "a"), [.acceptEncoding: "gzip"])
      #expect(decoded.body == #"{"n": 1}"#)
      #expect(decoded.head.headers[.contentEncoding] == nil)
      let other = try await send(.get, proxy.appending(path: "other"))
      #expect(other.head.headers[.contentEncoding] == "aes128gcm")
      #expect(other.head.headers[.contentLength] == "\(packed.count)")
    }
    #expect(try entries(file)[0]["response"]?["content"]?["text"]?.string?.contains(#""n": 1"#) == true)
    let outcome = try await withListening(arguments: ["serve", file.path()]) { (server: URL) async throws in
      #expect(try JSON(parsing: try await send(.get, server.appending(path: "a")).body) == ["n": 1])
    }
    #expect(outcome.status == 0)
  }

  @Test func responsesFromTheCacheAreRecorded() async throws {
    origin.on(.get, "/a") { _ in .status(200, headers: [.cacheControl: "max-age=100"], body: Data("kept".utf8)) }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "proxy.har")
    try await withProxy("--cache", "--origin", origin.url.absoluteString, "--record", file.path()) {
      (proxy: URL) async throws in
      for _ in 1...2 { #expect(try await send(.get, proxy.appending(path: "a")).body == "kept") }
    }
    let decisions = try entries(file).compactMap { $0["_anvil"]?["decisions"]?[0]?["text"]?.string }
    #expect(decisions == ["miss", "hit"])
  }

  /// The server reads no further than the length of a body. The end of the exchange may follow after the response was sent.
  @Test(arguments: [[], ["--cache"]]) func sentResponsesAreRecordedAsComplete(options: [String]) async throws {
    origin.on(.get, "/*") { _ in .status(200, body: Data("whole".utf8)) }
    origin.on(.head, "/*") { _ in .status(200) }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "proxy.har")
    let arguments = ["proxy", "--origin", origin.url.absoluteString, "--record", file.path()] + options
    try await withListening(arguments: arguments) { (proxy: URL) async throws in
      for _ in 1...100 {
        _ = try await send(.head, proxy)
        #expect(try await send(.get, proxy).body == "whole")
      }
    }
    let entries = try entries(file)
    #expect(entries.count == 200)
    #expect(entries.compactMap { $0["response"]?["_error"]?.string } == [])
    #expect(entries.compactMap { $0["comment"]?.string } == [])
  }

  @Test func unwritableRecordingIsReportedAtTheStart() async throws {
    let outcome = await anvil("proxy", "--record", "/nowhere/proxy.har")
    #expect(outcome.status == 74 && outcome.output == "")
    #expect(outcome.error.hasPrefix("anvil: the recording: the file proxy.har cannot be written: "))
  }

  private func entries(_ file: URL) throws -> [JSON] {
    try JSON(parsing: Data(contentsOf: file))["log"]?["entries"]?.elements.map(\.self) ?? []
  }

  @Test func portInUseIsReported() async throws {
    let outcome = await anvil("proxy", "--port", "\(origin.port)")
    #expect(outcome.status == 3)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("anvil: cannot listen on port \(origin.port): "))
  }

  @Test func fileThatIsNotADatabaseIsNotChanged() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-proxy-\(UUID().uuidString).txt")
    try Data(String(repeating: "text", count: 100).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = await anvil("proxy", "--cache", "--store", file.path())
    #expect(outcome.status == 6)
    #expect(outcome.error.hasPrefix("anvil: the cache cannot use its store \(file.path()): the file is not a database"))
  }
}

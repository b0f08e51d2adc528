import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilObservability
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Recordings in the format of browsers' developer tools.
struct HARTests {
  private let clock = TestClock()

  private func recorder(
    exchangeLimit: Int = 10_000, sizeLimit: Int = 64 << 20, bodySizeLimit: Int = 1 << 20
  ) -> HARRecorder {
    HARRecorder(
      exchangeLimit: exchangeLimit, sizeLimit: sizeLimit, bodySizeLimit: bodySizeLimit, clock: clock,
      now: { Date(timeIntervalSince1970: 1_700_000_000.25) })
  }

  private func execute(_ world: World, _ request: HTTP.Request) async {
    _ = await world.backend.outcome(
      Request<HTTP.Response, TransportFailure>(
        method: request.method, url: request.url, headers: request.headers, body: request.body))
  }

  private func entries(_ recorder: HARRecorder) throws -> [JSON] {
    let archive = try JSON(parsing: recorder.archive())
    return Array(try #require(archive["log"]?["entries"]).elements)
  }

  /// Fails or answers with the given metrics, which a stub does not have.
  private struct MeasuredSession: TransportSession {
    var response: HTTP.Response?
    let metrics: TransferEvent.Metrics?
    let clock: TestClock

    func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
      clock.advance(by: .milliseconds(800))
      if let metrics { options.eventHandler?(.finished(metrics)) }
      if let response { return TransportResponse(head: response, body: TransportBody(Data("x".utf8))) }
      throw TransportError(code: .timedOut, phase: .firstByte)
    }
  }

  @Test(arguments: [true, false]) func theTimeOfARequestThatIsNotAnsweredIsWaiting(isMeasured: Bool) async throws {
    let recorder = recorder()
    let metrics = TransferEvent.Metrics(connected: .milliseconds(10), total: .milliseconds(800), sentByteCount: 5)
    let session = MeasuredSession(metrics: isMeasured ? metrics : nil, clock: clock)
    let url = try #require(URL(string: "https://api.example.com/"))
    _ = await TransportService(session: session, interceptors: [recorder]).execute(HTTP.Request(url: url))
    let timings = try #require(entries(recorder).first?["timings"])
    #expect(timings["wait"] == (isMeasured ? 790 : 800))
    #expect(timings["receive"] == 0)
  }

  /// Source: HAR 1.2, entries.
  @Test func theTimeOfAnEntryIsTheSumOfItsTimings() async throws {
    let recorder = recorder()
    let metrics = TransferEvent.Metrics(
      connected: .milliseconds(10), firstByte: .milliseconds(40), total: .milliseconds(50), sentByteCount: 5)
    let url = try #require(URL(string: "https://api.example.com/"))
    let response = HTTP.Response(request: HTTP.Request(url: url), status: 200, headers: [:])
    let session = MeasuredSession(response: response, metrics: metrics, clock: clock)
    let service = TransportService(session: session, interceptors: [recorder])
    var options = TransportOptions(responseDelivery: .streamed)
    options.clock = clock
    let body = try await service.execute(HTTP.Request(url: url), options: options).get().body
    clock.advance(by: .milliseconds(200))
    _ = try await body.collect()
    let entry = try #require(entries(recorder).first)
    #expect(entry["time"] == 1_000)
    // The measured attempt came after others, and its body was read later than it arrived.
    #expect(
      entry["timings"] == [
        "blocked": 760, "dns": -1, "connect": 10, "ssl": -1, "send": 0, "wait": 30, "receive": 200,
      ])
  }

  @Test func anExchangeIsACompleteEntry() async throws {
    let recorder = recorder()
    let world = try World(interceptors: [recorder])
    let url = try #require(URL(string: "https://u:p@api.example.com/login?page=2&api_key=t0p#x"))
    world.session.on("any", where: { _ in true }) { _ in
      .status(
        201, headers: [.contentType: .applicationJSON, .setCookie: "sid=t0p", .location: "/me?code=t0p"],
        body: Data(#"{"access_token":"t0p","n":1}"#.utf8))
    }
    await execute(
      world,
      HTTP.Request(
        method: .post, url: url, headers: [.authorization: "Bearer t0p"],
        body: HTTP.Body(Data(#"{"password":"t0p"}"#.utf8), contentType: .applicationJSON)))
    let archive = try recorder.archive()
    #expect(!String(decoding: archive, as: UTF8.self).contains("t0p"))
    #expect(
      try JSON(parsing: archive) == [
        "log": [
          "version": "1.2", "creator": ["name": "Anvil", "version": JSON(AnvilVersion.current)],
          "entries": [
            [
              "startedDateTime": "2023-11-14T22:13:20.250Z", "time": 0, "cache": [:],
              "request": [
                "method": "POST",
                "url": "https://<redacted>@api.example.com/login?page=2&api_key=<redacted>#<redacted>",
                "httpVersion": "unknown", "cookies": [],
                "headers": [
                  ["name": "Authorization", "value": "<redacted>"],
                  ["name": "Content-Type", "value": "application/json"],
                ],
                "queryString": [["name": "page", "value": "2"], ["name": "api_key", "value": "<redacted>"]],
                "postData": ["mimeType": "application/json", "text": #"{"password":"<redacted>"}"#],
                "headersSize": -1, "bodySize": 18,
              ],
              "response": [
                "status": 201, "statusText": "Created", "httpVersion": "unknown", "cookies": [],
                "headers": [
                  ["name": "Content-Type", "value": "application/json"], ["name": "Set-Cookie", "value": "<redacted>"],
                  ["name": "Location", "value": "/me?code=<redacted>"],
                ],
                "content": [
                  "size": 28, "mimeType": "application/json", "text": #"{"access_token":"<redacted>","n":1}"#,
                ],
                "redirectURL": "/me?code=<redacted>", "headersSize": -1, "bodySize": -1,
              ],
              "timings": [
                "blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 0, "receive": 0,
              ],
            ]
          ],
        ]
      ])
  }

  @Test func sensitiveFieldsOfTheRequestsPolicyAreHidden() async throws {
    let recorder = recorder()
    let world = try World(interceptors: [recorder])
    world.session.on(.get, world.url) { _ in .status(201, headers: [.eTag: "t0p", .location: "/t0p"]) }
    var request = Request<HTTP.Response, TransportFailure>(url: world.url, headers: [.userAgent: "t0p"])
    request.sensitiveHeaders = [.userAgent, .eTag, .location]
    _ = try await world.backend.execute(request)
    #expect(!String(decoding: try recorder.archive(), as: UTF8.self).contains("t0p"))
    _ = try await world.backend.execute(
      Request<HTTP.Response, TransportFailure>(url: world.url, headers: [.userAgent: "shown"]))
    #expect(try entries(recorder).last?["request"]?["headers"] == [["name": "User-Agent", "value": "shown"]])
  }

  @Test func aFailureIsAnEntryWithStatusZero() async throws {
    let recorder = recorder()
    let world = try World(interceptors: [recorder])
    world.session.on(.get, world.url, .failure(TransportError(code: .noConnection, reason: "refused")))
    await execute(world, HTTP.Request(url: world.url))
    let response = try #require(try entries(recorder).first?["response"])
    #expect(response["status"]?.int == 0)
    #expect(response["_error"]?.string == "no connection: refused")
  }

  /// The reader is cancelled before the session has ended the body, but after the last byte that the length announces.
  @Test(arguments: ["whole", "who"]) func aCancelledReaderFailsOnlyWhatIsIncomplete(received: String) async throws {
    let recorder = recorder()
    let (body, writer) = TransportBody.makeStream()
    let (chunks, chunk) = AsyncStream<Data>.makeStream()
    let session = OneResponse(headers: [.contentLength: "5"], body: body)
    let request = HTTP.Request(url: try #require(URL(string: "https://api.example.com/")))
    let reading = Task {
      let response = try await recorder.intercept(request, options: TransportOptions(), next: session)
      for try await data in response.body { chunk.yield(data) }
    }
    writer.yield(Data(received.utf8))
    for await _ in chunks { break }
    reading.cancel()
    await #expect(throws: TransportError.self) { try await reading.value }
    let error = try entries(recorder).first?["response"]?["_error"]?.string
    #expect(error == (received == "whole" ? nil : "cancelled"))
  }

  @Test func anAttemptContainsTheDecisionsThatLedToIt() async throws {
    let recorder = recorder()
    let retries = RetryInterceptor(policy: RetryPolicy(), clock: RecordingClock())
    let world = try World(interceptors: [RedirectInterceptor(), retries, recorder])
    world.session.on(.get, world.url, times: 1, .status(302, headers: [.location: "/next?token=t0p"]))
    world.session.on("next", where: { $0.url.path() == "/next" }, times: 1) { _ in .status(503) }
    world.session.on("next", where: { $0.url.path() == "/next" }) { _ in .json("{}") }
    await execute(world, HTTP.Request(url: world.url))
    let details = try entries(recorder).map { $0["_anvil"] }
    #expect(details.count == 3 && details[0] == nil)
    let redirect = try #require(details[1]?["decisions"]?[0])
    #expect(redirect["kind"] == "redirect" && redirect["time"] == nil)
    #expect(redirect["text"]?.string == "redirected by 302 Found of GET \(world.url.absoluteString)")
    #expect(details[1]?["attempt"] == nil)
    #expect(details[2]?["attempt"] == 2)
    #expect(details[2]?["decisions"]?.elements.compactMap { $0["kind"]?.string } == ["redirect", "retry"])
    let retry = try #require(details[2]?["decisions"]?[1]?["text"]?.string)
    #expect(retry.hasPrefix("sent again ") && retry.hasSuffix(" after 503 Service Unavailable"), "\(retry)")
  }

  @Test func aCallContainsTheDecisionsOfItsInterceptors() async throws {
    let recorder = recorder()
    let world = try World(interceptors: [recorder, CacheInterceptor(storage: MemoryCacheStorage())])
    world.session.on(.get, world.url) { _ in .status(200, headers: [.cacheControl: "max-age=100"], body: Data("a".utf8))
    }
    for _ in 1...2 { await execute(world, HTTP.Request(url: world.url)) }
    let decisions = try entries(recorder).compactMap { $0["_anvil"]?["decisions"]?[0] }
    #expect(decisions.compactMap { $0["kind"]?.string } == ["cache", "cache"])
    #expect(decisions.compactMap { $0["text"]?.string } == ["miss", "hit"])
  }

  @Test func binaryBodiesAreRecordedAsBase64() async throws {
    let recorder = recorder()
    let world = try World(interceptors: [recorder])
    world.session.on(.get, world.url, .status(200, headers: [.contentType: "image/png"], body: Data([0xFF, 0xD8])))
    await execute(world, HTTP.Request(url: world.url))
    let content = try #require(try entries(recorder).first?["response"]?["content"])
    #expect(content["text"]?.string == "/9g=" && content["encoding"]?.string == "base64")
  }

  @Test func aBodyThatTheSessionDoesNotDecompressIsRecordedWithoutSecrets() async throws {
    let recorder = recorder(bodySizeLimit: 60)
    let world = try World(interceptors: [recorder])
    let text = Data(#"{"token":"t0p","n":1,"m":2}"#.utf8)
    let zeros = try #require(HTTP.Body(Data(repeating: 0x20, count: 1_000)).gzipped().data)
    for (coding, body) in Stored.codings(of: text) + [("gzip", zeros), ("compress", text)] {
      let headers: HTTP.Headers = [
        .contentEncoding: HTTP.HeaderValue(rawValue: coding), .contentType: .applicationJSON,
      ]
      world.session.on(.get, world.url, times: 1, .status(200, headers: headers, body: body))
      await execute(world, HTTP.Request(url: world.url))
    }
    let contents = try entries(recorder).compactMap { $0["response"]?["content"] }
    let shown: JSON = ["mimeType": "application/json", "size": 27, "text": #"{"token":"<redacted>","n":1,"m":2}"#]
    #expect(Array(contents.prefix(3)) == [shown, shown, shown])
    // More than the limit, and another coding.
    #expect(contents.dropFirst(3).map { $0["text"] } == ["<redacted>", #"{"token":"<redacted>","n":1,"m":2}"#])
  }

  @Test func longBodiesAreTruncatedWithAComment() async throws {
    let recorder = recorder(bodySizeLimit: 4)
    let world = try World(interceptors: [recorder])
    world.session.on(
      .get, world.url, times: 1, .status(200, headers: [.contentType: .textPlain], body: Data("abcdef".utf8)))
    world.session.on(.get, world.url, .json(#"{"token":"t0p"}"#))
    for _ in 0..<2 { await execute(world, HTTP.Request(url: world.url)) }
    let contents = try entries(recorder).compactMap { $0["response"]?["content"] }
    #expect(contents.first?["text"]?.string == "abcd" && contents.first?["size"]?.int == 6)
    #expect(contents.first?["comment"]?.string == "Only the first 4 bytes were recorded.")
    // Secrets cannot be found in an incomplete document.
    #expect(contents.last?["text"] == nil)
  }

  @Test func theOldestEntriesAreRemovedBeyondTheLimit() async throws {
    let recorder = recorder(exchangeLimit: 2)
    let world = try World(interceptors: [recorder])
    world.session.on("any", where: { _ in true }, reply: { _ in .json("{}") })
    for page in 1...3 {
      await execute(
        world, HTTP.Request(url: world.url.appending(queryItems: [URLQueryItem(name: "page", value: "\(page)")])))
    }
    #expect(
      try entries(recorder).compactMap { $0["request"]?["url"]?.string?.suffix(1) } == ["2", "3"])
  }

  @Test func theOldestEntriesAreRemovedBeyondTheLimitOfAllBodies() async throws {
    let recorder = recorder(sizeLimit: 1_000)
    let world = try World(interceptors: [recorder])
    let text = String(repeating: "x", count: 200)
    world.session.on("any", where: { _ in true }, reply: { _ in .status(200, body: Data(text.utf8)) })
    for name in ["a", "b", "c"] {
      await execute(
        world, HTTP.Request(method: .post, url: world.url.appending(path: name), body: HTTP.Body(text)))
    }
    // Each has 400 bytes.
    #expect(try entries(recorder).compactMap { $0["request"]?["url"]?.string?.suffix(2) } == ["/b", "/c"])
  }

  @Test func anArchiveIsWrittenAsAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = recorder()
    try recorder.write(to: file)
    #expect(try JSON(parsing: Data(contentsOf: file))["log"]?["entries"] == [])
  }

  @Test func anArchiveCanBeReadByItsOwnerOnly() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    for _ in 0..<2 {
      try recorder().write(to: file)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      // The permissions of an existing file are restricted, too.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    }
  }

  @Test func secretsInFormsAndTruncatedTextAreHidden() async throws {
    let recorder = recorder(bodySizeLimit: 400)
    let world = try World(interceptors: [recorder])
    let long = #"{"token":"t0p","x":""# + String(repeating: "x", count: 1000)
    world.session.on(
      "any", where: { _ in true },
      reply: { _ in .status(200, headers: [.contentType: .textPlain], body: Data(long.utf8)) })
    let form = HTTP.Body.multipart([.text("ada", name: "user"), .text("t0p", name: "password")])
    await execute(world, HTTP.Request(method: .post, url: world.url, body: form))
    let entry = try #require(try entries(recorder).first)
    let posted = try #require(entry["request"]?["postData"]?["text"]?.string)
    #expect(posted.contains("ada") && posted.contains("<redacted>") && !posted.contains("t0p"))
    #expect(entry["response"]?["content"]?["text"]?.string == "<redacted>")
  }
}

/// A session with one response.
private struct OneResponse: TransportSession {
  let headers: HTTP.Headers
  let body: TransportBody

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    TransportResponse(head: HTTP.Response(request: request, status: 200, headers: headers), body: body)
  }
}

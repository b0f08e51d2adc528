import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The responses that are stored, and those that are not.
@Suite(.timeLimit(.minutes(15)))
struct CacheStoringTests {
  private func isStored(
    _ headers: HTTP.Headers, status: HTTP.Status = 200, method: HTTP.Method = .get, request: HTTP.Headers = [:],
    body: HTTP.Body = .empty
  ) async throws -> Bool {
    let service = try CachedService()
    service.serve(headers, status: status, method: method)
    service.serve(headers, status: status)
    _ = try await service.send(method, request, body: body)
    // Any stored response is returned, however old.
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    return try await service.send(options: options).head.code != 504
  }

  @Test(arguments: [
    (200, true), (203, true), (204, true), (300, true), (301, true), (308, true), (404, true), (405, true),
    (410, true), (414, true), (501, true), (201, false), (202, false), (206, false), (302, false), (303, false),
    (304, false), (307, false), (400, false), (401, false), (403, false), (418, false), (429, false), (500, false),
    (502, false), (503, false), (504, false), (599, false),
  ])
  func k2_statusesThatAreStoredWithoutExplicitFreshness(code: Int, isStored: Bool) async throws {
    #expect(try await self.isStored([:], status: HTTP.Status(code: code)) == isStored)
  }

  @Test(arguments: [200, 201, 302, 303, 307, 400, 403, 404, 418, 499, 500, 503, 599])
  func k2_anyFinalStatusIsStoredWithExplicitFreshness(code: Int) async throws {
    #expect(try await isStored([.cacheControl: "max-age=100"], status: HTTP.Status(code: code)))
    #expect(try await isStored([.expires: TestTime.httpDate(100)], status: HTTP.Status(code: code)))
  }

  @Test(arguments: [206, 304])
  func k2_partialResponsesAreNotStored(code: Int) async throws {
    #expect(try await !isStored([.cacheControl: "max-age=100"], status: HTTP.Status(code: code)))
  }

  @Test func k2_noStoreOfRequestOrResponsePreventsStoring() async throws {
    #expect(try await !isStored([.cacheControl: "no-store"]))
    #expect(try await !isStored([.cacheControl: "max-age=100, No-Store"]))
    #expect(try await !isStored([.cacheControl: "no-store=1, max-age=100"]))
    #expect(try await !isStored([.cacheControl: "max-age=100"], request: [.cacheControl: "no-store"]))
    #expect(try await !isStored([.cacheControl: "max-age=100, no-store", .expires: TestTime.httpDate(100)]))
  }

  @Test(arguments: ["no-store", "no-store, max-age=0"])
  func k2_aFreshResponseIsReusedBeforeANewOneWithNoStore(cacheControl: HTTP.HeaderValue) async throws {
    let service = try CachedService()
    service.answer(200, [.cacheControl: "max-age=100"], "stored")
    service.answer(200, [.cacheControl: cacheControl], "new")
    for _ in 1...3 { #expect(try await service.send().body == "stored") }
    #expect(service.requestCount == 1)
  }

  @Test(arguments: [
    ("must-understand, no-store, max-age=100", 200, true), ("must-understand, no-store, max-age=100", 599, false),
    ("must-understand, max-age=100", 599, false), ("must-understand, max-age=100", 404, true),
  ])
  func k2_mustUnderstandTakesPrecedenceOverNoStore(cacheControl: String, code: Int, isStored: Bool) async throws {
    let headers: HTTP.Headers = [.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)]
    #expect(try await self.isStored(headers, status: HTTP.Status(code: code)) == isStored)
  }

  @Test func k2_privateAndAuthenticatedResponsesAreStored() async throws {
    #expect(try await isStored([.cacheControl: "private"], status: 201))
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100"])
    for _ in 1...2 { #expect(try await service.send(.get, [.authorization: "Basic a"]).body == "1") }
  }

  @Test(arguments: [HTTP.Method.post, .put, .delete, .patch, .options, .trace, .query, "PURGE"])
  func k2_onlyResponsesToGETAreStored(method: HTTP.Method) async throws {
    #expect(try await !isStored([.cacheControl: "max-age=100"], method: method))
    let located: HTTP.Headers = [.cacheControl: "max-age=100", .contentLocation: "/users/1?page=2"]
    #expect(try await !isStored(located, method: method))
  }

  @Test func k2_requestsWithABodyBypassTheCache() async throws {
    #expect(try await !isStored([.cacheControl: "max-age=100"], body: HTTP.Body("q")))
  }

  @Test func k2_connectionFieldsAreNotStored() async throws {
    let service = try CachedService()
    service.serve([
      .cacheControl: "max-age=100", .connection: "X-Hop, close", "X-Hop": "1", .keepAlive: "timeout=5",
      .transferEncoding: "chunked", "Proxy-Authenticate": "Basic", .upgrade: "h2c", "X-End": "2",
    ])
    #expect(try await service.send().head.headers.contains("X-Hop"))
    let names = try await service.send().head.headers.map(\.key.rawValue).sorted()
    #expect(names == ["Age", "Cache-Control", "X-End"])
  }

  @Test(
    arguments: [
      .connection, .keepAlive, .proxyAuthenticate, "Proxy-Authentication-Info", .proxyAuthorization,
      "Proxy-Connection", .te, .transferEncoding, .upgrade,
    ] as [HTTP.HeaderKey])
  func k2_hopByHopFieldsAreNotStored(key: HTTP.HeaderKey) async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", key: "1"])
    #expect(try await service.send().head.headers[key] == "1")
    let answer = try await service.send()
    #expect(answer.outcome == .hit && !answer.head.headers.contains(key))
  }

  @Test(
    arguments: [
      "Test-Header", "X-Test-Header", "Content-Foo", "X-Content-Foo", .contentEncoding, .contentLength,
      .contentLocation, .contentMD5, .contentRange, "Content-Security-Policy", .contentType, "Clear-Site-Data", .eTag,
      .expires, "Public-Key-Pins", "Set-Cookie2", "X-Frame-Options", "X-XSS-Protection",
    ] as [HTTP.HeaderKey])
  func k2_endToEndFieldsAreStored(key: HTTP.HeaderKey) async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", key: "1"])
    _ = try await service.send()
    let answer = try await service.send()
    #expect(answer.outcome == .hit && answer.head.headers.values(for: key) == ["1"])
  }

  @Test func k2_otherFieldsAreStoredInOrder() async throws {
    let service = try CachedService()
    let headers: HTTP.Headers = [
      .cacheControl: "max-age=100", "X-A": "1", .link: "a", .link: "b", "x-a": "2", "X-Empty": "",
    ]
    service.serve(headers)
    _ = try await service.send()
    #expect(Array(try await service.send().head.headers.dropLast()) == Array(headers))
  }

  @Test func k2_cookiesAreNotPartOfAStoredResponse() async throws {
    let storage = MemoryCacheStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "max-age=100", .setCookie: "session=1"])
    #expect(try await service.send().head.headers[.setCookie] == "session=1")
    #expect(try await service.send().head.headers[.setCookie] == nil)
    let key = try #require(CacheKey(service.url))
    #expect(storage.entries(for: key).map { $0.headers.contains(.setCookie) } == [false])
    #expect(service.requestCount == 1)
  }

  @Test func k2_aCacheHitDoesNotRestoreRemovedCookies() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", .setCookie: "session=1"])
    let jar = CookieJar(publicSuffixes: .singleLabels)
    let transport = TransportService(
      session: service.session, interceptors: [CookieInterceptor(jar: jar), service.cache])
    let other = try #require(URL(string: "https://api.example.com/users/2"))
    service.serve([:], at: other)
    _ = try await transport.execute(HTTP.Request(url: service.url)).get()
    jar.remove()
    _ = try await transport.execute(HTTP.Request(url: service.url)).get()
    _ = try await transport.execute(HTTP.Request(url: other)).get()
    #expect(service.session.requests.map { $0.headers.contains(.cookie) } == [false, false])
  }

  @Test func k2_informationalResponsesAreReportedAndNotStored() async throws {
    let service = try CachedService()
    let heads = Mutex<[HTTP.Response]>([])
    let options = TransportOptions(eventHandler: { event in
      if case .informational(let head) = event { heads.withLock { $0.append(head) } }
    })
    for outcome: HTTP.History.CacheOutcome in [.miss, .hit] {
      let response = try await service.cache.intercept(
        HTTP.Request(url: service.url), options: options, next: HintingSession())
      for try await _ in response.body {}
      #expect(response.head.code == 200 && response.head.history.cacheOutcome == outcome)
      #expect(!response.head.headers.contains(.link))
    }
    #expect(heads.withLock { $0.map(\.code) } == [102, 103])
    #expect(heads.withLock { $0.last?.headers[.link] } == "</a>; rel=preload")
  }

  @Test func k11_aTruncatedBodyIsNotStored() async throws {
    let service = try CachedService()
    let broken = TransportError(code: .truncatedResponse, phase: .body)
    service.session.on(
      .get, service.url, times: 1,
      .chunks([Data("be".utf8)], error: broken, headers: [.cacheControl: "max-age=100"]))
    service.serve([.cacheControl: "max-age=100"])
    await #expect(throws: broken) { try await service.send() }
    #expect(try await service.send().body == "1")
    #expect(service.requestCount == 2)
  }

  @Test(arguments: [1, 3]) func k11_aBodyWithTheWrongLengthIsNotStored(length: Int) async throws {
    let service = try CachedService()
    let (body, writer) = TransportBody.makeStream()
    writer.yield(Data("be".utf8))
    writer.finish()
    // A session that does not check the length.
    let session = HeldSession(body: body, headers: [.cacheControl: "max-age=100", .contentLength: "\(length)"])
    let response = try await service.cache.intercept(
      HTTP.Request(url: service.url), options: TransportOptions(), next: session)
    for try await _ in response.body {}
    service.serve([.cacheControl: "max-age=100"])
    #expect(try await service.send().body == "1")
  }

  @Test func k11_aBodyThatIsNotReadToItsEndIsNotStored() async throws {
    let service = try CachedService()
    service.session.on(
      .get, service.url, times: 1,
      .chunks(repeatElement(Data("x".utf8), count: .max), headers: [.cacheControl: "max-age=100"]))
    service.serve([.cacheControl: "max-age=100"])
    let request = HTTP.Request(url: service.url)
    let response = try await service.cache.intercept(request, options: TransportOptions(), next: service.session)
    for try await _ in response.body { break }
    // A body beyond the limit is read at the reader's pace and not stored.
    #expect(try await service.send(options: TransportOptions(cachePolicy: .onlyIfCached)).head.code == 504)
  }

  @Test func k11_aBodyThatIsTooLargeToStoreIsDeliveredCompletely() async throws {
    let service = try CachedService(maximumBodyLength: 1000)
    let chunks = (0..<300).map { Data(repeating: UInt8($0 % 256), count: 7) }
    for headers: HTTP.Headers in [[:], [.contentLength: "2100"]] {
      service.session.on(
        .get, service.url, times: 1, .chunks(chunks, headers: headers.merging([.cacheControl: "max-age=100"])))
      let response = try await service.cache.intercept(
        HTTP.Request(url: service.url), options: TransportOptions(), next: service.session)
      var body = Data()
      for try await chunk in response.body { body.append(chunk) }
      #expect(body == chunks.reduce(Data(), +))
    }
    #expect(service.requestCount == 2)
  }

  @Test func k11_theHeadIsDeliveredBeforeTheBodyIsComplete() async throws {
    let service = try CachedService()
    let (body, writer) = TransportBody.makeStream()
    let session = OneResponse(body: body)
    let response = try await service.cache.intercept(
      HTTP.Request(url: service.url), options: TransportOptions(), next: session)
    writer.yield(Data("a".utf8))
    var chunks = response.body.makeAsyncIterator()
    #expect(try await chunks.next() == Data("a".utf8))
    writer.yield(Data("b".utf8))
    #expect(try await chunks.next() == Data("b".utf8))
    writer.finish()
    #expect(try await chunks.next() == nil)
    #expect(try await service.send().body == "ab")
  }

  @Test func k12_aFailingStorageIsAMiss() async throws {
    let service = try CachedService(storage: FailingStorage())
    service.serve([.cacheControl: "max-age=100"])
    #expect(try await service.send().body == "1")
    #expect(try await service.send().body == "2")
    #expect(try await service.send().outcome == .miss)
  }

  @Test func k12_anEntryWithoutItsBodyIsAMiss() async throws {
    let storage = BodilessStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "max-age=100", .eTag: "\"a\""])
    #expect(try await service.send().body == "1")
    #expect(try await service.send().body == "2")
    // Nor is it revalidated when it is stale.
    service.time.advance(by: 200)
    service.session.on("a condition", where: { $0.headers.contains(.ifNoneMatch) }) { _ in .status(304) }
    #expect(try await service.send().body == "3")
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }
}

/// A session with one response, whose body the test writes.
private struct OneResponse: TransportSession {
  let body: TransportBody

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let head = HTTP.Response(request: request, status: 200, headers: [.cacheControl: "max-age=100"])
    return TransportResponse(head: head, body: body)
  }
}

/// A session that reports two informational responses before each final one.
private struct HintingSession: TransportSession {
  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let hint = HTTP.Response(request: request, status: 103, headers: [.link: "</a>; rel=preload"])
    options.eventHandler?(.informational(HTTP.Response(request: request, status: 102)))
    options.eventHandler?(.informational(hint))
    let head = HTTP.Response(request: request, status: 200, headers: [.cacheControl: "max-age=100"])
    return TransportResponse(head, body: Data("final".utf8))
  }
}

private struct FailingStorage: CacheStorage {
  struct Failure: Error {}

  func entries(for key: CacheKey) throws -> [CacheEntry] { throw Failure() }
  func body(of entry: CacheEntry, for key: CacheKey) throws -> Data? { throw Failure() }
  func store(_ entry: CacheEntry, body: Data, for key: CacheKey) throws { throw Failure() }
  func update(_ entry: CacheEntry, for key: CacheKey) throws { throw Failure() }
  func remove(_ entry: CacheEntry, for key: CacheKey) throws { throw Failure() }
  func removeAll(for key: CacheKey) throws { throw Failure() }
  func removeAll() throws { throw Failure() }
}

/// A storage that loses every body.
private struct BodilessStorage: CacheStorage {
  private let memory = MemoryCacheStorage()

  func entries(for key: CacheKey) -> [CacheEntry] { memory.entries(for: key) }
  func body(of entry: CacheEntry, for key: CacheKey) -> Data? { nil }
  func store(_ entry: CacheEntry, body: Data, for key: CacheKey) { memory.store(entry, body: body, for: key) }
  func update(_ entry: CacheEntry, for key: CacheKey) { memory.update(entry, for: key) }
  func remove(_ entry: CacheEntry, for key: CacheKey) { memory.remove(entry, for: key) }
  func removeAll(for key: CacheKey) { memory.removeAll(for: key) }
  func removeAll() { memory.removeAll() }
}

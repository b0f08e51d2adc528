import AnvilBase
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// The revalidation of stored responses.
@Suite(.timeLimit(.minutes(15)))
struct CacheRevalidationTests {
  private let service: CachedService

  init() throws {
    service = try CachedService()
  }

  /// Stores a response with these fields, which is stale at once, and answers the next request with 304 and `update`.
  private func revalidated(_ headers: HTTP.Headers, with update: HTTP.Headers) async throws -> CachedService.Answer {
    service.answer(200, headers, "body")
    service.answer(304, update)
    _ = try await service.send()
    service.time.advance(by: 10)
    return try await service.send()
  }

  @Test(arguments: ["\"abc\"", "W/\"abc\"", "\"\"", "\"a\\b, c\"", "abc", "\"é\""])
  func k7_theEntityTagIsSentUnchanged(tag: String) async throws {
    let answer = try await revalidated([.eTag: HTTP.HeaderValue(rawValue: tag)], with: [:])
    #expect(service.session.requests.last?.headers.values(for: .ifNoneMatch).map(\.rawValue) == [tag])
    #expect(service.session.requests.last?.headers.contains(.ifModifiedSince) == false)
    #expect(answer.outcome == .revalidated)
    #expect(answer.head.code == 200)
    #expect(answer.body == "body")
  }

  @Test func k7_lastModifiedIsSentUnchanged() async throws {
    _ = try await revalidated([.lastModified: TestTime.httpDate(0), .cacheControl: "no-cache"], with: [:])
    let request = try #require(service.session.requests.last)
    #expect(request.headers[.ifModifiedSince] == TestTime.httpDate(0))
    #expect(!request.headers.contains(.ifNoneMatch))
  }

  @Test func k7_bothValidatorsAreSentIfPresent() async throws {
    _ = try await revalidated(
      [.lastModified: TestTime.httpDate(0), .eTag: "\"a\"", .cacheControl: "no-cache"], with: [:])
    let request = try #require(service.session.requests.last)
    #expect(request.headers[.ifModifiedSince] == TestTime.httpDate(0))
    #expect(request.headers[.ifNoneMatch] == "\"a\"")
  }

  @Test(arguments: ["max-age=100, no-cache", "max-age=5, must-revalidate", "max-age=5, immutable"])
  func k6_aRequiredValidationSendsTheTag(cacheControl: HTTP.HeaderValue) async throws {
    let headers: HTTP.Headers = [.cacheControl: cacheControl, .expires: TestTime.httpDate(100), .eTag: "\"a\""]
    #expect(try await revalidated(headers, with: [:]).outcome == .revalidated)
    #expect(service.session.requests.last?.headers[.ifNoneMatch] == "\"a\"")
  }

  @Test func k7_cookiesOfA304AreSetButNotStored() async throws {
    let answer = try await revalidated(
      [.eTag: "\"a\"", .cacheControl: "max-age=5", .setCookie: "a=1"], with: [.setCookie: "a=2", .setCookie: "b=3"])
    #expect(answer.outcome == .revalidated)
    #expect(answer.head.headers.values(for: .setCookie) == ["a=2", "b=3"])
    let again = try await service.send()
    #expect(again.outcome == .hit)
    #expect(!again.head.headers.contains(.setCookie))
  }

  @Test func k7_noConditionsAreSentWithoutValidators() async throws {
    service.serve([.cacheControl: "max-age=1"])
    _ = try await service.send()
    service.time.advance(by: 10)
    #expect(try await service.send().body == "2")
    #expect(service.session.requests.last?.headers.isEmpty == true)
  }

  @Test func k7_aNewResponseReplacesTheValidatedEntry() async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=1"], "old")
    service.answer(200, [.eTag: "\"b\"", .cacheControl: "max-age=100"], "new")
    _ = try await service.send()
    service.time.advance(by: 10)
    let answer = try await service.send()
    #expect(answer.body == "new")
    #expect(answer.outcome == .miss)
    #expect(try await service.send().body == "new")
    #expect(service.requestCount == 2)
  }

  @Test func k7_a304MakesTheEntryFreshAgain() async throws {
    let answer = try await revalidated([.eTag: "\"a\"", .cacheControl: "max-age=5"], with: [:])
    #expect(answer.age == "0")
    service.time.advance(by: 4)
    let again = try await service.send()
    #expect(again.outcome == .hit)
    #expect(again.age == "4")
    #expect(service.requestCount == 2)
  }

  @Test func k7_a304ReplacesTheStoredDateAndAge() async throws {
    let headers: HTTP.Headers = [
      .eTag: "\"a\"", .cacheControl: "max-age=5", .age: "100", .date: TestTime.httpDate(-100),
    ]
    #expect(try await revalidated(headers, with: [:]).age == "0")
    #expect(try await service.send().outcome == .hit)
  }

  @Test func k7_theAgeOfThe304Applies() async throws {
    #expect(try await revalidated([.eTag: "\"a\"", .cacheControl: "max-age=5"], with: [.age: "3"]).age == "3")
  }

  @Test func k7_fieldsOfThe304ReplaceThoseOfTheSameName() async throws {
    let stored: HTTP.Headers = [
      .eTag: "W/\"a\"", .cacheControl: "no-cache", "X-A": "1", "x-a": "2", "X-B": "3", .contentType: "text/plain",
    ]
    let answer = try await revalidated(
      stored, with: ["X-A": "4", "X-C": "5", "X-C": "6", .eTag: "\"a\"", .contentType: "text/html"])
    #expect(answer.head.headers.values(for: "X-A") == ["4"])
    #expect(answer.head.headers.values(for: "X-B") == ["3"])
    #expect(answer.head.headers.values(for: "X-C") == ["5", "6"])
    #expect(answer.head.headers.values(for: .eTag) == ["\"a\""])
    #expect(answer.head.headers.values(for: .contentType) == ["text/html"])
  }

  @Test func k7_fieldsThatThe304OmitsAreKept() async throws {
    let date = TestTime.httpDate(-86_400)
    let answer = try await revalidated(
      [.lastModified: date, .cacheControl: "max-age=5", "X-A": "1"], with: [.lastModified: date])
    #expect(answer.outcome == .revalidated && answer.head.headers.values(for: "X-A") == ["1"])
  }

  @Test(
    arguments: [
      "Test-Header", "X-Test-Header", "Content-Foo", "X-Content-Foo", .contentLocation, .contentMD5,
      "Content-Security-Policy", .contentType, "Clear-Site-Data", "Public-Key-Pins", "Set-Cookie2", "X-Frame-Options",
      "X-XSS-Protection",
    ] as [HTTP.HeaderKey])
  func k7_a304UpdatesTheStoredFields(key: HTTP.HeaderKey) async throws {
    let stored: HTTP.Headers = [.eTag: "\"a\"", .cacheControl: "max-age=5", key: "old"]
    let answer = try await revalidated(stored, with: [key: "new"])
    #expect(answer.outcome == .revalidated && answer.head.headers.values(for: key) == ["new"])
    let again = try await service.send()
    #expect(again.outcome == .hit && again.head.headers.values(for: key) == ["new"])
  }

  @Test(
    arguments: [
      (.cacheControl, "max-age=5", "max-age=3600"), (.expires, TestTime.httpDate(5), TestTime.httpDate(3600)),
    ] as [(HTTP.HeaderKey, HTTP.HeaderValue, HTTP.HeaderValue)])
  func k7_a304UpdatesTheLifetime(key: HTTP.HeaderKey, old: HTTP.HeaderValue, new: HTTP.HeaderValue) async throws {
    let answer = try await revalidated([.eTag: "\"a\"", key: old], with: [key: new])
    #expect(answer.outcome == .revalidated && answer.head.headers.values(for: key) == [new])
    service.time.advance(by: 1000)
    let again = try await service.send()
    #expect(again.outcome == .hit && again.head.headers.values(for: key) == [new])
  }

  @Test func k7_theUpdatedEntryIsStored() async throws {
    _ = try await revalidated([.eTag: "\"a\""], with: ["X-A": "1", .cacheControl: "max-age=100"])
    let answer = try await service.send()
    #expect(answer.outcome == .hit)
    #expect(answer.head.headers["X-A"] == "1")
    #expect(answer.body == "body")
  }

  @Test(arguments: [
    HTTP.HeaderKey.contentLength, .contentEncoding, .contentRange, .connection, .keepAlive, .transferEncoding, .upgrade,
    "Proxy-Authenticate",
  ])
  func k7_bodyAndConnectionFieldsAreNotUpdated(key: HTTP.HeaderKey) async throws {
    let answer = try await revalidated([.eTag: "\"a\"", .contentLength: "4"], with: [key: "9"])
    #expect(answer.head.headers[key] == (key == .contentLength ? "4" : nil))
  }

  @Test func k7_a304WithADifferentTagIsIgnored() async throws {
    service.answer(200, [.eTag: "\"a\""], "old")
    service.answer(304, [.eTag: "\"b\""])
    service.answer(200, [.eTag: "\"b\""], "new")
    _ = try await service.send()
    let answer = try await service.send()
    #expect(answer.body == "new")
    #expect(service.session.requests.map { $0.headers.contains(.ifNoneMatch) } == [false, true, false])
  }

  @Test(arguments: [
    HTTP.HeaderKey.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range,
  ])
  func k7_conditionalRequestsAreForwardedUnlessAFreshResponseIsStored(key: HTTP.HeaderKey) async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=100"], "body")
    service.answer(304, [.eTag: "\"a\"", "X-A": "raw"])
    _ = try await service.send()
    service.time.advance(by: 110)
    let answer = try await service.send(.get, [key: "\"a\", \"b\""])
    #expect(answer.head.code == 304)
    #expect(answer.head.headers["X-A"] == "raw")
    #expect(answer.outcome == nil)
    #expect(service.session.requests.last?.headers == [key: "\"a\", \"b\""])
    // The stored response is unchanged.
    let stored = try await service.send(options: TransportOptions(cachePolicy: .maxStale))
    #expect(stored.head.headers["X-A"] == nil && stored.outcome == .stale)
    #expect(service.requestCount == 2)
  }

  @Test func k7_anUnsolicited304IsReturned() async throws {
    service.answer(304)
    #expect(try await service.send().head.code == 304)
  }

  @Test func k7_aServerErrorDoesNotRemoveTheEntry() async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=1"], "body")
    service.answer(500)
    service.answer(304)
    _ = try await service.send()
    service.time.advance(by: 10)
    #expect(try await service.send().head.code == 500)
    #expect(try await service.send().outcome == .revalidated)
  }

  @Test func k7_aResponseWithNoStoreRemovesTheEntry() async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=1"], "old")
    service.answer(200, [.cacheControl: "no-store"], "new")
    _ = try await service.send()
    service.time.advance(by: 10)
    #expect(try await service.send().body == "new")
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }

  @Test(arguments: ["no-store", "no-store, max-age=100", "private, no-store"])
  func k7_a304WithNoStoreRemovesTheEntry(cacheControl: HTTP.HeaderValue) async throws {
    // By its age, the response would be fresh for months.
    let answer = try await revalidated(
      [.lastModified: TestTime.httpDate(-100_000_000), .cacheControl: "no-cache"], with: [.cacheControl: cacheControl])
    #expect(answer.outcome == .revalidated && answer.body == "body")
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }

  /// Only caches that do not understand the status may not store it.
  @Test func k7_a304WithMustUnderstandKeepsTheEntry() async throws {
    _ = try await revalidated([.eTag: "\"a\""], with: [.cacheControl: "no-store, must-understand, max-age=100"])
    #expect(try await service.send().outcome == .hit)
  }

  /// Also if the entry was not used for the answer, as with a reload.
  @Test(arguments: [CachePolicy.standard, .reload])
  func k7_aHEADWithNoStoreRemovesTheEntry(policy: CachePolicy) async throws {
    service.answer(
      200, [.lastModified: TestTime.httpDate(-100_000_000), .cacheControl: "no-cache"], "body")
    service.answer(200, [.cacheControl: "no-store"], method: .head)
    _ = try await service.send()
    _ = try await service.send(.head, options: TransportOptions(cachePolicy: policy))
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }

  @Test func k7_aReloadedHEADThatDiffersRemovesTheEntry() async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=100"], "body")
    service.answer(200, [.eTag: "\"b\""], method: .head)
    _ = try await service.send()
    _ = try await service.send(.head, options: TransportOptions(cachePolicy: .reload))
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }

  /// Also if the entry was neither used nor validated.
  @Test(arguments: [CachePolicy.reload, .reloadEndToEnd])
  func k7_aReloadedResponseWithNoStoreRemovesTheEntry(policy: CachePolicy) async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=100"], "old")
    service.answer(500)
    service.answer(200, [.cacheControl: "no-store"], "new")
    _ = try await service.send()
    let reload = TransportOptions(cachePolicy: policy)
    // A server error does not replace the response.
    #expect(try await service.send(options: reload).head.code == 500)
    #expect(try await service.send().body == "old")
    #expect(try await service.send(options: reload).body == "new")
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }

  @Test func k7_eachVariantIsValidatedWithItsOwnTag() async throws {
    service.session.on(.get, service.url) { request in
      let language = request.headers[.acceptLanguage]?.rawValue ?? ""
      guard request.headers[.ifNoneMatch]?.rawValue != "\"\(language)\"" else { return .status(304) }
      return .status(200, headers: [.eTag: "\"\(language)\"", .vary: "Accept-Language"], body: Data(language.utf8))
    }
    for language: HTTP.HeaderValue in ["de", "en", "de", "en"] {
      #expect(try await service.send(.get, [.acceptLanguage: language]).body == language.rawValue)
    }
    #expect(service.session.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil, "\"de\"", "\"en\""])
  }

  @Test func k7_aMatchingHEADFreshensTheEntryOfGET() async throws {
    service.answer(200, [.eTag: "\"a\"", .cacheControl: "max-age=5", "X-B": "2"], "body")
    service.answer(200, [.eTag: "\"a\"", "X-A": "1"], method: .head)
    _ = try await service.send()
    service.time.advance(by: 10)
    // The response to HEAD is that of the server, without stored fields.
    let head = try await service.send(.head)
    #expect(head.outcome == .miss && !head.head.headers.contains("X-B"))
    let answer = try await service.send()
    #expect(answer.outcome == .hit)
    #expect(answer.head.headers["X-A"] == "1")
    #expect(answer.head.headers["X-B"] == "2")
  }

  @Test func k7_aHEADWithoutValidatorsUpdatesTheEntryOfGET() async throws {
    service.answer(200, [.cacheControl: "max-age=2", "X-A": "1"], "body")
    service.answer(200, [.cacheControl: "max-age=1000", "X-A": "2"], method: .head)
    _ = try await service.send()
    service.time.advance(by: 10)
    _ = try await service.send(.head)
    service.time.advance(by: 100)
    let answer = try await service.send()
    #expect(answer.outcome == .hit && answer.body == "body")
    #expect(answer.head.headers["X-A"] == "2")
  }

  @Test(
    arguments: [
      ([.eTag: "\"b\""], 200), ([.contentLength: "5"], 200), ([.lastModified: "never"], 200), ([:], 404),
      ([.cacheControl: "max-age=1000"], 410),
    ] as [(HTTP.Headers, HTTP.Status)])
  func k7_aMismatchedHEADRemovesTheEntryOfGET(headers: HTTP.Headers, status: HTTP.Status) async throws {
    service.answer(200, [.eTag: "\"a\"", .contentLength: "4", .cacheControl: "max-age=5"], "body")
    service.answer(status, headers, method: .head)
    _ = try await service.send()
    service.time.advance(by: 10)
    _ = try await service.send(.head)
    let options = TransportOptions(cachePolicy: .onlyIfCached)
    #expect(try await service.send(options: options).head.code == 504)
  }

  @Test(arguments: [HTTP.Method.post, .put, .delete, .patch, "PURGE", "M-SEARCH"])
  func k9_anUnsafeMethodInvalidatesItsTarget(method: HTTP.Method) async throws {
    for (status, isInvalidated) in [(200, true), (204, true), (303, true), (399, true), (400, false), (500, false)] {
      let service = try CachedService()
      service.serve([.cacheControl: "max-age=100"])
      service.answer(HTTP.Status(code: status), method: method)
      _ = try await service.send()
      _ = try await service.send(method)
      #expect(try await service.send().body == (isInvalidated ? "2" : "1"))
    }
  }

  @Test func k9_aFailedUnsafeRequestInvalidatesNothing() async throws {
    service.serve([.cacheControl: "max-age=100"])
    service.session.on(.post, service.url, .failure(TransportError(code: .connectionLost)))
    _ = try await service.send()
    await #expect(throws: TransportError(code: .connectionLost)) { try await service.send(.post) }
    #expect(try await service.send().body == "1")
  }

  /// A client whose URLs contain credentials stores its responses under these URLs.
  @Test(arguments: ["https://api.example.com/users/2", "/users/2"])
  func k9_locationsWithoutTheCredentialsOfTheURLAreInvalidated(location: String) async throws {
    let home = try #require(URL(string: "https://u:p@api.example.com/users"))
    let other = try #require(URL(string: "https://u:p@api.example.com/users/2"))
    service.serve([.cacheControl: "max-age=100"], at: other)
    service.session.on(.post, home, .status(201, headers: [.location: HTTP.HeaderValue(rawValue: location)]))
    _ = try await service.send(to: other)
    _ = try await service.send(.post, to: home)
    #expect(try await service.send(to: other).body == "2")
  }

  @Test(arguments: [HTTP.Method.options, .trace, .query])
  func k9_aSafeMethodInvalidatesNothing(method: HTTP.Method) async throws {
    service.serve([.cacheControl: "max-age=100"])
    service.answer(200, method: method)
    _ = try await service.send()
    _ = try await service.send(method)
    #expect(try await service.send().body == "1")
  }

  @Test(arguments: [
    ("/users/2", true), ("https://api.example.com/users/2", true), ("https://api.example.com:443/users/2#part", true),
    ("2", true), ("https://other.example.com/users/2", false), ("http://api.example.com/users/2", false),
    ("//other.example.com/users/2", false),
  ])
  func k9_locationsOnTheSameOriginAreInvalidated(location: String, isInvalidated: Bool) async throws {
    for method: HTTP.Method in [.post, .put, .delete, "M-SEARCH"] {
      for field: HTTP.HeaderKey in [.location, .contentLocation] {
        let service = try CachedService()
        let other = try #require(URL(string: location, relativeTo: service.url)?.absoluteURL)
        service.serve([.cacheControl: "max-age=100"], at: other)
        service.answer(201, [field: HTTP.HeaderValue(rawValue: location)], method: method)
        _ = try await service.send(to: other)
        _ = try await service.send(method)
        #expect(try await service.send(to: other).body == (isInvalidated ? "2" : "1"))
      }
    }
  }

  @Test(arguments: ["/a%zz", "/a|b", "/[1]", " /users/2 ", "/a/%2e%2E/b", "?", "/ü?q=a b", "/a%2Fb?%7e=\\"])
  func k9_locationsAreResolvedLikeRedirects(location: String) async throws {
    let base = URIReference(service.url.absoluteString)
    let other = try #require(URIReference(location).resolved(against: base).url)
    service.serve([.cacheControl: "max-age=100"], at: other)
    service.answer(201, [.location: HTTP.HeaderValue(rawValue: location)], method: .post)
    _ = try await service.send(to: other)
    _ = try await service.send(.post)
    #expect(try await service.send(to: other).body == "2")
  }

  @Test func k9_anEntryThatCouldNotBeRemovedIsNotReused() async throws {
    let storage = StickyStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "max-age=100"])
    service.answer(204, method: .put)
    _ = try await service.send()
    storage.isStuck.withLock { $0 = true }
    _ = try await service.send(.put)
    #expect(try await service.send().body == "2")
    #expect(try await service.send().body == "3")
    storage.isStuck.withLock { $0 = false }
    #expect(try await service.send().body == "4")
    #expect(try await service.send().outcome == .hit)
  }

  @Test func k9_allVariantsAreInvalidated() async throws {
    service.serve([.cacheControl: "max-age=100", .vary: "Accept"])
    service.answer(200, method: .put)
    for accept: HTTP.HeaderValue in ["a", "b"] { _ = try await service.send(.get, [.accept: accept]) }
    _ = try await service.send(.put, [.authorization: "Basic a"])
    #expect(try await service.send(.get, [.accept: "a"]).body == "3")
    #expect(try await service.send(.get, [.accept: "b"]).body == "4")
  }
}

/// A storage that does not remove entries while it is stuck.
private final class StickyStorage: CacheStorage {
  struct Stuck: Error {}

  let isStuck = Mutex(false)
  private let memory = MemoryCacheStorage()

  func entries(for key: CacheKey) -> [CacheEntry] { memory.entries(for: key) }
  func body(of entry: CacheEntry, for key: CacheKey) -> Data? { memory.body(of: entry, for: key) }
  func store(_ entry: CacheEntry, body: Data, for key: CacheKey) { memory.store(entry, body: body, for: key) }
  func update(_ entry: CacheEntry, for key: CacheKey) { memory.update(entry, for: key) }
  func remove(_ entry: CacheEntry, for key: CacheKey) { memory.remove(entry, for: key) }
  func removeAll() { memory.removeAll() }

  func removeAll(for key: CacheKey) throws {
    if isStuck.withLock({ $0 }) { throw Stuck() }
    memory.removeAll(for: key)
  }
}

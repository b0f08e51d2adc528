import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// The selection of the stored response for a request.
@Suite(.timeLimit(.minutes(15)))
struct CacheKeyTests {
  private func key(_ text: String) throws -> CacheKey? {
    CacheKey(try #require(URL(string: text)))
  }

  @Test(arguments: [
    ("https://example.com/a", "HTTPS://EXAMPLE.com:443/a#part", true),
    ("http://example.com", "http://example.com:80/", true),
    ("https://example.com/a", "http://example.com/a", false), ("https://example.com/a", "https://example.com/A", false),
    ("https://example.com/a", "https://example.com/a?", false),
    ("https://example.com/a?b", "https://example.com/a?c", false),
    ("https://example.com/a%2Fb", "https://example.com/a/b", false),
    ("https://example.com/", "https://u:p@example.com/", false),
    ("https://example.com:8443/", "https://example.com/", false),
  ])
  func k1_theKeyIsTheURLWithoutItsFragment(one: String, other: String, areEqual: Bool) throws {
    #expect(try (key(one) == key(other)) == areEqual)
    #expect(try key(one) != nil)
  }

  @Test func k1_theKeyDoesNotRevealTheURL() throws {
    let key = try #require(try key("https://example.com/secret?token=secret"))
    #expect(key.rawValue.utf8.count == 64)
    #expect(key.rawValue.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit })
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "data:,a"])
  func k1_otherSchemesHaveNoKey(text: String) throws {
    #expect(try key(text) == nil)
  }

  private func secondIsReused(
    vary: [String], _ first: HTTP.Headers, _ second: HTTP.Headers, stored fields: HTTP.Headers = [:],
    options: TransportOptions = TransportOptions()
  ) async throws -> Bool {
    let service = try CachedService()
    var headers = ([.cacheControl: "max-age=100"] as HTTP.Headers).merging(fields)
    for value in vary { headers.add(.vary, HTTP.HeaderValue(rawValue: value)) }
    service.serve(headers)
    _ = try await service.send(.get, first, options: options)
    _ = try await service.send(.get, second, options: options)
    return service.requestCount == 1
  }

  @Test func k1_fieldsNamedByVaryMustMatch() async throws {
    #expect(try await secondIsReused(vary: ["Foo"], ["Foo": "1"], ["Foo": "1"]))
    #expect(try await secondIsReused(vary: ["foo"], ["Foo": "1"], ["FOO": "1"]))
    #expect(try await !secondIsReused(vary: ["Foo"], ["Foo": "1"], ["Foo": "2"]))
    #expect(try await !secondIsReused(vary: ["Foo"], ["Foo": "1"], [:]))
    #expect(try await !secondIsReused(vary: ["Foo"], [:], ["Foo": "1"]))
    #expect(try await !secondIsReused(vary: ["Foo"], [:], ["Foo": ""]))
    #expect(try await secondIsReused(vary: ["Foo"], [:], [:]))
    #expect(try await secondIsReused(vary: ["Foo"], ["Other": "1"], ["Other": "2"]))
    #expect(try await secondIsReused(vary: ["Foo, Bar"], ["Foo": "1", "Bar": "2"], ["Bar": "2", "Foo": "1"]))
    #expect(try await !secondIsReused(vary: ["Foo, Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"]))
    #expect(try await !secondIsReused(vary: ["Foo", "Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"]))
    #expect(try await !secondIsReused(vary: ["Foo, Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "2", "Bar": "1"]))
    #expect(try await !secondIsReused(vary: ["Foo, Bar"], ["Foo": "1", "Bar": "2"], [:]))
    #expect(try await secondIsReused(vary: [""], ["Foo": "1"], ["Foo": "2"]))
  }

  @Test func k1_threeFieldsNamedByVaryMustMatch() async throws {
    let vary = ["Foo, Bar, Baz"]
    let first: HTTP.Headers = ["Foo": "1", "Bar": "abc", "Baz": "789"]
    #expect(try await secondIsReused(vary: vary, first, first))
    #expect(try await !secondIsReused(vary: vary, first, ["Foo": "2", "Bar": "abc", "Baz": "789"]))
    #expect(try await !secondIsReused(vary: vary, first, ["Foo": "1", "Baz": "789", "Bar": "abcde"]))
    #expect(try await secondIsReused(vary: vary, ["Foo": "1", "Baz": "789"], ["Foo": "1", "Baz": "789"]))
  }

  @Test func k1_varyWithAnAsteriskNeverMatches() async throws {
    #expect(try await !secondIsReused(vary: ["*"], [:], [:]))
    #expect(try await !secondIsReused(vary: ["Foo, *"], [:], [:]))
    // An unterminated quotation mark is an ordinary character.
    #expect(try await !secondIsReused(vary: ["\"Foo, *"], [:], [:]))
    #expect(try await !secondIsReused(vary: ["Foo", "*"], [:], [:]))
    for vary in [["*, *"], ["*", "*"], [", *"], ["", "*"], ["*, Foo"]] {
      #expect(try await !secondIsReused(vary: vary, ["Foo": "1"], ["Foo": "1"]))
    }
  }

  @Test func k1_lineBoundariesAndBlanksInFieldValuesAreIgnored() async throws {
    #expect(try await secondIsReused(vary: ["Foo"], ["Foo": "1", "foo": "2"], ["Foo": "1, 2"]))
    #expect(try await secondIsReused(vary: ["Foo"], ["Foo": "1,2"], ["Foo": " 1 , 2 "]))
    #expect(try await !secondIsReused(vary: ["Foo"], ["Foo": "1, 2"], ["Foo": "2, 1"]))
    #expect(try await !secondIsReused(vary: ["Foo"], ["Foo": "a"], ["Foo": "A"]))
    #expect(try await !secondIsReused(vary: ["Foo"], ["Foo": "\"a,b\""], ["Foo": "\"a, b\""]))
    #expect(try await !secondIsReused(vary: ["Foo"], ["Foo": "12"], ["Foo": "1, 2"]))
  }

  @Test(
    arguments: [
      (" en ,   de", true), ("de, en", false), ("eN, De", false), ("fr;q=0.5, de;q=1.0", false),
    ] as [(HTTP.HeaderValue, Bool)])
  func k1_languagesAreComparedAsText(languages: HTTP.HeaderValue, isReused: Bool) async throws {
    let isSecondReused = try await secondIsReused(
      vary: ["Accept-Language"], [.acceptLanguage: "en, de"], [.acceptLanguage: languages],
      stored: [.contentLanguage: "de"])
    #expect(isSecondReused == isReused)
  }

  @Test func k1_aURLHasSeveralVariants() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", .vary: "Accept-Language"])
    #expect(try await service.send(.get, [.acceptLanguage: "de"]).body == "1")
    #expect(try await service.send(.get, [.acceptLanguage: "en"]).body == "2")
    #expect(try await service.send(.get, [.acceptLanguage: "de"]).body == "1")
    #expect(try await service.send(.get, [.acceptLanguage: "en"]).body == "2")
    #expect(service.requestCount == 2)
  }

  @Test func k1_theLatestOfSeveralMatchingEntriesIsUsed() async throws {
    let service = try CachedService()
    service.answer(200, [.cacheControl: "max-age=100", .vary: "Accept"], "by type")
    service.answer(200, [.cacheControl: "max-age=100", .vary: "Accept-Language"], "by language")
    #expect(try await service.send(.get, [.accept: "a", .acceptLanguage: "de"]).body == "by type")
    service.time.advance(by: 1)
    #expect(try await service.send(.get, [.accept: "b", .acceptLanguage: "en"]).body == "by language")
    #expect(try await service.send(.get, [.accept: "a", .acceptLanguage: "en"]).body == "by language")
    #expect(service.requestCount == 2)
  }

  // MARK: Responses that change the selection

  /// Stores "de" for German, which `update` then changes for a German request. Returns the answers to a French and a German request.
  private func selection(
    after first: HTTP.Headers, _ update: (CachedService) async throws -> Void
  ) async throws -> (french: CachedService.Answer, german: CachedService.Answer, count: Int) {
    let service = try CachedService()
    service.answer(200, first.merging([.eTag: "\"1\""]), "de")
    _ = try await service.send(.get, [.acceptLanguage: "de"])
    service.time.advance(by: 1)
    try await update(service)
    service.serve([.cacheControl: "max-age=100", .vary: "Accept-Language"])
    let french = try await service.send(.get, [.acceptLanguage: "fr"])
    return (french, try await service.send(.get, [.acceptLanguage: "de"]), service.requestCount)
  }

  @Test func k1_theVaryOfA304SelectsTheRequests() async throws {
    let (french, german, count) = try await selection(after: [.cacheControl: "no-cache"]) { service in
      service.answer(304, [.cacheControl: "max-age=100", .vary: "Accept-Language"])
      let confirmed = try await service.send(.get, [.acceptLanguage: "de"])
      #expect(confirmed.outcome == .revalidated)
    }
    #expect(french.outcome == .miss && french.body == "1")
    #expect(german.outcome == .hit && german.body == "de")
    #expect(count == 3)
  }

  /// The server no longer varies the response by the language.
  @Test func k1_a304CanWidenTheSelection() async throws {
    let service = try CachedService()
    service.answer(200, [.cacheControl: "no-cache", .eTag: "\"1\"", .vary: "Accept-Language, Accept"], "all")
    service.answer(304, [.cacheControl: "max-age=100", .vary: "Accept"])
    for _ in 1...2 { _ = try await service.send(.get, [.acceptLanguage: "de", .accept: "a"]) }
    #expect(try await service.send(.get, [.acceptLanguage: "fr", .accept: "a"]).outcome == .hit)
    #expect(service.requestCount == 2)
  }

  @Test func k1_a304WithVaryAsteriskRemovesTheEntry() async throws {
    let (french, german, _) = try await selection(after: [.cacheControl: "no-cache"]) { service in
      service.answer(304, [.cacheControl: "max-age=100", .vary: "*"])
      let confirmed = try await service.send(.get, [.acceptLanguage: "de"])
      #expect(confirmed.outcome == .revalidated && confirmed.body == "de")
    }
    #expect(french.outcome == .miss && german.outcome == .miss)
  }

  @Test(arguments: ["Accept-Language", "*"])
  func k1_theVaryOfAHEADChangesTheSelection(vary: HTTP.HeaderValue) async throws {
    let (french, _, _) = try await selection(after: [.cacheControl: "no-cache"]) { service in
      service.answer(200, [.eTag: "\"1\"", .cacheControl: "max-age=100", .vary: vary], method: .head)
      _ = try await service.send(.head, [.acceptLanguage: "de"])
    }
    #expect(french.outcome == .miss && french.body == "1")
  }

  @Test(arguments: [CachePolicy.reload, .reloadEndToEnd, .noCache])
  func k1_aResponseWithVaryReplacesTheEntryThatItsRequestSelected(policy: CachePolicy) async throws {
    let (french, german, count) = try await selection(after: [.cacheControl: "max-age=100"]) { service in
      service.answer(200, [.eTag: "\"2\"", .cacheControl: "max-age=100", .vary: "Accept-Language"], "neu")
      let reload = TransportOptions(cachePolicy: policy)
      let reloaded = try await service.send(.get, [.acceptLanguage: "de"], options: reload)
      #expect(reloaded.body == "neu")
    }
    #expect(french.outcome == .miss && french.body == "1")
    #expect(german.outcome == .hit && german.body == "neu")
    #expect(count == 3)
  }

  @Test func k1_theVaryOfABackgroundValidationSelectsTheRequests() async throws {
    let (french, german, _) = try await selection(
      after: [.cacheControl: "max-age=0, stale-while-revalidate=100"]
    ) { service in
      service.answer(304, [.cacheControl: "max-age=100", .vary: "Accept-Language"])
      let stale = try await service.send(.get, [.acceptLanguage: "de"])
      #expect(stale.outcome == .stale)
      await waitUntil { service.requestCount == 2 && service.cache.fetches.callerCount == 0 }
    }
    #expect(french.outcome == .miss && french.body == "1")
    #expect(german.outcome == .hit && german.body == "de")
  }

  /// With signatures of single requests, each response is a variant that no other request selects.
  @Test(arguments: [HTTP.HeaderKey.authorization, .cookie, "X-Varying"])
  func k1_aURLHasALimitedNumberOfVariants(field: HTTP.HeaderKey) async throws {
    let storage = MemoryCacheStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "max-age=1000", .vary: "X-Varying"])
    let key = try #require(CacheKey(service.url))
    var largest = 0
    for number in 1...250 {
      service.time.advance(by: 1)
      _ = try await service.send(.get, [field: "HMAC t=\(number)"])
      largest = max(largest, storage.entries(for: key).count)
    }
    #expect(largest == 100)
    // The latest variants are kept.
    #expect(try await service.send(.get, [field: "HMAC t=250"]).outcome == .hit)
    #expect(try await service.send(.get, [field: "HMAC t=160"]).outcome == .hit)
    #expect(try await service.send(.get, [field: "HMAC t=1"]).outcome == .miss)
  }

  @Test func k1_credentialsMustMatch() async throws {
    for field: HTTP.HeaderKey in [.authorization, .cookie] {
      #expect(try await secondIsReused(vary: [], [field: "a"], [field: "a"]))
      #expect(try await !secondIsReused(vary: [], [field: "a"], [field: "b"]))
      #expect(try await !secondIsReused(vary: [], [field: "a"], [:]))
      #expect(try await !secondIsReused(vary: [], [:], [field: "a"]))
    }
    #expect(try await !secondIsReused(vary: [], [.authorization: "a"], [.cookie: "a"]))
    #expect(try await secondIsReused(vary: [], ["X-Key": "a"], ["X-Key": "b"]))
    var options = TransportOptions()
    options.sensitiveHeaders = ["X-Key"]
    #expect(try await !secondIsReused(vary: [], ["X-Key": "a"], ["X-Key": "b"], options: options))
    #expect(try await secondIsReused(vary: [], ["X-Key": "a"], ["x-key": "a"], options: options))
  }

  /// The name says that the field has a credential, as it does for logs.
  @Test(arguments: ["X-Api-Key", "x-auth-token", "Ocp-Apim-Subscription-Key", "X-Session-Id"] as [HTTP.HeaderKey])
  func k1_otherFieldsWithCredentialsMustMatch(field: HTTP.HeaderKey) async throws {
    #expect(try await secondIsReused(vary: [], [field: "alice"], [field: "alice"]))
    #expect(try await !secondIsReused(vary: [], [field: "alice"], [field: "bob"]))
    #expect(try await !secondIsReused(vary: [], [field: "alice"], [:]))
    #expect(try await !secondIsReused(vary: [], [:], [field: "bob"]))
  }

  @Test(arguments: [.userAgent, .xRequestID, .accept, "Idempotency-Key", "X-Tenant"] as [HTTP.HeaderKey])
  func k1_fieldsWithoutCredentialsNeedNotMatch(field: HTTP.HeaderKey) async throws {
    #expect(try await secondIsReused(vary: [], [field: "a"], [field: "b"]))
  }

  @Test func k1_digestCredentialsAreComparedByUserAndRealm() async throws {
    func digest(_ user: String, _ realm: String, _ rest: String) -> HTTP.Headers {
      [
        .authorization: HTTP.HeaderValue(
          rawValue: "Digest \(user), realm=\"\(realm)\", nonce=\"n\", uri=\"/\", qop=auth, \(rest)")
      ]
    }
    let first = digest("username=\"ada\"", "a", "nc=00000001, cnonce=\"c\", response=\"1\"")
    let second = digest("username=\"ada\"", "a", "nc=00000002, cnonce=\"d\", response=\"2\"")
    #expect(try await secondIsReused(vary: [], first, second))
    #expect(try await secondIsReused(vary: ["Authorization"], first, second))
    for other in [
      digest("username=\"eve\"", "a", "response=\"1\""), digest("username=\"ada\"", "b", "response=\"1\""),
      digest("username*=UTF-8''ada", "a", "response=\"1\""),
      digest("username=ada, userhash=true", "a", "response=\"1\""),
      [.authorization: "Basic username=ada, realm=a"],
    ] {
      #expect(try await !secondIsReused(vary: [], first, other))
    }
    // Without a user and a realm, callers are distinguished by the whole value.
    #expect(
      try await !secondIsReused(
        vary: [], [.authorization: "Digest response=\"1\""], [.authorization: "Digest response=\"2\""]))
  }

  @Test func k1_digestRequestsShareOneEntry() async throws {
    let storage = MemoryCacheStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "no-cache"])
    for count in 1...3 {
      let value = "Digest username=\"ada\", realm=\"a\", nc=0000000\(count), response=\"\(count)\""
      _ = try await service.send(.get, [.authorization: HTTP.HeaderValue(rawValue: value)])
    }
    let key = try #require(CacheKey(service.url))
    #expect(storage.entries(for: key).count == 1)
  }

  @Test func k1_credentialsAreNotStored() async throws {
    let storage = MemoryCacheStorage()
    let service = try CachedService(storage: storage)
    service.serve([.cacheControl: "max-age=100", .vary: "Cookie"])
    _ = try await service.send(.get, [.authorization: "Bearer token-1", .cookie: "session-1"])
    let key = try #require(CacheKey(service.url))
    let entry = try #require(storage.entries(for: key).first)
    let stored = String(decoding: try entry.encoded(), as: UTF8.self)
    #expect(!stored.contains("token-1") && !stored.contains("session-1"))
  }

  @Test func k1_headUsesTheEntryOfGET() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", .contentLength: "1", "X-A": "b"])
    _ = try await service.send()
    let head = try await service.send(.head)
    #expect(head.outcome == .hit)
    #expect(head.body == "")
    #expect(head.head.headers["X-A"] == "b")
    #expect(head.head.headers[.contentLength] == "1")
    #expect(service.requestCount == 1)
  }

  @Test func k1_aResponseToHEADIsNotUsedForGET() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100"], method: .head)
    service.serve([.cacheControl: "max-age=100"])
    #expect(try await service.send(.head).outcome == .miss)
    #expect(try await service.send().body == "1")
    #expect(service.requestCount == 2)
  }
}

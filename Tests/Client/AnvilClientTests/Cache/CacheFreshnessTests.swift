import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// Freshness lifetimes. Each case states whether a second request, three seconds later, is answered from the cache.
@Suite(.timeLimit(.minutes(15)))
struct CacheFreshnessTests {
  private func isReused(
    _ headers: HTTP.Headers, status: HTTP.Status = 200, after seconds: Double = 3, request: HTTP.Headers = [:]
  ) async throws -> Bool {
    let service = try CachedService()
    service.serve(headers, status: status)
    _ = try await service.send(.get, request)
    service.time.advance(by: seconds)
    let second = try await service.send(.get, request)
    // A 204 has no body.
    #expect((second.body == "1") == (service.requestCount == 1) || status.code == 204)
    #expect((second.outcome == .hit) == (service.requestCount == 1))
    return service.requestCount == 1
  }

  @Test(arguments: [
    ("max-age=3600", true), ("max-age=3", false), ("max-age=4", true), ("max-age=0", false),
    ("max-age=2147483647", true), ("max-age=2147483648", true), ("max-age=2147483649", true),
    ("max-age=99999999999", true), ("max-age=99999999999999999999999999", true), ("max-age=003600", true),
    ("MaX-aGe=3600", true), ("foo, max-age=3600", true), ("foo=bar, max-age=3600, baz=\"a,b\"", true),
    ("max-age=\"3600\"", true), ("max-age=3600,", true), (",,max-age=3600", true),
    ("max-age =3600", false), ("max-age= 3600", false), ("max-age\t=\t3600", false), ("max-age = \"3600\"", false),
    ("max-age=3600, max-age =3600", false), ("no-store =x, max-age=3600", false),
    ("no-cache = \"X-A\", max-age=3600", false),
    ("max-age=3600 , foo = bar", true), ("public , max-age=3600", true),
    ("max-age=-3600", false), ("max-age=3600.0", false), ("max-age='3600'", false), ("max-age=", false),
    ("max-age", false), ("max-age=3600s", false), ("max-age=0x10", false), ("max-age=a3600", false),
    ("max-age=3600.5", false),
    ("max-age=3600, max-age=3600", true), ("max-age=3600, max-age=1", false), ("max-age=1, max-age=3600", false),
    ("ext=\"max-age=3600\"", false), ("ext=\", max-age=3600, \"", false),
    ("ext=\"max-age=3600\", max-age=1", false), ("max-age=1, ext=\"max-age=3600\"", false),
    ("s-maxage=3600", false), ("s-maxage=1, max-age=3600", true), ("s-maxage=3600, max-age=1", false),
    ("private, max-age=3600", true), ("public, max-age=3600", true), ("proxy-revalidate, max-age=3600", true),
    ("no-transform, max-age=3600", true), ("no-store, max-age=3600", false), ("NO-STORE, max-age=3600", false),
    ("no-cache, max-age=3600", false), ("no-cache=\"X-A\", max-age=3600", false), ("", false),
  ])
  func k3_maxAgeDeterminesTheLifetime(cacheControl: String, isReused: Bool) async throws {
    #expect(try await self.isReused([.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)]) == isReused)
  }

  /// Nobody knows how old a response is that was received before the clock was set back.
  @Test(arguments: [(-2_592_000.0, false), (-61, false), (-30, true)])
  func k4_aResponseOfTheFutureIsValidated(seconds: Double, isReused: Bool) async throws {
    #expect(try await self.isReused([.cacheControl: "max-age=3600"], after: seconds) == isReused)
  }

  @Test func k3_directivesOfAllLinesApply() async throws {
    #expect(try await isReused([.cacheControl: "foo", "cache-control": "max-age=3600"]))
    #expect(try await !isReused([.cacheControl: "max-age=3600", "cache-control": "no-store"]))
    #expect(try await !isReused([.cacheControl: "max-age=3600", "cache-control": "max-age=1"]))
    #expect(try await !isReused([.cacheControl: "max-age=1", "cache-control": "max-age=3600"]))
    #expect(try await !isReused([.cacheControl: "s-maxage=3600", "cache-control": "max-age=1"]))
  }

  @Test(arguments: ["CDN-Cache-Control", "Surrogate-Control"] as [HTTP.HeaderKey])
  func k3_fieldsForSharedCachesAreIgnored(key: HTTP.HeaderKey) async throws {
    #expect(try await !isReused([key: "max-age=3600"]))
    #expect(try await !isReused([.cacheControl: "no-store", key: "max-age=3600"]))
    #expect(try await isReused([.cacheControl: "max-age=3600", key: "max-age=0"]))
    #expect(try await isReused([.cacheControl: "max-age=3600", key: "no-store"]))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 09:49:37 GMT", true), ("Sunday, 06-Nov-94 09:49:37 GMT", true),
    ("Sun Nov  6 09:49:37 1994", true), ("Sun, 06 Nov 1994 08:49:37 GMT", false),
    ("Sat, 05 Nov 1994 08:49:37 GMT", false), ("0", false), ("-1", false), ("never", false), ("", false),
    ("Sun, 06 Nov 1994 09:49:37 UTC", false), ("Sun, 06 Nov 1994 09:49:37 +0100", false),
    ("Sun,  06 Nov 1994 09:49:37 GMT", false), ("Sun, 6 Nov 1994 9:49:37 GMT", false),
    ("Mon, 06 Nov 1994 09:49:37 GMT", false), ("Sun, 06 NOV 1994 09:49:37 GMT", true),
    ("SUN, 06 Nov 1994 09:49:37 GMT", true), ("Sun, 06 Nov 1994 09:49:37 gMT", true),
    ("Sun, 06 Nov 1994 09:49:37", false), ("Sun, 06 Nov 1994 09-49-37 GMT", false),
    ("Sun, 06 Nov 1994 09.49.37 GMT", false), ("Sun, 06 Nov 1994 9:49:37 GMT", false),
    ("Sun, 06 Nov 1994 09:49:37 AEST", false), ("Sun 06 Nov 1994 09:49:37 GMT", false),
    ("Sun, 06  Nov  1994 09:49:37 GMT", false), ("Sun, 06-Nov-1994 09:49:37 GMT", false),
    ("Sun, 06 Nov 94 09:49:37 GMT", false),
    ("Tue, 19 Jan 2038 14:14:08 GMT", true), ("Sun, 21 Nov 2286 04:46:39 GMT", true),
  ])
  func k3_expiresMinusDateIsTheLifetimeWithoutMaxAge(expires: String, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.expires: HTTP.HeaderValue(rawValue: expires), .date: TestTime.httpDate(0)]
    #expect(try await self.isReused(headers) == isReused)
    // Without a valid `Date` field, the time at which the response was received is used.
    #expect(try await self.isReused([.expires: HTTP.HeaderValue(rawValue: expires)]) == isReused)
    #expect(try await self.isReused([.expires: HTTP.HeaderValue(rawValue: expires), .date: "foo"]) == isReused)
  }

  @Test(arguments: [
    ("max-age=3600", -3600, true), ("max-age=0", 3600, false), ("max-age=x", 3600, false), ("foo", 3600, true),
  ])
  func k3_maxAgeTakesPrecedenceOverExpires(cacheControl: String, expires: Int, isReused: Bool) async throws {
    let headers: HTTP.Headers = [
      .cacheControl: HTTP.HeaderValue(rawValue: cacheControl), .expires: TestTime.httpDate(expires),
    ]
    #expect(try await self.isReused(headers) == isReused)
  }

  @Test func k3_maxAgeTakesPrecedenceOverAnInvalidExpires() async throws {
    #expect(try await isReused([.cacheControl: "max-age=3600", .expires: "0"]))
  }

  @Test func k3_conflictingExpiresMakeAResponseStale() async throws {
    #expect(try await !isReused([.expires: TestTime.httpDate(3600), "expires": TestTime.httpDate(7200)]))
    #expect(try await isReused([.expires: TestTime.httpDate(3600), "expires": TestTime.httpDate(3600)]))
  }

  @Test func k3_expiresIsRelativeToTheServersDate() async throws {
    // The server's clock is an hour behind, and the response is old by the local clock.
    #expect(try await !isReused([.expires: TestTime.httpDate(0), .date: TestTime.httpDate(-3600)]))
    // The server's clock is an hour ahead.
    #expect(try await isReused([.expires: TestTime.httpDate(3610), .date: TestTime.httpDate(3600)]))
    #expect(
      try await !isReused([.expires: TestTime.httpDate(3610), .date: TestTime.httpDate(3600)], after: 11))
    // The response had already expired when it was created.
    #expect(try await !isReused([.expires: TestTime.httpDate(300), .date: TestTime.httpDate(400)]))
  }

  @Test(arguments: [
    200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599,
  ])
  func k3_explicitFreshnessAppliesToAnyStatus(code: Int) async throws {
    let status = HTTP.Status(code: code)
    #expect(try await isReused([.cacheControl: "max-age=3600"], status: status))
    let expired: HTTP.Headers = [.expires: TestTime.httpDate(-5000), .lastModified: TestTime.httpDate(-100_000)]
    #expect(try await !isReused(expired, status: status, after: 0))
  }

  @Test(arguments: [
    (200, true), (203, true), (204, true), (300, true), (301, true), (308, true), (404, true), (405, true),
    (410, true), (414, true), (501, true), (201, false), (202, false), (302, false), (303, false), (307, false),
    (400, false), (403, false), (500, false), (502, false), (503, false), (504, false), (599, false),
  ])
  func k3_heuristicFreshnessIsATenthOfTheAgeSinceLastModified(code: Int, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.date: TestTime.httpDate(0), .lastModified: TestTime.httpDate(-50)]
    #expect(try await self.isReused(headers, status: HTTP.Status(code: code)) == isReused)
    #expect(try await !self.isReused(headers, status: HTTP.Status(code: code), after: 6))
  }

  @Test(arguments: [
    (5, false), (10, false), (30, false), (60, true), (300, true), (600, true), (1200, true), (1800, true),
    (3600, true), (43_200, true), (86_400, true),
  ])
  func k3_theHeuristicLifetimeDependsOnLastModified(secondsAgo: Int, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.date: TestTime.httpDate(0), .lastModified: TestTime.httpDate(-secondsAgo)]
    #expect(try await self.isReused(headers) == isReused)
  }

  @Test(arguments: [[.cacheControl: "max-age=3600"], [.lastModified: TestTime.httpDate(-100_000)]] as [HTTP.Headers])
  func k3_attachmentsAreReused(freshness: HTTP.Headers) async throws {
    let attachment: HTTP.Headers = [.contentDisposition: "attachment; filename=example.txt"]
    #expect(try await isReused(attachment.merging(freshness)))
  }

  @Test func k3_publicAllowsHeuristicFreshnessForAnyStatus() async throws {
    let headers: HTTP.Headers = [.lastModified: TestTime.httpDate(-1000), .cacheControl: "public"]
    #expect(try await isReused(headers, status: 599))
  }

  @Test func k3_aResponseWithoutFreshnessInformationIsStale() async throws {
    #expect(try await !isReused([:]))
    #expect(try await !isReused([.eTag: "\"a\""]))
    #expect(try await !isReused([.pragma: "public"]))
  }

  @Test(arguments: [
    ("7200", false), ("3590", true), ("3598", false), ("0", true), ("abc", true), ("-7200", true), ("7200.0", true),
    ("7200, 0", false), ("0, 7200", true), ("0, 0", true), ("2147483647", false), ("2147483648", false),
    ("2147483649", false), ("99999999999999999999999", false), ("7200;foo=bar", true), ("7200;foo=111", true),
    ("", true),
  ])
  func k4_theAgeFieldReducesTheRemainingLifetime(age: String, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.cacheControl: "max-age=3600", .age: HTTP.HeaderValue(rawValue: age)]
    #expect(try await self.isReused(headers) == isReused)
  }

  @Test func k4_theFirstOfSeveralAgesIsUsed() async throws {
    #expect(try await !isReused([.cacheControl: "max-age=3600", .age: "7200", "age": "0"]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .age: "0", "age": "7200"]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .age: "0", "age": "0"]))
    #expect(try await isReused([.cacheControl: "max-age=10000", .age: "3600", "age": "3600"]))
  }

  @Test func k4_anOldDateIncreasesTheAge() async throws {
    #expect(try await !isReused([.cacheControl: "max-age=3600", .date: TestTime.httpDate(-7200)]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .date: TestTime.httpDate(-3590)]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .date: TestTime.httpDate(7200)]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .date: "yesterday"]))
  }

  /// The date is that of a slow and of a fast clock. Without the age, both responses would be fresh.
  @Test(arguments: [(-10, 10, "25"), (10, 20, "15")])
  func k4_theAgeFieldIsComparedWithExpires(date: Int, expires: Int, age: String) async throws {
    let headers: HTTP.Headers = [.date: TestTime.httpDate(date), .expires: TestTime.httpDate(expires)]
    #expect(try await isReused(headers, after: 0))
    #expect(try await !isReused(headers.merging([.age: HTTP.HeaderValue(rawValue: age)]), after: 0))
  }

  @Test(arguments: [[.cacheControl: "max-age=100"], [.expires: TestTime.httpDate(100)]] as [HTTP.Headers])
  func k4_aReusedResponseCarriesItsAge(freshness: HTTP.Headers) async throws {
    let service = try CachedService()
    service.serve(freshness.merging([.age: "7", .date: TestTime.httpDate(-5)]))
    #expect(try await service.send().age == "7")
    #expect(try await service.send().age == "7")
    service.time.advance(by: 2.9)
    #expect(try await service.send().age == "9")
    #expect(service.requestCount == 1)
  }

  @Test(arguments: [[.cacheControl: "max-age=100"], [.expires: TestTime.httpDate(100)]] as [HTTP.Headers])
  func k4_aReusedResponseKeepsItsDateAndExpires(freshness: HTTP.Headers) async throws {
    let service = try CachedService()
    let headers = freshness.merging([.date: TestTime.httpDate(0)])
    service.serve(headers)
    _ = try await service.send()
    service.time.advance(by: 3)
    let answer = try await service.send()
    #expect(answer.outcome == .hit)
    #expect(HTTP.Headers(answer.head.headers.filter { $0.key != .age }) == headers)
  }

  @Test func k4_theTimeOfTheExchangeIsAddedToTheAge() async throws {
    let service = try CachedService()
    service.session.on(.get, service.url) { _ in
      service.time.advance(by: 10)
      return .status(200, headers: [.cacheControl: "max-age=100", .age: "5"])
    }
    // The server's response is returned unchanged.
    #expect(try await service.send().age == "5")
    #expect(try await service.send().age == "15")
  }

  @Test func k4_settingTheClockBackDoesNotReduceTheAge() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", .age: "50"])
    _ = try await service.send()
    service.time.advance(by: -1000)
    #expect(try await service.send().age == "50")
  }
}

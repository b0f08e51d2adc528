import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// Freshness lifetimes. Each case states whether a second request, three seconds later, is answered from the cache.
@Suite(.timeLimit(.minutes(2)))
struct CacheFreshnessTests {
  private func isReused(
    _ headers: HTTP.Headers, status: HTTP.Status = 200, after seconds: Double = 3, request: HTTP.Headers = [:]
  ) async throws -> Bool {
    let service = try CachedService()
    service.serve(headers, status: status)
    _ = try await service.send(.get, request)
    service.time.advance(by: seconds)
    let second = try await service.send(.get, request)
    #expect((second.body == "1") == (service.requestCount == 1))
    #expect((second.outcome == .hit) == (service.requestCount == 1))
    return service.requestCount == 1
  }

  @Test(arguments: [
    ("max-age=3600", true), ("max-age=3", false), ("max-age=4", true), ("max-age=0", false),
    ("max-age=2147483647", true), ("max-age=2147483648", true), ("max-age=99999999999999999999999999", true),
    ("MaX-aGe=3600", true), ("foo, max-age=3600", true), ("foo=bar, max-age=3600, baz=\"a,b\"", true),
    ("max-age=\"3600\"", true), ("max-age=3600,", true), (",,max-age=3600", true),
    ("max-age=-3600", false), ("max-age=3600.0", false), ("max-age='3600'", false), ("max-age=", false),
    ("max-age", false), ("max-age=3600s", false), ("max-age=0x10", false),
    ("max-age=3600, max-age=3600", true), ("max-age=3600, max-age=1", false), ("max-age=1, max-age=3600", false),
    ("ext=\"max-age=3600\"", false), ("ext=\", max-age=3600, \"", false),
    ("s-maxage=3600", false), ("s-maxage=1, max-age=3600", true), ("s-maxage=3600, max-age=1", false),
    ("private, max-age=3600", true), ("public, max-age=3600", true), ("proxy-revalidate, max-age=3600", true),
    ("no-transform, max-age=3600", true), ("no-store, max-age=3600", false), ("NO-STORE, max-age=3600", false),
    ("no-cache, max-age=3600", false), ("no-cache=\"X-A\", max-age=3600", false), ("", false),
  ])
  func k3_maxAgeDeterminesTheLifetime(cacheControl: String, isReused: Bool) async throws {
    #expect(try await self.isReused([.cacheControl: HTTP.HeaderValue(rawValue: cacheControl)]) == isReused)
  }

  @Test func k3_directivesOfAllLinesApply() async throws {
    #expect(try await isReused([.cacheControl: "foo", "cache-control": "max-age=3600"]))
    #expect(try await !isReused([.cacheControl: "max-age=3600", "cache-control": "no-store"]))
    #expect(try await !isReused([.cacheControl: "max-age=3600", "cache-control": "max-age=1"]))
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
  ])
  func k3_expiresMinusDateIsTheLifetimeWithoutMaxAge(expires: String, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.expires: HTTP.HeaderValue(rawValue: expires), .date: TestTime.httpDate(0)]
    #expect(try await self.isReused(headers) == isReused)
    // Without a `Date` field, the time at which the response was received is used.
    #expect(try await self.isReused([.expires: HTTP.HeaderValue(rawValue: expires)]) == isReused)
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
  }

  @Test(arguments: [
    (200, true), (203, true), (204, true), (300, true), (301, true), (308, true), (404, true), (405, true),
    (410, true), (414, true), (501, true), (201, false), (202, false), (302, false), (303, false), (307, false),
    (400, false), (403, false), (500, false), (503, false), (599, false),
  ])
  func k3_heuristicFreshnessIsATenthOfTheAgeSinceLastModified(code: Int, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.date: TestTime.httpDate(0), .lastModified: TestTime.httpDate(-50)]
    #expect(try await self.isReused(headers, status: HTTP.Status(code: code)) == isReused)
    #expect(try await !self.isReused(headers, status: HTTP.Status(code: code), after: 6))
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
    ("7200, 0", false), ("0, 7200", true), ("2147483648", false), ("99999999999999999999999", false),
    ("7200;foo=bar", true), ("", true),
  ])
  func k4_theAgeFieldReducesTheRemainingLifetime(age: String, isReused: Bool) async throws {
    let headers: HTTP.Headers = [.cacheControl: "max-age=3600", .age: HTTP.HeaderValue(rawValue: age)]
    #expect(try await self.isReused(headers) == isReused)
  }

  @Test func k4_theFirstOfSeveralAgesIsUsed() async throws {
    #expect(try await !isReused([.cacheControl: "max-age=3600", .age: "7200", "age": "0"]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .age: "0", "age": "7200"]))
  }

  @Test func k4_anOldDateIncreasesTheAge() async throws {
    #expect(try await !isReused([.cacheControl: "max-age=3600", .date: TestTime.httpDate(-7200)]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .date: TestTime.httpDate(-3590)]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .date: TestTime.httpDate(7200)]))
    #expect(try await isReused([.cacheControl: "max-age=3600", .date: "yesterday"]))
  }

  @Test func k4_aReusedResponseCarriesItsAge() async throws {
    let service = try CachedService()
    service.serve([.cacheControl: "max-age=100", .age: "7", .date: TestTime.httpDate(-5)])
    #expect(try await service.send().age == "7")
    #expect(try await service.send().age == "7")
    service.time.advance(by: 2.9)
    #expect(try await service.send().age == "9")
    #expect(service.requestCount == 1)
  }

  @Test func k4_theTimeOfTheExchangeIsAddedToTheAge() async throws {
    let service = try CachedService()
    service.session.on(.get, service.url) { _ in
      service.time.advance(by: 10)
      return .status(200, headers: [.cacheControl: "max-age=100", .age: "5"])
    }
    _ = try await service.send()
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

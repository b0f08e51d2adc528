import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// Conditional requests and range requests that are answered from the cache.
@Suite(.timeLimit(.minutes(15)))
struct CacheConditionalTests {
  private let service: CachedService

  init() throws {
    service = try CachedService()
  }

  /// Stores `0123456789A` with these fields, fresh for 100 s, and sends a GET with `conditions` 10 s later.
  private func second(
    _ conditions: HTTP.Headers, stored fields: HTTP.Headers, method: HTTP.Method = .get
  ) async throws -> CachedService.Answer {
    service.answer(200, ([.cacheControl: "max-age=100"] as HTTP.Headers).merging(fields), "0123456789A")
    _ = try await service.send()
    service.time.advance(by: 10)
    service.answer(200, [:], "from the server", method: method)
    return try await service.send(method, conditions)
  }

  @Test(
    arguments: [
      (#""abcdef""#, #""abcdef""#), (#""abcdef""#, #"W/"abcdef""#), (#"W/"abcdef""#, #"W/"abcdef""#),
      (#""abcdef""#, #""abcdef", "1234", "5678""#), (#""abcdef""#, #""1234", "abcdef", "5678""#),
      (#""abcdef""#, #""1234","5678","abcdef""#), (#""a,b""#, #""a,b""#), (#""é""#, #""é""#), ("abcdef", "abcdef"),
      (#""abcdef""#, "*"), (#""a\""#, #""a\", "b""#), (#"w/"abcdef""#, #"w/"abcdef""#),
      (#"W\"abcdef""#, #"W\"abcdef""#), (#"W"abcdef""#, #"W"abcdef""#),
    ] as [(HTTP.HeaderValue, HTTP.HeaderValue)])
  func k7_aMatchingTagIsAnsweredWith304(stored: HTTP.HeaderValue, wanted: HTTP.HeaderValue) async throws {
    let answer = try await second(
      [.ifNoneMatch: wanted], stored: [.eTag: stored, .contentType: "text/plain", .date: TestTime.httpDate(0)])
    #expect(answer.head.code == 304 && answer.body.isEmpty && answer.outcome == .hit)
    #expect(answer.head.headers[.eTag] == stored)
    #expect(answer.head.headers[.cacheControl] == "max-age=100" && answer.age == "10")
    #expect(answer.head.headers[.date] == TestTime.httpDate(0))
    #expect(!answer.head.headers.contains(.contentType) && !answer.head.headers.contains(.contentLength))
  }

  @Test(arguments: [#""abc""#, #""ABCDEF""#, "abcdef", #""1", "2""#, ""])
  func k7_aDifferentTagIsAnsweredWithTheWholeResponse(wanted: HTTP.HeaderValue) async throws {
    // The date would match, but the tag takes precedence.
    let answer = try await second(
      [.ifNoneMatch: wanted, .ifModifiedSince: TestTime.httpDate(0)],
      stored: [.eTag: #""abcdef""#, .lastModified: TestTime.httpDate(-100)])
    #expect(answer.head.code == 200 && answer.body == "0123456789A" && answer.outcome == .hit)
  }

  @Test func k7_anUnquotedTagDiffersFromAQuotedTag() async throws {
    let answer = try await second([.ifNoneMatch: #""abcdef""#], stored: [.eTag: "abcdef"])
    #expect(answer.head.code == 200 && answer.outcome == .hit)
  }

  @Test(arguments: [#""abcdef""#, "abcdef"])
  func k7_aConditionalRequestWithoutAnEntryIsForwardedUnchanged(tag: HTTP.HeaderValue) async throws {
    let conditions: HTTP.Headers = [.ifNoneMatch: tag]
    service.answer(304)
    #expect(try await service.send(.get, conditions).head.code == 304)
    #expect(service.session.requests.last?.headers == conditions)
  }

  @Test func k7_aTagHasPrecedenceOverADate() async throws {
    let answer = try await second(
      [.ifNoneMatch: #""a""#, .ifModifiedSince: TestTime.httpDate(-5000)],
      stored: [.eTag: #""a""#, .lastModified: TestTime.httpDate(-100)])
    #expect(answer.head.code == 304)
  }

  @Test(arguments: [
    (TestTime.httpDate(-3000), 304), (TestTime.httpDate(-2999), 304), (TestTime.httpDate(-3001), 200),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 304), ("yesterday", 200),
  ])
  func k7_aDateIsComparedWithLastModified(since: HTTP.HeaderValue, status: Int) async throws {
    let answer = try await second([.ifModifiedSince: since], stored: [.lastModified: TestTime.httpDate(-3000)])
    #expect(answer.head.code == status && answer.outcome == .hit)
    #expect(answer.body == (status == 200 ? "0123456789A" : ""))
  }

  @Test(arguments: [(-1, 200), (0, 304)])
  func k7_dateIsComparedIfLastModifiedIsMissing(since: Int, status: Int) async throws {
    let answer = try await second(
      [.ifModifiedSince: TestTime.httpDate(since)], stored: [.date: TestTime.httpDate(0)])
    #expect(answer.head.code == status && answer.outcome == .hit)
  }

  @Test func k7_aConditionalHEADIsAnsweredWith304() async throws {
    let answer = try await second([.ifNoneMatch: #""a""#], stored: [.eTag: #""a""#], method: .head)
    #expect(answer.head.code == 304 && answer.outcome == .hit)
  }

  @Test(arguments: [
    ("bytes=0-1", "01", "bytes 0-1/11"), ("bytes=1-", "123456789A", "bytes 1-10/11"),
    ("bytes=-1", "A", "bytes 10-10/11"),
    ("Bytes=9-99", "9A", "bytes 9-10/11"), ("bytes=-99", "0123456789A", "bytes 0-10/11"),
    ("bytes=10-10", "A", "bytes 10-10/11"),
  ])
  func k1_aSingleRangeIsServedFromTheStoredBody(range: HTTP.HeaderValue, body: String, stated: String) async throws {
    let answer = try await second([.range: range], stored: [.contentLength: "11", .contentType: "text/plain"])
    #expect(answer.head.code == 206 && answer.body == body && answer.outcome == .hit)
    #expect(answer.head.headers[.contentRange]?.rawValue == stated)
    #expect(answer.head.headers.values(for: .contentLength).map(\.rawValue) == ["\(body.utf8.count)"])
    #expect(answer.head.headers[.contentType] == "text/plain")
  }

  @Test(arguments: [
    "bytes=0-1,3-4", "bytes=11-", "bytes=-0", "bytes=5-4", "bytes=", "bytes=-", "bytes=a-b", "lines=1-2",
    "bytes=99999999999999999999-", "bytes=0-99999999999999999999", "bytes=0--1",
  ])
  func k1_otherRangesAreForwarded(range: HTTP.HeaderValue) async throws {
    let answer = try await second([.range: range], stored: [:])
    #expect(answer.body == "from the server" && answer.outcome == nil)
  }

  @Test func k2_partialResponsesToRangesAreNotStored() async throws {
    let partial: HTTP.Headers = [.cacheControl: "max-age=100", .contentRange: "bytes 5-9/10"]
    for range: HTTP.HeaderValue in ["bytes=-5", "bytes=-5", "bytes=6-8", "bytes=6-", "bytes=-1"] {
      service.answer(206, partial, "56789")
      #expect(try await service.send(.get, [.range: range]).head.code == 206)
    }
    service.answer(200, [:], "0123456789")
    #expect(try await service.send().body == "0123456789")
    #expect(service.session.requests.map { $0.headers.contains(.range) } == [true, true, true, true, true, false])
  }

  @Test(
    arguments: [
      ([.eTag: #""a""#], #""a""#, 206), ([.eTag: #""a""#], #""b""#, 200), ([.eTag: #"W/"a""#], #"W/"a""#, 200),
      ([.lastModified: TestTime.httpDate(-3000), .date: TestTime.httpDate(0)], TestTime.httpDate(-3000), 206),
      ([.lastModified: TestTime.httpDate(-3000), .date: TestTime.httpDate(0)], TestTime.httpDate(-2000), 200),
      ([:], #""a""#, 200),
    ] as [(HTTP.Headers, HTTP.HeaderValue, Int)])
  func k1_ifRangeNeedsTheSameStrongValidator(
    stored: HTTP.Headers, ifRange: HTTP.HeaderValue, status: Int
  ) async throws {
    let answer = try await second([.range: "bytes=0-1", .ifRange: ifRange], stored: stored)
    #expect(answer.head.code == status && answer.outcome == .hit)
    #expect(answer.body == (status == 206 ? "01" : "0123456789A"))
  }

  @Test func k5_onlyIfCachedAppliesToConditionalRequests() async throws {
    let answer = try await service.send(.get, [.ifNoneMatch: #""a""#, .cacheControl: "only-if-cached"])
    #expect(answer.head.code == 504 && service.requestCount == 0)
  }

  @Test(arguments: ["bytes=0-1,4-5", "bytes=500-"])
  func k5_onlyIfCachedForwardsNoRangeRequest(range: HTTP.HeaderValue) async throws {
    let answer = try await second([.range: range, .cacheControl: "only-if-cached"], stored: [:])
    #expect(answer.head.code == 504 && service.requestCount == 1)
  }

  @Test func k1_rangesOfEncodedResponsesAreForwarded() async throws {
    let answer = try await second([.range: "bytes=0-1"], stored: [.contentEncoding: "gzip"])
    #expect(answer.body == "from the server")
  }

  @Test func k6_noCacheIsForwardedWithItsConditions() async throws {
    let answer = try await second(
      [.ifNoneMatch: #""a""#, .cacheControl: "no-cache"], stored: [.eTag: #""a""#])
    #expect(answer.body == "from the server")
    #expect(service.session.requests.last?.headers[.ifNoneMatch] == #""a""#)
  }
}

import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

/// The delays that servers request, in all their forms.
@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:30 GMT
  private let now = Date(timeIntervalSince1970: 784_111_770)
  /// A time of 2027.
  private let later = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(
    arguments: [
      ("120", Duration.seconds(120)), ("0", .zero), ("007", .seconds(7)), (" 3 ", .seconds(3)),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(7)), ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(7)),
      ("Sun Nov  6 08:49:37 1994", .seconds(7)), ("Sun, 06 Nov 1994 08:49:30 GMT", .zero),
      ("Sun, 06 Nov 1994 08:49:29 GMT", nil), ("Mon, 06 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37", nil),
      ("", nil), ("-1", nil), ("+1", nil), ("1.5", .seconds(2)), ("0.001", .seconds(1)),
      ("3.0", .seconds(3)), ("2.000000000000000000000000001", .seconds(3)), ("1.", nil), (".5", nil), ("1.5.0", nil),
      ("1e3", nil), ("1,5", nil), ("1s", nil), ("0x10", nil), ("١", nil), ("tomorrow", nil),
    ] as [(String, Duration?)])
  func r6_allFormsOfRetryAfterAreParsed(text: String, delay: Duration?) {
    #expect(RetryAfter.delay(in: text, now: now) == delay)
  }

  @Test func r6_aDateLessThanASecondAheadDelaysTheRetry() {
    let text = "Sun, 06 Nov 1994 08:49:37 GMT"
    let date = Date(timeIntervalSince1970: 784_111_777)
    #expect(RetryAfter.delay(in: text, now: date.addingTimeInterval(-0.5)) == .milliseconds(500))
    #expect(RetryAfter.delay(in: text, now: date.addingTimeInterval(0.5)) == nil)
  }

  @Test func r6_aLeapSecondIsAccepted() {
    let now = Date(timeIntervalSince1970: 1_483_228_790)
    #expect(RetryAfter.delay(in: "Sat, 31 Dec 2016 23:59:60 GMT", now: now) == .seconds(10))
  }

  @Test func r6_anOverflowingNumberIsAVeryLongDelay() throws {
    let delay = try #require(RetryAfter.delay(in: String(repeating: "9", count: 400), now: now))
    #expect(delay > .seconds(1_000_000_000_000))
  }

  @Test func r6_theLongestOfSeveralDelaysIsUsed() {
    var headers: HTTP.Headers = [.retryAfter: "3"]
    headers.add(.retryAfter, "x")
    headers.add(.retryAfter, "5")
    #expect(RetryAfter.delay(in: headers, status: 503, now: now) == .seconds(5))
  }

  @Test(
    arguments: [
      ("RateLimit-Reset", "12", Duration.seconds(12)), ("X-RateLimit-Reset", "12", .seconds(12)),
      ("X-RateLimit-Retry-After", "12", .seconds(12)), ("x-ratelimit-reset", "12", .seconds(12)),
      ("RateLimit-Reset", "1800000030", .seconds(30)), ("X-RateLimit-Reset", "1800000030", .seconds(30)),
      // This field is never an epoch time, and values before 2024 are not in any field. They are numbers of seconds.
      ("X-RateLimit-Retry-After", "1800000030", .seconds(1_800_000_030)),
      ("X-RateLimit-Reset", "1704067199", .seconds(1_704_067_199)),
      // Milliseconds and fractions of seconds.
      ("X-RateLimit-Reset", "1800000030000", .seconds(30)), ("RateLimit-Reset", "1800000029001", .seconds(30)),
      ("X-RateLimit-Reset", "1800000029.5", .seconds(30)), ("X-RateLimit-Reset", "0.3", .seconds(1)),
      ("X-RateLimit-Reset", "1799999999999", nil),
      // The combined field of the newer drafts.
      ("RateLimit", "limit=10, remaining=0, reset=7", .seconds(7)), ("RateLimit", #""a";r=0;t=7"#, .seconds(7)),
      ("RateLimit", #""a";r=3;t=90, "b";r=0;t=7, "c";r=0;t=9"#, .seconds(9)), ("RateLimit", #""a";r=3;t=90"#, nil),
      // From 2024 on, values are epoch times. These have passed.
      ("X-RateLimit-Reset", "1704067200", nil), ("RateLimit-Reset", "1799999999", nil), ("RateLimit-Reset", "x", nil),
      ("X-Other-Reset", "12", nil),
    ] as [(HTTP.HeaderKey, HTTP.HeaderValue, Duration?)])
  func r7_fieldsOfRateLimits(key: HTTP.HeaderKey, value: HTTP.HeaderValue, delay: Duration?) {
    #expect(RetryAfter.delay(in: [key: value], status: 429, now: later) == delay)
  }

  @Test func r7_retryAfterTakesPrecedence() {
    let headers: HTTP.Headers = ["X-RateLimit-Reset": "50", .retryAfter: "3"]
    #expect(RetryAfter.delay(in: headers, status: 429, now: later) == .seconds(3))
    let invalid: HTTP.Headers = ["X-RateLimit-Reset": "50", .retryAfter: "x"]
    #expect(RetryAfter.delay(in: invalid, status: 429, now: later) == .seconds(50))
  }

  /// Other responses have these fields as well, whatever their error.
  @Test func r7_rateLimitFieldsApplyToCertainStatusesOnly() {
    let headers: HTTP.Headers = ["X-RateLimit-Reset": "50"]
    #expect(RetryAfter.delay(in: headers, status: 503, now: later) == .seconds(50))
    #expect(RetryAfter.delay(in: headers, status: 500, now: later) == nil)
    for (remaining, delay) in [("0", Duration.seconds(50)), ("4990", nil)] as [(HTTP.HeaderValue, Duration?)] {
      let headers = headers.merging(["X-RateLimit-Remaining": remaining])
      #expect(RetryAfter.delay(in: headers, status: 503, now: later) == delay)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func r6_anExtremeClockDoesNotEndTheProcess(seconds: Double) {
    let now = Date(timeIntervalSince1970: seconds)
    for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "120"] {
      #expect(RetryAfter.delay(in: text, now: now) ?? .zero >= .zero)
    }
  }
}

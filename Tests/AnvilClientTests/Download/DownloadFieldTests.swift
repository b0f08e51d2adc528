import AnvilHTTP
import Testing

@testable import AnvilClient

/// The fields that downloads read. Source: RFC 9110 §5.6.7, §14.4.
@Suite struct DownloadFieldTests {
  @Test(
    arguments: [
      ("bytes 0-0/1", .bytes(first: 0, last: 0, total: 1)),
      ("Bytes 5-9/*", .bytes(first: 5, last: 9, total: nil)),
      ("bytes */0", .unsatisfied(total: 0)),
      ("bytes 5-9/9", nil), ("bytes 9-5/10", nil), ("bytes -5/10", nil), ("bytes 5-/10", nil), ("bytes */*", nil),
      ("bytes 5-9", nil), ("bytes 5-9/10/11", nil), ("bytes=5-9/10", nil), ("5-9/10", nil), ("", nil),
      ("bytes +5-9/10", nil), ("bytes 0-9223372036854775807/*", nil), ("bytes 0-99999999999999999999/*", nil),
    ] as [(String, ContentRange?)])
  func rangesAreReadStrictly(text: String, range: ContentRange?) {
    #expect(ContentRange([.contentRange: HTTP.HeaderValue(rawValue: text)]) == range)
  }

  @Test func twoRangesAreNone() {
    var headers: HTTP.Headers = [.contentRange: "bytes 0-0/1"]
    headers.add(.contentRange, "bytes 0-0/1")
    #expect(ContentRange(headers) == nil)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
  ])
  func datesAreSeconds(text: String, seconds: Int) {
    #expect(HTTPDate(text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "Mon, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 nov 1994 08:49:37 GMT", "Thu, 29 Feb 2001 00:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:-7 GMT",
  ])
  func whatIsNoDateIsNone(text: String) {
    #expect(HTTPDate(text) == nil)
  }
}

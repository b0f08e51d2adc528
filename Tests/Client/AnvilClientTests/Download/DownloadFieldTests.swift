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
  func contentRangesAreParsedStrictly(text: String, range: ContentRange?) {
    #expect(ContentRange([.contentRange: HTTP.HeaderValue(rawValue: text)]) == range)
  }

  @Test func aRepeatedContentRangeIsInvalid() {
    var headers: HTTP.Headers = [.contentRange: "bytes 0-0/1"]
    headers.add(.contentRange, "bytes 0-0/1")
    #expect(ContentRange(headers) == nil)
  }
}

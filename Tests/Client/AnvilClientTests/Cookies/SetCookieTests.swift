import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

@Suite struct SetCookieTests {
  private let now = Date(timeIntervalSince1970: 1_000_000_000)

  private func parse(_ text: String) -> SetCookie? { SetCookie(text, now: now) }

  @Test(arguments: [
    ("a=b", "a", "b"), ("a = b ", "a", "b"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("=b", "", "b"), ("b", "", "b"),
    ("a=\"b c\"", "a", "\"b c\""), (" a\t=\tb\t;", "a", "b"), ("a=b; ; ;x", "a", "b"), ("a=\u{E4}", "a", "\u{E4}"),
    ("\ta=b\t;\tPath\t=\t/x\t", "a", "b"),
  ])
  func pairsAreSplitAtTheFirstEqualsSign(text: String, name: String, value: String) throws {
    let cookie = try #require(parse(text))
    #expect(cookie.name == name && cookie.value == value)
  }

  @Test(arguments: [
    "", "=", ";", "; Path=/", " = ", "a=b\u{0}", "a=b\u{7F}", "a=b; Path=/\r\n", "a\u{1}=b", "a=b; x\u{B}",
    "a=b\tc", "a\tb=c", "a\tb", "a=b; Path=/x\ty", "a=b; Domain=h\tx",
  ])
  func emptyLinesAndControlCharactersAreIgnored(text: String) {
    #expect(parse(text) == nil)
  }

  @Test func sizesHaveLimits() {
    #expect(parse("a=" + String(repeating: "b", count: 4095)) != nil)
    #expect(parse("a=" + String(repeating: "b", count: 4096)) == nil)
    #expect(parse("a=b; Path=/" + String(repeating: "p", count: 1023))?.path?.utf8.count == 1024)
    #expect(parse("a=b; Path=/" + String(repeating: "p", count: 1024))?.path == nil)
  }

  @Test func attributesHaveDefaults() throws {
    let cookie = try #require(parse("a=b"))
    #expect(!cookie.isSecure && !cookie.isHTTPOnly && cookie.sameSite == nil)
    #expect(cookie.path == nil && cookie.domain == nil && cookie.expiry == nil)
  }

  @Test func attributeNamesAreCaseInsensitiveAndTheLastOneApplies() throws {
    let cookie = try #require(
      parse("a=b; PATH=/x; path=/y; DOMAIN=.A.Example; secure; HTTPONLY=no; SameSite=LAX; Unknown=1"))
    #expect(cookie.path == "/y" && cookie.domain == "a.example" && cookie.isSecure && cookie.isHTTPOnly)
    #expect(cookie.sameSite == .lax)
    #expect(parse("a=b; Path=/x; Path=y")?.path == nil)
    #expect(parse("a=b; Domain=")?.domain == nil && parse("a=b; Domain=.")?.domain == nil)
    #expect(parse("a=b; SameSite=other")?.sameSite == nil)
  }

  @Test(
    arguments: [
      ("60", 60.0), ("0", nil), ("-1", nil), ("-", .nan), ("", .nan), ("1x", .nan), ("+1", .nan),
      ("99999999999999999999999", 34_560_000), ("34560001", 34_560_000),
    ] as [(String, Double?)])
  func maxAgeIsANumberOfSecondsUpTo400Days(text: String, seconds: Double?) throws {
    let expiry = try #require(parse("a=b; Max-Age=\(text)")).expiry
    switch seconds {
    case .some(let seconds) where seconds.isNaN: #expect(expiry == nil)
    case .some(let seconds): #expect(expiry == now.addingTimeInterval(seconds))
    case .none: #expect(try #require(expiry) < now)
    }
  }

  @Test func maxAgeTakesPrecedenceOverExpires() {
    let text = "a=b; Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(parse(text)?.expiry == now.addingTimeInterval(60))
    #expect(parse("a=b; Expires=Sun, 06 Nov 2094 08:49:37 GMT")?.expiry == now.addingTimeInterval(34_560_000))
    #expect(parse("a=b; Expires=tomorrow")?.expiry == nil)
  }

  /// 784111777 is the example of RFC 9110 §5.6.7.
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("06 november 94 8:49:37", 784_111_777),
      ("1994 08:49:37 6nov", nil), ("1994/6th/NOVEMBER/08:49:37", 784_111_777), ("Nov 1994 6 08:49:37x", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("01 Jan 70 00:00:00", 0), ("01 Jan 69 00:00:00", 3_124_224_000),
      ("29 Feb 2000 00:00:00", 951_782_400), ("29 Feb 1900 00:00:00", nil), ("31 Apr 2000 00:00:00", nil),
      ("01 Jan 1600 00:00:00", nil), ("01 Jan 1601 00:00:00", -11_644_473_600), ("01 Jan 2000 24:00:00", nil),
      ("01 Jan 2000 00:60:00", nil), ("01 Jan 2000 00:00:60", nil), ("01 Jan 2000 00:00", nil),
      ("01 Jan 2000 000:00:00", nil), ("00 Jan 2000 00:00:00", nil), ("01 Jon 2000 00:00:00", nil), ("", nil),
      ("01 Jan 20000 00:00:00", nil), ("\u{E9} 01 Jan 2000 00:00:00", 946_684_800),
    ] as [(String, Int?)])
  func expiryDatesAreParsedInManyFormats(text: String, seconds: Int?) {
    #expect(CookieDate.seconds(text) == seconds)
  }
}

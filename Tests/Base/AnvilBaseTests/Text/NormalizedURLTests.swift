import AnvilBase
import Testing

struct NormalizedURLTests {
  private static func isEquivalent(_ one: String, _ other: String) -> Bool {
    let (one, other) = (NormalizedURL(one), NormalizedURL(other))
    return one == other && one.hashValue == other.hashValue && one.difference(from: other) == nil
  }

  @Test(arguments: [
    ("http://h", "HTTP://H:80/"), ("https://h:443/a", "https://h:/a"), ("https://u:p@h/", "https://u:p@H"),
    ("/a?x=1", "/a?x=1#y?z"), ("/%2e%2E/a", "/a"), ("/a/.", "/a/"), ("?a", "/?a"), ("", "/"), ("/.//a", "//a"),
    ("/a?b?c", "/a?b%3Fc"), ("/a?+", "/a?%20"), ("/a?&&", "/a"), ("/%zz", "/%25zz"), ("/%", "/%25"),
    ("/a?%4", "/a?%254"),
    ("/\u{e9}?\u{e9}", "/%C3%A9?%c3%a9"), ("/a#\u{301}", "/a"), ("/a?\u{301}b", "/a?%CC%81b"), ("*", "*"),
    ("http://h/a?u=http://x/", "http://h/a?u=http%3A%2F%2Fx%2F"),
  ])
  func equivalentURLsAreEqual(one: String, other: String) {
    #expect(Self.isEquivalent(one, other) && Self.isEquivalent(other, one))
  }

  @Test(arguments: [
    ("http://h/", "https://h/"), ("http://h/", "http://h:81/"), ("https://u@h/", "https://h/"),
    ("http://h:443/", "http://h/"), ("ftp://h:a/", "ftp://h/"),
    ("/a%2fb", "/a/b"), ("/a%3Fb", "/a?b"), ("/a?x%26y", "/a?x&y"), ("/a?x%3Dy", "/a?x=y"), ("/a?x", "/a?x="),
    ("/a?=", "/a"),
    ("/a+b", "/a%20b"), ("/a?a=1&b=2", "/a?b=2&a=1"), ("/a?a&a", "/a?a"), ("/a//b", "/a/b"), ("/a", "/a/"),
    ("/a", "/A"),
    ("/\u{e9}", "/e\u{301}"), ("/%FF", "/%EF%BF%BD"), ("/%2525", "/%25"), ("/a?%2B", "/a?+"), ("//a", "/a"),
  ])
  func differentURLsAreNotEqual(one: String, other: String) {
    #expect(NormalizedURL(one) != NormalizedURL(other))
    #expect(NormalizedURL(one).difference(from: NormalizedURL(other)) != nil)
  }

  @Test func differencesAreNamed() {
    func difference(_ one: String, _ other: String) -> String? {
      NormalizedURL(one).difference(from: NormalizedURL(other))
    }
    #expect(difference("http://a/x", "http://b/x") == "the origin is http://a, not http://b")
    #expect(difference("/a", "/b?x") == "the path is /a, not /b")
    #expect(difference("/a?x=1&x=1&y", "/a?y&x=1&z=%7e") == "the query has x=1, not z=%7e")
    #expect(difference("/a?x=1&x=1", "/a?x=1") == "the query also has x=1")
  }

  @Test func urlsBelowABaseAreContained() {
    for (base, url, isContained) in [
      ("http://h", "http://h/a", true), ("http://H:80/", "http://h?x", true), ("http://h/v1", "http://h/v%31/a", true),
      ("http://h/v1/", "http://h/v1", true), ("http://h/v1", "http://h/v10", false),
      ("http://h", "http://h.evil/", false),
      ("http://h", "https://h/", false), ("http://h/a", "http://h/a%2Fb", false),
    ] {
      #expect(NormalizedURL(base).contains(NormalizedURL(url)) == isContained, "\(base) \(url)")
    }
  }

  @Test(arguments: [
    "://", "http://", "http://@:", "http://[::1", "http://h:99999999999999999999/", "?", "#", "%", "&=&=", "a:b",
  ])
  func everyTextIsAccepted(text: String) {
    #expect(Self.isEquivalent(text, text))
    #expect(NormalizedURL(text).hasSimilarPath(to: NormalizedURL(text)))
  }
}

import AnvilBase
import AnvilHTTP
import Foundation
import Testing

@Suite struct URIReferenceTests {
  /// Source: RFC 3986 §5.4.1 and §5.4.2, strictly.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ])
  func d3_theExamplesOfRFC3986Resolve(reference: String, expected: String) {
    let base = URIReference("http://a/b/c/d;p?q")
    #expect(URIReference(reference).resolved(against: base).description == expected)
  }

  @Test(arguments: [
    ("%7e/%7E", "http://h/p/%7e/%7E"), ("a%2Fb%2fc", "http://h/p/a%2Fb%2fc"), ("%2e%2e/x", "http://h/p/%2e%2e/x"),
    ("?a=%20+%e4", "http://h/p/q?a=%20+%e4"), ("/a//b", "http://h/a//b"), ("x?", "http://h/p/x?"),
    ("x#", "http://h/p/x#"), ("//H:80/X", "http://H:80/X"), ("//u:p%40@h/", "http://u:p%40@h/"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"), ("HTTP://h2", "HTTP://h2"),
  ])
  func d3_allowedBytesAreKept(reference: String, expected: String) throws {
    let target = URIReference(reference).resolved(against: URIReference("http://h/p/q?r"))
    #expect(target.description == expected)
    #expect(try #require(target.url).absoluteString == expected)
  }

  @Test(arguments: [
    ("a b", "http://h/p/a%20b"), ("\u{E4}\u{1F600}", "http://h/p/%C3%A4%F0%9F%98%80"), ("%zz", "http://h/p/%25zz"),
    ("%", "http://h/p/%25"), ("%4", "http://h/p/%254"), ("a[]?b[]=1", "http://h/p/a%5B%5D?b%5B%5D=1"),
    ("a|b\\c^\"<>`{}", "http://h/p/a%7Cb%5Cc%5E%22%3C%3E%60%7B%7D"), ("a#b#c", "http://h/p/a#b%23c"),
    (" \tx \t", "http://h/p/x"), ("e\u{301}/\u{301}", "http://h/p/e%CC%81/%CC%81"),
  ])
  func d3_otherBytesArePercentEncoded(reference: String, expected: String) throws {
    let target = URIReference(reference).resolved(against: URIReference("http://h/p/q"))
    #expect(try #require(target.url).absoluteString == expected)
  }

  /// Only HTTP URLs need a host.
  @Test(arguments: ["mailto:a@b", "urn:isbn:1", "file:///x"])
  func otherSchemesNeedNoHost(reference: String) {
    #expect(URIReference(reference).resolved(against: URIReference("http://h/p/q")).url?.absoluteString == reference)
  }

  @Test(arguments: ["http:g", "http://", "http:///x", "http://h:99999/", "http://h:x/", "http://a b@c@d/", "//[::1/"])
  func d3_anInvalidHostOrPortIsNotAURL(reference: String) {
    #expect(URIReference(reference).resolved(against: URIReference("http://h/p/q")).url == nil)
  }

  @Test(arguments: [
    ("//h", true), ("//[::1]", true), ("//[::1]:8", true), ("//", false), ("//[::1", false), ("//[::1]x", false),
    ("http:h", false), ("/h", false), ("", false),
  ])
  func onlyAnAuthorityHasAReachableHost(reference: String, isReachable: Bool) {
    #expect(URIReference(reference).hasReachableHost == isReachable)
  }

  @Test func aBaseWithoutAPathResolvesAgainstItsRoot() {
    #expect(URIReference("x").resolved(against: URIReference("http://h")).description == "http://h/x")
    #expect(URIReference("?x").resolved(against: URIReference("http://h")).description == "http://h?x")
  }
}

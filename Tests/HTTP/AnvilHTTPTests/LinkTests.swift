import AnvilHTTP
import Foundation
import Testing

/// Source: RFC 8288.
struct LinkTests {
  private func links(_ lines: String...) -> [HTTP.Link] {
    var headers = HTTP.Headers()
    for line in lines { headers.add(.link, HTTP.HeaderValue(rawValue: line)) }
    return headers.links
  }

  @Test func linksAreReadFromEveryLine() {
    let found = links(
      #"<https://api.example.com/a?page=2,3>; rel="next", <b;c>;rel=last;title="x; y, z""#, #"</d> ; REL="Prev First""#)
    #expect(found.map(\.reference) == ["https://api.example.com/a?page=2,3", "b;c", "/d"])
    #expect(found.map(\.relations) == [["next"], ["last"], ["prev", "first"]])
    #expect(found[1].parameters == ["title": "x; y, z"])
  }

  @Test func theFirstRelParameterIsUsed() {
    #expect(links(#"<a>; rel="next"; rel="prev""#).first?.relations == ["next"])
  }

  @Test func linksWithAnAnchorAreSkipped() {
    #expect(links(##"<a>; rel="next"; anchor="#foo", <b>; rel=next"##).map(\.reference) == ["b"])
  }

  @Test(arguments: ["", "a; rel=next", "<a", ",,,", "; rel=next", "<a; rel=\"next\""])
  func malformedLinksAreSkipped(line: String) {
    #expect(links(line).isEmpty)
  }

  @Test func aMalformedLinkDoesNotHideTheNext() {
    #expect(links(#"oops "a, b"; rel=next, <c>; ; rel=next"#).map(\.reference) == ["c"])
    #expect(links(#"<c>; title="never ends, <d>; rel=next"#).count <= 2)
  }

  @Test(arguments: [
    ("?page=2", "https://e.com/a/b?page=2"), ("c", "https://e.com/a/c"), ("/c", "https://e.com/c"),
    ("//f.com/c", "https://f.com/c"), ("https://g.com", "https://g.com"),
  ])
  func referencesAreRelativeToTheResponse(reference: String, url: String) throws {
    let base = try #require(URL(string: "https://e.com/a/b?x=1"))
    #expect(HTTP.Link(reference: reference, relations: []).url(relativeTo: base)?.absoluteString == url)
  }

  /// Source: RFC 3986 §5.4.
  @Test(arguments: [
    ("", "http://a/b/c/d;p?q"), ("?y", "http://a/b/c/d;p?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("../../../g", "http://a/g"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"), (" g ", "http://a/b/c/g"),
    ("%zz", "http://a/b/c/%25zz"), ("a[]?b[]=1", "http://a/b/c/a%5B%5D?b%5B%5D=1"),
    ("%7e/%2e%2e/x", "http://a/b/c/%7e/%2e%2e/x"), ("mailto:a@b", "mailto:a@b"),
  ])
  func referencesAreResolvedLikeRedirects(reference: String, url: String) throws {
    let base = try #require(URL(string: "http://a/b/c/d;p?q"))
    #expect(HTTP.Link(reference: reference, relations: []).url(relativeTo: base)?.absoluteString == url)
  }

  @Test(arguments: ["http:g", "http://", "https:///x", "http://h:x/", "//[::1/"])
  func aReferenceWithoutAHostOrWithAnInvalidPortHasNoURL(reference: String) throws {
    let base = try #require(URL(string: "http://a/b"))
    #expect(HTTP.Link(reference: reference, relations: []).url(relativeTo: base) == nil)
  }
}

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

  @Test func theFirstRelationCounts() {
    #expect(links(#"<a>; rel="next"; rel="prev""#).first?.relations == ["next"])
  }

  @Test func linksAboutSomethingElseAreLeftOut() {
    #expect(links(##"<a>; rel="next"; anchor="#foo", <b>; rel=next"##).map(\.reference) == ["b"])
  }

  @Test(arguments: ["", "a; rel=next", "<a", ",,,", "; rel=next", "<a; rel=\"next\""])
  func whatIsNoLinkIsLeftOut(line: String) {
    #expect(links(line).isEmpty)
  }

  @Test func aBrokenLinkDoesNotHideTheNext() {
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
}

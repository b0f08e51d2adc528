import AnvilBase
import Testing

struct OriginTests {
  @Test(arguments: [
    ("http://h/a?b#c", "/a?b#c"), ("HTTPS://u:p@h:1", ""), ("http://h?a", "?a"), ("http://h#/x", "#/x"),
    ("http:///a", "/a"), ("a+b-c.1://é/ü", "/ü"),
    // These are no URLs.
    ("/a?u=http://h/x", "/a?u=http://h/x"), ("a?u=http://h/x", "a?u=http://h/x"), ("*", "*"), ("", ""),
    ("://h/a", "://h/a"),
    ("1a://h/b", "1a://h/b"), ("//h/a", "//h/a"), ("http:/a", "http:/a"),
  ])
  func originIsRemoved(text: String, rest: String) {
    #expect(text.withoutOrigin == rest)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("255.255.255.255", true), ("256.0.0.1", false), ("1.2.3", false), ("1.2.3.4.5", false),
    ("1.2.3.", false), ("+1.2.3.4", false), ("0001.2.3.4", false), ("a.b.c.d", false), ("", false), ("::1", false),
  ])
  func addressesAreRecognised(text: String, isAddress: Bool) {
    #expect(text.isIPv4Address == isAddress)
  }
}

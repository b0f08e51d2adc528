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
    ("127.0.0.01", false), ("00.0.0.0", false), ("0.0.0.0", true), ("999999999999999999999.0.0.1", false),
  ])
  func ipv4AddressesAreRecognised(text: String, isAddress: Bool) {
    #expect(text.utf8.isIPv4Address == isAddress)
  }

  @Test(arguments: [
    ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true), ("1:2:3:4:5:6:7::", true),
    ("::ffff:127.0.0.1", true), ("1:2:3:4:5:6:1.2.3.4", true), ("FE80::A", true),
    ("1:2:3:4:5:6:7:8::", false), ("1:2:3:4:5:6:7", false), ("1::2::3", false), (":::", false), (":1", false),
    ("1:", false),
    ("12345::", false), ("g::", false), ("1.2.3.4::", false), ("::1.2.3", false), ("::1.2.3.04", false),
    ("fe80::1%eth0", false), ("[::1]", false), ("", false), (":", false),
  ])
  func ipv6AddressesAreRecognised(text: String, isAddress: Bool) {
    #expect(text.utf8.isIPv6Address == isAddress)
    var bytes = in6_addr()
    // Safety: the function writes an address of this type.
    #expect((unsafe inet_pton(AF_INET6, text, &bytes) == 1) == isAddress)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.1", true), ("127.0.0.01", true), ("1", true), ("1.2.3.", true), ("a.1", true),
    ("example.com", false), ("1.example", false), ("1.2.3..", false), ("", false), (".", false), ("::1", false),
  ])
  func hostsThatEndInANumberAreAddresses(host: String, isAddress: Bool) {
    #expect(host.utf8.endsInNumber == isAddress)
  }

  @Test(arguments: [
    ("a http://h", true), ("://", true), ("http://\u{301}h", true), ("a:b://c", true), ("http:/h", false),
    ("//h", false),
    ("", false), (":", false),
  ])
  func schemesBeforeAuthoritiesAreFound(text: String, isFound: Bool) {
    #expect(text.containsSchemeEnd == isFound)
  }
}

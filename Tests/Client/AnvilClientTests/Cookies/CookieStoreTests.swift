import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

@Suite struct CookieStoreTests {
  private let now = Date(timeIntervalSince1970: 1_000_000_000)

  private func store() -> CookieStore {
    CookieStore(suffixes: CookieJar.PublicSuffixes { !$0.contains(".") || $0 == "co.uk" })
  }

  private func set(_ line: String, from url: String, in store: inout CookieStore, after seconds: Double = 0) throws {
    let url = try #require(URL(string: url))
    let scope = try #require(CookieScope(url))
    let now = now.addingTimeInterval(seconds)
    if let line = SetCookie(line, now: now) { store.set(line, from: scope, now: now) }
  }

  private func sent(to url: String, of store: inout CookieStore, after seconds: Double = 0) throws -> String {
    let url = try #require(URL(string: url))
    let scope = try #require(CookieScope(url))
    return store.cookies(for: scope, now: now.addingTimeInterval(seconds)).map(\.pair).joined(separator: "; ")
  }

  /// Returns whether a cookie that is set at one URL is sent to another.
  @Test(arguments: [
    ("a=b", "https://h.example/", "https://h.example/x", true),
    ("a=b", "https://h.example/", "https://x.h.example/", false),
    ("a=b; Domain=h.example", "https://h.example/", "https://x.h.example/", true),
    ("a=b; Domain=.h.example", "https://x.h.example/", "https://y.h.example/", true),
    ("a=b; Domain=h.example", "https://x.h.example/", "https://xh.example/", false),
    ("a=b; Domain=x.h.example", "https://h.example/", "https://x.h.example/", false),
    ("a=b; Domain=other.example", "https://h.example/", "https://other.example/", false),
    ("a=b; Domain=example", "https://h.example/", "https://h.example/", false),
    ("a=b; Domain=co.uk", "https://h.co.uk/", "https://h.co.uk/", false),
    ("a=b; Domain=co.uk", "https://co.uk/", "https://co.uk/", true),
    ("a=b; Domain=co.uk", "https://co.uk/", "https://h.co.uk/", false),
    ("a=b; Domain=localhost", "http://localhost/", "http://localhost:81/", true),
    ("a=b; Domain=1.2.3.4", "http://1.2.3.4/", "http://1.2.3.4/", true),
    ("a=b; Domain=3.4", "http://1.2.3.4/", "http://1.2.3.4/", false),
    ("a=b; Domain=2.3", "http://1.2.3/", "http://9.2.3/", false),
    ("a=b; Domain=3.04", "http://1.2.3.04/", "http://1.2.3.04/", false),
    ("a=b; Domain=\u{E4}.example", "https://h.example/", "https://h.example/", false),
    ("a=b", "http://[::1]/", "http://[::1]:8080/", true), ("a=b", "https://H.Example/", "https://h.example/", true),
    ("a=b; Path=/x", "https://h.example/", "https://h.example/x", true),
    ("a=b; Path=/x", "https://h.example/", "https://h.example/x/y", true),
    ("a=b; Path=/x", "https://h.example/", "https://h.example/xy", false),
    ("a=b; Path=/x/", "https://h.example/", "https://h.example/x", false),
    ("a=b; Path=/x/", "https://h.example/", "https://h.example/x/y", true),
    ("a=b; Path=/X", "https://h.example/", "https://h.example/x", false),
    ("a=b", "https://h.example/x/y", "https://h.example/x/z", true),
    ("a=b", "https://h.example/x/y", "https://h.example/", false),
    ("a=b", "https://h.example/x", "https://h.example/", true), ("a=b", "https://h.example", "https://h.example", true),
    ("a=b; Path=y", "https://h.example/x/y", "https://h.example/x/", true),
    ("a=b; Secure", "https://h.example/", "http://h.example/", false),
    ("a=b; Secure", "https://h.example/", "https://h.example:444/", true),
    ("a=b; Secure", "http://h.example/", "https://h.example/", false),
    ("a=b; Secure", "http://localhost/", "http://localhost/", true),
    ("a=b; Secure", "http://127.0.0.1/", "http://127.0.0.1/", true),
    ("a=b", "https://h.example/", "http://h.example/", true),
    ("__Secure-a=b; Secure", "https://h.example/", "https://h.example/", true),
    ("__Secure-a=b", "https://h.example/", "https://h.example/", false),
    ("__secure-a=b", "https://h.example/", "https://h.example/", false),
    ("__Host-a=b; Secure; Path=/", "https://h.example/x/y", "https://h.example/", true),
    ("__Host-a=b; Secure", "https://h.example/", "https://h.example/", false),
    ("__HOST-a=b; Secure; Path=/x", "https://h.example/", "https://h.example/x", false),
    ("__Host-a=b; Secure; Path=/; Domain=h.example", "https://h.example/", "https://h.example/", false),
    ("__Host-a=b; Path=/", "https://h.example/", "https://h.example/", false),
    ("=__Host-a=b; Secure; Path=/", "https://h.example/", "https://h.example/", false),
    ("__Secure-a", "https://h.example/", "https://h.example/", false),
    ("__Http-a=b; Secure; HttpOnly", "https://h.example/x/y", "https://h.example/x/", true),
    ("__HTTP-a=b; Secure", "https://h.example/", "https://h.example/", false),
    ("__http-a=b; HttpOnly", "https://h.example/", "https://h.example/", false),
    ("__Host-Http-a=b; Secure; HttpOnly; Path=/", "https://h.example/", "https://h.example/", true),
    ("__host-http-a=b; Secure; Path=/", "https://h.example/", "https://h.example/", false),
    ("__Host-Http-a=b; HttpOnly; Path=/", "https://h.example/", "https://h.example/", false),
    ("__Host-Http-a=b; Secure; HttpOnly", "https://h.example/", "https://h.example/", false),
    (
      "__Host-Http-a=b; Secure; HttpOnly; Path=/; Domain=h.example", "https://h.example/", "https://h.example/", false
    ),
    ("=__Http-a=b; Secure; HttpOnly", "https://h.example/", "https://h.example/", false),
    ("nameless", "https://h.example/", "https://h.example/", true),
  ])
  func cookiesAreSentOnlyWithinTheirScope(line: String, source: String, target: String, isSent: Bool) throws {
    var store = store()
    try set(line, from: source, in: &store)
    let text = try sent(to: target, of: &store)
    #expect(text.isEmpty != isSent, "\(text)")
  }

  @Test func longerPathsComeFirstThenEarlierCookies() throws {
    var store = store()
    for line in ["a=1", "b=2; Path=/x", "c=3; Domain=h.example", "d=4; Path=/x/y", "e=5; Path=/x", "f"] {
      try set(line, from: "https://h.example/", in: &store)
    }
    #expect(try sent(to: "https://h.example/x/y", of: &store) == "d=4; b=2; e=5; a=1; c=3; f")
    // A cookie that is set again keeps its position.
    try set("b=9; Path=/x", from: "https://h.example/", in: &store)
    #expect(try sent(to: "https://h.example/x/y", of: &store) == "d=4; b=9; e=5; a=1; c=3; f")
  }

  @Test func namesInDifferentUnicodeFormsAreDifferent() throws {
    var store = store()
    try set("\u{E9}=1; Secure; Path=/\u{E9}", from: "https://h.example/", in: &store)
    try set("\u{E9}=2; Secure; Path=/e\u{301}", from: "https://h.example/", in: &store)
    try set("e\u{301}=3; Path=/\u{E9}/x", from: "http://h.example/", in: &store)
    try set("e\u{301}=4; Path=/\u{E9}", from: "https://h.example/", in: &store)
    #expect(store.cookies(now: now).map(\.value) == ["1", "2", "3", "4"])
    try set("\u{E9}=; Path=/\u{E9}; Max-Age=0", from: "https://h.example/", in: &store)
    #expect(store.cookies(now: now).map(\.value) == ["2", "3", "4"])
  }

  @Test func cookiesExpireAndAreRemoved() throws {
    var store = store()
    try set("a=1; Max-Age=10", from: "https://h.example/", in: &store)
    try set("b=2", from: "https://h.example/", in: &store)
    #expect(try sent(to: "https://h.example/", of: &store, after: 9.9) == "a=1; b=2")
    #expect(try sent(to: "https://h.example/", of: &store, after: 10) == "b=2")
    try set("b=; Max-Age=0", from: "https://h.example/", in: &store)
    #expect(store.cookies(now: now).map(\.name) == ["a"])
    try set("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: "https://h.example/", in: &store)
    #expect(store.cookies(now: now).isEmpty)
  }

  @Test func plainHTTPCannotShadowSecureCookies() throws {
    var store = store()
    try set("a=1; Secure; Path=/x; Domain=h.example", from: "https://h.example/", in: &store)
    try set("a=2; Path=/x/y", from: "http://h.example/", in: &store)
    try set("a=3; Path=/x", from: "http://sub.h.example/", in: &store)
    #expect(store.cookies(now: now).map(\.value) == ["1"])
    try set("a=4; Path=/", from: "http://h.example/", in: &store)
    try set("a=5; Path=/x", from: "https://h.example/", in: &store)
    #expect(store.cookies(now: now).map(\.value) == ["1", "4", "5"])
  }

  @Test func plainHTTPCanSetCookiesThatShadowNoSecureCookie() throws {
    var store = store()
    try set("a=1; Secure; Path=/x", from: "https://h.example/", in: &store)
    try set("b=2; Path=/x/y", from: "http://h.example/", in: &store)
    try set("c=3; Path=/x", from: "https://h.example/", in: &store)
    try set("c=4; Path=/x/y", from: "http://h.example/", in: &store)
    #expect(store.cookies(now: now).map(\.value) == ["1", "2", "3", "4"])
  }

  @Test func aDomainKeepsFiftyCookiesAndEvictsInsecureOnesFirst() throws {
    var store = store()
    try set("old=1; Secure", from: "https://h.example/", in: &store)
    for index in 0..<49 { try set("c\(index)=1; Path=/\(index)", from: "https://h.example/", in: &store) }
    // It was used, so others are evicted before it.
    #expect(try sent(to: "https://h.example/0", of: &store) == "c0=1; old=1")
    for index in 49..<51 { try set("c\(index)=1; Path=/\(index)", from: "https://h.example/", in: &store) }
    let names = store.cookies(now: now).map(\.name)
    #expect(names.count == 50 && names.prefix(3) == ["old", "c0", "c3"])
    try set("other=1", from: "https://other.example/", in: &store)
    #expect(store.cookies(now: now).count == 51)
  }

  @Test func atMostThreeThousandCookiesAreKept() throws {
    var store = store()
    for index in 0..<3001 { try set("a=1", from: "https://h\(index).example/", in: &store) }
    let domains = store.cookies(now: now).map(\.domain)
    #expect(domains.count == 3000 && domains.first == "h1.example" && domains.last == "h3000.example")
  }

  @Test func aCookieThatIsReplacedIsCountedOnce() throws {
    var store = store()
    for index in 0..<2999 { try set("a=1", from: "https://h\(index).example/", in: &store) }
    for value in 0..<9 { try set("a=\(value)", from: "https://last.example/", in: &store) }
    #expect(store.cookies(now: now).count == 3000)
  }

  @Test func singleLabelDomainsAreRejectedWithoutASuffixList() throws {
    var store = CookieStore(suffixes: .singleLabels)
    try set("a=b; Domain=com", from: "https://h.com/", in: &store)
    #expect(store.cookies(now: now).isEmpty)
    try set("a=b; Domain=intranet", from: "https://intranet/", in: &store)
    #expect(store.cookies(now: now).first?.isHostOnly == true)
  }
}

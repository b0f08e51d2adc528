import Anvil
import Foundation
import Testing

@Suite struct CookieJarTests {
  /// On systems without a public suffix list, `co.uk` would be accepted.
  @Test func jarsUseTheSystemsPublicSuffixes() throws {
    let jar = CookieJar()
    let url = try #require(URL(string: "https://shop.co.uk/"))
    jar.store([.setCookie: "a=1; Domain=uk", .setCookie: "b=2; Domain=shop.co.uk"], from: url)
    #expect(jar.cookies.map(\.name) == ["b"])
    #if os(Linux)
    jar.store([.setCookie: "c=3; Domain=co.uk"], from: url)
    #expect(jar.cookies.map(\.name) == (CookieJar.PublicSuffixes.installed == nil ? ["b", "c"] : ["b"]))
    #endif
  }
}

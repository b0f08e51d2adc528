import AnvilHTTP
import Foundation
import Testing

struct OriginTests {
  private func origin(_ text: String) throws -> HTTP.Origin? {
    HTTP.Origin(try #require(URL(string: text)))
  }

  @Test func originsConsistOfSchemeHostAndEffectivePort() throws {
    #expect(try origin("https://Example.com/a") == origin("HTTPS://example.COM:443/b?c#d"))
    #expect(try origin("http://u:p@example.com") == origin("http://example.com:80"))
    #expect(try origin("https://example.com") != origin("http://example.com:443"))
    #expect(try origin("https://example.com") != origin("https://example.com:8443"))
    #expect(try origin("https://example.com") != origin("https://www.example.com"))
    // Foundation's host of a URL that was written in Unicode is another one than that of the URL's text.
    #expect(try origin("https://café.example/a") == origin("https://xn--caf-dma.example"))
    #expect(try origin("https://café.example/a")?.description == "https://xn--caf-dma.example")
  }

  @Test(arguments: ["users/1", "mailto:a@b", "/x", "file:///tmp"])
  func aURLWithoutAHostHasNoOrigin(text: String) throws {
    #expect(try origin(text) == nil)
  }

  @Test func theDescriptionIsTheSerializedOrigin() throws {
    #expect(try origin("https://example.com:443/x")?.description == "https://example.com")
    #expect(try origin("http://[::1]:8080/x")?.description == "http://[::1]:8080")
    // Not the default port.
    #expect(try origin("https://example.com:0")?.description == "https://example.com:0")
    #expect(try origin("ftp://example.com")?.description == "ftp://example.com")
  }
}

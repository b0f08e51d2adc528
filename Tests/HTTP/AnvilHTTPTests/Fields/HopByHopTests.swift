import AnvilHTTP
import Testing

/// Source: RFC 9110 §7.6.1.
struct HopByHopTests {
  @Test(arguments: [
    "Connection", "keep-alive", "TE", "Transfer-Encoding", "upgrade", "Trailer", "Proxy-Connection",
    "Proxy-Authenticate",
    "Proxy-Authentication-Info", "Proxy-Authorization",
  ])
  func hopByHopFieldsAreRemoved(name: String) {
    let headers: HTTP.Headers = [HTTP.HeaderKey(rawValue: name): "x", "X-A": "1"]
    #expect(headers.endToEnd == ["X-A": "1"])
  }

  @Test(arguments: ["x-a, X-B", "\tx-b ,, X-A,", "\"x, X-A, X-B"])
  func fieldsNamedByConnectionAreRemoved(connection: String) {
    let headers: HTTP.Headers = ["X-A": "1", "X-B": "2", "X-C": "3", .connection: .init(rawValue: connection)]
    #expect(headers.endToEnd == ["X-C": "3"])
  }

  @Test func otherFieldsKeepTheirOrder() {
    let headers: HTTP.Headers = [.setCookie: "a=1", .via: "x", .setCookie: "b=2", .connection: "\"via\"", .date: "d"]
    #expect(headers.endToEnd.map(\.key) == [.setCookie, .via, .setCookie, .date])
  }
}

internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for requests that a session must reject, because sending them would break or split the message. Source: RFC 9110 §5.5, RFC 9112
/// §11.
extension TransportContract {
  static let refusalCases: [Case] = [
    Case("a field that would split the message is rejected") { setting in
      let server = try setting.echoServer()
      for value in ["a\r\nX-Injected: yes", "a\nb", "a\rb", "a\0b"] {
        let headers: HTTP.Headers = ["X-Token": "\(value)"]
        try await expectRefusal(HTTP.Request(url: setting.url(server, "/x"), headers: headers), setting)
      }
      for name in ["X Token", "X:Token", "X\r\nY", "", "X\0", "Ü"] {
        let headers = HTTP.Headers([.init(HTTP.HeaderKey(rawValue: name), "v")])
        try await expectRefusal(HTTP.Request(url: setting.url(server, "/x"), headers: headers), setting)
      }
      try expect(server.requests.count, is: 0)
    },
    Case("a method that is not a token is rejected") { setting in
      let server = try setting.echoServer()
      for name in ["", "GET /", "GET\r\nX: y", "G\0T", "É"] {
        let method = HTTP.Method(rawValue: name)
        try await expectRefusal(HTTP.Request(method: method, url: setting.url(server, "/x")), setting)
      }
      try expect(server.requests.count, is: 0)
    },
    Case("framing fields are rejected unless they match the body") { setting in
      let server = try setting.echoServer()
      let smuggled = HTTP.Body("abcdGET /admin HTTP/1.1\r\nHost: x\r\n\r\n")
      for headers in [[.contentLength: "4"], [.transferEncoding: "chunked"]] as [HTTP.Headers] {
        let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), headers: headers, body: smuggled)
        try await expectRefusal(request, setting)
      }
      try expect(server.requests.count, is: 0)
      let stated = HTTP.Request(
        method: .post, url: setting.url(server, "/x"), headers: [.contentLength: "4"], body: HTTP.Body("four"))
      try expect(try await setting.response(to: stated).body.string, is: "four")
      try expect(server.requests.first?.headers.values(for: .contentLength), is: ["4"])
    },
    Case("a URL that is not a valid HTTP URL is rejected") { setting in
      for text in ["ftp://127.0.0.1/", "file:///etc/passwd", "/relative", "http:///nohost"] {
        let url = try require(URL(string: text), "URL")
        try await expectRefusal(HTTP.Request(url: url), setting)
      }
    },
  ]

  private static func expectRefusal(
    _ request: HTTP.Request, _ setting: Setting, line: UInt = #line, file: String = #fileID
  ) async throws {
    let outcome = await setting.exchange(request)
    try outcome.expectError(.invalidRequest, line: line, file: file)
    try expect(
      outcome.error?.underlyingError is HTTP.InvalidMessage, "\(request) is rejected without a reason", line: line,
      file: file)
  }
}

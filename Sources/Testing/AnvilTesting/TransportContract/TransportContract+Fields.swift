internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for the header fields of requests and responses. Source: RFC 9110 §5.
extension TransportContract {
  static let fieldCases: [Case] = [
    Case("empty, repeated and non-ASCII request fields arrive unchanged") { setting in
      let server = try setting.echoServer()
      let headers: HTTP.Headers = ["X-One": "1", "X-Two": "a", "X-Two": "b, c", "X-Empty": "", "X-Text": "grüße"]
      _ = try await setting.response(to: HTTP.Request(url: setting.url(server, "/x"), headers: headers))
      let received = try require(server.requests.first, "request").headers
      try expect(received["X-One"], is: "1")
      try expect(received["X-Empty"], is: "")
      // The field may be sent on one line or several, as only the list matters. Source: RFC 9110 §5.3.
      try expect(
        received.values(for: "X-Two").map(\.rawValue).joined(separator: ",").filter { $0 != " " }, is: "a,b,c")
      try expect(received["X-Text"], is: "grüße")
    },
    Case("repeated and empty fields of a response keep every value") { setting in
      let server = try setting.server(
        answering: .status(200, headers: ["X-Empty": "", "Link": "<a>", "X-Other": "o", "Link": "<b>"]))
      let headers = try await setting.response(to: setting.get(server)).headers
      try expect(headers["Link"], is: "<a>, <b>")
      try expect(headers["x-other"], is: "o")
      try expect(headers["X-Empty"], is: "")
    },
    Case("field lines with the same name stay separate and in order", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 200 OK\r\nX-B: 1\r\nx-a: 2\r\nX-b:3\r\nX-A: \t 4 \r\nContent-Length: 0\r\n\r\n")
      let headers = try await setting.response(to: setting.get(server)).headers
      try expect(headers.values(for: "X-A"), is: ["2", "4"])
      try expect(headers.values(for: "X-B"), is: ["1", "3"])
      try expect(
        headers.map(\.key.rawValue).filter { $0.uppercased().hasPrefix("X-") }, is: ["X-B", "x-a", "X-b", "X-A"])
    },
    Case("Set-Cookie fields stay separate") { setting in
      let cookies: [HTTP.HeaderValue] = [
        "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=x,y; HttpOnly", "c=",
        "d=4; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      ]
      let server = try setting.server(
        answering: .status(200, headers: HTTP.Headers(cookies.map { .init(.setCookie, $0) })))
      try expect(
        try await setting.response(to: setting.get(server)).headers.values(for: .setCookie), is: cookies)
    },
    Case("cookies that were set are not sent back") { setting in
      let server = try setting.server(answering: .status(200, headers: [.setCookie: "a=1; Path=/"]))
      for _ in 0..<2 { _ = try await setting.response(to: setting.get(server)) }
      try expect(server.requests.map { $0.headers.contains(.cookie) }, is: [false, false])
    },
    Case("several Cookie fields of a request arrive joined") { setting in
      let server = try setting.echoServer()
      let request = HTTP.Request(url: setting.url(server, "/x"), headers: [.cookie: "a=1", .cookie: "b=2"])
      _ = try await setting.response(to: request)
      let lines = try require(server.requests.first, "request").headers.values(for: .cookie)
      try expect(lines.map(\.rawValue).joined(separator: "; "), is: "a=1; b=2")
    },
    Case("a request has a default User-Agent unless it sets one", needs: [.sockets]) { setting in
      let server = try setting.echoServer()
      _ = try await setting.response(to: setting.get(server, "/x"))
      _ = try await setting.response(
        to: HTTP.Request(url: setting.url(server, "/x"), headers: [.userAgent: "mine/1", .acceptEncoding: "gzip"]))
      let headers = server.requests.map(\.headers)
      try expect(headers.first?[.userAgent]?.rawValue.hasPrefix("Anvil/") == true, "\(headers)")
      try expect(headers.last?.values(for: .userAgent), is: ["mine/1"])
      try expect(headers.last?.values(for: .acceptEncoding), is: ["gzip"])
    },
    Case("a hundred fields of a response arrive") { setting in
      let fields = (0..<100).map {
        HTTP.Headers.Field(HTTP.HeaderKey(rawValue: "X-\($0)"), "\(String(repeating: "v", count: 20))\($0)")
      }
      let server = try setting.server(answering: .status(200, headers: HTTP.Headers(fields)))
      let headers = try await setting.response(to: setting.get(server)).headers
      for field in fields { try expect(headers[field.key], is: field.value) }
    },
  ]
}

internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for the methods and URLs of requests.
extension TransportContract {
  static let targetCases: [Case] = [
    Case("path and query are sent byte for byte") { setting in
      let server = try setting.server()
      server.on(.get, "/*") { .text($0.target) }
      for target in [
        "/", "/a%20b+c", "/%7euser/%2F%2f/%c3%a9", "/a;p=1/b,c", "/x?", "/x?a=b&c=&&d", "/x?a=%41%2B+&b=/?:@",
        "/x?q='()*!$", "/a//b/", "/%25",
      ] {
        let request = setting.get(server, target)
        try expect(request.url.absoluteString.hasSuffix(target), "\(request.url) does not end with \(target)")
        try expect(try await setting.response(to: request).body.string, is: target)
      }
    },
    Case("dot segments are sent unchanged", needs: [.rawConnection]) { setting in
      let server = try setting.server()
      server.on(.get, "/*") { .text($0.target) }
      for target in ["/a/./b/../c", "/../x", "/a/%2e%2e/b", "/a/..", "/..?x=/../y"] {
        try expect(try await setting.response(to: setting.get(server, target)).body.string, is: target)
      }
    },
    Case("a URL without a path requests /, and a fragment is not sent", needs: [.rawConnection]) { setting in
      let server = try setting.server()
      server.on(.get, "/*") { .text($0.target) }
      for (suffix, target) in [("", "/"), ("?x=1", "/?x=1"), ("/a#part", "/a"), ("/a?b#c?d", "/a?b")] {
        let url = try require(URL(string: server.url.absoluteString + suffix), "URL")
        try expect(try await setting.response(to: HTTP.Request(url: url)).body.string, is: target)
      }
    },
    Case("the Host field contains the port", needs: [.rawConnection]) { setting in
      let server = try setting.server(answering: .text("ok"))
      _ = try await setting.response(to: setting.get(server))
      try expect(server.requests.first?.headers.values(for: .host), is: ["127.0.0.1:\(server.port)"])
    },
    Case("a host may be an IPv6 address", needs: [.ipv6, .rawConnection]) { setting in
      let server = try setting.server(address: .ipv6)
      server.on(.get, "/x") { _ in .text("six") }
      try expect(try await setting.response(to: setting.get(server, "/x")).body.string, is: "six")
      try expect(server.requests.first?.headers.values(for: .host), is: ["[::1]:\(server.port)"])
    },
    Case("a custom method is sent unchanged") { setting in
      let server = try setting.server()
      for name in ["PURGE", "M-SEARCH", "REPORT"] {
        let method = HTTP.Method(rawValue: name)
        server.on(method, "/x") { .text($0.method.rawValue) }
        let request = HTTP.Request(method: method, url: setting.url(server, "/x"))
        try expect(try await setting.response(to: request).body.string, is: name)
      }
    },
    Case("methods keep their case or are rejected", needs: [.rawConnection]) { setting in
      let server = try setting.server()
      for name in ["get", "Post", "dELETE", "purge"] {
        let method = HTTP.Method(rawValue: name)
        server.on(method, "/x") { .text($0.method.rawValue) }
        let outcome = await setting.exchange(HTTP.Request(method: method, url: setting.url(server, "/x")))
        if outcome.error != nil {
          try outcome.expectError(.invalidRequest)
        } else {
          try expect(outcome.text, is: name)
        }
      }
      try expect(server.requests.contains { $0.method == "purge" }, "a custom method was rejected")
    },
    Case("OPTIONS and HEAD are supported") { setting in
      try await expectMethods([.options, .head], setting)
    },
    Case("TRACE is supported without a proxy", needs: [.rawConnection]) { setting in
      try await expectMethods(["TRACE"], setting)
    },
  ]
  private static func expectMethods(_ methods: [HTTP.Method], _ setting: Setting) async throws {
    let server = try setting.server()
    for method in methods {
      server.on(method, "/x") { .status(200, headers: ["X-Method": "\($0.method.rawValue)"]) }
      let response = try await setting.response(to: HTTP.Request(method: method, url: setting.url(server, "/x")))
      try expect(response.headers["X-Method"]?.rawValue, is: method.rawValue)
    }
  }
}

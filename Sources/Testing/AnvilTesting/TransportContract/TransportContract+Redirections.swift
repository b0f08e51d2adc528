internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for redirects and authentication. A session returns these responses unchanged and leaves the handling to the layers above it.
extension TransportContract {
  static let redirectionCases: [Case] =
    [300, 301, 302, 303, 304, 305, 306, 307, 308].map { code in
      Case("\(code) is not followed, whatever the method") { setting in
        for method in [HTTP.Method.get, .head, .post, .put, .delete] {
          let server = try setting.server()
          server.on(method, "/from") { _ in
            .status(HTTP.Status(code: code), headers: [.location: "/to", "X-Seen": "1"], body: Data("moved".utf8))
          }
          for method in [HTTP.Method.get, .head, .post, .put, .delete] {
            server.on(method, "/to") { _ in .text("followed") }
          }
          let body = method == .post || method == .put ? HTTP.Body("payload") : .empty
          let request = HTTP.Request(method: method, url: setting.url(server, "/from"), body: body)
          let failure = try require(await setting.execute(request).failure, "failure")
          try expect(failure.error.code, is: .redirection)
          try expect(failure.response?.code, is: code)
          try expect(failure.response?.headers[.location], is: "/to")
          try expect(failure.response?.headers["X-Seen"], is: "1")
          try expect(failure.response?.body.string, is: code == 304 || method == .head ? "" : "moved")
          try expect(server.requests.map(\.path), is: ["/from"])
        }
      }
    } + [
      Case("a redirection without a usable Location is returned as it is") { setting in
        for location in [nil, "", "http://", "::::", "ftp://x/"] as [HTTP.HeaderValue?] {
          let headers: HTTP.Headers = location.map { [.location: $0] } ?? [:]
          let server = try setting.server(answering: .status(302, headers: headers))
          try expect(try await setting.response(to: setting.get(server)).code, is: 302)
        }
      }
    ]

  static let authenticationCases: [Case] = [
    Case("a challenge is returned as a response and is not answered") { setting in
      for challenge in [
        "Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"n\", qop=\"auth\"", "Bearer", "Negotiate", "NTLM",
        "\u{1F512} nonsense=", "Bearer realm=\"a\", Basic realm=\"b\"",
      ] {
        let server = try setting.server(
          answering: .status(401, headers: [.wwwAuthenticate: "\(challenge)"], body: Data("who are you?".utf8)))
        let failure = try require(await setting.execute(setting.get(server)).failure, "failure")
        try expect(failure.error.code, is: .clientError(.unauthorized))
        try expect(failure.response?.body.string, is: "who are you?")
        try expect(failure.response?.headers[.wwwAuthenticate]?.rawValue, is: challenge)
        try expect(server.requests.count, is: 1)
        try expect(server.requests.first?.headers.contains(.authorization), is: false)
      }
    },
    Case("a proxy challenge is returned like any other status") { setting in
      let server = try setting.server(
        answering: .status(407, headers: [.proxyAuthenticate: "Basic realm=\"x\""]))
      let failure = try require(await setting.execute(setting.get(server)).failure, "failure")
      try expect(failure.error.code, is: .clientError(.proxyAuthenticationRequired))
      try expect(server.requests.count, is: 1)
    },
    Case("the credentials of a request are sent, with or without a challenge") { setting in
      let server = try setting.server(
        answering: .status(401, headers: [.wwwAuthenticate: "Basic realm=\"x\""], body: Data("no".utf8)))
      let request = HTTP.Request(
        url: setting.url(server), headers: [.authorization: .authorizationBearer(token: "t0ken")])
      let response = try await setting.response(to: request)
      try expect(response.code, is: 401)
      try expect(server.requests.map { $0.headers[.authorization] }, is: [.authorizationBearer(token: "t0ken")])
    },
  ]
}

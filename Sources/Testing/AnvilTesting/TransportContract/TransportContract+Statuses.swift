internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  static let statusCases: [Case] = [
    Case("every status is classified, with its request and response") { setting in
      let server = try setting.server()
      server.on(.get, "/status/:code") { request in
        let code = request.parameters["code"] ?? ""
        return .json(#"{"code": \#(code)}"#, status: HTTP.Status(code: Int(code) ?? 0))
      }
      // 205 is left out, as the server would send a body with it, which RFC 9110 §15.3.6 forbids.
      for code in Array(200...299) + Array(400...599) where code != 205 {
        let request = setting.get(server, "/status/\(code)")
        let response: HTTP.Response?
        switch await setting.execute(request) {
        case .success(let success):
          try expect((200..<300).contains(code), "\(code) is not a success status")
          response = success.response
        case .failure(let failure):
          let expected: TransportError.Code =
            code < 500 ? .clientError(.init(rawValue: code)) : .serverError(.init(rawValue: code))
          try expect(failure.error.code, is: expected)
          try expect(failure.request, is: request)
          response = failure.response
        }
        try expect(response?.code, is: code)
        try expect(response?.request, is: request)
        // A proxy may remove the content type of a response without content.
        if code != 204 { try expect(response?.headers[.contentType], is: .applicationJSON) }
        try expect(response?.body.string, is: code == 204 ? "" : #"{"code": \#(code)}"#)
      }
    },
    Case("a status line may have any reason phrase or none", needs: [.rawConnection]) { setting in
      for (line, code) in [
        ("HTTP/1.1 200 ", 200), ("HTTP/1.1 299 Quite : good", 299), ("HTTP/1.0 404 N", 404),
      ] {
        let server = try setting.server(sending: "\(line)\r\nContent-Length: 2\r\n\r\nok")
        let response = try await setting.response(to: setting.get(server))
        try expect(response.code, is: code)
        try expect(response.body.string, is: "ok")
      }
    },
    Case("a response that cannot have a body ends with its head, whatever its Content-Length") { setting in
      let server = try setting.server()
      server.on(.get, "/:code") { request in
        .status(HTTP.Status(code: Int(request.parameters["code"] ?? "") ?? 0), headers: [.contentLength: "5"])
      }
      server.on(.head, "/200") { _ in .status(200, headers: [.contentLength: "5"]) }
      for (method, code) in [(HTTP.Method.get, 204), (.get, 304), (.head, 200), (.get, 204)] {
        let request = HTTP.Request(method: method, url: setting.url(server, "/\(code)"))
        let response = try await setting.response(to: request)
        try expect(response.code, is: code)
        try expect(response.body.data, is: Data())
        if method == .head { try expect(response.headers[.contentLength], is: "5") }
      }
    },
    Case(
      "a connection that closes after the head of a response without a body is not an error", needs: [.rawConnection]
    ) {
      setting in
      for (method, code) in [(HTTP.Method.head, 200), (.get, 204), (.get, 304)] {
        let server = try setting.server()
        server.on(method, "/") { _ in
          .raw([.send(Data("HTTP/1.1 \(code) X\r\nContent-Length: 5\r\n\r\n".utf8)), .close])
        }
        let response = try await setting.response(to: HTTP.Request(method: method, url: setting.url(server)))
        try expect(response.code, is: code)
        try expect(response.body.data, is: Data())
      }
    },
    Case("informational responses are skipped", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Final: 1\r\n\r\nok")
      let response = try await setting.response(to: setting.get(server))
      try expect(response.code, is: 200)
      try expect(response.body.string, is: "ok")
      try expect(response.headers["X-Final"], is: "1")
      try expect(!response.headers.contains(.link), "a field of an informational response is in the final one")
    },
    Case("an unrequested 101 response is malformed", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", then: .hang)
      try await setting.exchange(setting.get(server)).expectError(.malformedResponse)
    },
  ]
}

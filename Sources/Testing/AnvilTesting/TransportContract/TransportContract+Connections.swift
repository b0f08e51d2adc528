internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for the reuse of connections, and for requests that must not be sent again after a connection has failed. Source: RFC 9112 §9.3.
extension TransportContract {
  static let connectionCases: [Case] =
    [
      Case("a connection is reused", needs: [.rawConnection]) { setting in
        let server = try setting.server()
        for method in [HTTP.Method.get, .post, .head] { server.on(method, "/") { _ in .text("again") } }
        server.on(.get, "/chunks") { _ in .chunked([Data("again".utf8)]) }
        server.on(.get, "/none") { _ in .status(204) }
        server.on(.get, "/error") { _ in .text("no", status: 500) }
        for target in ["/", "/chunks", "/none", "/error", "/"] {
          _ = try await setting.response(to: setting.get(server, target))
        }
        for method in [HTTP.Method.head, .post] {
          let body = method == .post ? HTTP.Body("body") : .empty
          _ = try await setting.response(to: HTTP.Request(method: method, url: setting.url(server), body: body))
        }
        try expect(server.requests.map(\.connection), is: Array(repeating: 1, count: 7))
      },
      Case("a connection is not reused after Connection: close", needs: [.rawConnection]) { setting in
        let server = try setting.server(answering: .status(200, headers: [.connection: "close"], body: Data("ok".utf8)))
        for _ in 0..<3 { try expect(try await setting.response(to: setting.get(server)).body.string, is: "ok") }
        try expect(server.requests.map(\.connection), is: [1, 2, 3])
      },
      Case("an idle connection that the server has closed is replaced", needs: [.rawConnection]) { setting in
        let server = try setting.echoServer()
        for round in 1...3 {
          let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), body: HTTP.Body("\(round)"))
          try expect(try await setting.response(to: request).body.string, is: "\(round)")
          try await wait { server.closeIdleConnections() > 0 }
        }
        try expect(server.requests.map(\.connection), is: [1, 2, 3])
      },
      Case("unrequested bytes from a server are not the next response", needs: [.rawConnection]) { setting in
        let first = Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)
        for unasked in ["HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nunasked", "HTTP/1.1 408 Request Timeout\r\n\r\n"] {
          let server = try setting.server()
          server.on(.get, "/") { _ in
            .raw([.send(first), .wait(.milliseconds(20)), .send(Data(unasked.utf8)), .hang])
          }
          server.on(.post, "/next") { .status(200, body: $0.body) }
          try expect(try await setting.response(to: setting.get(server)).body.string, is: "first")
          try await wait { server.sentByteCounts.values.reduce(0, +) == first.count + unasked.utf8.count }
          let request = HTTP.Request(method: .post, url: setting.url(server, "/next"), body: HTTP.Body("asked"))
          try expect(try await setting.response(to: request).body.string, is: "asked")
          try expect(server.requests.map(\.connection), is: [1, 2])
        }
      },
      Case("a connection that was reset is replaced", needs: [.rawConnection]) { setting in
        let server = try setting.server(answering: .text("ok"))
        server.on(.get, "/reset") { _ in .fault(.resetBeforeHead) }
        for _ in 0..<3 {
          try expect(try await setting.response(to: setting.get(server)).body.string, is: "ok")
          try await setting.exchange(setting.get(server, "/reset")).expectError(.connectionLost)
        }
        try expect(server.requests.count, is: 6)
      },
    ]
    + [HTTP.Method.post, .put, .get].map { method in
      Case("a \(method) that goes unanswered is not sent again", needs: [.rawConnection]) { setting in
        for fault in [LoopbackServer.Fault.closeBeforeHead, .resetBeforeHead] {
          let server = try setting.server(answering: .text("ok"))
          server.on(method, "/dies") { _ in .fault(fault) }
          // The request is sent over a new connection, and over a reused one, which a client may consider stale.
          for isReused in [false, true] {
            if isReused { _ = try await setting.response(to: setting.get(server)) }
            let body = method == .get ? HTTP.Body.empty : HTTP.Body("once")
            let request = HTTP.Request(method: method, url: setting.url(server, "/dies"), body: body)
            try await setting.exchange(request).expectError(.connectionLost, in: .firstByte)
          }
          try await setting.expectUsable()
          try expect(server.requests.filter { $0.path == "/dies" }.count, is: 2)
        }
      }
    }
}

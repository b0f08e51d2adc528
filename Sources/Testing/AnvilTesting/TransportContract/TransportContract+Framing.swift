internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for the ways in which the end of a response's body is found. Source: RFC 9112 §6.3, §7.1.
extension TransportContract {
  static let framingCases: [Case] = [
    Case("a body without a length ends when the connection is closed", needs: [.rawConnection]) { setting in
      for version in ["1.0", "1.1"] {
        let server = try setting.server(sending: "HTTP/\(version) 200 OK\r\n\r\nto the end")
        try expect(try await setting.response(to: setting.get(server)).body.string, is: "to the end")
      }
    },
    Case("repeated Content-Length fields with equal values are accepted", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok")
      try expect(try await setting.response(to: setting.get(server)).body.string, is: "ok")
    },
    Case("bytes after the announced length are not part of the body", needs: [.rawConnection]) { setting in
      let server = try setting.server(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 X\r\n\r\n")
      try expect(try await setting.response(to: setting.get(server)).body.string, is: "ok")
      try await setting.expectUsable()
    },
    Case("chunk extensions are ignored", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5;a=b\r\nhello\r\n00006 ; c=\"d;e\"\r\n world\r\n0;x\r\n\r\n")
      try expect(try await setting.response(to: setting.get(server)).body.string, is: "hello world")
    },
    Case("an empty body is empty in each framing") { setting in
      let server = try setting.server()
      server.on(.get, "/length") { _ in .status(200) }
      server.on(.get, "/chunks") { _ in .chunked([Data]()) }
      for target in ["/length", "/chunks"] {
        try expect(try await setting.response(to: setting.get(server, target)).body.data, is: Data())
      }
    },
    Case("a large body is complete in each framing") { setting in
      let bytes = pattern(8_000_000)
      let server = try setting.server()
      server.on(.get, "/length") { _ in .status(200, body: bytes) }
      server.on(.get, "/chunks") { _ in
        .chunked(stride(from: 0, to: bytes.count, by: 77_777).map { bytes[$0..<min($0 + 77_777, bytes.count)] })
      }
      for target in ["/length", "/chunks"] {
        let response = try await setting.response(to: setting.get(server, target))
        try expect(response.body.data == bytes, "\(response.body.length ?? 0) wrong bytes for \(target)")
      }
    },
    Case("chunks are delivered as soon as they are sent", needs: [.rawConnection]) { setting in
      let server = try setting.server(
        sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n", then: .hang)
      let response = try await setting.session.send(setting.get(server), options: .patient)
      try expect(response.head.code, is: 200)
      var chunks = response.body.makeAsyncIterator()
      // The rest is never sent, so receiving this chunk shows that bodies are streamed.
      try expect(try await chunks.next(), is: Data("one".utf8))
    },
    Case("a failure contains the received part of the body", needs: [.rawConnection]) { setting in
      let server = try setting.server(sending: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
      let failure = await setting.execute(setting.get(server)).failure
      try expect(failure?.error, is: TransportError(code: .truncatedResponse, phase: .body))
      try expect(failure?.response?.body.string, is: "half")
    },
    Case("all bytes before a truncation can be read", needs: [.rawConnection]) { setting in
      let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(10 << 20)\r\n\r\n".utf8)
      let server = try setting.server(answering: .raw([.send(head + Data(count: 5 << 20)), .close]))
      let outcome = await setting.exchange(setting.get(server))
      try outcome.expectError(.truncatedResponse, in: .body)
      try expect(outcome.body.count, is: 5 << 20)
    },
  ]
}

internal import AnvilClient
internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  static let requestBodyCases: [Case] = [
    Case("a body arrives unchanged with each method") { setting in
      let server = try setting.echoServer()
      let bytes = pattern(300_000)
      for method in [HTTP.Method.post, .put, .patch, .delete, "PURGE"] {
        let request = HTTP.Request(
          method: method, url: setting.url(server, "/echo"), headers: [.contentType: .applicationOctetStream],
          body: HTTP.Body(bytes))
        try expect(try await setting.response(to: request).body.data == bytes, "\(method): the echo differs")
        let received = try require(server.requests.last, "request")
        try expect(received.method, is: method)
        try expect(received.body == bytes, "\(method): other bytes arrived")
        try expect(received.headers.values(for: .contentType), is: [.applicationOctetStream])
      }
    },
    Case("a request without a body is sent without one") { setting in
      let server = try setting.echoServer()
      for method in [HTTP.Method.get, .head, .options, .delete, .post] {
        let response = try await setting.response(to: HTTP.Request(method: method, url: setting.url(server, "/x")))
        try expect(response.body.data, is: Data())
        let received = try require(server.requests.last, "request")
        try expect(received.body, is: Data())
        // A body that is not a form must not be labelled as a form.
        try expect(received.headers.contains(.contentType), is: false)
      }
    },
    Case("a body without a media type is not labelled as a form") { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body(Data("a".utf8))
      _ = try await setting.response(to: HTTP.Request(method: .post, url: setting.url(server, "/x"), body: body))
      let types = try require(server.requests.first, "request").headers.values(for: .contentType)
      try expect(types.isEmpty || types == [.applicationOctetStream], "\(types)")
    },
    Case("the body of a GET is sent") { setting in
      let server = try setting.echoServer()
      let request = HTTP.Request(url: setting.url(server, "/x"), body: HTTP.Body("query"))
      try expect(try await setting.response(to: request).body.string, is: "query")
      try expect(server.requests.map(\.method), is: [.get])
    },
    Case("1 MB is echoed") { setting in
      let server = try setting.echoServer()
      let bytes = pattern(1 << 20)
      let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), body: HTTP.Body(bytes))
      try expect(try await setting.response(to: request).body.data == bytes, "the echo differs")
    },
    Case("a response streams while the request's body is still being sent", needs: [.sockets]) { setting in
      let server = try setting.server()
      server.echo(.post, "/echo")
      let (chunks, sending) = AsyncStream<Data>.makeStream()
      sending.yield(Data("0".utf8))
      let response = try await setting.session.send(
        HTTP.Request(method: .post, url: setting.url(server, "/echo"), body: .stream(chunks)), options: .patient)
      var echoed = response.body.makeAsyncIterator()
      // Each chunk is sent after the previous one was received back.
      for index in 0..<50 {
        try expect(try await echoed.next(), is: Data("\(index)".utf8))
        if index < 49 { sending.yield(Data("\(index + 1)".utf8)) }
      }
      sending.finish()
      try expect(try await echoed.next(), is: nil)
      try expect(server.requests.map(\.bodyByteCount), is: [90])
    },
    Case("a file is sent with its length") { setting in
      let server = try setting.echoServer()
      let file = try TemporaryFile(pattern(500_000))
      let request = HTTP.Request(method: .put, url: setting.url(server, "/x"), body: .file(file.url))
      for _ in 0..<2 {
        let response = try await setting.response(to: request)
        try expect(response.body.data == file.contents, "the echo differs")
        try expect(server.requests.last?.headers[.contentLength], is: "500000")
      }
    },
    Case("a file whose size the system reports as zero is sent") { setting in
      // Linux creates the content of these files while they are read.
      let url = URL(filePath: "/proc/version")
      guard let contents = try? Data(contentsOf: url), !contents.isEmpty else { return }
      let server = try setting.echoServer()
      let request = HTTP.Request(method: .put, url: setting.url(server, "/x"), body: .file(url))
      try expect(try await setting.response(to: request).body.data, is: contents)
      let form = HTTP.Body.multipart([.file(url, name: "part")])
      _ = try await setting.response(to: HTTP.Request(method: .post, url: setting.url(server, "/x"), body: form))
      let received = try require(server.requests.last, "request")
      let text = String(decoding: received.body, as: UTF8.self)
      try expect(text.contains(String(decoding: contents, as: UTF8.self)), "the form does not contain the file")
      let empty = try TemporaryFile(Data())
      _ = try await setting.response(
        to: HTTP.Request(method: .put, url: setting.url(server, "/x"), body: .file(empty.url)))
      try expect(server.requests.last?.body, is: Data())
    },
    Case("an error about an unreadable file names the file") { setting in
      let server = try setting.echoServer()
      for path in ["/no/such/file", "/tmp"] {
        let outcome = await setting.exchange(
          HTTP.Request(method: .put, url: setting.url(server, "/x"), body: .file(URL(filePath: path))))
        try outcome.expectError(.requestBodyFailed)
        try expect(outcome.error?.underlyingError is HTTP.BodyError, "\(String(describing: outcome.error))")
      }
      try expect(server.requests.count, is: 0)
    },
    Case("a stream arrives completely, with or without a known length") { setting in
      let server = try setting.echoServer()
      for length in [500_000, nil] {
        let body = HTTP.Body.stream(chunks((0..<50).map { Data(repeating: $0, count: 10_000) }), length: length)
        let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), body: body)
        let response = try await setting.response(to: request)
        try expect(response.body.length, is: 500_000)
        let received = try require(server.requests.last, "request").body
        let sent = (0..<50).reduce(into: Data()) { $0 += Data(repeating: $1, count: 10_000) }
        try expect(received == sent, "other bytes arrived")
      }
      // A stream without bytes is also a body.
      for length in [0, nil] {
        let body = HTTP.Body.stream(chunks([]), length: length)
        let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), body: body)
        try expect(try await setting.response(to: request).body.length, is: 0)
      }
    },
    Case("a stream of known length is sent with Content-Length", needs: [.rawConnection]) { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body.stream(chunks([Data("ab".utf8), Data("cde".utf8)]), length: 5)
      _ = try await setting.response(to: HTTP.Request(method: .put, url: setting.url(server, "/x"), body: body))
      try expect(server.requests.first?.headers.values(for: .contentLength), is: ["5"])
      try expect(server.requests.first?.headers.contains(.transferEncoding), is: false)
    },
    Case("a stream of unknown length is sent in chunks", needs: [.rawConnection]) { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body.stream(chunks([Data("ab".utf8), Data("cde".utf8)]))
      _ = try await setting.response(to: HTTP.Request(method: .put, url: setting.url(server, "/x"), body: body))
      try expect(server.requests.first?.headers.values(for: .transferEncoding), is: ["chunked"])
      try expect(server.requests.first?.headers.contains(.contentLength), is: false)
    },
    Case("a stream with fewer or more bytes than announced fails, and the server receives no complete request") {
      setting in
      let server = try setting.echoServer()
      for parts in [["ab"], [], ["abcde"], ["ab", "cde"]] {
        let body = HTTP.Body.stream(chunks(parts.map { Data($0.utf8) }), length: 3)
        let outcome = await setting.exchange(
          HTTP.Request(method: .put, url: setting.url(server, "/x"), body: body))
        try outcome.expectError(.requestBodyFailed)
        let error = outcome.error?.underlyingError as? HTTP.BodyError
        guard case .wrongLength(expected: 3, _) = error else {
          throw ContractViolation(
            description: "\(String(describing: outcome.error)) does not name the wrong length")
        }
      }
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("an error of a stream fails the request, and the server receives no complete request") { setting in
      struct Broken: Error {}
      let server = try setting.echoServer()
      let stream = AsyncThrowingStream<Data, any Error> {
        $0.yield(Data("a".utf8))
        $0.finish(throwing: Broken())
      }
      let outcome = await setting.exchange(
        HTTP.Request(method: .post, url: setting.url(server, "/x"), body: .stream(stream)))
      try outcome.expectError(.requestBodyFailed)
      try expect(outcome.error?.underlyingError is Broken, "\(String(describing: outcome.error))")
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("a stream that has already been read fails the request") { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body.stream(chunks([Data("once".utf8)]))
      let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), body: body)
      try expect(try await setting.response(to: request).body.string, is: "once")
      let outcome = await setting.exchange(request)
      try outcome.expectError(.requestBodyFailed)
      try expect(outcome.error?.underlyingError as? HTTP.BodyError, is: .alreadyConsumed)
      try expect(server.requests.count, is: 1)
    },
    Case("the sent bytes of a body are reported, from zero to the last byte") { setting in
      let server = try setting.echoServer()
      let heard = Recorder<TransferProgress>()
      var options = TransportOptions.patient
      options.progressHandler = { heard.add($0) }
      let request = HTTP.Request(
        method: .put, url: setting.url(server, "/x"), body: HTTP.Body(pattern(3_000_001)))
      _ = try await setting.response(to: request, options)
      let sent = heard.all.filter { $0.direction == .sent }
      try expect(sent.first, is: TransferProgress(direction: .sent, byteCount: 0, totalByteCount: 3_000_001))
      try expect(sent.last, is: TransferProgress(direction: .sent, byteCount: 3_000_001, totalByteCount: 3_000_001))
      try expect(sent.map(\.byteCount), is: sent.map(\.byteCount).sorted())
    },
    Case("a large body arrives completely") { setting in
      let server = try setting.server(requestBodies: .counted)
      server.on(.put, "/x") { .text("\($0.bodyByteCount)") }
      let body = HTTP.Body.stream(chunks(Array(repeating: Data(count: 1 << 16), count: 512)))
      let request = HTTP.Request(method: .put, url: setting.url(server, "/x"), body: body)
      try expect(try await setting.response(to: request).body.string, is: "\(32 << 20)")
    },
  ]

  private static func chunks(_ parts: [Data]) -> AsyncStream<Data> {
    AsyncStream { continuation in
      for part in parts { continuation.yield(part) }
      continuation.finish()
    }
  }
}

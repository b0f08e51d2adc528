internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import Synchronization

extension TransportContract {
  static let requestBodyCases: [Case] = [
    Case("a body arrives unchanged with each method") { setting in
      let server = try setting.echoServer()
      let bytes = pattern(300_000)
      for method in [HTTP.Method.post, .put, .patch, .delete, "PURGE"] {
        let request = setting.request(
          method, server, "/echo", headers: [.contentType: .applicationOctetStream], body: HTTP.Body(bytes))
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
        let response = try await setting.response(to: setting.request(method, server, "/x"))
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
      _ = try await setting.response(to: setting.request(.post, server, "/x", body: body))
      let types = try require(server.requests.first, "request").headers.values(for: .contentType)
      try expect(types.isEmpty || types == [.applicationOctetStream], "\(types)")
    },
    Case("the body of a GET is sent") { setting in
      let server = try setting.echoServer()
      let request = HTTP.Request(url: setting.url(server, "/x"), body: HTTP.Body("query"))
      try expect(try await setting.response(to: request).body.string, is: "query")
      try expect(server.requests.map(\.method), is: [.get])
    },
    Case("an error of the body's producer is not a cancellation") { setting in
      let server = try setting.echoServer()
      let chunks = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: CancellationError()) }
      let outcome = await setting.exchange(setting.request(.post, server, "/x", body: .stream(chunks)))
      try outcome.expectError(.requestBodyFailed)
    },
    Case("1 MB is echoed") { setting in
      let server = try setting.echoServer()
      let bytes = pattern(1 << 20)
      let request = setting.request(.post, server, "/x", body: HTTP.Body(bytes))
      try expect(try await setting.response(to: request).body.data == bytes, "the echo differs")
    },
    Case("a response streams while the request's body is still being sent", needs: [.sockets]) { setting in
      let server = try setting.server()
      server.echo(.post, "/echo")
      let (chunks, sending) = AsyncStream<Data>.makeStream()
      sending.yield(Data("0".utf8))
      let response = try await setting.session.send(
        setting.request(.post, server, "/echo", body: .stream(chunks)), options: .patient)
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
      let request = setting.request(.put, server, "/x", body: .file(file.url))
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
      let request = setting.request(.put, server, "/x", body: .file(url))
      try expect(try await setting.response(to: request).body.data, is: contents)
      let form = HTTP.Body.multipart([.file(url, name: "part")])
      _ = try await setting.response(to: setting.request(.post, server, "/x", body: form))
      let received = try require(server.requests.last, "request")
      let text = String(decoding: received.body, as: UTF8.self)
      try expect(text.contains(String(decoding: contents, as: UTF8.self)), "the form does not contain the file")
      let empty = try TemporaryFile(Data())
      _ = try await setting.response(to: setting.request(.put, server, "/x", body: .file(empty.url)))
      try expect(server.requests.last?.body, is: Data())
    },
    Case("an error about an unreadable file names the file") { setting in
      let server = try setting.echoServer()
      for path in ["/no/such/file", "/tmp"] {
        let outcome = await setting.exchange(setting.request(.put, server, "/x", body: .file(URL(filePath: path))))
        try outcome.expectError(.requestBodyFailed)
        try expect(outcome.error?.underlyingError is HTTP.BodyError, "\(String(describing: outcome.error))")
      }
      try expect(server.requests.count, is: 0)
    },
    Case("a stream arrives completely, with or without a known length") { setting in
      let server = try setting.echoServer()
      for length in [500_000, nil] {
        let body = HTTP.Body.stream(chunks((0..<50).map { Data(repeating: $0, count: 10_000) }), length: length)
        let request = setting.request(.post, server, "/x", body: body)
        let response = try await setting.response(to: request)
        try expect(response.body.length, is: 500_000)
        let received = try require(server.requests.last, "request").body
        let sent = (0..<50).reduce(into: Data()) { $0 += Data(repeating: $1, count: 10_000) }
        try expect(received == sent, "other bytes arrived")
      }
      // A stream without bytes is also a body.
      for length in [0, nil] {
        let body = HTTP.Body.stream(chunks([]), length: length)
        let request = setting.request(.post, server, "/x", body: body)
        try expect(try await setting.response(to: request).body.length, is: 0)
      }
    },
    Case("a stream of known length is sent with Content-Length", needs: [.rawConnection]) { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body.stream(chunks([Data("ab".utf8), Data("cde".utf8)]), length: 5)
      _ = try await setting.response(to: setting.request(.put, server, "/x", body: body))
      try expect(server.requests.first?.headers.values(for: .contentLength), is: ["5"])
      try expect(server.requests.first?.headers.contains(.transferEncoding), is: false)
    },
    Case("a stream of unknown length is sent in chunks", needs: [.rawConnection]) { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body.stream(chunks([Data("ab".utf8), Data("cde".utf8)]))
      _ = try await setting.response(to: setting.request(.put, server, "/x", body: body))
      try expect(server.requests.first?.headers.values(for: .transferEncoding), is: ["chunked"])
      try expect(server.requests.first?.headers.contains(.contentLength), is: false)
    },
    Case("a stream with fewer or more bytes than announced fails, and the server receives no complete request") {
      setting in
      let server = try setting.echoServer()
      for parts in [["ab"], [], ["abcde"], ["ab", "cde"]] {
        let body = HTTP.Body.stream(chunks(parts.map { Data($0.utf8) }), length: 3)
        let outcome = await setting.exchange(setting.request(.put, server, "/x", body: body))
        try outcome.expectError(.requestBodyFailed)
        let error = outcome.error?.underlyingError as? HTTP.BodyError
        guard case .wrongLength(expected: 3, _) = error else {
          throw ContractError(
            description: "\(String(describing: outcome.error)) does not name the wrong length")
        }
      }
      let outcome = await setting.exchange(
        HTTP.Request(
          method: .put, url: setting.url(server, "/x"), body: .stream(chunks([Data("ab".utf8)]), length: 0)))
      try outcome.expectError(.requestBodyFailed)
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
      let outcome = await setting.exchange(setting.request(.post, server, "/x", body: .stream(stream)))
      try outcome.expectError(.requestBodyFailed)
      try expect(outcome.error?.underlyingError is Broken, "\(String(describing: outcome.error))")
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("a stream that has already been read fails the request") { setting in
      let server = try setting.echoServer()
      let body = HTTP.Body.stream(chunks([Data("once".utf8)]))
      let request = setting.request(.post, server, "/x", body: body)
      try expect(try await setting.response(to: request).body.string, is: "once")
      let outcome = await setting.exchange(request)
      try outcome.expectError(.requestBodyFailed)
      try expect(outcome.error?.underlyingError as? HTTP.BodyError, is: .alreadyConsumed)
      try expect(server.requests.count, is: 1)
    },
    Case("the sent bytes of a body are reported, from zero to the last byte") { setting in
      let server = try setting.echoServer()
      for count in [1, 100, 65_536, 3_000_001] {
        let heard = Recorder<TransferProgress>()
        var options = TransportOptions.patient
        options.progressHandler = { heard.add($0) }
        let request = setting.request(.put, server, "/x", body: HTTP.Body(pattern(count)))
        _ = try await setting.response(to: request, options)
        let sent = heard.all.filter { $0.direction == .sent }
        try expect(sent.first, is: TransferProgress(direction: .sent, byteCount: 0, totalByteCount: count))
        try expect(sent.last, is: TransferProgress(direction: .sent, byteCount: count, totalByteCount: count))
        try expect(sent.map(\.byteCount), is: sent.map(\.byteCount).sorted())
      }
    },
    Case("a large body arrives completely") { setting in
      let server = try setting.server(requestBodies: .counted)
      server.on(.put, "/x") { .text("\($0.bodyByteCount)") }
      let body = HTTP.Body.stream(chunks(Array(repeating: Data(count: 1 << 16), count: 512)))
      let request = setting.request(.put, server, "/x", body: body)
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
        let request = setting.request(method, server, "/x")
        try expect(try await setting.response(to: request).body.string, is: name)
      }
    },
    Case("methods keep their case or are rejected", needs: [.rawConnection]) { setting in
      let server = try setting.server()
      for name in ["get", "Post", "dELETE", "purge"] {
        let method = HTTP.Method(rawValue: name)
        server.on(method, "/x") { .text($0.method.rawValue) }
        let outcome = await setting.exchange(setting.request(method, server, "/x"))
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
      let response = try await setting.response(to: setting.request(method, server, "/x"))
      try expect(response.headers["X-Method"]?.rawValue, is: method.rawValue)
    }
  }
}

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
    // Source: RFC 9110 §5.5.
    Case("values in UTF-8 and in Latin-1 are text", needs: [.rawConnection]) { setting in
      let disposition = "attachment; filename=\"café.txt\""
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Text: grüße\r\nContent-Disposition: "
      let latin1 = disposition.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      let server = try setting.server(
        answering: .raw([.send(Data(head.utf8) + Data(latin1) + Data("\r\n\r\n".utf8)), .close]))
      let headers = try await setting.response(to: setting.get(server)).headers
      try expect(headers["X-Text"], is: "grüße")
      try expect(headers[.contentDisposition]?.rawValue, is: disposition)
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

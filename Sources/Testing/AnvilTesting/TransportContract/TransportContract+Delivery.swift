internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP

/// Cases for the delivery of bodies: in pieces, to slow readers, and to readers that do not read the whole body.
extension TransportContract {
  private static let block = pattern(1 << 16)

  static let deliveryCases: [Case] = [
    Case("a body that arrives in small pieces is complete", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .fault(.slowDrip(interval: .milliseconds(2), count: 60)))
      try expect(try await setting.response(to: setting.get(server)).body.string, is: String(repeating: ".", count: 60))
    },
    Case("chunks are never empty, and there are none after the end") { setting in
      let server = try setting.server(answering: .chunked([Data("a".utf8), Data("b".utf8)]))
      let response = try await setting.session.send(setting.get(server), options: .patient)
      var chunks = response.body.makeAsyncIterator()
      var body = Data()
      while let chunk = try await chunks.next() {
        try expect(!chunk.isEmpty, "an empty chunk")
        body += chunk
      }
      try expect(body, is: Data("ab".utf8))
      for _ in 0..<2 { try expect(try await chunks.next(), is: nil) }
    },
    Case("a slow reader receives the complete body") { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(block, count: 512)) }
      let options = TransportOptions(timeout: .seconds(120), responseDelivery: .streamed)
      let response = try await setting.session.send(setting.get(server), options: options)
      var (count, burst) = (0, 0)
      for try await chunk in response.body {
        try expect(chunk.first, is: block[count % block.count])
        (count, burst) = (count + chunk.count, burst + chunk.count)
        // The pause gives buffers time to fill up. The outcome does not depend on it.
        if burst > 1 << 20 {
          burst = 0
          try await Task.sleep(for: .milliseconds(2))
        }
      }
      try expect(count, is: 32 << 20)
    },
    Case("a body that is released half read closes its connection, and the session stays usable", needs: [.sockets]) {
      setting in
      let server = try setting.server(
        answering: .fault(.slowDrip(interval: .milliseconds(5), count: 10_000)))
      do {
        let response = try await setting.session.send(setting.get(server), options: .patient)
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        try expect(server.abandonedConnections.isEmpty, "the connection was closed before the body was released")
      }
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("a body that is released unread closes its connection", needs: [.sockets]) { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(Data("chunk".utf8), count: .max), every: .milliseconds(1)) }
      _ = try await setting.session.send(setting.get(server), options: .patient)
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("an unread body does not delay other transfers") { setting in
      let server = try setting.server()
      server.on(.get, "/large") { _ in .chunked(repeatElement(block, count: 800)) }
      server.on(.get, "/small") { _ in .text("small") }
      let options = TransportOptions(timeout: .seconds(120), responseDelivery: .streamed)
      let unread = try await setting.session.send(setting.get(server, "/large"), options: options)
      for _ in 0..<20 {
        try expect(try await setting.response(to: setting.get(server, "/small")).body.string, is: "small")
      }
      withExtendedLifetime(unread) {}
    },
    Case("a server cannot send more of a response that is not read", needs: [.backPressure, .rawConnection]) {
      setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(block, count: .max)) }
      let options = TransportOptions(timeout: nil, responseDelivery: .streamed)
      let response = try await setting.session.send(setting.get(server), options: options)
      func sent() -> Int { server.sentByteCounts.values.reduce(0, +) }
      // Both systems and the session buffer some MiB. The count has settled when it stays the same many times in a row.
      var (last, unchanged) = (-1, 0)
      while unchanged < 50 {
        try await Task.sleep(for: .milliseconds(2))
        let now = sent()
        try expect(now < 256 << 20, "\(now) bytes of a response that is not read were sent")
        (last, unchanged) = (now, now == last ? unchanged + 1 : 0)
      }
      // The transfer continues each time the reader reads further chunks.
      var chunks = response.body.makeAsyncIterator()
      var count = 0
      for round in 1...3 {
        let before = sent()
        while count < round << 24 || sent() == before {
          let chunk = try require(try await chunks.next(), "chunk")
          try expect(chunk.first, is: block[count % block.count])
          count += chunk.count
        }
      }
    },
  ]
}

/// Cases for the ways in which the end of a response's body is found. Source: RFC 9112 §6.3, §7.1.
extension TransportContract {
  static let framingCases: [Case] = [
    Case("a body without a length ends when the connection is closed", needs: [.rawConnection]) { setting in
      for version in ["1.0", "1.1"] {
        let server = try setting.server(sending: "HTTP/\(version) 200 OK\r\n\r\nto the end")
        try expect(try await setting.response(to: setting.get(server)).body.string, is: "to the end")
      }
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

/// Cases for compressed bodies. A session decompresses them and leaves their fields unchanged. Source: RFC 9110 §8.4.
extension TransportContract {
  static let decodingCases: [Case] =
    [
      decodes("gzip", CompressedBytes.gzip, as: .encodingGzip, need: .decompression),
      decodes("gzip with several members", CompressedBytes.gzipMembers, as: .encodingGzip, need: .decompression),
      decodes("deflate", CompressedBytes.deflate, as: .encodingDeflate, need: .decompression),
      decodes(
        "deflate without the zlib wrapper", CompressedBytes.rawDeflate, as: .encodingDeflate, need: .decompression),
      decodes("br", CompressedBytes.brotli, as: .encodingBr, need: .brotli),
      decodes("zstd", CompressedBytes.zstandard, as: .encodingZstd, need: .zstandard),
      Case("a body that expands to a multiple of its size is decompressed completely", needs: [.decompression]) {
        setting in
        let server = try setting.server()
        let packed = CompressedBytes.gzipOfZeros
        server.on(.get, "/length") { _ in .status(200, headers: [.contentEncoding: .encodingGzip], body: packed) }
        server.on(.get, "/chunks") { _ in
          .chunked(packed.map { Data([$0]) }, headers: [.contentEncoding: .encodingGzip])
        }
        for target in ["/length", "/chunks"] {
          let response = try await setting.response(to: setting.get(server, target))
          try expect(
            response.body.data == Data(count: 1 << 20), "\(response.body.length ?? 0) wrong bytes for \(target)")
        }
      },
      Case("an empty compressed body decompresses to an empty body", needs: [.decompression]) { setting in
        let server = try setting.server()
        let headers: HTTP.Headers = [.contentEncoding: .encodingGzip]
        server.on(.get, "/member") { _ in .status(200, headers: headers, body: CompressedBytes.emptyGzip) }
        server.on(.get, "/none") { _ in .status(200, headers: headers) }
        server.on(.get, "/204") { _ in .status(204, headers: headers) }
        for target in ["/member", "/none", "/204"] {
          try expect(try await setting.response(to: setting.get(server, target)).body.data, is: Data())
        }
        server.on(.head, "/") { _ in .status(200, headers: headers.merging([.contentLength: "65"])) }
        let head = try await setting.response(to: setting.request(.head, server))
        try expect(head.body.data, is: Data())
      },
      fails(
        "gzip that is cut off is reported as truncated", Data(CompressedBytes.gzip.dropLast(20)), as: .encodingGzip),
      fails(
        "gzip without its checksum is reported as truncated", Data(CompressedBytes.gzip.dropLast(8)), as: .encodingGzip),
      fails(
        "gzip whose second member is cut off is reported as truncated", CompressedBytes.gzipMembers.prefix(100),
        as: .encodingGzip),
      fails(
        "gzip with a wrong checksum is reported as malformed", changed(CompressedBytes.gzip, at: 60), as: .encodingGzip),
      fails("a body that is not gzip is reported as malformed", Data("this is no gzip at all".utf8), as: .encodingGzip),
      fails(
        "deflate that is cut off is reported as truncated", Data(CompressedBytes.deflate.dropLast(8)),
        as: .encodingDeflate),
      fails(
        "br that is cut off is reported as truncated", CompressedBytes.brotli.prefix(30), as: .encodingBr, need: .brotli
      ),
      fails(
        "zstd that is cut off is reported as truncated", CompressedBytes.zstandard.prefix(40), as: .encodingZstd,
        need: .zstandard),
    ]

  /// Returns a case that checks that a body is decompressed if its length is stated, and if it is sent in small chunks.
  private static func decodes(_ name: String, _ packed: Data, as coding: HTTP.HeaderValue, need: Need) -> Case {
    Case("\(name) is decompressed", needs: [need]) { setting in
      let server = try setting.server()
      server.on(.get, "/length") { _ in .status(200, headers: [.contentEncoding: coding], body: packed) }
      server.on(.get, "/chunks") { _ in
        .chunked(
          stride(from: 0, to: packed.count, by: 7).map { packed[$0..<min($0 + 7, packed.count)] },
          headers: [.contentEncoding: coding])
      }
      for target in ["/length", "/chunks"] {
        let response = try await setting.response(to: setting.get(server, target))
        try expect(response.body.string, is: CompressedBytes.text)
        try expect(response.headers[.contentEncoding], is: coding)
        if target == "/length" { try expect(response.headers[.contentLength], is: "\(packed.count)") }
      }
    }
  }

  /// Returns a case that checks that a body with valid framing and invalid content fails as truncated or as malformed.
  private static func fails(
    _ name: String, _ packed: Data, as coding: HTTP.HeaderValue, need: Need = .decompression
  ) -> Case {
    Case(name, needs: [need]) { setting in
      let server = try setting.server(
        answering: .status(200, headers: [.contentEncoding: coding], body: packed))
      let outcome = await setting.exchange(setting.get(server))
      let error = try require(outcome.error, "error; \(outcome.body.count) bytes were received")
      try expect(error.code == .truncatedResponse || error.code == .malformedResponse, "\(error)")
      try expect(error.phase, is: .body)
      try expect(outcome.head?.code, is: 200)
    }
  }

  private static func changed(_ data: Data, at index: Int) -> Data {
    var bytes = [UInt8](data)
    if bytes.indices.contains(index) { bytes[index] ^= 0x55 }
    return Data(bytes)
  }
}

/// The compressed forms of ``text``, unless the comment names other contents, precomputed with Python 3.11 (`zlib` 1.2.13, level 9;
/// `brotli` 1.2.1; `zstandard` 0.25.0, level 19), because the package has a compressor for gzip only.
enum CompressedBytes {
  static let text = String(repeating: "Anvil reads what was packed for the way. ", count: 8)

  static let gzip = bytes(
    "H4sIAAAAAAACA3PMK8vMUShKTUwpVijPSCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4jirEpxAAfe2YO0gBAAA=")
  /// The two halves of the text as separate members. Source: RFC 1952 §2.2.
  static let gzipMembers = bytes(
    "H4sIAAAAAAACA3PMK8vMUShKTUwpVijPSCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4DpxCAEqW59mkAAAAH4sIAAAAAAACA3PMK8vMUShKTUwpVijP"
      + "SCxRKE8sVihITM5OTVFIyy9SKMlIBQpV6ik4DpxCAEqW59mkAAAA")
  static let emptyGzip = bytes("H4sIAAAAAAACAwMAAAAAAAAAAAA=")
  /// 1 MiB of zeros.
  static let gzipOfZeros = bytes(
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA==")
  /// The text in the format that the standard calls `deflate`: a zlib stream. Source: RFC 9110 §8.4.1.2, RFC 1950.
  static let deflate = bytes(
    "eNpzzCvLzFEoSk1MKVYoz0gsUShPLFYoSEzOTk1RSMsvUijJSAUKVeopOI4qxKcQAKY6c7k=")
  /// Compressed data without the zlib header, as some servers send as `deflate`. Source: RFC 9110 §8.4.1.2 (note), RFC 1951.
  static let rawDeflate = bytes("c8wry8xRKEpNTClWKM9ILFEoTyxWKEhMzk5NUUjLL1IoyUgFClXqKTiOKsSnEAA=")
  static let brotli = bytes("G0cB+I1UtT+3sb1dU7BWFBhUgaR1J6IINJjGwaCZjhLoWxyUfT5XkyLHF9NZAA==")
  static let zstandard = bytes(
    "KLUv/WBIAIUBAJKCCRDA6yhvGVcriiBCuNLXoMudBu1rzGVFw4dFPFl9vZ5rdUe1IeyEAQDhYKoqAw==")

  private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}

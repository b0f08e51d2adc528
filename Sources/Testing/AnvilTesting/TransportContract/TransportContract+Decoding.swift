internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
        let head = try await setting.response(to: HTTP.Request(method: .head, url: setting.url(server)))
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

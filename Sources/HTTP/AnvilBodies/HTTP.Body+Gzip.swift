internal import AnvilBase
public import AnvilHTTP

extension HTTP.Body {
  /// Returns the body compressed with gzip, to be sent with `Content-Encoding: gzip`. The media type is kept.
  ///
  ///     request.body = try .json(report).gzipped()
  ///
  /// A body in memory is compressed immediately and can be sent repeatedly. A file, a form or a stream is compressed as it is sent. It is
  /// never held in memory as a whole, has no known length, and can be sent only once, even if the file could be read again. The trailers of
  /// a stream are kept. An empty body is returned unchanged. A value is encoded and compressed only when it is sent, in the format that is
  /// set at that time. It can be sent repeatedly.
  ///
  /// Not every server accepts compressed bodies. A server that does not should respond with 415, and may list the accepted codings in
  /// `Accept-Encoding`.
  ///
  /// - Throws: ``HTTP/BodyError/compressionFailed`` if there is not enough memory.
  /// - Source: RFC 9110 §8.4; RFC 1952.
  public func gzipped() throws(HTTP.BodyError) -> HTTP.Body {
    if let data, data.isEmpty { return self }
    var compressed: HTTP.Body
    if isDeferred, isInMemoryOnceEncoded {
      compressed = .deferred(contentType: contentType) { format throws(HTTP.BodyError) in
        let encoded = try encoded(in: format)
        return try HTTP.Body(gzip(encoded.bytes()), contentType: encoded.contentType)
      }
    } else if let data {
      compressed = HTTP.Body(try gzip(data), contentType: contentType)
    } else if let trailers {
      compressed = .stream(GzipChunks(body: self), contentType: contentType, trailers: trailers)
    } else {
      compressed = .stream(GzipChunks(body: self), contentType: contentType)
    }
    compressed.contentEncoding =
      contentEncoding.map { HTTP.HeaderValue(rawValue: "\($0.rawValue), gzip") } ?? .encodingGzip
    compressed.takeFormats(of: self)
    return compressed
  }
}

/// Returns the bytes of `data` as one gzip member, even if `data` is empty.
private func gzip(_ data: Data) throws(HTTP.BodyError) -> Data {
  guard let encoder = GzipEncoder() else { throw .compressionFailed }
  return encoder.compress(data) + encoder.finish()
}

/// The chunks of a body, compressed as they are read. At most a chunk and zlib's window are in memory.
struct GzipChunks: AsyncSequence, Sendable {
  let body: HTTP.Body

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: body.makeAsyncIterator(), encoder: GzipEncoder())
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var chunks: HTTP.Body.AsyncIterator
    let encoder: GzipEncoder?
    var isFinished = false

    mutating func next() async throws -> Data? {
      guard !isFinished else { return nil }
      guard let encoder else { throw HTTP.BodyError.compressionFailed }
      while let chunk = try await chunks.next() {
        let compressed = encoder.compress(chunk)
        if !compressed.isEmpty { return compressed }
      }
      // A cancelled sequence may end early without an error, and must not produce a complete gzip member.
      try Task.checkCancellation()
      isFinished = true
      return encoder.finish()
    }
  }
}

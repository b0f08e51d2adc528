public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Body {
  /// Returns the body compressed with gzip, to be sent with `Content-Encoding: gzip`. The media type stays.
  ///
  ///     request.body = try .json(report).gzipped()
  ///
  /// A body in memory is compressed now and can be sent any number of times. A file, a form or a stream is compressed as it is sent:
  /// it is never in memory as a whole, has no length, and can be sent once, also where the file could be read again. A stream's
  /// trailers stay. An empty body is returned as it is. A value to be encoded is encoded and compressed when it is sent, in the format
  /// that holds then, and can be sent any number of times.
  ///
  /// Not every server accepts this: one that does not should answer 415, and may name what it accepts in `Accept-Encoding`.
  ///
  /// - Throws: ``HTTP/BodyError/compressionFailed`` where there is not enough memory.
  /// - Source: RFC 9110 §8.4; RFC 1952.
  public func gzipped(_ level: GzipLevel = .standard) throws(HTTP.BodyError) -> HTTP.Body {
    if let data, data.isEmpty { return self }
    var compressed: HTTP.Body
    if isDeferred {
      compressed = .deferred(contentType: contentType) { format throws(HTTP.BodyError) in
        let encoded = try encoded(in: format)
        return try HTTP.Body(gzip(encoded.data ?? Data(), level), contentType: encoded.contentType)
      }
    } else if let data {
      compressed = HTTP.Body(try gzip(data, level), contentType: contentType)
    } else if let trailers {
      compressed = .stream(GzipChunks(body: self, level: level), contentType: contentType, trailers: trailers)
    } else {
      compressed = .stream(GzipChunks(body: self, level: level), contentType: contentType)
    }
    compressed.contentEncoding =
      contentEncoding.map { HTTP.HeaderValue(rawValue: "\($0.rawValue), gzip") } ?? .encodingGzip
    compressed.ownEncodingFormat = ownEncodingFormat
    compressed.ownDecodingFormat = ownDecodingFormat
    return compressed
  }
}

/// The bytes of `data` as one gzip member, also where there are none.
private func gzip(_ data: Data, _ level: GzipLevel) throws(HTTP.BodyError) -> Data {
  guard let encoder = GzipEncoder(level: level.number) else { throw .compressionFailed }
  return encoder.compress(data) + encoder.finish()
}

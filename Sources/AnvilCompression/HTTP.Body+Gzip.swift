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
  /// trailers stay. An empty body is returned as it is. A value to be encoded is encoded now, in ``encodingFormat``.
  ///
  /// Not every server accepts this: one that does not should answer 415, and may name what it accepts in `Accept-Encoding`.
  ///
  /// - Throws: ``HTTP/BodyError/compressionFailed`` where there is not enough memory, ``HTTP/BodyError/unencodable(type:reason:)``.
  /// - Source: RFC 9110 §8.4; RFC 1952.
  public func gzipped(_ level: GzipLevel = .standard) throws(HTTP.BodyError) -> HTTP.Body {
    if isDeferred { return try encoded().gzipped(level) }
    if let data, data.isEmpty { return self }
    var compressed: HTTP.Body
    if let data {
      guard let encoder = GzipEncoder(level: level.number) else { throw .compressionFailed }
      compressed = HTTP.Body(encoder.compress(data) + encoder.finish(), contentType: contentType)
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

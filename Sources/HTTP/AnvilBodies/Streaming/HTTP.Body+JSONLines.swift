public import AnvilBase
public import AnvilHTTP

extension HTTP.Body {
  /// Returns the values of a body with one JSON value per line, decoded as they arrive.
  ///
  ///     for try await event in response.body.jsonLines(of: LogEvent.self) { … }
  ///
  /// Lines end with LF or CR LF; the end of the last line may be missing. Blank lines are skipped, and a UTF-8 byte order mark at the
  /// start is ignored. A chunk is read only when the next value is not available yet. At most a line and a chunk are in memory.
  ///
  /// Reading throws ``HTTP/LineDecodingError`` for a line that cannot be decoded, ``HTTP/BodyError/lineTooLong(line:limit:)``, errors of
  /// reading the body, and `CancellationError` if the task is cancelled. The sequence ends after an error. To continue after a line that
  /// cannot be decoded, use ``Values/results``.
  ///
  /// Source: JSON Lines 1.0 (jsonlines.org); ndjson-spec 1.0.
  ///
  /// - Parameters:
  ///   - format: The format of a line; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of a line, by default 16 MiB.
  public func jsonLines<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> Values<Value, HTTP.LineDecodingError> {
    Values { [format = format ?? decodingFormat] in JSONLineReader(self, format: format, limit: limit) }
  }
}

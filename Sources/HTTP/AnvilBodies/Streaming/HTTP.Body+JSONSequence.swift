public import AnvilBase
public import AnvilHTTP

extension HTTP.Body {
  /// Returns the values of the body, which is a JSON text sequence (`application/json-seq`), decoded as they arrive.
  ///
  ///     for try await event in response.body.jsonSequence(of: LogEvent.self) { … }
  ///
  /// Each record follows a record separator (U+001E) and ends with a line feed; it may contain line feeds. A chunk is read only when
  /// the next value is not available yet. At most a record and a chunk are in memory.
  ///
  /// Reading throws
  /// - ``HTTP/RecordDecodingError`` for a record that cannot be decoded. A number, `true`, `false` or `null` that is not followed by
  ///   white space may have been truncated: the underlying error is ``HTTP/BodyError/recordTruncated``. For text before the first
  ///   separator it is ``HTTP/BodyError/recordNotSeparated``;
  /// - ``HTTP/BodyError/recordTooLong(record:limit:)``, errors of reading the body, and `CancellationError` if the task is cancelled.
  ///
  /// The sequence ends after an error. To continue after a record that cannot be decoded, use ``Values/results``.
  ///
  /// Source: RFC 7464.
  ///
  /// - Parameters:
  ///   - format: The format of a record; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of a record, by default 16 MiB.
  public func jsonSequence<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> Values<Value, HTTP.RecordDecodingError> {
    Values { [format = format ?? decodingFormat] in JSONRecordReader(self, format: format, limit: limit) }
  }
}

public import AnvilHTTP
public import AnvilModel

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
  /// The sequence ends after an error. To continue after a record that cannot be decoded, use ``JSONSequence/results``.
  ///
  /// Source: RFC 7464.
  ///
  /// - Parameters:
  ///   - format: The format of a record; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of a record, by default 16 MiB.
  public func jsonSequence<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> JSONSequence<Value> {
    JSONSequence(body: self, format: format ?? decodingFormat, limit: limit)
  }

  /// The values of a JSON text sequence; see ``HTTP/Body/jsonSequence(of:with:upTo:)``. Can be iterated as often as the body can be read.
  public struct JSONSequence<Value: Decodable>: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(records: JSONRecordReader(body, format: format, limit: limit))
    }

    /// An iterator over the values, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var records: JSONRecordReader

      /// Returns the next value; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
        guard let record = try await records.next() else { return nil }
        do throws(HTTP.RecordDecodingError) {
          return try records.decode(Value.self, from: record)
        } catch {
          records.stop()
          throw error
        }
      }

      /// Returns the next value; `nil` at the end and after an error.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension HTTP.Body.JSONSequence {
  /// The records as results. A record that cannot be decoded is a failure and does not end the sequence.
  ///
  ///     for try await result in response.body.jsonSequence(of: LogEvent.self).results {
  ///       switch result {
  ///       case .success(let event): …
  ///       case .failure(let error): print("skipped: \(error)")
  ///       }
  ///     }
  public var results: Results { Results(body: body, format: format, limit: limit) }

  /// The records of a JSON text sequence, each as a value or an error; see ``HTTP/Body/JSONSequence/results``.
  public struct Results: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(records: JSONRecordReader(body, format: format, limit: limit))
    }

    /// An iterator over the values or errors, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var records: JSONRecordReader

      /// Returns the next record's value or error; `nil` at the end.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Result<Value, HTTP.RecordDecodingError>? {
        guard let record = try await records.next() else { return nil }
        return Result { () throws(HTTP.RecordDecodingError) in try records.decode(Value.self, from: record) }
      }

      /// Returns the next record's value or error; `nil` at the end.
      public mutating func next() async throws -> Result<Value, HTTP.RecordDecodingError>? {
        try await next(isolation: #isolation)
      }
    }
  }
}

public import AnvilHTTP
public import AnvilModel

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
  /// cannot be decoded, use ``JSONLines/results``.
  ///
  /// Source: JSON Lines 1.0 (jsonlines.org); ndjson-spec 1.0.
  ///
  /// - Parameters:
  ///   - format: The format of a line; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of a line, by default 16 MiB.
  public func jsonLines<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> JSONLines<Value> {
    JSONLines(body: self, format: format ?? decodingFormat, limit: limit)
  }

  /// The values of a body's lines; see ``HTTP/Body/jsonLines(of:with:upTo:)``. Can be iterated as often as the body can be read.
  public struct JSONLines<Value: Decodable>: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(lines: JSONLineReader(body, format: format, limit: limit))
    }

    /// An iterator over the values, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var lines: JSONLineReader

      /// Returns the next value; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
        guard let line = try await lines.next() else { return nil }
        do throws(HTTP.LineDecodingError) {
          return try lines.decode(Value.self, from: line)
        } catch {
          lines.stop()
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

extension HTTP.Body.JSONLines {
  /// The lines as results. A line that cannot be decoded is a failure and does not end the sequence.
  ///
  ///     for try await result in response.body.jsonLines(of: LogEvent.self).results {
  ///       switch result {
  ///       case .success(let event): …
  ///       case .failure(let error): print("skipped: \(error)")
  ///       }
  ///     }
  public var results: Results { Results(body: body, format: format, limit: limit) }

  /// The lines of a body, each as a value or an error; see ``HTTP/Body/JSONLines/results``.
  public struct Results: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(lines: JSONLineReader(body, format: format, limit: limit))
    }

    /// An iterator over the values or errors, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var lines: JSONLineReader

      /// Returns the value or error of the next line that is not blank; `nil` at the end.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Result<Value, HTTP.LineDecodingError>? {
        guard let line = try await lines.next() else { return nil }
        return Result { () throws(HTTP.LineDecodingError) in try lines.decode(Value.self, from: line) }
      }

      /// Returns the value or error of the next line that is not blank; `nil` at the end.
      public mutating func next() async throws -> Result<Value, HTTP.LineDecodingError>? {
        try await next(isolation: #isolation)
      }
    }
  }
}

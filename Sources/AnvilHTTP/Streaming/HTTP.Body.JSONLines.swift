public import AnvilModel

extension HTTP.Body {
  /// The values that the body has one of in each line, decoded as they arrive.
  ///
  ///     for try await event in response.body.jsonLines(of: LogEvent.self) { … }
  ///
  /// Lines end with LF or CR LF, the last one also with the body. Blank ones are skipped, a mark of UTF-8 at the beginning
  /// is left out. A chunk is read only when a value is asked for that is not there yet; no more is held than a line and a
  /// chunk.
  ///
  /// Reading throws ``HTTP/LineDecodingError`` for a line that cannot be decoded, ``HTTP/BodyError/lineTooLong(line:limit:)``,
  /// what reading the body throws, and `CancellationError` when the task is cancelled; after an error there are no more
  /// values. To go on behind a line that cannot be decoded read the ``JSONLines/results``.
  ///
  /// Source: JSON Lines 1.0 (jsonlines.org); ndjson-spec 1.0.
  ///
  /// - Parameters:
  ///   - format: what a line is decoded with: ``decodingFormat`` when `nil`.
  ///   - limit: how many bytes a line may have: 16 MiB unless given.
  public func jsonLines<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, upTo limit: Int = 1 << 24
  ) -> JSONLines<Value> {
    JSONLines(body: self, format: format ?? decodingFormat, limit: limit)
  }

  /// The values of a body's lines; see ``HTTP/Body/jsonLines(of:with:upTo:)``. Can be read as often as the body can.
  public struct JSONLines<Value: Decodable>: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(lines: JSONLineReader(body, format: format, limit: limit))
    }

    /// Gives the values in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var lines: JSONLineReader

      /// The next value; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
        guard let line = try await lines.next() else { return nil }
        do throws(HTTP.LineDecodingError) {
          return try lines.decode(Value.self, from: line)
        } catch {
          lines.stop()
          throw error
        }
      }

      /// The next value; `nil` at the end and after an error.
      public mutating func next() async throws -> Value? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension HTTP.Body.JSONLines {
  /// The same lines, where one that cannot be decoded is an element like any other and ends nothing.
  ///
  ///     for try await result in response.body.jsonLines(of: LogEvent.self).results {
  ///       switch result {
  ///       case .success(let event): …
  ///       case .failure(let error): print("skipped: \(error)")
  ///       }
  ///     }
  public var results: Results { Results(body: body, format: format, limit: limit) }

  /// The lines of a body, each with its value or the reason why there is none; see ``HTTP/Body/JSONLines/results``.
  public struct Results: AsyncSequence, Sendable {
    let body: HTTP.Body
    let format: any DecodingFormat
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(lines: JSONLineReader(body, format: format, limit: limit))
    }

    /// Gives the values, or the reasons, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var lines: JSONLineReader

      /// What the next line that is not blank holds; `nil` at the end.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Result<Value, HTTP.LineDecodingError>? {
        guard let line = try await lines.next() else { return nil }
        return Result { () throws(HTTP.LineDecodingError) in try lines.decode(Value.self, from: line) }
      }

      /// What the next line that is not blank holds; `nil` at the end.
      public mutating func next() async throws -> Result<Value, HTTP.LineDecodingError>? {
        try await next(isolation: #isolation)
      }
    }
  }
}

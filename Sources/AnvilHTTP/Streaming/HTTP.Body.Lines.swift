extension HTTP.Body {
  /// The body's lines of text as they arrive, each of at most 16 MiB.
  ///
  ///     for try await line in response.body.lines { print(line) }
  ///
  /// - SeeAlso: ``lines(upTo:)``, which has the details.
  public var lines: Lines { lines(upTo: 1 << 24) }

  /// The body's lines of text as they arrive, each of at most `limit` bytes.
  ///
  /// A line ends with LF or CR LF, which is not part of it; a CR alone is. Text behind the last end is a line, unless there
  /// is none. What is not UTF-8 becomes U+FFFD; a mark of UTF-8 at the beginning is left out.
  ///
  /// A chunk is read only when a line is asked for that is not there yet. No more is held than a line and a chunk.
  ///
  /// Reading throws ``HTTP/BodyError/lineTooLong(line:limit:)``, what reading the body throws, and `CancellationError` when
  /// the task is cancelled; after an error there are no more lines.
  public func lines(upTo limit: Int) -> Lines {
    Lines(body: self, limit: limit)
  }

  /// The lines of a body; see ``HTTP/Body/lines(upTo:)``. Can be read as often as the body can.
  public struct Lines: AsyncSequence, Sendable {
    let body: HTTP.Body
    let limit: Int

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(lines: PieceReader(body, LineSplitter(ends: .lineFeed, limit: limit)))
    }

    /// Gives the lines in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var lines: PieceReader<LineSplitter>

      /// The next line; `nil` at the end.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> String? {
        try await lines.next().map { String(decoding: $0, as: UTF8.self) }
      }

      /// The next line; `nil` at the end.
      public mutating func next() async throws -> String? {
        try await next(isolation: #isolation)
      }
    }
  }
}

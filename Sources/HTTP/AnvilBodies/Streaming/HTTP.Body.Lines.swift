public import AnvilHTTP

extension HTTP.Body {
  /// The lines of text of the body as they arrive, each of at most 16 MiB.
  ///
  ///     for try await line in response.body.lines { print(line) }
  ///
  /// - SeeAlso: ``lines(upTo:)`` for the details.
  public var lines: Lines { lines(upTo: 1 << 24) }

  /// Returns the lines of text of the body as they arrive, each of at most `limit` bytes.
  ///
  /// A line ends with LF or CR LF, which is not part of it; a CR without LF is part of the line. Text after the last line end is a
  /// line unless it is empty. Invalid UTF-8 is replaced by U+FFFD. A UTF-8 byte order mark at the start is ignored.
  ///
  /// A chunk is read only when the next line is not available yet. At most a line and a chunk are in memory.
  ///
  /// Reading throws ``HTTP/BodyError/lineTooLong(line:limit:)``, errors of reading the body, and `CancellationError` if the task is
  /// cancelled. The sequence ends after an error.
  public func lines(upTo limit: Int) -> Lines {
    Lines(body: self, limit: limit)
  }

  /// The lines of a body; see ``HTTP/Body/lines(upTo:)``. Can be iterated as often as the body can be read.
  public struct Lines: AsyncSequence, Sendable {
    let body: HTTP.Body
    let limit: Int

    /// Creates an iterator that reads the body.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(lines: PieceReader(body, LineSplitter(ends: .lineFeed, limit: limit)))
    }

    /// An iterator over the lines, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var lines: PieceReader<LineSplitter>

      /// Returns the next line; `nil` at the end and after an error.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> String? {
        try await lines.next().map { String(decoding: $0, as: UTF8.self) }
      }

      /// Returns the next line; `nil` at the end and after an error.
      public mutating func next() async throws -> String? {
        try await next(isolation: #isolation)
      }
    }
  }
}

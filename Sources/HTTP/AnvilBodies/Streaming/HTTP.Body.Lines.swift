internal import AnvilBase
public import AnvilHTTP

extension HTTP.Body {
  /// The lines of text of the body as they arrive, each of at most 16 MiB.
  ///
  ///     for try await line in response.body.lines { print(line) }
  ///
  /// - SeeAlso: ``lines(sizeLimit:)`` for the details.
  public var lines: Lines { lines(sizeLimit: 16 << 20) }

  /// Returns the lines of text of the body as they arrive, each of at most `limit` bytes.
  ///
  /// A line ends with LF or CR LF, which is not part of it; a CR without LF is part of the line. Text after the last line end is a
  /// line unless it is empty. Invalid UTF-8 is replaced by U+FFFD. A UTF-8 byte order mark at the start is ignored.
  ///
  /// A chunk is read only when the next line is not available yet. At most a line and a chunk are in memory.
  ///
  /// Reading throws ``HTTP/BodyError/lineTooLong(line:limit:)``, errors of reading the body and, if the task is
  /// cancelled, `CancellationError` or, for the body of a response, the transport's error with the code `cancelled`. The sequence ends after
  /// an error.
  public func lines(sizeLimit limit: Int) -> Lines {
    Lines(body: self, limit: limit)
  }

  /// The lines of a body; see ``HTTP/Body/lines(sizeLimit:)``. Can be iterated as often as the body can be read.
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
    }
  }
}

/// Splits text that arrives in chunks into lines, with at most a line and a chunk in memory.
///
///     splitter.append(chunk)
///     while let line = try splitter.next() { … }      // then the next chunk; after the last one:
///     let rest = try splitter.finish()
///
/// A UTF-8 byte order mark at the start of the text is not part of a line.
struct LineSplitter {
  enum Ends {
    /// LF and CR LF. A CR without LF is part of its line.
    case lineFeed
    case lineFeedOrReturn
  }

  private let ends: Ends
  private let limit: Int

  private var chunk = Data()
  /// The number of bytes of the chunk that have been read.
  private var at = 0
  /// The chunk's length if no such byte follows. Computed again only when passed, so that each byte is searched only once.
  private var nextLineFeed = -1
  private var nextReturn = -1
  /// The part of the current line that arrived before the chunk.
  private var pending = Data()
  /// True if the last line ended with a CR at the end of a chunk. An LF at the start of the next chunk then belongs to the same line end.
  private var isAfterCarriageReturn = false

  private(set) var count = 0
  /// The number of bytes of the text before the line that was returned last.
  private(set) var pieceOffset = 0
  /// The number of bytes of the text that have been read.
  private var offset = 0

  /// - Parameter limit: The maximum number of bytes of a line without its end.
  init(ends: Ends, limit: Int) {
    self.ends = ends
    // 4 bytes are added to the limit below.
    self.limit = max(0, min(limit, .max - 4))
  }

  /// Appends the next bytes of the text. The previous chunk must be used up: ``next()`` has returned `nil`.
  mutating func append(_ chunk: Data) {
    assert(at == self.chunk.count)
    self.chunk = chunk
    at = 0
    nextLineFeed = -1
    nextReturn = -1
  }

  /// Returns the next line without its end; `nil` if more bytes are needed.
  ///
  /// - Throws: ``HTTP/BodyError/lineTooLong(line:limit:)``; the splitter must not be used afterwards.
  mutating func next() throws(HTTP.BodyError) -> Data? {
    if isAfterCarriageReturn, at < chunk.count {
      isAfterCarriageReturn = false
      if chunk[chunk.startIndex + at] == .lineFeed {
        at += 1
        offset += 1
      }
    }
    guard at < chunk.count, let (end, next) = findEnd() else {
      try keep(chunk.slice(at..<chunk.count))
      at = chunk.count
      return nil
    }
    let part = chunk.slice(at..<end)
    pieceOffset = offset - pending.count
    offset += next - at
    at = next
    var line = part
    if !pending.isEmpty {
      line = Data()
      swap(&line, &pending)
      line.append(part)
    }
    // The CR of a CR LF may be in the previous chunk.
    if ends == .lineFeed, line.last == .carriageReturn { line = line.dropLast() }
    return try counted(line)
  }

  var hasUnfinishedLine: Bool { !pending.isEmpty }

  /// `nil` if there is no text after the last line end. Throws ``HTTP/BodyError/lineTooLong(line:limit:)``.
  mutating func finish() throws(HTTP.BodyError) -> Data? {
    guard !pending.isEmpty else { return nil }
    var line = Data()
    swap(&line, &pending)
    pieceOffset = offset - line.count
    line = try counted(line)
    return line.isEmpty ? nil : line
  }

  /// Returns the end of the current line in the chunk and the start of the next line; `nil` if the line continues after the chunk.
  private mutating func findEnd() -> (end: Int, next: Int)? {
    if nextLineFeed < at { nextLineFeed = chunk.offset(of: .lineFeed, from: at) ?? chunk.count }
    if ends == .lineFeedOrReturn {
      if nextReturn < at { nextReturn = chunk.offset(of: .carriageReturn, from: at) ?? chunk.count }
      if nextReturn < nextLineFeed {
        isAfterCarriageReturn = true
        return (nextReturn, nextReturn + 1)
      }
    }
    return nextLineFeed < chunk.count ? (nextLineFeed, nextLineFeed + 1) : nil
  }

  private mutating func keep(_ part: Data) throws(HTTP.BodyError) {
    guard !part.isEmpty else { return }
    // `part` may include a byte order mark and a CR of the line end, which do not count.
    guard part.count <= limit + 4 - pending.count else { throw .lineTooLong(line: count + 1, limit: limit) }
    pending.append(part)
    offset += part.count
  }

  /// Returns `line` without a byte order mark, and counts it.
  private mutating func counted(_ line: Data) throws(HTTP.BodyError) -> Data {
    let isMarked = count == 0 && line.starts(with: [0xEF, 0xBB, 0xBF])
    let line = isMarked ? line.dropFirst(3) : line
    guard line.count <= limit else { throw .lineTooLong(line: count + 1, limit: limit) }
    count += 1
    return line
  }
}

extension Data {
  /// Returns the bytes at the offsets of `range`, which are counted from the first byte and must be valid.
  fileprivate func slice(_ range: Range<Int>) -> Data {
    self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

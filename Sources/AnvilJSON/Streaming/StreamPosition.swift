/// Where a place lies in a text whose beginning is no longer at hand.
struct StreamPosition: Hashable {
  /// Bytes of the text before it.
  private(set) var offset = 0
  /// Counted from 1; lines end with LF, CR LF or CR.
  private(set) var line = 1
  /// In Unicode scalars, counted from 1.
  private(set) var column = 1
  /// Whether the byte before it is a CR, whose line end an LF would belong to.
  private var isBehindReturn = false

  /// Moves over the bytes of `range`, the next of the text, which is UTF-8.
  ///
  /// - Complexity: O(*n*), *n* their number, sixteen at once.
  mutating func advance(over bytes: borrowing RawSpan, in range: Range<Int>) {
    guard !range.isEmpty else { return }
    var range = range
    offset += range.count
    if isBehindReturn, bytes[range.lowerBound] == 0x0A {
      // The second byte of a line end that has been counted.
      isBehindReturn = false
      range = (range.lowerBound + 1)..<range.upperBound
      guard !range.isEmpty else { return }
    }
    line += bytes.countOfLineEnds(in: range)
    var lineStart = range.lowerBound
    if let end = bytes.lastLineEnd(in: range) {
      column = 1
      lineStart = end + 1
    }
    column += bytes.countOfScalars(in: lineStart..<range.upperBound)
    isBehindReturn = bytes[range.upperBound - 1] == 0x0D
  }

  /// `error`, whose place is told from here on, with the place that it has in the whole text.
  func locating(_ error: JSON.SyntaxError) -> JSON.SyntaxError {
    JSON.SyntaxError(
      code: error.code, offset: offset + error.offset, line: line + error.line - 1,
      column: error.line == 1 ? column + error.column - 1 : error.column)
  }

  /// The error that `code` is here.
  func error(_ code: JSON.SyntaxError.Code) -> JSON.SyntaxError {
    JSON.SyntaxError(code: code, offset: offset, line: line, column: column)
  }
}

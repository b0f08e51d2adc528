/// A position in a text whose beginning is no longer available.
package struct StreamPosition: Hashable {
  /// The number of bytes before the position.
  package private(set) var offset = 0
  /// The line, counted from 1. Lines end with LF, CR LF or CR.
  package private(set) var line = 1
  /// The column in Unicode scalars, counted from 1.
  package private(set) var column = 1
  /// True if the previous byte is a CR. An LF that follows belongs to the same line end.
  private var isAfterCarriageReturn = false

  /// Creates the position at the beginning.
  package init() {}

  /// Advances over the bytes in `range` of `bytes`, which must be the next bytes of the UTF-8 text.
  ///
  /// - Complexity: O(*n*), *n* the number of bytes; sixteen are processed at once.
  package mutating func advance(over bytes: borrowing RawSpan, in range: Range<Int>) {
    guard !range.isEmpty else { return }
    var range = range
    offset += range.count
    if isAfterCarriageReturn, bytes[range.lowerBound] == 0x0A {
      // The second byte of a line end that has already been counted.
      isAfterCarriageReturn = false
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
    isAfterCarriageReturn = bytes[range.upperBound - 1] == 0x0D
  }

  /// Converts `error`, whose location is relative to this position, to an error in the whole text.
  func locating(_ error: JSON.SyntaxError) -> JSON.SyntaxError {
    JSON.SyntaxError(
      code: error.code, offset: offset + error.offset, line: line + error.line - 1,
      column: error.line == 1 ? column + error.column - 1 : error.column)
  }

  /// Returns an error with `code` at this position.
  func error(_ code: JSON.SyntaxError.Code) -> JSON.SyntaxError {
    JSON.SyntaxError(code: code, offset: offset, line: line, column: column)
  }
}

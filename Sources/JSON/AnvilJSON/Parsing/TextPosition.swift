internal import AnvilBase

/// A position in a text, which can be moved without the text before it.
package struct TextPosition: Hashable {
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

  /// Creates the position of `offset` in `source`, which is UTF-8.
  ///
  /// - Complexity: O(*n*), *n* the offset. It is used only for errors.
  init(of offset: Int, in source: borrowing RawSpan) {
    advance(over: source, in: 0..<max(0, min(offset, source.byteCount)))
  }

  /// Advances over the bytes in `range` of `bytes`, which must be the next bytes of the UTF-8 text.
  ///
  /// - Complexity: O(*n*), *n* the number of bytes; sixteen are processed at once.
  package mutating func advance(over bytes: borrowing RawSpan, in range: Range<Int>) {
    guard !range.isEmpty else { return }
    var range = range
    offset += range.count
    if isAfterCarriageReturn, bytes[range.lowerBound] == .lineFeed {
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
    isAfterCarriageReturn = bytes[range.upperBound - 1] == .carriageReturn
  }

  /// Returns the position that is `distance` bytes away.
  ///
  /// - Parameter text: The bytes from here on. Those before, for a negative distance, are ASCII and on the same line.
  func moved(by distance: Int, in text: borrowing RawSpan) -> TextPosition {
    var position = self
    position.advance(over: text, in: 0..<max(0, min(distance, text.byteCount)))
    position.offset += min(0, distance)
    position.column += min(0, distance)
    return position
  }

  /// Converts `error`, whose location is relative to this position, to an error in the whole text.
  func locating(_ error: JSON.SyntaxError) -> JSON.SyntaxError {
    JSON.SyntaxError(
      code: error.code, offset: offset + error.offset, line: line + error.line - 1,
      column: error.line == 1 ? column + error.column - 1 : error.column)
  }

  func error(_ code: JSON.SyntaxError.Code) -> JSON.SyntaxError {
    JSON.SyntaxError(code: code, offset: offset, line: line, column: column)
  }
}

extension JSON.SyntaxError {
  /// Creates an error from a parser failure, with the line and column of its offset in `source`, which is UTF-8.
  init(_ failure: ParseFailure, in source: borrowing RawSpan) {
    self = TextPosition(of: failure.offset, in: source).error(failure.code)
  }
}

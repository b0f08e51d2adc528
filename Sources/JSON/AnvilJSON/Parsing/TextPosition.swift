internal import AnvilBase

struct TextPosition {
  /// The line, counted from 1. Lines end with LF, CR LF or CR.
  private(set) var line = 1
  /// The column in Unicode scalars, counted from 1.
  private(set) var column = 1

  init() {}

  /// The last byte before the position; NUL at the beginning.
  private var previous: UInt8 = 0

  /// Creates the position of `offset` in `source`, which is UTF-8.
  ///
  /// - Complexity: O(*n*), *n* the offset. It is used only for errors.
  init(of offset: Int, in source: borrowing RawSpan) {
    for index in 0..<max(0, min(offset, source.byteCount)) { advance(over: source[index]) }
  }

  /// Moves after `byte`, which is the next one.
  mutating func advance(over byte: UInt8) {
    if byte == .lineFeed && previous == .carriageReturn {
      // The second byte of a line end that has already been counted.
    } else if byte == .lineFeed || byte == .carriageReturn {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
    previous = byte
  }

  /// Returns the position that is `offset` bytes away.
  ///
  /// - Parameter text: The bytes from here on. Those before, for a negative offset, are ASCII and on the same line.
  func moved(by offset: Int, in text: [UInt8]) -> TextPosition {
    var position = self
    for byte in text.prefix(max(0, offset)) { position.advance(over: byte) }
    position.column += min(0, offset)
    return position
  }
}

extension JSON.SyntaxError {
  /// Creates an error from a parser failure, with the line and column of its offset in `source`, which is UTF-8.
  init(_ failure: ParseFailure, in source: borrowing RawSpan) {
    let position = TextPosition(of: failure.offset, in: source)
    self.init(code: failure.code, offset: failure.offset, line: position.line, column: position.column)
  }
}

/// The line and column of an offset.
struct TextPosition {
  /// Counted from 1; lines end with LF, CR LF or CR.
  private(set) var line = 1
  /// In Unicode scalars, counted from 1.
  private(set) var column = 1

  /// The beginning of a text.
  init() {}

  /// The place that `offset` has in `source`, which is UTF-8.
  ///
  /// - Complexity: O(*n*), *n* the offset: for errors only.
  init(of offset: Int, in source: borrowing RawSpan) {
    var previous: UInt8 = 0
    for index in 0..<max(0, min(offset, source.byteCount)) {
      let byte = source[index]
      if byte == 0x0A && previous == 0x0D {
        // The second byte of a line end that has been counted.
      } else if byte == 0x0A || byte == 0x0D {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      previous = byte
    }
  }
}

extension JSON.SyntaxError {
  /// The parser's failure with the line and column that its offset has in `source`, which is UTF-8.
  init(_ failure: ParseFailure, in source: borrowing RawSpan) {
    let position = TextPosition(of: failure.offset, in: source)
    self.init(code: failure.code, offset: failure.offset, line: position.line, column: position.column)
  }
}

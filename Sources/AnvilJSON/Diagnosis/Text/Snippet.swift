/// A few lines of a text around a place, in tokens: what can be shown with values or without.
struct Snippet: Hashable, Sendable {
  /// A part of a line.
  struct Piece: Hashable, Sendable {
    enum Role: Hashable {
      /// White space, punctuation, literals, and all else that says nothing.
      case plain
      /// An object's key.
      case key
      /// A value: not for everyone's eyes.
      case value
    }

    var text: String
    var role: Role
    /// Where its bytes stand in the text.
    var range: Range<Int>
  }

  struct Line: Hashable, Sendable {
    /// Counted from 1.
    var number: Int
    var pieces: [Piece]
    /// Whether the line has more before and behind the pieces.
    var isCutBefore: Bool
    var isCutAfter: Bool
  }

  /// The line in which the place begins, and the one before it.
  let lines: [Line]
  /// What is meant, as far as it stands in the last line.
  let spot: Range<Int>

  /// How many bytes of a line are kept to each side of the place.
  private static let reach = 240

  init(of range: Range<Int>, in text: SourceText) {
    let bytes = text.bytes
    var line = Snippet.lineRange(around: range.lowerBound, in: bytes)
    // Safety: `UInt8` has no padding, and the array outlives the call.
    var number = TextPosition(of: range.lowerBound, in: unsafe bytes.span.bytes).line
    spot = range.lowerBound..<max(range.lowerBound, min(range.upperBound, line.upperBound))
    var lines = [Snippet.line(line, number: number, around: range.lowerBound, in: text)]
    if line.lowerBound > 0 {
      line = Snippet.lineRange(around: line.lowerBound - 1, in: bytes)
      number -= 1
      lines.insert(Snippet.line(line, number: number, around: line.lowerBound, in: text), at: 0)
    }
    self.lines = lines
  }

  /// The bytes of the line in which `offset` lies, without its end; of the line that it ends, for a line end's own.
  private static func lineRange(around offset: Int, in bytes: [UInt8]) -> Range<Int> {
    func isEnd(_ index: Int) -> Bool { bytes[index] == 0x0A || bytes[index] == 0x0D }
    var end = min(offset, bytes.count)
    // The LF of a CR LF ends the line before it.
    if end > 0, end < bytes.count, bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
    var start = end
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while end < bytes.count, !isEnd(end) { end += 1 }
    return start..<end
  }

  private static func line(_ range: Range<Int>, number: Int, around spot: Int, in text: SourceText) -> Line {
    var start = range.lowerBound
    if start == 0 { start = min(text.start, range.upperBound) }
    let window = text.scalars(within: max(start, spot - reach)..<min(range.upperBound, max(spot, start) + reach))
    let pieces = pieces(in: start..<range.upperBound, of: text)
      .compactMap { piece -> Piece? in
        let shown = piece.range.clamped(to: window)
        guard !shown.isEmpty else { return nil }
        return Piece(text: String(decoding: text.bytes[shown], as: UTF8.self), role: piece.role, range: shown)
      }
    return Line(
      number: number, pieces: pieces, isCutBefore: window.lowerBound > start,
      isCutAfter: window.upperBound < range.upperBound)
  }

  /// The tokens of one line, and what stands between them. A string ends with its line.
  private static func pieces(in line: Range<Int>, of text: SourceText) -> [(range: Range<Int>, role: Piece.Role)] {
    var pieces: [(range: Range<Int>, role: Piece.Role)] = []
    var scanner = TokenScanner(bytes: text.bytes[line])
    var end = line.lowerBound
    while let token = scanner.next() {
      if token.range.lowerBound > end { pieces.append((end..<token.range.lowerBound, .plain)) }
      end = token.range.upperBound
      switch token.kind {
      case .colon:
        // What stood before it, without a comma between, is a key.
        if let last = pieces.lastIndex(where: { $0.range.count > 0 && $0.role == .value }),
          pieces[(last + 1)...].allSatisfy({ text.isBlank($0.range) })
        {
          pieces[last].role = .key
        }
        pieces.append((token.range, .plain))
      case .string, .comment: pieces.append((token.range, .value))
      case .word: pieces.append((token.range, text.isTelling(token.range) ? .value : .plain))
      case .open, .close, .comma: pieces.append((token.range, .plain))
      }
    }
    if end < line.upperBound { pieces.append((end..<line.upperBound, .plain)) }
    return pieces
  }

  /// The beginning of a value's text in one line of at most 80 characters.
  static func excerpt(of bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var length = 0
    var wasSpace = false
    // Wide enough for 80 characters of any script; a scalar cut at its end is left out.
    for character in String(decoding: bytes.prefix(1_000), as: UTF8.self) {
      let isSpace =
        character == " " || character == "\n" || character == "\t" || character == "\r\n" || character == "\r"
      defer { wasSpace = isSpace }
      if isSpace && wasSpace { continue }
      let shown = isSpace ? " " : String(character).printable
      guard length + shown.count < 80 || (length + shown.count == 80 && bytes.count <= 1_000) else {
        return text + "…"
      }
      text += shown
      length += shown.count
    }
    return bytes.count > 1_000 ? text + "…" : text
  }
}

extension SourceText {
  /// The range without what it has of scalars that begin before it or end behind it.
  fileprivate func scalars(within range: Range<Int>) -> Range<Int> {
    func isContinuation(_ offset: Int) -> Bool { offset < bytes.count && bytes[offset] & 0xC0 == 0x80 }
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isContinuation(start) { start += 1 }
    while end > start, isContinuation(end) { end -= 1 }
    return start..<end
  }

  fileprivate func isBlank(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// Whether a word may be somebody's data: not the literals of JSON and of the languages that are taken for it.
  fileprivate func isTelling(_ range: Range<Int>) -> Bool {
    guard range.count <= 10 else { return true }
    return !["true", "false", "null", "NaN", "Infinity", "-Infinity", "undefined", "None", "True", "False", "nil"]
      .contains(String(decoding: bytes[range], as: UTF8.self))
  }
}

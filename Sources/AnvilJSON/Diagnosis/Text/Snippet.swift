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

  init(of range: Range<Int>, in finder: inout LineFinder, of text: SourceText) {
    var line = finder.line(around: range.lowerBound)
    var number = finder.position(of: range.lowerBound).line
    spot = range.lowerBound..<max(range.lowerBound, min(range.upperBound, line.upperBound))
    var lines = [Snippet.line(line, number: number, around: range.lowerBound, in: &finder, of: text)]
    if line.lowerBound > 0 {
      line = finder.line(around: line.lowerBound - 1)
      number -= 1
      lines.insert(Snippet.line(line, number: number, around: line.lowerBound, in: &finder, of: text), at: 0)
    }
    self.lines = lines
  }

  private static func line(
    _ range: Range<Int>, number: Int, around spot: Int, in finder: inout LineFinder, of text: SourceText
  ) -> Line {
    var start = range.lowerBound
    if start == 0 { start = min(text.start, range.upperBound) }
    let window = text.scalars(within: max(start, spot - reach)..<min(range.upperBound, max(spot, start) + reach))
    let pieces = finder.pieces(of: range, within: window)
      .compactMap { piece -> Piece? in
        let shown = piece.range.clamped(to: window)
        guard !shown.isEmpty else { return nil }
        return Piece(text: String(decoding: text.bytes[shown], as: UTF8.self), role: piece.role, range: shown)
      }
    return Line(
      number: number, pieces: pieces, isCutBefore: window.lowerBound > start,
      isCutAfter: window.upperBound < range.upperBound)
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
      guard length + shown.count <= 79 else { return text + "…" }
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
}

internal import AnvilBase
internal import AnvilJSON

/// A few lines of a text around a location, split into tokens so that they can be shown with or without values.
struct Snippet: Hashable, Sendable {
  /// A part of a line.
  struct Piece: Hashable, Sendable {
    enum Role: Hashable {
      /// White space, punctuation, literals, and other text that contains no user data.
      case plain
      /// An object's key.
      case key
      /// A value, which may be confidential.
      case value
    }

    var text: String
    var role: Role
    /// The range of the piece's bytes in the text.
    var range: Range<Int>
  }

  struct Line: Hashable, Sendable {
    /// The line number, counted from 1.
    var number: Int
    var pieces: [Piece]
    /// True if the line has text before the pieces that was left out.
    var isCutBefore: Bool
    var isCutAfter: Bool
  }

  /// The line in which the location begins, and the one before it.
  let lines: [Line]
  /// The range of bytes to mark, limited to the last of ``lines``.
  let spot: Range<Int>

  /// The number of bytes of a line that are kept on each side of the location.
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

  /// Returns the beginning of a value's text in one line of at most 80 characters.
  static func excerpt(of bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var length = 0
    var wasSpace = false
    // Long enough for 80 characters of most scripts. A scalar cut at the end is left out.
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
  /// Returns `range` without the bytes of scalars that are only partly inside it.
  fileprivate func scalars(within range: Range<Int>) -> Range<Int> {
    func isContinuation(_ offset: Int) -> Bool { offset < bytes.count && bytes[offset] & 0xC0 == 0x80 }
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isContinuation(start) { start += 1 }
    while end > start, isContinuation(end) { end -= 1 }
    return start..<end
  }
}

internal import AnvilBase
internal import AnvilJSON

/// A few lines of a text around a location, split into tokens so that they can be shown with or without values.
struct Snippet: Hashable, Sendable {
  struct Piece: Hashable, Sendable {
    enum Role: Hashable {
      /// White space, punctuation, literals, and other text that contains no user data.
      case plain
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

extension Snippet {
  /// A piece of text with its width in columns, usually one character.
  struct Cell {
    var text: String
    var width: Int
    /// The range of the cell's bytes in the text.
    var range: Range<Int>
  }

  private static let tabStop = 4

  static func cells(of line: Line, _ values: JSON.Diagnosis.Style.Values) -> [Cell] {
    var cells: [Cell] = []
    var column = 0
    for (index, piece) in line.pieces.enumerated() {
      let isFirst = index == 0 && line.number == 1 && !line.isCutBefore
      for cell in values == .redacted && piece.role == .value ? masked(piece, isFirst: isFirst) : spelled(piece) {
        var cell = cell
        if cell.text == "\t" {
          cell.width = tabStop - column % tabStop
          cell.text = String(repeating: " ", count: cell.width)
        }
        column += cell.width
        cells.append(cell)
      }
    }
    return cells
  }

  private static func spelled(_ piece: Piece) -> [Cell] {
    var offset = piece.range.lowerBound
    return piece.text.map { character in
      // A replacement for invalid UTF-8 has more bytes than the original, so the last cells share the end.
      let end = min(offset + character.utf8.count, piece.range.upperBound)
      defer { offset = end }
      let text = character == "\t" ? "\t" : String(character).printable
      return Cell(text: text, width: text.displayWidth, range: min(offset, end)..<end)
    }
  }

  /// Returns the cells of `"…"` for a string, and of `…` for any other value. If the text begins with a markup tag, such as `<html`, the
  /// tag is shown before the `…`. Anywhere else, a word such as `<ada@example.com>` may be part of a broken string.
  private static func masked(_ piece: Piece, isFirst: Bool) -> [Cell] {
    let range = piece.range
    func cell(_ text: String, _ start: Int, _ end: Int) -> Cell {
      Cell(text: text, width: text.displayWidth, range: start..<max(start, end))
    }
    guard let quote = piece.text.first, quote == "\"" || quote == "'" else {
      let tag = piece.text.prefix { $0 == "<" || $0 == "!" || ($0.isASCII && $0.isLetter) }
      let shown = isFirst && piece.text.hasPrefix("<") ? String(tag.prefix(10)) : ""
      return [cell(shown + "…", range.lowerBound, range.upperBound)]
    }
    let isClosed = piece.text.count > 1 && piece.text.last == quote
    let inner = (range.lowerBound + 1)..<(isClosed ? max(range.lowerBound + 1, range.upperBound - 1) : range.upperBound)
    var cells = [cell(String(quote), range.lowerBound, inner.lowerBound)]
    if !inner.isEmpty { cells.append(cell("…", inner.lowerBound, inner.upperBound)) }
    if isClosed { cells.append(cell(String(quote), inner.upperBound, range.upperBound)) }
    return cells
  }

  struct ShownLine {
    var text: String
    /// The number of columns before the marked part, and its width in columns.
    var mark: (column: Int, width: Int)
  }

  /// Returns `line` in `width` columns. If it is too long, only the part around `spot` is kept, with `…` at each cut.
  static func shown(_ line: Line, in width: Int, around spot: Range<Int>, _ style: JSON.Diagnosis.Style) -> ShownLine {
    let cells = cells(of: line, style.values)
    let spotIndex = cells.firstIndex { $0.range.upperBound > spot.lowerBound } ?? cells.count
    let end = max(spot.upperBound, spot.lowerBound + 1)
    let spotEnd = max(spotIndex, cells.firstIndex { $0.range.lowerBound >= end } ?? cells.count)
    let total = cells.reduce(0) { $0 + $1.width } + (line.isCutBefore ? 1 : 0) + (line.isCutAfter ? 1 : 0)
    var first = 0
    var last = cells.count
    if total > width {
      // A third of the width goes to the part before the spot, more if little follows it. Two columns are for the marks of a cut.
      first = spotIndex
      last = spotIndex
      var before = (width - 2) / 3
      var behind = width - 2 - before
      while last < cells.count, cells[last].width <= behind {
        behind -= cells[last].width
        last += 1
      }
      before += last == cells.count ? behind : 0
      while first > 0, cells[first - 1].width <= before {
        first -= 1
        before -= cells[first].width
      }
    }
    let isCutBefore = first > 0 || line.isCutBefore
    let isCutAfter = last < cells.count || line.isCutAfter
    let text = cells[first..<last].map(\.text).joined()
    let column = cells[first..<max(first, min(spotIndex, last))].reduce(isCutBefore ? 1 : 0) { $0 + $1.width }
    let marked = cells[min(spotIndex, last)..<max(min(spotIndex, last), min(spotEnd, last))].reduce(0) { $0 + $1.width }
    return ShownLine(
      text: (isCutBefore ? "…" : "") + text + (isCutAfter ? "…" : ""), mark: (column, max(1, marked)))
  }
}

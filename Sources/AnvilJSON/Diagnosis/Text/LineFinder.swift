/// The lines of a text around places, with their tokens.
///
/// Remembers how far it has read: places asked for in their order, in lines of any length, cost one reading of the text.
struct LineFinder {
  /// Tokens and what stands between them.
  typealias Piece = (range: Range<Int>, role: Snippet.Piece.Role)

  /// A line, and a place in it behind which its tokens can be read without those before.
  private struct Line {
    let range: Range<Int>
    let start: Int
    var resumption: Int
  }

  private let text: SourceText
  /// The last two lines that were asked for: a place's and the one before it.
  private var latest: [Line] = []
  /// The last place whose line was counted.
  private var counted = StreamPosition()
  /// The last place that was looked up in the text as it came.
  private var original = (offset: 0, before: 0)

  init(_ text: SourceText) { self.text = text }

  /// The line and column of `offset`, in Unicode scalars, both counted from 1; ends are LF, CR LF and CR.
  mutating func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = max(0, min(offset, text.bytes.count))
    if offset < counted.offset { counted = StreamPosition() }
    let bytes = text.bytes
    let passed = counted.offset..<offset
    // Safety: `UInt8` has no padding, and the array outlives the call.
    counted.advance(over: unsafe bytes.span.bytes, in: passed)
    return (counted.line, counted.column)
  }

  /// The bytes of the line in which `offset` lies, without its end; of the line that it ends, for a line end's own.
  mutating func line(around offset: Int) -> Range<Int> {
    let bytes = text.bytes
    func isEnd(_ index: Int) -> Bool { bytes[index] == 0x0A || bytes[index] == 0x0D }
    var end = min(offset, bytes.count)
    // The LF of a CR LF ends the line before it.
    if end > 0, end < bytes.count, bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
    if let known = latest.first(where: { $0.range.lowerBound <= end && end <= $0.range.upperBound }) {
      return known.range
    }
    var start = end
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while end < bytes.count, !isEnd(end) { end += 1 }
    let first = start == 0 ? min(text.start, end) : start
    latest = latest.suffix(1) + [Line(range: start..<end, start: first, resumption: first)]
    return start..<end
  }

  /// The tokens of a `line`, and what stands between them, as far as they stand in `window`. A string ends with its line.
  mutating func pieces(of line: Range<Int>, within window: Range<Int>) -> [Piece] {
    guard let index = latest.firstIndex(where: { $0.range == line }) else { return [] }
    if latest[index].resumption > window.lowerBound { latest[index].resumption = latest[index].start }
    var end = latest[index].resumption
    var scanner = TokenScanner(bytes: text.bytes[end..<line.upperBound])
    var pieces: [Piece] = []
    /// The value that a colon would make a key.
    var value: Int?
    func add(_ range: Range<Int>, _ role: Snippet.Piece.Role) {
      guard range.overlaps(window) else { return }
      pieces.append((range, role))
      if role == .value { value = pieces.count - 1 }
    }
    while let token = scanner.next() {
      if token.range.lowerBound > end {
        let space = end..<token.range.lowerBound
        add(space, .plain)
        if value != nil, !text.isBlank(space) { value = nil }
      }
      end = token.range.upperBound
      // What stood before it, without a comma between, is a key.
      if token.kind == .colon, let value { pieces[value].role = .key }
      // Nothing behind the next token changes what stands before it.
      guard token.range.lowerBound < window.upperBound else { return pieces }
      switch token.kind {
      case .string, .comment: add(token.range, .value)
      case .word where text.isTelling(token.range): add(token.range, .value)
      case .word:
        add(token.range, .plain)
        value = nil
      case .open, .close, .comma, .colon:
        add(token.range, .plain)
        value = nil
        if end <= window.lowerBound { latest[index].resumption = end }
      }
    }
    if end < line.upperBound { add(end..<line.upperBound, .plain) }
    return pieces
  }

  /// Where the bytes of `range` stand in the text as it came.
  mutating func original(_ range: Range<Int>) -> Range<Int> {
    if range.lowerBound < original.offset { original = (0, 0) }
    let start = text.originalOffset(of: range.lowerBound, from: original)
    original = (range.lowerBound, start)
    return start..<max(start, text.originalOffset(of: range.upperBound, from: original))
  }
}

extension SourceText {
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

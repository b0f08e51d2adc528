internal import AnvilBase
internal import AnvilJSON

/// Finds the lines that contain given offsets of a text, and the tokens of these lines.
///
/// The finder remembers how far it has read. Requests in ascending order therefore read the text only once, however long its lines are.
struct LineFinder {
  /// A token, or the text between two tokens, with its role.
  typealias Piece = (range: Range<Int>, role: Snippet.Piece.Role)

  /// The result of one pass over the text's tokens.
  private struct TokenMap {
    /// The offsets at which some of the tokens begin, at least 256 bytes apart. Scanning can start at any of them.
    var boundaries: [Int]
    /// The offsets at which keys begin, in ascending order.
    var keys: [Int] = []
  }

  private let text: SourceText
  /// The last two requested lines: that of a location and the one before it.
  private var latest: [Range<Int>] = []
  /// The tokens of the text; `nil` until the pieces of a line are first requested.
  private var tokens: TokenMap?
  /// The last position whose line and column were determined.
  private var counted = StreamPosition()
  /// The last offset that was converted, and the corresponding offset in the original text.
  private var original = (offset: 0, before: 0)

  init(_ text: SourceText) { self.text = text }

  /// Returns the line and column of `offset`, in Unicode scalars, both counted from 1. Lines end with LF, CR LF and CR.
  mutating func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = max(0, min(offset, text.bytes.count))
    if offset < counted.offset { counted = StreamPosition() }
    let bytes = text.bytes
    let passed = counted.offset..<offset
    // Safety: `UInt8` has no padding, and the array outlives the call.
    counted.advance(over: unsafe bytes.elementSpan.bytes, in: passed)
    return (counted.line, counted.column)
  }

  /// Returns the bytes of the line that contains `offset`, without its line end. A line end belongs to the line that it ends.
  mutating func line(around offset: Int) -> Range<Int> {
    let bytes = text.bytes
    func isEnd(_ index: Int) -> Bool { bytes[index] == 0x0A || bytes[index] == 0x0D }
    var end = min(offset, bytes.count)
    // The LF of a CR LF ends the line before it.
    if end > 0, end < bytes.count, bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
    if let known = latest.first(where: { $0.lowerBound <= end && end <= $0.upperBound }) { return known }
    var start = end
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while end < bytes.count, !isEnd(end) { end += 1 }
    latest = latest.suffix(1) + [start..<end]
    return start..<end
  }

  /// Returns the part of `line` that lies within `window`, split into tokens and the text between them. After the offset at which the text
  /// is broken, no token is a key, and a string ends with its line.
  mutating func pieces(of line: Range<Int>, within window: Range<Int>) -> [Piece] {
    let tokens = tokenMap
    var pieces: [Piece] = []
    func add(_ range: Range<Int>, _ role: Snippet.Piece.Role) {
      if range.overlaps(window) { pieces.append((range, role)) }
    }
    var end = tokens.boundaries[max(0, tokens.boundaries.firstIndex(after: window.lowerBound) - 1)]
    func read(_ bytes: Range<Int>, upTo limit: Int, isBroken: Bool) {
      var scanner = TokenScanner(bytes: text.bytes[bytes])
      while let token = scanner.next(), token.range.lowerBound < min(limit, window.upperBound) {
        if token.range.lowerBound > end { add(end..<token.range.lowerBound, .plain) }
        end = token.range.upperBound
        switch token.kind {
        case .open, .close, .comma, .colon: add(token.range, .plain)
        case .comment: add(token.range, .value)
        case .string, .word:
          let start = token.range.lowerBound
          let isKey = !isBroken && tokens.keys.firstIndex(after: start) > tokens.keys.firstIndex(after: start - 1)
          add(token.range, isKey ? .key : text.mayContainUserData(token) ? .value : .plain)
        }
      }
    }
    read(end..<text.bytes.count, upTo: text.brokenOffset, isBroken: false)
    if text.brokenOffset < window.upperBound {
      if end < text.brokenOffset { add(end..<text.brokenOffset, .plain) }
      end = max(end, text.brokenOffset, line.lowerBound)
      if end < line.upperBound { read(end..<line.upperBound, upTo: line.upperBound, isBroken: true) }
    }
    if end < window.upperBound { add(max(end, window.lowerBound)..<window.upperBound, .plain) }
    return pieces
  }

  private var tokenMap: TokenMap {
    mutating get {
      if let tokens { return tokens }
      let tokens = readTokens()
      self.tokens = tokens
      return tokens
    }
  }

  /// Reads all tokens up to the offset at which the text is broken.
  private func readTokens() -> TokenMap {
    var map = TokenMap(boundaries: [text.start])
    var last = text.start
    /// For each enclosing container, true if it is an object.
    var containers = text.isMembers ? [true] : []
    var mayBeKey = text.isMembers
    /// The offset of a token that is a key if a colon follows.
    var candidate: Int?
    var scanner = text.scanner(at: text.start)
    while let token = scanner.next(), token.range.lowerBound < text.brokenOffset {
      if token.range.lowerBound - last >= 256 {
        last = token.range.lowerBound
        map.boundaries.append(last)
      }
      switch token.kind {
      case .open(let isObject):
        containers.append(isObject)
        mayBeKey = isObject
      case .close:
        _ = containers.popLast()
        mayBeKey = false
      case .comma: mayBeKey = containers.last == true
      case .colon:
        if let candidate { map.keys.append(candidate) }
        mayBeKey = false
      case .string, .word:
        candidate = mayBeKey ? token.range.lowerBound : nil
        mayBeKey = false
        continue
      case .comment: continue
      }
      candidate = nil
    }
    return map
  }

  /// Returns the range in the original text that corresponds to `range` in the UTF-8 text.
  mutating func original(_ range: Range<Int>) -> Range<Int> {
    if range.lowerBound < original.offset { original = (0, 0) }
    let start = text.originalOffset(of: range.lowerBound, from: original)
    original = (range.lowerBound, start)
    return start..<max(start, text.originalOffset(of: range.upperBound, from: original))
  }
}

extension SourceText {
  /// Returns true if a token may contain user data. Only the literals of JSON, and similar words such as `None` and `undefined`, contain
  /// none.
  fileprivate func mayContainUserData(_ token: Token) -> Bool {
    guard token.kind == .word, token.range.count <= 10 else { return true }
    return !["true", "false", "null", "NaN", "Infinity", "-Infinity", "undefined", "None", "True", "False", "nil"]
      .contains(String(decoding: bytes[token.range], as: UTF8.self))
  }
}

extension [Int] {
  /// Returns the index of the first number above `number` in this ascending array.
  fileprivate func firstIndex(after number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

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

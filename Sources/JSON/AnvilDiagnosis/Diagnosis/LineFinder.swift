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
  private lazy var tokens = readTokens()
  /// The last position whose line and column were determined.
  private var counted = TextPosition()
  /// The last offset that was converted, and the corresponding offset in the original text.
  private var original = (offset: 0, before: 0)

  init(_ text: SourceText) { self.text = text }

  /// Returns the line and column of `offset`, in Unicode scalars, both counted from 1. Lines end with LF, CR LF and CR.
  mutating func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = max(0, min(offset, text.bytes.count))
    if offset < counted.offset { counted = TextPosition() }
    let bytes = text.bytes
    let passed = counted.offset..<offset
    // Safety: `UInt8` has no padding, and the array outlives the call.
    counted.advance(over: unsafe bytes.elementSpan.bytes, in: passed)
    return (counted.line, counted.column)
  }

  /// Returns the bytes of the line that contains `offset`, without its line end. A line end belongs to the line that it ends.
  mutating func line(around offset: Int) -> Range<Int> {
    let bytes = text.bytes
    func isEnd(_ index: Int) -> Bool { bytes[index] == .lineFeed || bytes[index] == .carriageReturn }
    var end = min(offset, bytes.count)
    // The LF of a CR LF ends the line before it.
    if end > 0, end < bytes.count, bytes[end] == .lineFeed, bytes[end - 1] == .carriageReturn { end -= 1 }
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
    let map = tokens
    var pieces: [Piece] = []
    func add(_ range: Range<Int>, _ role: Snippet.Piece.Role) {
      if range.overlaps(window) { pieces.append((range, role)) }
    }
    var end = map.boundaries[max(0, map.boundaries.firstIndex(after: window.lowerBound) - 1)]
    func read(_ bytes: Range<Int>, upTo limit: Int, isBroken: Bool) {
      var tokens = text.bytes.tokens(from: bytes.lowerBound, to: bytes.upperBound)
      while let token = tokens.next(), token.range.lowerBound < min(limit, window.upperBound) {
        if token.range.lowerBound > end { add(end..<token.range.lowerBound, .plain) }
        end = token.range.upperBound
        switch token.kind {
        case .open, .close, .comma, .colon: add(token.range, .plain)
        case .comment: add(token.range, .value)
        case .string, .word:
          let start = token.range.lowerBound
          let key = map.keys.firstIndex(after: start - 1)
          let isKey = !isBroken && key < map.keys.count && map.keys[key] == start
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

  /// Reads all tokens up to the offset at which the text is broken.
  private func readTokens() -> TokenMap {
    var map = TokenMap(boundaries: [text.start])
    var last = text.start
    var path = TokenPath(in: text.rootOfMembers)
    var tokens = text.bytes.tokens(from: text.start)
    while let token = tokens.next(), token.range.lowerBound < text.brokenOffset {
      if token.range.lowerBound - last >= 256 {
        last = token.range.lowerBound
        map.boundaries.append(last)
      }
      path.add(token)
      if token.kind == .colon, let key = path.key { map.keys.append(key.range.lowerBound) }
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

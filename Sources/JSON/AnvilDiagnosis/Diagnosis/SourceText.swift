internal import AnvilBase
package import AnvilJSON

/// A text that should be JSON, with functions that find its tokens and offsets even if it cannot be parsed.
///
/// Each query scans the text again. This is fast enough, because texts are examined only after an error.
package struct SourceText: Sendable {
  /// The text in UTF-8, including a byte-order mark at its beginning.
  let bytes: [UInt8]
  /// The original encoding and bytes, if the text was not in UTF-8.
  private let original: (encoding: TextEncoding, bytes: [UInt8])?
  /// True if the text consists of the members of an object without the braces.
  let isMembers: Bool
  /// The offset at which the text stops being valid JSON; for valid JSON, the end of the text.
  private(set) var brokenOffset: Int
  /// The offset at which the text begins, after a byte-order mark.
  let start: Int

  /// Creates a text from `bytes` in UTF-8, UTF-16 or UTF-32. `root` is the parser's option.
  package init(_ bytes: [UInt8], root: JSON.ParsingOptions.Root = .anyValue) {
    // Safety: `UInt8` has no padding, and the array outlives the call.
    let span = unsafe bytes.elementSpan.bytes
    if let encoding = TextEncoding(of: span) {
      self.bytes = encoding.transcoded(span)
      original = (encoding, bytes)
    } else {
      self.bytes = bytes
      original = nil
    }
    brokenOffset = self.bytes.count
    let first = SourceText.firstToken(of: self.bytes)
    isMembers = root == .members && first.map { $0.kind != .open(isObject: true) } ?? true
    start = self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Creates a text of the document that begins at the byte `start` of a text in UTF-8 with several documents, one per line.
  /// Offsets are those in the whole text.
  package init(_ bytes: [UInt8], documentAt start: Int) {
    self.bytes = bytes
    self.start = max(0, min(start, bytes.count))
    brokenOffset = bytes.count
    original = nil
    isMembers = false
  }

  /// Returns the same text, which is known to be broken at `offset`.
  func broken(at offset: Int) -> SourceText {
    var text = self
    text.brokenOffset = max(0, min(offset, brokenOffset))
    return text
  }

  private static func firstToken(of bytes: [UInt8]) -> Token? {
    var scanner = TokenScanner(bytes: bytes[...])
    return scanner.next()
  }

  /// Returns the offset in the original text that corresponds to `offset` in ``bytes``. The search starts at `known`, a pair of
  /// corresponding offsets: `known.offset` in ``bytes``, which must not be greater than `offset`, and `known.before` in the original text.
  func originalOffset(of offset: Int, from known: (offset: Int, before: Int) = (0, 0)) -> Int {
    guard let original else { return offset }
    // Safety: as above.
    let span = unsafe original.bytes.elementSpan.bytes
    // A position within a scalar cannot be resumed from, and U+FEFF at the position would be mistaken for a byte-order mark.
    let next = bytes[min(known.offset, bytes.count)...].prefix(3)
    guard known.offset <= offset, known.before <= span.byteCount, next.first.map({ $0 & 0xC0 != 0x80 }) ?? false,
      !next.elementsEqual([0xEF, 0xBB, 0xBF])
    else { return original.encoding.offset(in: span, ofUTF8: offset) }
    let rest = span.extracting(known.before..<span.byteCount)
    return known.before + original.encoding.offset(in: rest, ofUTF8: offset - known.offset)
  }

  /// Returns the offset in ``bytes`` that corresponds to `offset` in the original text.
  func offset(ofOriginal offset: Int) -> Int {
    guard let original else { return max(0, min(offset, bytes.count)) }
    let prefix = Array(original.bytes.prefix(max(0, offset)))
    // The whole text's encoding is used, since a short prefix may not suffice to detect it.
    return min(original.encoding.transcoded(unsafe prefix.elementSpan.bytes).count, bytes.count)
  }

  func scanner(at offset: Int) -> TokenScanner { TokenScanner(bytes: bytes[max(0, min(offset, bytes.count))...]) }

  /// Returns the text of a string token, without quotation marks and escapes. A key without quotation marks is returned as is.
  func string(_ token: Token) -> String {
    let range = token.range
    guard case .string = token.kind, range.count >= 2 else { return String(decoding: bytes[range], as: UTF8.self) }
    let inner = bytes[(range.lowerBound + 1)..<max(range.lowerBound + 1, range.upperBound - 1)]
    guard inner.contains(.backslash) else { return String(decoding: inner, as: UTF8.self) }
    var options = JSON.ParsingOptions()
    options.syntax = .json5
    // A broken escape is left unchanged.
    return (try? JSON(parsing: Array(bytes[range]), options: options))?.string ?? String(decoding: inner, as: UTF8.self)
  }

  /// Returns the kind of value that starts with `token`; `nil` if no value starts with it.
  func kind(_ token: Token) -> JSON.Kind? {
    switch token.kind {
    case .open(let isObject): isObject ? .object : .array
    case .string: .string
    case .word:
      switch String(decoding: bytes[token.range], as: UTF8.self) {
      case "null": .null
      case "true", "false": .bool
      case let text where text.utf8.first.map { TokenScanner.isNumberStart($0) } ?? false: .number
      case "NaN", "Infinity": .number
      default: nil
      }
    case .close, .colon, .comma, .comment: nil
    }
  }
}

package struct Token: Sendable {
  enum Kind: Hashable {
    case open(isObject: Bool), close(isObject: Bool)
    case colon, comma, comment
    /// A string with its quotation marks. An unterminated one extends to the end of the text.
    case string(isClosed: Bool)
    /// A number, a literal, or any other text between separators.
    case word
  }

  var kind: Kind
  var range: Range<Int>
}

/// Splits a text into the tokens of JSON and JSON5, and into words for everything else.
package struct TokenScanner {
  private let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  static func isNumberStart(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == .plus || byte == .minus || byte == .period
  }

  /// Returns true if the byte begins another token.
  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case .openBrace, .openBracket, .closeBrace, .closeBracket, .colon, .comma, .quote, .apostrophe: true
    default: false
    }
  }

  /// Returns the next token after white space; `nil` at the end.
  @inline(never)
  mutating func next() -> Token? {
    skipSpace()
    guard offset < bytes.endIndex else { return nil }
    let start = offset
    let kind: Token.Kind
    switch bytes[offset] {
    case .openBrace: kind = .open(isObject: true)
    case .openBracket: kind = .open(isObject: false)
    case .closeBrace: kind = .close(isObject: true)
    case .closeBracket: kind = .close(isObject: false)
    case .colon: kind = .colon
    case .comma: kind = .comma
    case .quote, .apostrophe: return string(from: start)
    case .slash where isComment: return comment(from: start)
    default: return word(from: start)
    }
    offset += 1
    return Token(kind: kind, range: start..<offset)
  }

  /// Returns the next token that is not a comment.
  mutating func nextToken() -> Token? {
    while let token = next() { if token.kind != .comment { return token } }
    return nil
  }

  private mutating func skipSpace() {
    while offset < bytes.endIndex {
      if bytes[offset].isWhitespace {
        offset += 1
      } else if bytes[offset] == 0xEF, bytes[offset...].starts(with: [0xEF, 0xBB, 0xBF]) {
        offset += 3
      } else if bytes[offset] == 0xC2, bytes[offset...].starts(with: [0xC2, 0xA0]) {
        offset += 2
      } else {
        return
      }
    }
  }

  private var isComment: Bool {
    let next = offset + 1
    return next < bytes.endIndex && (bytes[next] == .slash || bytes[next] == .asterisk)
  }

  private mutating func string(from start: Int) -> Token {
    let quote = bytes[start]
    offset += 1
    while offset < bytes.endIndex {
      let byte = bytes[offset]
      offset += 1
      if byte == quote { return Token(kind: .string(isClosed: true), range: start..<offset) }
      if byte == .backslash, offset < bytes.endIndex { offset += 1 }
    }
    return Token(kind: .string(isClosed: false), range: start..<offset)
  }

  private mutating func comment(from start: Int) -> Token {
    let isLine = bytes[start + 1] == .slash
    offset += 2
    while offset < bytes.endIndex {
      if isLine, bytes[offset] == .lineFeed || bytes[offset] == .carriageReturn { break }
      if !isLine, bytes[offset] == .asterisk, offset + 1 < bytes.endIndex, bytes[offset + 1] == .slash {
        offset += 2
        break
      }
      offset += 1
    }
    return Token(kind: .comment, range: start..<offset)
  }

  private mutating func word(from start: Int) -> Token {
    offset += 1
    while offset < bytes.endIndex {
      let byte = bytes[offset]
      if byte.isWhitespace || Self.endsWord(byte) { break }
      offset += 1
    }
    return Token(kind: .word, range: start..<offset)
  }
}

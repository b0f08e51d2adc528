internal import AnvilBase

/// A token of a text that should be JSON.
package struct Token: Sendable {
  package enum Kind: Hashable, Sendable {
    case open(isObject: Bool), close(isObject: Bool)
    case colon, comma, comment
    /// A string with its quotation marks. An unterminated one extends to the end of the text.
    case string(isClosed: Bool)
    /// A number, a literal, or any other text between separators.
    case word
  }

  package var kind: Kind
  package var range: Range<Int>

  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}

/// A position in a text that should be JSON, from which tokens are read and values are skipped.
///
/// Nothing is validated. The scanner splits any text into the tokens of JSON and JSON5, and into words for everything else, so it is used to
/// find something in a text that is validated elsewhere, or that has an error.
package struct TokenScanner: ~Escapable {
  private let text: RawSpan
  /// The offset of the next byte.
  package var offset: Int

  /// Creates a scanner at `offset` of `text`, which is UTF-8.
  @_lifetime(copy text)
  package init(_ text: RawSpan, at offset: Int = 0) {
    self.text = text
    self.offset = max(0, min(offset, text.byteCount))
  }

  package static func isNumberStart(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == .plus || byte == .minus || byte == .period
  }

  /// Returns the next token after white space; `nil` at the end.
  package mutating func next() -> Token? {
    skipSpace()
    guard offset < text.byteCount else { return nil }
    let start = offset
    let kind: Token.Kind
    switch text[offset] {
    case .openBrace: kind = .open(isObject: true)
    case .openBracket: kind = .open(isObject: false)
    case .closeBrace: kind = .close(isObject: true)
    case .closeBracket: kind = .close(isObject: false)
    case .colon: kind = .colon
    case .comma: kind = .comma
    case .quote, .apostrophe:
      let isClosed = skipString()
      return Token(kind: .string(isClosed: isClosed), range: start..<offset)
    case .slash where isComment:
      skipComment()
      return Token(kind: .comment, range: start..<offset)
    default:
      skipWord()
      return Token(kind: .word, range: start..<offset)
    }
    offset += 1
    return Token(kind: kind, range: start..<offset)
  }

  /// Returns the next token that is not a comment.
  package mutating func nextToken() -> Token? {
    while let token = next() { if token.kind != .comment { return token } }
    return nil
  }

  /// A member of an object or an element of an array.
  package struct Child {
    /// The key of a member.
    package var key: Token?
    /// The first token of the value. It is an empty word if the text ends before the value.
    package var value: Token
  }

  /// Returns the next child of a container, and moves after the first token of its value; `nil` at the end of the container, and where the
  /// text is not JSON. ``skip(_:)`` moves after the value, before the next child.
  package mutating func nextChild(ofObject isObject: Bool) -> Child? {
    while let token = nextToken() {
      switch token.kind {
      case .close: return nil
      case .comma, .comment, .colon: continue
      case .open, .string, .word: break
      }
      guard isObject else { return Child(key: nil, value: token) }
      guard nextToken()?.kind == .colon else { return nil }
      return Child(key: token, value: nextToken() ?? Token(kind: .word, range: offset..<offset))
    }
    return nil
  }

  /// Moves after the first token of the value at `step` in the container that begins with `token`, which has just been read, and returns
  /// the token; `nil` if the value does not exist. Of several members with one key, the first counts.
  mutating func child(at step: JSON.Step, of token: Token) -> Token? {
    guard case .open(let isObject) = token.kind else { return nil }
    var index = 0
    while let child = nextChild(ofObject: isObject) {
      switch step {
      case .key(let key): if let token = child.key, string(token) == key { return child.value }
      case .index(let wanted): if !isObject, index == wanted { return child.value }
      }
      skip(child.value)
      index += 1
    }
    return nil
  }

  /// Moves after the value that begins with `token`.
  package mutating func skip(_ token: Token) { skip(token, enter: { _, _ in nil }, leave: { _, _ in }) }

  /// Moves after the value that begins with `token`.
  ///
  /// - Parameters:
  ///   - enter: Called with the start of each container in the value, and the number of those around it. If it returns the end of the
  ///     container, the container is skipped.
  ///   - leave: Called with the end of each container in the value that was not skipped, and of the value itself, and the number of those
  ///     around it.
  @inline(__always)
  mutating func skip(
    _ token: Token, enter: (_ start: Int, _ depth: Int) -> Int?, leave: (_ end: Int, _ depth: Int) -> Void
  ) {
    offset = token.range.upperBound
    guard case .open = token.kind else { return }
    var depth = 1
    // Byte by byte where no string or comment begins, because most of the skipped text consists of containers.
    while offset < text.byteCount {
      switch text[offset] {
      case .quote, .apostrophe: skipString()
      case .slash where isComment: skipComment()
      case .openBrace, .openBracket:
        if let end = enter(offset, depth) {
          offset = end
        } else {
          depth += 1
          offset += 1
        }
      case .closeBrace, .closeBracket:
        depth -= 1
        offset += 1
        leave(offset, depth)
        if depth == 0 { return }
      default: offset += 1
      }
    }
  }

  /// Moves after the string that begins here, or to the end of the text. Returns whether the string is closed.
  @discardableResult
  mutating func skipString() -> Bool {
    let quote = text[offset]
    offset += 1
    while offset < text.byteCount {
      let byte = text[offset]
      offset += 1
      if byte == quote { return true }
      if byte == .backslash, offset < text.byteCount { offset += 1 }
    }
    return false
  }

  /// Returns the text of a string token, or of a word that is a key, without quotation marks and escapes.
  package func string(_ token: Token) -> String {
    let range = token.range
    var isString = false
    if case .string = token.kind, range.count >= 2 { isString = true }
    let inner = isString ? range.lowerBound + 1..<range.upperBound - 1 : range
    guard inner.contains(where: { text[$0] == .backslash }) else { return written(inner) }
    var options = JSON.ParsingOptions()
    options.syntax = .json5
    // As a key, which may also be a word. A broken escape is left unchanged.
    let member = [.openBrace] + range.map { text[$0] } + [.colon, .digit0, .closeBrace]
    return (try? JSON(parsing: member, options: options))?.members.first?.key ?? written(inner)
  }

  private func written(_ range: Range<Int>) -> String { String(decoding: range.map { text[$0] }, as: UTF8.self) }

  /// Returns whether the key `token` is the text `key`, which is UTF-8.
  func matches(_ token: Token, _ key: [UInt8]) -> Bool {
    let start = token.range.lowerBound + 1
    var isEqual = token.range.count - 2 == key.count
    for offset in start..<max(start, token.range.upperBound - 1) {
      if text[offset] == .backslash { return Array(string(token).utf8) == key }
      if isEqual { isEqual = text[offset] == key[offset - start] }
    }
    return isEqual
  }

  private mutating func skipSpace() {
    while offset < text.byteCount {
      switch text[offset] {
      case let byte where byte.isWhitespace: offset += 1
      case 0x80... where wideSpace > 0: offset += wideSpace
      default: return
      }
    }
  }

  /// The length of the white space outside of ASCII that begins here, such as a no-break space; 0 if none does.
  private var wideSpace: Int {
    let lead = UInt32(text[offset])
    guard (0xC2..<0xF0).contains(lead) else { return 0 }
    let length = lead < 0xE0 ? 2 : 3
    var value = lead & (0x7F >> UInt32(length))
    for position in 1..<length { value = value << 6 | UInt32(byte(at: offset + position) & 0x3F) }
    return Unicode.Scalar(value)?.isJSON5Space == true ? length : 0
  }

  /// Returns a byte; NUL at the end.
  private func byte(at offset: Int) -> UInt8 { offset < text.byteCount ? text[offset] : 0 }

  private var isComment: Bool { [.slash, .asterisk].contains(byte(at: offset + 1)) }

  private mutating func skipComment() {
    let isLine = text[offset + 1] == .slash
    offset += 2
    while offset < text.byteCount {
      if isLine, isLineEnd { break }
      if !isLine, text[offset] == .asterisk, byte(at: offset + 1) == .slash {
        offset += 2
        break
      }
      offset += 1
    }
  }

  private var isLineEnd: Bool {
    switch text[offset] {
    case .lineFeed, .carriageReturn: true
    case 0xE2: byte(at: offset + 1) == 0x80 && byte(at: offset + 2) & 0xFE == 0xA8
    default: false
    }
  }

  private mutating func skipWord() {
    repeat { offset += 1 } while offset < text.byteCount && !isWordEnd
  }

  private var isWordEnd: Bool {
    switch text[offset] {
    case .slash: isComment
    case 0x80...: wideSpace > 0
    case let byte: byte.isWhitespace || Self.endsWord(byte)
    }
  }

  /// Returns true if the byte begins another token.
  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case .openBrace, .openBracket, .closeBrace, .closeBracket, .colon, .comma, .quote, .apostrophe: true
    default: false
    }
  }
}

extension [UInt8] {
  /// Returns a scanner at the offset `start` of this text, which is UTF-8 and ends at `end`.
  @_lifetime(borrow self)
  package func tokens(from start: Int = 0, to end: Int = .max) -> TokenScanner {
    // Safety: `UInt8` has no padding.
    TokenScanner(unsafe elementSpan.bytes.extracting(0..<Swift.min(end, count)), at: start)
  }
}

/// The path to a position of a text: the containers that are open there, and the positions in them.
package struct TokenPath {
  package struct Container {
    package let token: Token
    fileprivate var index = 0
    /// The key of a member, known to be one by the colon after it.
    fileprivate var key: Token?
    /// The last string or word in the place of a key.
    fileprivate var beforeColon: Token?

    init(_ token: Token) { self.token = token }
  }

  /// The open containers, outermost first.
  package private(set) var containers: [Container] = []
  /// The start of the container that was closed last.
  private(set) var lastClosed: Int?

  /// Creates a path to the root. In a text of members without enclosing braces, `root` stands for the opening brace.
  package init(in root: Token? = nil) {
    if let root { containers.append(Container(root)) }
  }

  /// The key of the member that contains the position, which is after the colon.
  package var key: Token? { containers.last?.key }

  /// Notes the next token of the text.
  package mutating func add(_ token: Token) {
    if case .open = token.kind { return containers.append(Container(token)) }
    guard let last = containers.indices.last else { return }
    switch token.kind {
    case .close: lastClosed = containers.removeLast().token.range.lowerBound
    case .comma:
      containers[last].index += 1
      containers[last].key = nil
      containers[last].beforeColon = nil
    case .colon:
      containers[last].key = containers[last].key ?? containers[last].beforeColon
    case .string(isClosed: true), .word:
      guard containers[last].token.kind == .open(isObject: true) else { return }
      containers[last].beforeColon = token
    case .open, .comment, .string: return
    }
  }

  /// Notes the tokens that end at or before `offset`, and moves `tokens` after the last of them.
  package mutating func read(_ tokens: inout TokenScanner, upTo offset: Int) {
    while true {
      let before = tokens.offset
      guard let token = tokens.next(), token.range.upperBound <= offset else {
        tokens.offset = before
        return
      }
      add(token)
    }
  }

  /// Returns the steps of the path, whose keys are in the text of `tokens`.
  package func steps(in tokens: TokenScanner) -> [JSON.Step] {
    containers.compactMap { container in
      guard container.token.kind == .open(isObject: true) else { return .index(container.index) }
      return container.key.map { .key(tokens.string($0)) }
    }
  }
}

internal import AnvilBase
internal import AnvilStore

/// The tokens of an SQL text, without blanks and comments.
///
/// The text is split as the server does it with `standard_conforming_strings`, which each connection sets. A comment, string or name that
/// is not terminated ends with the text. Source: postgresql.org/docs/current/sql-syntax-lexical.html.
struct PostgresTokens: Sequence, IteratorProtocol {
  enum Token: Equatable {
    /// A key word or a name without quotation marks, in upper case.
    case word(String)
    /// A name in quotation marks, without them. Doubled quotation marks in it stay doubled.
    case name(String)
    case string
    /// A byte that belongs to none of the others: a digit or a part of an operator.
    case symbol(UInt8)
  }

  private var rest: Substring.UTF8View

  init(_ sql: some StringProtocol) {
    rest = Substring(sql).utf8
  }

  mutating func next() -> Token? {
    skipBlanksAndComments()
    guard let byte = rest.first else { return nil }
    switch byte {
    case .apostrophe: return takeString(hasEscapes: false)
    case UInt8(ascii: #"""#): return .name(String(takeQuoted(hasEscapes: false)) ?? "")
    case UInt8(ascii: "$"): if let string = takeDollarQuoted() { return string }
    case _ where Self.beginsWord(byte): return takeWord()
    default: break
    }
    rest = rest.dropFirst()
    return .symbol(byte)
  }

  private mutating func skipBlanksAndComments() {
    while let byte = rest.first {
      if byte <= 0x20 { rest = rest.dropFirst() } else if !rest.dropComment() { return }
    }
  }

  /// Takes a word, or the string whose prefix it is: `E'…'` with escapes, and `B'…'`, `X'…'` and `N'…'`.
  private mutating func takeWord() -> Token {
    let bytes = rest.prefix { Self.beginsWord($0) || $0.isDigit || $0 == UInt8(ascii: "$") }
    rest = rest[bytes.endIndex...]
    let word = String(decoding: bytes, as: UTF8.self).uppercased()
    guard rest.first == UInt8(ascii: "'"), ["E", "B", "X", "N"].contains(word) else { return .word(word) }
    return takeString(hasEscapes: word == "E")
  }

  private mutating func takeString(hasEscapes: Bool) -> Token {
    _ = takeQuoted(hasEscapes: hasEscapes)
    return .string
  }

  /// Takes the text between the quotation mark at the beginning and the next one that is neither doubled nor, with escapes, after a
  /// backslash.
  private mutating func takeQuoted(hasEscapes: Bool) -> Substring.UTF8View {
    let mark = rest.first
    rest = rest.dropFirst()
    let content = rest
    while let byte = rest.first {
      let end = rest.startIndex
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "\\"), hasEscapes {
        rest = rest.dropFirst()
      } else if byte == mark {
        guard rest.first == mark else { return content[..<end] }
        rest = rest.dropFirst()
      }
    }
    return content
  }

  /// Takes a string such as `$$…$$` or `$tag$…$tag$`. Returns `nil` if the text does not begin with one.
  private mutating func takeDollarQuoted() -> Token? {
    let dollar = UInt8(ascii: "$")
    let tag = rest.dropFirst().prefix { Self.beginsWord($0) || $0.isDigit }
    guard rest[tag.endIndex...].first == dollar, tag.first.map(Self.beginsWord) ?? true else { return nil }
    let delimiter = rest[...tag.endIndex]
    rest = rest[delimiter.endIndex...]
    while !rest.isEmpty, !rest.starts(with: delimiter) {
      rest = rest.dropFirst().drop { $0 != dollar }
    }
    rest = rest.dropFirst(delimiter.count)
    return .string
  }

  private static func beginsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}

internal import AnvilBase
internal import AnvilJSON

/// Finds suggestions for a text that is not JSON: its actual format, or the author's likely mistake.
struct SyntaxHints {
  let fault: Fault
  let offset: Int
  let locator: ValueLocator

  private var bytes: [UInt8] { locator.text.bytes }

  /// The hints, most likely first.
  var hints: [String] {
    guard fault.code == .syntax else { return [] }
    if let whole = hintOfWhole { return [whole] }
    // The end of a line is the end of a document of JSON Lines.
    if offset >= bytes.count || fault.detail == JSON.SyntaxError.Code.unexpectedEnd.description { return endHints }
    return [hintOfPlace].compactMap { $0 }
  }

  private var hintOfWhole: String? {
    if bytes.isEmpty { return "the text is empty" }
    let start = bytes.firstIndex { !$0.isWhitespace }
    guard let start else { return "the text contains only white space" }
    let beginning = bytes[start...].prefix(64)
    if beginning.starts(with: [0x1F, 0x8B]) { return "the text is compressed: gzip" }
    if beginning.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "the text is compressed: zstd" }
    if beginning.starts(with: [0x25, 0x50, 0x44, 0x46]) { return "this is a PDF document" }
    if beginning.starts(with: [0x62, 0x70, 0x6C, 0x69, 0x73, 0x74]) { return "this is a binary property list" }
    if beginning.starts(with: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]) {
      return "there are two byte-order marks at the beginning"
    }
    let text = String(decoding: beginning, as: UTF8.self).lowercased()
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "this is HTML: a page instead of data" }
    if text.hasPrefix("<?xml") { return "this is XML" }
    if text.hasPrefix("<") { return "this looks like HTML or XML" }
    if isCallback(beginning) { return "this is JSONP: the JSON is the argument of a function call" }
    if text.hasPrefix(")]}'") || text.hasPrefix("while(1)") || text.hasPrefix("for(;;)") {
      return "the JSON has a prefix that prevents its execution as a script"
    }
    if text.hasPrefix("data:") || text.hasPrefix("event:") { return "these are server-sent events" }
    if offset == start, Self.isWord(bytes[start]), word.map({ !Self.literals.contains($0) }) ?? true {
      return "the text does not begin like JSON: it may be a message in plain text"
    }
    return nil
  }

  /// Returns true if the text begins like `/**/callback({`.
  private func isCallback(_ beginning: ArraySlice<UInt8>) -> Bool {
    var rest = beginning
    if rest.starts(with: Array("/**/".utf8)) { rest = rest.dropFirst(4).drop { $0.isWhitespace } }
    guard let first = rest.first, Self.isWord(first) || first == .dollarSign, !first.isDigit else {
      return false
    }
    rest = rest.drop {
      Self.isWord($0) || $0 == .dollarSign || $0 == .period || $0 == .openBracket || $0 == .closeBracket
    }.drop {
      $0.isWhitespace
    }
    guard rest.first == .openParenthesis else { return false }
    return rest.dropFirst().first { !$0.isWhitespace }.map { $0 == .openBrace || $0 == .openBracket } ?? false
  }

  /// Literals of JSON, and words of other languages that are mistaken for them.
  private static let literals: Set<String> = [
    "None", "True", "False", "undefined", "NaN", "Infinity", "nil", "TRUE", "FALSE", "NULL", "Null", "true", "false",
    "null",
  ]

  private var endHints: [String] {
    guard let container = locator.enclosing(offset).container, case .open(let isObject) = container.kind else {
      return []
    }
    var lines = locator.lines
    let start = JSON.Diagnosis.Location(container.range, in: &lines)
    return [
      "the text ends within the \(isObject ? "object" : "array") that begins at \(start): it may have been cut off"
    ]
  }

  private var hintOfPlace: String? {
    let byte = bytes[offset]
    if bytes[offset...].starts(with: [0xEF, 0xBB, 0xBF]) {
      return "there is a byte-order mark here, which is invisible"
    }
    if byte == .apostrophe {
      return hasPythonLiteral
        ? "this looks like a Python literal: json.dumps() writes JSON"
        : "JSON requires double quotation marks; JSON5 also allows single ones: allowsJSON5"
    }
    if byte == .backslash, let escape = escapeHint { return escape }
    if byte >= 0x80, let encoding = encodingHint { return encoding }
    if byte == .slash { return "JSON has no comments; JSON5 does: allowsJSON5" }
    if [0xC2, 0xE2].contains(byte) { return quotationHint }
    if (byte == .closeBrace || byte == .closeBracket), previous == .comma {
      return "there is a trailing comma; JSON5 allows it: allowsJSON5"
    }
    if case .some(let word) = word {
      switch word {
      case "None", "True", "False":
        return "\(word) is a Python literal; JSON has \(word == "None" ? "null" : word.lowercased())"
      case "undefined": return "undefined is JavaScript, not JSON"
      case "NaN", "Infinity", "-Infinity": return "JSON has no \(word); JSON5 does: allowsJSON5"
      case "nil": return "nil is written as null in JSON"
      case "TRUE", "FALSE", "NULL", "Null": return "\(word) is written as \(word.lowercased()) in JSON"
      default: break
      }
      let next = bytes[offset...].first { !Self.isWord($0) && $0 != .space }
      let isInObject = locator.enclosing(offset).container.map { $0.kind == .open(isObject: true) } ?? false
      if next == .colon, isInObject { return "JSON requires quotation marks around keys; JSON5 does not: allowsJSON5" }
    }
    if locator.enclosing(offset).container == nil, offset > 0, byte == .openBrace || byte == .openBracket {
      return documentsHint
    }
    if isAfterDecimalComma { return "a number has a decimal point in JSON, not a comma" }
    if byte == .quote || byte == .openBrace || byte == .openBracket || byte.isDigit,
      fault.detail?.contains("','") == true
    {
      return "a comma may be missing before this"
    }
    if byte == .lineFeed || byte == .carriageReturn {
      return "a string must end on the line on which it begins: a quotation mark may be missing"
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte == .underscore
  }

  private var word: String? {
    // The offset may be within a word: the parser fails in the middle of `nul` and `-Infinity`.
    var start = offset
    while start > 0, Self.isWord(bytes[start - 1]) || bytes[start - 1] == .minus { start -= 1 }
    let word = bytes[start...].prefix { Self.isWord($0) || $0 == .minus }
    return word.isEmpty || word.count > 12 ? nil : String(decoding: word, as: UTF8.self)
  }

  private var previous: UInt8? { bytes[..<offset].last { !$0.isWhitespace } }

  private var quotationHint: String? {
    let scalar = String(decoding: bytes[offset...].prefix(3), as: UTF8.self).unicodeScalars.first
    switch scalar {
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}":
      return "typographic quotation marks are invalid in JSON"
    case "\u{A0}": return "there is a no-break space here"
    default: return nil
    }
  }

  private var documentsHint: String {
    let first = bytes[..<offset]
    let isOneLine = !first.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.contains { Self.endsLine($0) }
    let isNextLine = first.reversed().prefix { $0.isWhitespace }.contains { Self.endsLine($0) }
    if isOneLine, isNextLine { return "another document begins here: these may be JSON Lines" }
    return "another document begins here: the text consists of several documents"
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }

  /// True if the offset is at a digit after a number and a comma: `1,5`.
  private var isAfterDecimalComma: Bool {
    func isDigit(_ offset: Int) -> Bool { bytes.indices.contains(offset) && bytes[offset].isDigit }
    return isDigit(offset) && offset > 1 && bytes[offset - 1] == .comma && isDigit(offset - 2)
  }

  private var escapeHint: String? {
    if fault.detail == JSON.SyntaxError.Code.loneSurrogate.description {
      return "half of a surrogate pair: a character beyond U+FFFF has two escapes, "
        + #"\uD83D\uDE00; the text may have been cut within one"#
    }
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "U"):
      return #"JSON has no \U: \u has four digits, and characters beyond U+FFFF need two, \uD83D\uDE00"#
    case UInt8(ascii: "u"): return #"\u has four hexadecimal digits"#
    case UInt8(ascii: "x"): return #"JSON has no \x: \u has four digits; JSON5 allows it: allowsJSON5"#
    case .apostrophe: return #"JSON has no \': an apostrophe needs no backslash; JSON5 allows it: allowsJSON5"#
    default: return #"a backslash itself is written as \\"#
    }
  }

  /// A hint for a byte that is not valid UTF-8 but may be a letter in another encoding.
  private var encodingHint: String? {
    guard fault.detail == JSON.SyntaxError.Code.invalidEncoding.description else { return nil }
    if bytes[offset] == 0xED, offset + 1 < bytes.count, bytes[offset + 1] >= 0xA0 {
      return "half of a surrogate pair in three bytes: the text may be in CESU-8; JSON is in UTF-8"
    }
    let letters = bytes[offset...].prefix { $0 >= 0x80 }
    guard letters.count < 4, letters.allSatisfy({ $0 < 0xFE }) else { return nil }
    return letters.allSatisfy { $0 >= 0xA0 }
      ? "the text may be in ISO 8859-1 (Latin-1): JSON is in UTF-8"
      : "the text may be in Windows-1252: JSON is in UTF-8"
  }

  /// True if one of the first 10,000 tokens is a Python literal that JSON spells differently.
  private var hasPythonLiteral: Bool {
    var tokens = bytes.tokens(from: locator.text.start)
    for _ in 0..<10_000 {
      guard let token = tokens.next() else { return false }
      if token.kind == .word, ["None", "True", "False"].contains(String(decoding: bytes[token.range], as: UTF8.self)) {
        return true
      }
    }
    return false
  }
}

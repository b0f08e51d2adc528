public import AnvilBase

/// A scanner for field values: tokens, quoted strings and the delimiters between them.
///
/// Most structured fields are comma-separated lists of `name=value`, where the value is a token or a quoted string.
/// Source: RFC 9110 §5.6.
package struct FieldScanner {
  package enum Quoting: Hashable, Sendable {
    /// Quoted strings: a backslash escapes the next byte. Source: RFC 9110 §5.6.4.
    case quotedStrings
    /// Entity tags: a backslash is an ordinary byte. Source: RFC 9110 §8.8.3.
    case entityTags
  }

  private let quoting: Quoting
  private let bytes: ArraySlice<UInt8>
  private(set) package var position: Int
  /// No quoted string after an unterminated one can be terminated, and searching for its end would take quadratic time.
  private var hasOpenQuote = false

  package init(_ text: some StringProtocol, quoting: Quoting = .quotedStrings) {
    self.quoting = quoting
    bytes = Array(text.utf8)[...]
    position = bytes.startIndex
  }

  package var isAtEnd: Bool { position == bytes.endIndex }

  package var next: UInt8? { isAtEnd ? nil : bytes[position] }

  package mutating func skipBlanks() {
    while let byte = next, byte.isBlank { position += 1 }
  }

  /// Skips `byte` if it is the next byte, and returns whether it was.
  package mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == byte.value else { return false }
    position += 1
    return true
  }

  package mutating func token() -> String? {
    text { $0.isHTTPTokenByte }
  }

  /// Reads and returns the next bytes up to the first for which `accepted` returns `false`; `nil` if that is the next byte, or at the end.
  package mutating func text(while accepted: (UInt8) -> Bool) -> String? {
    let start = position
    while let byte = next, accepted(byte) { position += 1 }
    return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The contents without escapes. Returns `nil` and reads nothing if there is no quoted string or it is unterminated.
  @inline(never)
  package mutating func quotedString() -> String? {
    let start = position
    guard !hasOpenQuote, take("\"") else { return nil }
    var contents: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case .quote: return String(decoding: contents, as: UTF8.self)
      case .backslash where quoting == .quotedStrings:
        guard let escaped = next else { break }
        position += 1
        contents.append(escaped)
      default: contents.append(byte)
      }
    }
    position = start
    hasOpenQuote = true
    return nil
  }

  package mutating func tokenOrQuotedString() -> String? {
    next == .quote ? quotedString() : token()
  }

  /// Commas in quoted strings do not end the element. An unterminated quotation mark is an ordinary byte.
  @inline(never)
  package mutating func skipElement() {
    while let byte = next, byte != .comma {
      if byte == .quote, quotedString() != nil { continue }
      position += 1
    }
  }

  /// Calls `read` at the start of each element, then skips the unread rest of the element. Source: RFC 9110 §5.6.1.
  package mutating func forEachElement(_ read: (inout FieldScanner) -> Void) {
    while !isAtEnd {
      skipBlanks()
      read(&self)
      skipElement()
      _ = take(",")
    }
  }

  /// Unparsed, without surrounding blanks and without empty elements. Commas in quoted strings do not separate elements.
  /// Source: RFC 9110 §5.6.1.
  package static func elements(in text: some StringProtocol, quoting: Quoting = .quotedStrings) -> [String] {
    var scanner = FieldScanner(text, quoting: quoting)
    var elements: [String] = []
    scanner.forEachElement { scanner in
      let start = scanner.position
      scanner.skipElement()
      let element = scanner.bytes[start..<scanner.position].trimmingBlanks
      if !element.isEmpty { elements.append(String(decoding: element, as: UTF8.self)) }
    }
    return elements
  }
}

extension FieldScanner {
  package struct Directive: Hashable, Sendable {
    /// The name, in lower case.
    package var name: String
    /// The text after the equals sign, without quotation marks.
    package var argument: String?
    /// Whether there are blanks around the equals sign. Parameters of a challenge or credential may have them (RFC 9110 §11.2), directives
    /// of `Cache-Control` may not.
    package var hasBlanks: Bool

    package init(name: String, argument: String? = nil, hasBlanks: Bool = false) {
      self.name = name
      self.argument = argument
      self.hasBlanks = hasBlanks
    }
  }

  /// Returns the elements `name` and `name=argument` of a comma-separated list, such as `Cache-Control`. Other elements are ignored.
  package static func directives(in text: some StringProtocol) -> [Directive] {
    var scanner = FieldScanner(text)
    var directives: [Directive] = []
    scanner.forEachElement { scanner in
      guard let name = scanner.token() else { return }
      var directive = Directive(name: name.lowercased())
      let end = scanner.position
      scanner.skipBlanks()
      let hasBlanksBefore = scanner.position != end
      if scanner.take("=") {
        let start = scanner.position
        scanner.skipBlanks()
        directive.hasBlanks = hasBlanksBefore || scanner.position != start
        directive.argument = scanner.tokenOrQuotedString() ?? ""
      }
      directives.append(directive)
    }
    return directives
  }
}

extension UInt8 {
  /// Inlinable, because transports in other modules test each byte of a field name. Source: RFC 9110 §5.6.2.
  @inlinable package var isHTTPTokenByte: Bool {
    // One bit for each character: below "@" marks and digits, then letters and the other marks.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return self < 0x40 ? low >> UInt64(self) & 1 == 1 : self < 0x80 && high >> UInt64(self - 0x40) & 1 == 1
  }

  /// Field values must not contain control characters other than a tab. Source: RFC 9110 §5.5.
  @inlinable package var isFieldControl: Bool { self < .space ? self != .tab : self == .delete }

  /// Includes the tab, which field values may contain, but those of cookies may not: it separates fields in Netscape's format.
  package var isControl: Bool { self < .space || self == .delete }
}

extension String {
  /// A Boolean value that indicates whether the string is a token, as are methods and field names. Source: RFC 9110 §5.6.2.
  var isHTTPToken: Bool {
    !utf8.isEmpty && allBytes { $0.isHTTPTokenByte }
  }
}

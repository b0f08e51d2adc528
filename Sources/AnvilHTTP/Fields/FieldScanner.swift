/// Reads a field's value from its beginning: tokens, quoted strings and what stands between them.
///
/// What most structured fields are made of: `name=value` with the value a token or quoted, in lists by commas.
/// Source: RFC 9110 §5.6.
package struct FieldScanner {
  /// The grammar of what is between quotation marks.
  package enum Quoting: Hashable, Sendable {
    /// Quoted strings: a backslash escapes the byte after it. Source: RFC 9110 §5.6.4.
    case quotedStrings
    /// Entity tags: a backslash is a byte like any other. Source: RFC 9110 §8.8.3.
    case entityTags
  }

  private let quoting: Quoting
  private let bytes: ArraySlice<UInt8>
  private(set) package var position: Int
  /// Whether a quoted string had no end: then no other one has, and looking anew at each mark would take quadratic time.
  private var hasOpenQuote = false

  /// A scanner at the beginning of `text`.
  package init(_ text: some StringProtocol, quoting: Quoting = .quotedStrings) {
    self.quoting = quoting
    bytes = Array(text.utf8)[...]
    position = bytes.startIndex
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { position == bytes.endIndex }

  /// The byte that comes next; `nil` at the end.
  package var next: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Passes blanks and tabs.
  package mutating func skipBlanks() {
    while let byte = next, byte.isHTTPBlank { position += 1 }
  }

  /// Passes `byte` if it comes next.
  package mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == byte.value else { return false }
    position += 1
    return true
  }

  /// The token that comes next, as it is written.
  package mutating func token() -> String? {
    text { $0.isHTTPTokenByte }
  }

  /// The bytes that come next and are `accepted`, as text; `nil` when there is none.
  package mutating func text(while accepted: (UInt8) -> Bool) -> String? {
    let start = position
    while let byte = next, accepted(byte) { position += 1 }
    return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The contents of the quoted string that comes next, without its escapes; `nil`, and nothing read, when there is none or
  /// it has no end.
  package mutating func quotedString() -> String? {
    let start = position
    guard !hasOpenQuote, take("\"") else { return nil }
    var contents: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case 0x22: return String(decoding: contents, as: UTF8.self)
      case 0x5C where quoting == .quotedStrings:
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

  /// The token or the quoted string that comes next.
  package mutating func tokenOrQuotedString() -> String? {
    next == 0x22 ? quotedString() : token()
  }

  /// Passes everything up to the comma that ends the list's element, or to the end, quoted strings as a whole.
  ///
  /// A quotation mark without an end is a byte like any other.
  package mutating func skipElement() {
    while let byte = next, byte != 0x2C {
      if byte == 0x22, quotedString() != nil { continue }
      position += 1
    }
  }

  /// Calls `read` at the beginning of each element of a comma-separated list, then passes what it left of the element.
  ///
  /// Source: RFC 9110 §5.6.1.
  package mutating func forEachElement(_ read: (inout FieldScanner) -> Void) {
    while !isAtEnd {
      skipBlanks()
      read(&self)
      skipElement()
      _ = take(",")
    }
  }

  /// Returns the elements of the comma-separated list `text`, as they are written, without the blanks around them.
  ///
  /// Commas between quotation marks do not separate. Empty elements are left out.
  ///
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
  /// One element of a list: a name, and its argument where it has one.
  package struct Directive: Hashable, Sendable {
    /// The name, in lower case.
    package var name: String
    /// What stands behind the equals sign, without quotation marks.
    package var argument: String?

    package init(name: String, argument: String? = nil) {
      self.name = name
      self.argument = argument
    }
  }

  /// The elements `name` and `name=argument` of a list by commas, such as `Cache-Control`; what is neither is left out.
  package static func directives(in text: some StringProtocol) -> [Directive] {
    var scanner = FieldScanner(text)
    var directives: [Directive] = []
    scanner.forEachElement { scanner in
      guard let name = scanner.token() else { return }
      var directive = Directive(name: name.lowercased())
      scanner.skipBlanks()
      if scanner.take("=") {
        scanner.skipBlanks()
        directive.argument = scanner.tokenOrQuotedString() ?? ""
      }
      directives.append(directive)
    }
    return directives
  }
}

extension JSONText {
  /// Checks bytes against the grammar, without building anything.
  ///
  /// Iterative: nesting costs a byte of memory per level and no stack, and ends at ``maximumDepth``.
  /// Source: RFC 8259 §2–§7.
  struct Scanner {
    /// The deepest nesting that is read. It bounds the indentation of a pretty-printed line.
    static let maximumDepth = 512

    private let bytes: [UInt8]
    private var position: Int
    /// The closing brackets that are due.
    private var closers: [UInt8] = []

    init(_ bytes: [UInt8], from start: Int) {
      self.bytes = bytes
      position = start
    }

    /// Reads one value and the white space around it to the end of the bytes.
    mutating func scanDocument() throws(Invalid) {
      try scanValueStart()
      while true {
        skipSpace()
        guard let closer = closers.last else { break }
        if take(closer) {
          closers.removeLast()
        } else if take(UInt8(ascii: ",")) {
          if closer == UInt8(ascii: "}") { try scanKey() }
          try scanValueStart()
        } else {
          throw expected("\",\" or \"\(Character(Unicode.Scalar(closer)))\"")
        }
      }
      guard position == bytes.count else { throw expected("the end") }
    }

    /// Reads a scalar or an empty container as a whole, of any other container the opening up to its first scalar.
    private mutating func scanValueStart() throws(Invalid) {
      while true {
        skipSpace()
        guard let byte = peek else { throw expected("a value") }
        switch byte {
        case UInt8(ascii: "{"):
          guard try open(closer: UInt8(ascii: "}")) else { return }
          try scanKey()
        case UInt8(ascii: "["):
          guard try open(closer: UInt8(ascii: "]")) else { return }
        case UInt8(ascii: "\""): return try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try scanNumber()
        case UInt8(ascii: "t"): return try scanLiteral("true")
        case UInt8(ascii: "f"): return try scanLiteral("false")
        case UInt8(ascii: "n"): return try scanLiteral("null")
        default: throw expected("a value")
        }
      }
    }

    /// Reads an opening bracket; false when the container is empty, and then its end is read too.
    private mutating func open(closer: UInt8) throws(Invalid) -> Bool {
      guard closers.count < Self.maximumDepth else { throw invalid("nested deeper than \(Self.maximumDepth)") }
      position += 1
      skipSpace()
      if take(closer) { return false }
      closers.append(closer)
      return true
    }

    private mutating func scanKey() throws(Invalid) {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
      try scanString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw expected("\":\"") }
    }

    private mutating func scanString() throws(Invalid) {
      position += 1
      while !take(UInt8(ascii: "\"")) {
        guard let byte = peek else { throw expected("the string's closing quotation mark") }
        guard byte >= 0x20 else { throw invalid("a control character in a string") }
        position += 1
        if byte == UInt8(ascii: "\\") { try scanEscape() }
      }
    }

    private mutating func scanEscape() throws(Invalid) {
      if take(UInt8(ascii: "u")) {
        for _ in 0..<4 {
          guard let byte = peek, Character(Unicode.Scalar(byte)).isHexDigit else {
            throw expected("a hexadecimal digit")
          }
          position += 1
        }
      } else {
        guard let byte = peek, "\"\\/bfnrt".utf8.contains(byte) else { throw expected("an escape such as \\n") }
        position += 1
      }
    }

    private mutating func scanNumber() throws(Invalid) {
      _ = take(UInt8(ascii: "-"))
      if !take(UInt8(ascii: "0")) { try scanDigits() }
      if take(UInt8(ascii: ".")) { try scanDigits() }
      if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
        if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
        try scanDigits()
      }
    }

    private mutating func scanDigits() throws(Invalid) {
      let start = position
      while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
      guard position > start else { throw expected("a digit") }
    }

    private mutating func scanLiteral(_ literal: StaticString) throws(Invalid) {
      for byte in "\(literal)".utf8 where !take(byte) { throw expected("\(literal)") }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard peek == byte else { return false }
      position += 1
      return true
    }

    private mutating func skipSpace() {
      while let byte = peek, byte.isJSONSpace { position += 1 }
    }

    private func expected(_ what: String) -> Invalid {
      let found = String(decoding: bytes[position...].prefix(4), as: UTF8.self).first
      return invalid("expected \(what), found \(found.map { String($0).debugDescription } ?? "the end")")
    }

    private func invalid(_ reason: String) -> Invalid {
      Invalid(reason: reason, at: position, in: bytes)
    }
  }
}

extension UInt8 {
  /// Whether the byte is white space between tokens. Source: RFC 8259 §2.
  var isJSONSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
  }
}

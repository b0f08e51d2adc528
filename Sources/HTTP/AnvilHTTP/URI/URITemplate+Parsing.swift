internal import AnvilBase

/// Parsing of templates. Source: RFC 6570 §2.
extension URITemplate {
  static func parts(of text: String) throws(InvalidTemplate) -> [Part] {
    var parser = Parser(text)
    return try parser.parts()
  }

  private struct Parser {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func failure(_ reason: String) -> InvalidTemplate { InvalidTemplate(reason: reason, offset: at) }

    mutating func parts() throws(InvalidTemplate) -> [Part] {
      var parts: [Part] = []
      while let byte {
        if byte == UInt8(ascii: "{") {
          parts.append(try expression())
        } else {
          parts.append(.literal(try literal()))
        }
      }
      return parts
    }

    private mutating func literal() throws(InvalidTemplate) -> String {
      let start = at
      while let byte, byte != UInt8(ascii: "{") {
        guard byte != UInt8(ascii: "}") else { throw failure("a closing brace without an opening brace") }
        at += 1
      }
      return PercentEncoding.encode(bytes[start..<at], keeping: .reserved)
    }

    private mutating func expression() throws(InvalidTemplate) -> Part {
      let start = at
      at += 1
      var kind = Operator.simple
      if let byte, byte != 0, let other = Operator(rawValue: byte) {
        kind = other
        at += 1
      }
      var variables: [Variable] = []
      while true {
        variables.append(try variable())
        switch byte {
        case UInt8(ascii: ","): at += 1
        case UInt8(ascii: "}"):
          at += 1
          return .expression(kind, variables)
        case nil:
          at = start
          throw failure("an expression without a closing brace")
        default: throw failure("a character that is not allowed in a variable name")
        }
      }
    }

    private mutating func variable() throws(InvalidTemplate) -> Variable {
      var variable = Variable(name: try name())
      if byte == UInt8(ascii: "*") {
        at += 1
        variable.modifier = .explode
      } else if byte == UInt8(ascii: ":") {
        at += 1
        variable.modifier = .prefix(try length())
      }
      return variable
    }

    private mutating func name() throws(InvalidTemplate) -> String {
      let start = at
      while true {
        guard skipNameCharacter() else {
          throw failure(at == start ? "a variable name is missing" : "an incomplete variable name")
        }
        if byte == UInt8(ascii: ".") {
          at += 1
        } else if !isAtNameCharacter {
          return String(decoding: bytes[start..<at], as: UTF8.self)
        }
      }
    }

    private var isAtNameCharacter: Bool {
      var copy = self
      return copy.skipNameCharacter()
    }

    /// Skips the next character if a name can contain it: a letter, a digit, an underscore or a percent-encoded byte. Returns whether it
    /// did.
    private mutating func skipNameCharacter() -> Bool {
      guard let byte else { return false }
      if byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") {
        at += 1
        return true
      }
      guard PercentEncoding.isTriplet(bytes[at...]) else { return false }
      at += 3
      return true
    }

    /// Reads the length of a prefix: a number from 1 to 9999 without leading zeros.
    private mutating func length() throws(InvalidTemplate) -> Int {
      let start = at
      var length = 0
      while let byte, byte &- 0x30 <= 9, at - start < 4 {
        length = length * 10 + Int(byte - 0x30)
        at += 1
      }
      guard at > start, bytes[start] != 0x30 else {
        at = start
        throw failure("a prefix length that is not a number from 1 to 9999")
      }
      return length
    }
  }
}

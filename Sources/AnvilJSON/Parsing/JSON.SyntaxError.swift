extension JSON {
  /// Why a text is not JSON, and where.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// The text ends in the middle of a value, or holds none.
      case unexpectedEnd
      /// Another byte was expected here.
      case unexpectedByte(UInt8, expected: String)
      /// A number that is not one: a leading zero or plus, no digits after the point or exponent.
      case invalidNumber
      /// A control character in a string, which must be escaped.
      case controlCharacter(UInt8)
      /// A backslash before something that it does not escape.
      case invalidEscape
      /// Half of a surrogate pair in `\u` escapes.
      case loneSurrogate
      /// A byte sequence that is not UTF-8 (or UTF-16, UTF-32).
      case invalidEncoding
      /// Something after the value.
      case trailingContent
      /// Containers in containers beyond the limit.
      case tooDeep(limit: Int)
      /// More bytes than the limit.
      case tooLarge(limit: Int)
      /// Neither an object nor an array where the options want one.
      case fragment
    }

    /// What is wrong.
    public let code: Code
    /// Bytes of the input before the place.
    public let offset: Int
    /// The place's line, counted from 1; ends are LF, CR LF and CR.
    public let line: Int
    /// The place's column in its line, in Unicode scalars, counted from 1.
    public let column: Int

    init(code: Code, offset: Int, line: Int, column: Int) {
      self.code = code
      self.offset = offset
      self.line = line
      self.column = column
    }
  }
}

extension JSON.SyntaxError: CustomStringConvertible {
  /// What and where, with at most one byte of the text: `invalid number at line 3, column 7 (byte 41)`.
  public var description: String { "\(code) at line \(line), column \(column) (byte \(offset))" }
}

extension JSON.SyntaxError.Code: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .unexpectedEnd: "unexpected end"
    case .unexpectedByte(let byte, let expected): "expected \(expected), found \(Self.name(of: byte))"
    case .invalidNumber: "invalid number"
    case .controlCharacter(let byte): "\(Self.name(of: byte)) in a string, where it must be escaped"
    case .invalidEscape: "invalid escape sequence"
    case .loneSurrogate: "half of a surrogate pair"
    case .invalidEncoding: "invalid text encoding"
    case .trailingContent: "content after the value"
    case .tooDeep(let limit): "more than \(limit) containers in each other"
    case .tooLarge(let limit): "more than \(limit) bytes"
    case .fragment: "expected an object or an array"
    }
  }

  private static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
    case 0x20: "a space"
    default: "byte 0x\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
    }
  }
}

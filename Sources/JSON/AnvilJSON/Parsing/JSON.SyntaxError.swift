public import AnvilBase

extension JSON {
  /// An error thrown for a text that is not JSON, with its location.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// The reason why a text is not JSON.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// The text ends within a value, or contains no value.
      ///
      /// What to do: request the document again: it is often truncated.
      case unexpectedEnd
      /// The byte is not allowed at this location. `expected` describes the bytes that are.
      ///
      /// What to do: look at the location; a `<` at the start is an HTML page, a trailing comma or a comment is not JSON.
      case unexpectedByte(UInt8, expected: String)
      /// The number is invalid: it has a leading zero or plus, or no digits after the point or exponent.
      ///
      /// What to do: correct the program that writes the number.
      case invalidNumber
      /// A string contains a control character that must be escaped.
      ///
      /// What to do: escape it as `\n` or `\u001F`.
      case controlCharacter(UInt8)
      /// A backslash is followed by something that it does not escape.
      ///
      /// What to do: double the backslash.
      case invalidEscape
      /// A `\u` escape of an unpaired surrogate.
      ///
      /// What to do: write both halves, or the character itself.
      case loneSurrogate
      /// A byte sequence is not valid UTF-8 (or UTF-16, UTF-32).
      ///
      /// What to do: convert the text to UTF-8; Latin-1 text is a frequent cause.
      case invalidEncoding
      /// The value is followed by other content.
      ///
      /// What to do: decode lines with the functions for NDJSON, or remove the content after the value.
      case trailingContent
      /// Containers are nested deeper than the limit.
      ///
      /// What to do: raise `depthLimit` if you trust the source.
      case tooDeep(limit: Int)
      /// The text has more bytes than the limit.
      ///
      /// What to do: raise `sizeLimit`, or read the body as lines.
      case tooLarge(limit: Int)
      /// The value is neither an object nor an array, which the options require.
      ///
      /// What to do: set `root` of the ``JSON/ParsingOptions`` to `.anyValue`.
      case fragment
    }

    /// The reason why the text is not JSON.
    public let code: Code
    /// The number of bytes of the input before the error.
    public let offset: Int
    /// The line of the error, counted from 1. Lines end in LF, CR LF or CR.
    public let line: Int
    /// The column of the error in its line, in Unicode scalars, counted from 1.
    public let column: Int
  }
}

extension JSON.SyntaxError: CustomStringConvertible {
  /// The reason and the location, with at most one byte of the text: `invalid number at line 3, column 7 (byte 41)`.
  public var description: String { "\(code) at line \(line), column \(column) (byte \(offset))" }
}

extension JSON.SyntaxError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

extension JSON.SyntaxError.Code: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .unexpectedEnd: "unexpected end"
    case .unexpectedByte(let byte, let expected): "expected \(expected), found \(Self.name(of: byte))"
    case .invalidNumber: "invalid number"
    case .controlCharacter(let byte): "\(Self.name(of: byte)) in a string, where it must be escaped"
    case .invalidEscape: "invalid escape sequence"
    case .loneSurrogate: "unpaired surrogate"
    case .invalidEncoding: "invalid text encoding"
    case .trailingContent: "content after the value"
    case .tooDeep(let limit): "more than \(limit) nested containers"
    case .tooLarge(let limit): "more than \(limit) bytes"
    case .fragment: "expected an object or an array"
    }
  }

  private static func name(of byte: UInt8) -> String {
    switch byte {
    case .exclamationMark ... .tilde: "'\(Character(Unicode.Scalar(byte)))'"
    case .space: "a space"
    default: "byte 0x\(byte.text(digits: 2, radix: 16).uppercased())"
    }
  }
}

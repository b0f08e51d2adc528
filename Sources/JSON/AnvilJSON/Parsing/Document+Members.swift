internal import AnvilBase

extension Document {
  /// Parses `source`, which is UTF-8, from `start` on, as the members of an object with or without its braces.
  ///
  /// The parser reads a copy with braces. Offsets refer to the text without them.
  static func parseMembers(
    _ source: borrowing RawSpan, from start: Int, options: JSON.ParsingOptions, for lifetime: PaddedBytes.Lifetime
  ) throws(JSON.SyntaxError) -> Document {
    guard source.byteCount <= Int(UInt32.max) - 2 else {
      throw JSON.SyntaxError(code: .tooLarge(limit: Int(UInt32.max) - 2), offset: 0, line: 1, column: 1)
    }
    let text = MembersText(source, from: start)
    if text.firstByte == .openBrace { return try parseUTF8(source, from: start, options: options, for: lifetime) }
    do throws(JSON.SyntaxError) {
      // Safety: the array outlives the call, and `UInt8` has no padding.
      return try parseUTF8(unsafe text.inBraces.elementSpan.bytes, from: 0, options: options, for: lifetime)
    } catch {
      throw JSON.SyntaxError(text.failure(error), in: source)
    }
  }
}

/// The members of an object without its braces.
private struct MembersText {
  /// The text in braces, without its byte-order mark.
  private(set) var inBraces: [UInt8]
  /// The number of bytes of the byte-order mark.
  private let markLength: Int

  init(_ source: borrowing RawSpan, from start: Int) {
    markLength = start
    inBraces = [.openBrace]
    inBraces.reserveCapacity(source.byteCount + 2)
    inBraces.append(contentsOf: source, from: markLength)
    inBraces.append(.closeBrace)
  }

  /// The first byte of the text that is not white space; the added closing brace if there is no such byte.
  var firstByte: UInt8? { inBraces.dropFirst().first { !$0.isJSONWhitespace } }

  /// Converts an error in the text with braces to the error in the text without them.
  func failure(_ error: JSON.SyntaxError) -> ParseFailure {
    let length = inBraces.count - 2
    var offset = error.offset - 1
    var code = error.code
    if code == .trailingContent {
      // A brace of the text has closed the added opening brace.
      if let brace = inBraces[...error.offset].dropLast().lastIndex(where: { !$0.isJSONWhitespace }) {
        offset = brace - 1
        code = .unexpectedByte(inBraces[brace], expected: "',' or the end of the text")
      }
    } else if code == .invalidEscape, isCut(inBraces[error.offset...].dropLast()) {
      code = .unexpectedEnd
    } else if offset >= length {
      // The byte found was the added brace.
      switch code {
      case .unexpectedByte, .invalidNumber: code = .unexpectedEnd
      default: break
      }
    }
    return ParseFailure(code: code, offset: max(0, min(offset, length)) + markLength)
  }

  /// Returns whether `escape`, which extends to the end of the text, is the beginning of a valid escape.
  private func isCut(_ escape: ArraySlice<UInt8>) -> Bool {
    let rest = escape.dropFirst()
    return rest.isEmpty
      || rest.first == UInt8(ascii: "u") && rest.count < 5 && rest.dropFirst().allSatisfy { $0.isHexadecimalDigit }
  }
}

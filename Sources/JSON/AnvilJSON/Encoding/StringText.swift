internal import AnvilBase

/// Parses strings and containers that the encoder has written, which is necessary if their parts have to be rearranged.
enum StringText {
  /// Returns the unescaped bytes of `text`, a string without its quotation marks.
  static func unescaped(_ text: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var next = 0
    while next < text.count {
      let byte = text[next]
      next += 1
      guard byte == .backslash, next < text.count else {
        bytes.append(byte)
        continue
      }
      let escape = text[next]
      next += 1
      switch escape {
      case UInt8(ascii: "b"): bytes.append(.backspace)
      case UInt8(ascii: "t"): bytes.append(.tab)
      case UInt8(ascii: "n"): bytes.append(.lineFeed)
      case UInt8(ascii: "f"): bytes.append(.formFeed)
      case UInt8(ascii: "r"): bytes.append(.carriageReturn)
      case UInt8(ascii: "u") where next + 4 <= text.count:
        // Only control characters are written in this form.
        bytes.append((text[next + 2].hexadecimalValue ?? 0) << 4 | (text[next + 3].hexadecimalValue ?? 0))
        next += 4
      default: bytes.append(escape)
      }
    }
    return bytes
  }

  /// Returns the ranges of the elements or members of the container in `text`, without white space around them.
  static func pieces(of text: [UInt8]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 1
    var depth = 0
    var index = 0
    while index < text.count {
      switch text[index] {
      case .quote: index = endOfString(text, at: index)
      case .openBrace, .openBracket: depth += 1
      case .closeBrace, .closeBracket:
        depth -= 1
        if depth == 0 { pieces.append(start..<index) }
      case .comma where depth == 1:
        pieces.append(start..<index)
        start = index + 1
      default: break
      }
      index += 1
    }
    return pieces.compactMap { trimmed($0, in: text) }
  }

  /// Returns the index of the closing quotation mark of the string that begins at `index`.
  static func endOfString(_ text: [UInt8], at index: Int) -> Int {
    var next = index + 1
    while next < text.count, text[next] != .quote { next += text[next] == .backslash ? 2 : 1 }
    return next
  }

  private static func trimmed(_ range: Range<Int>, in text: [UInt8]) -> Range<Int>? {
    guard let first = range.first(where: { text[$0] > .space }), let last = range.last(where: { text[$0] > .space })
    else {
      return nil
    }
    return first..<last + 1
  }
}

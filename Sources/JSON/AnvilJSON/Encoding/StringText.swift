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
      guard byte == 0x5C, next < text.count else {
        bytes.append(byte)
        continue
      }
      let escape = text[next]
      next += 1
      switch escape {
      case 0x62: bytes.append(0x08)
      case 0x74: bytes.append(0x09)
      case 0x6E: bytes.append(0x0A)
      case 0x66: bytes.append(0x0C)
      case 0x72: bytes.append(0x0D)
      case 0x75 where next + 4 <= text.count:
        // Only control characters are written in this form.
        bytes.append(digit(text[next + 2]) << 4 | digit(text[next + 3]))
        next += 4
      default: bytes.append(escape)
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8 { byte < 0x3A ? byte & 0xF : (byte & 0xF) + 9 }

  /// Returns the ranges of the elements or members of the container in `text`, without white space around them.
  static func pieces(of text: [UInt8]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 1
    var depth = 0
    var index = 0
    while index < text.count {
      switch text[index] {
      case 0x22: index = endOfString(text, at: index)
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth == 0 { pieces.append(start..<index) }
      case 0x2C where depth == 1:
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
    while next < text.count, text[next] != 0x22 { next += text[next] == 0x5C ? 2 : 1 }
    return next
  }

  private static func trimmed(_ range: Range<Int>, in text: [UInt8]) -> Range<Int>? {
    guard let first = range.first(where: { text[$0] > 0x20 }), let last = range.last(where: { text[$0] > 0x20 }) else {
      return nil
    }
    return first..<last + 1
  }
}

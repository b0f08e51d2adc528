/// Half surrogate pairs in the escapes of a JSON text. JavaScript's strings may contain them and browsers archive them, but they are no
/// characters, and JSON does not allow them.
///
/// Source: RFC 8259 §8.2; ECMA-262, QuoteJSONString.
enum LoneSurrogates {
  /// Returns `text` with each half replaced by the escape of U+FFFD, which is as long.
  static func replaced(in text: [UInt8]) -> [UInt8] {
    var text = text
    var index = 0
    while index + 1 < text.count {
      guard text[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let unit = unit(at: index, of: text) else {
        index += 2
        continue
      }
      index += 6
      guard (0xD800...0xDFFF).contains(unit) else { continue }
      if unit < 0xDC00, let next = self.unit(at: index, of: text), (0xDC00...0xDFFF).contains(next) {
        index += 6
      } else {
        text.replaceSubrange((index - 4)..<index, with: Array("fffd".utf8))
      }
    }
    return text
  }

  /// Returns the code unit of the `\u` escape at `index`; `nil` if another text is there.
  private static func unit(at index: Int, of text: [UInt8]) -> UInt16? {
    guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt16(String(decoding: text[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
  }
}

extension JSONQueryParser {
  /// Parses a string in single or double quotation marks.
  mutating func string() throws(Malformed) -> String {
    guard let quote = next else { throw malformed("a string") }
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = next {
      if scalar == quote {
        position += 1
        return String(text)
      }
      guard scalar.value >= 0x20 else { break }
      if scalar == "\\" {
        position += 1
        text.append(try escaped(quote))
      } else {
        text.append(scalar)
        position += 1
      }
    }
    throw malformed("the end of the string")
  }

  private mutating func escaped(_ quote: Unicode.Scalar) throws(Malformed) -> Unicode.Scalar {
    guard let scalar = next else { throw malformed("an escape") }
    position += 1
    switch scalar {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "/", "\\", quote: return scalar
    case "u": return try escapedScalar()
    default:
      position -= 1
      throw malformed("a JSON escape")
    }
  }

  private mutating func escapedScalar() throws(Malformed) -> Unicode.Scalar {
    let first = try codeUnit()
    guard (0xD800..<0xDC00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw malformed("a high surrogate before a low one") }
      return scalar
    }
    guard take("\\u") else { throw malformed("a low surrogate after a high one") }
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw malformed("a low surrogate after a high one") }
    return scalar
  }

  private mutating func codeUnit() throws(Malformed) -> UInt32 {
    let digits = scalars[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }),
      let unit = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw malformed("four hexadecimal digits") }
    position += 4
    return unit
  }
}

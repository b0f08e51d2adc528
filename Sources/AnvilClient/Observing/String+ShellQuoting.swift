internal import AnvilJSON

extension String {
  /// The word as a POSIX shell reads it: in single quotation marks unless nothing in it needs them.
  ///
  /// A word with characters that could steer a terminal or hide themselves is written as `$'\033[31m'`, byte by byte in octal, which
  /// shells read since POSIX.1-2024. Line feeds and tabs stay as they are between quotation marks, where every shell reads them.
  ///
  /// Source: POSIX.1-2024 XCU 2.2.2 and 2.2.4.
  package var quotedForShell: String {
    if unicodeScalars.contains(where: \.needsOctal) { return "$'\(octalForShell)'" }
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
        default: false
        }
      }
    if isPlain { return self }
    // By scalars: with a combining mark behind it a quotation mark is another character, and still one for the shell.
    let quoted = unicodeScalars.reduce(into: String.UnicodeScalarView()) { text, scalar in
      if scalar == "'" { text.append(contentsOf: #"'\''"#.unicodeScalars) } else { text.append(scalar) }
    }
    return "'\(String(quoted))'"
  }

  private var octalForShell: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += #"\\"#
      case "'": text += #"\'"#
      case "\n": text += #"\n"#
      case "\t": text += #"\t"#
      case _ where scalar.needsOctal:
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          // Three digits always, so that a digit behind them is none of theirs.
          let digits = String(byte, radix: 8)
          text += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var needsOctal: Bool { self != "\n" && self != "\t" && isUnprintable }
}

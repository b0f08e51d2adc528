/// The one escaper for text from outside: whatever goes to a log, a report or a terminal passes it.
extension String {
  /// The text with each character that could steer a terminal, look like a line end or hide itself as `\u{1b}`.
  ///
  /// Escaped are control characters, line and paragraph separators, the characters that reverse or isolate the direction of text,
  /// invisible characters, and those of private use. What joins emoji and chooses their look is not. A backslash is not
  /// escaped either: the text is to be read, not to be parsed. Applying it twice changes nothing more.
  ///
  /// Source: Unicode Technical Report #36, 3.3, and <https://trojansource.codes>.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isUnprintable {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The first `limit` Unicode scalars, ``printable``, and `…` where there are more.
  package func printable(limit: Int) -> String {
    // Not by characters: one character may have any number of scalars.
    let shown = unicodeScalars.prefix(limit)
    return String(shown).printable + (shown.endIndex == unicodeScalars.endIndex ? "" : "…")
  }
}

extension Unicode.Scalar {
  /// Whether ``String/printable`` escapes the scalar.
  package var isUnprintable: Bool {
    guard !isASCII else { return value < 0x20 || value == 0x7F }
    switch value {
    // What joins emoji to one, and what chooses between text and emoji.
    case 0x200D, 0xFE0E, 0xFE0F: return false
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }
}

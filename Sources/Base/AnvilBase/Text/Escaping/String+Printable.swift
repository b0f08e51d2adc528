/// The single escaping function for external text. Everything written to a log, a report or a terminal passes through it.
extension String {
  /// The text with escapes, such as `\u{1b}`, for all characters that could control a terminal, look like a line end or be invisible.
  ///
  /// Escaped are control characters, line and paragraph separators, the characters that reverse or isolate the direction of text, invisible
  /// characters, and those of private use. Emoji joiners and variation selectors are not escaped. A backslash is not escaped either,
  /// because the text is for reading, not for parsing. Escaping an escaped text has no further effect.
  ///
  /// Source: Unicode Technical Report #36, 3.3, and <https://trojansource.codes>.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    return replacingScalars { $0.isUnprintable ? "\\u{\(String($0.value, radix: 16))}" : nil }
  }

  /// Returns the first `limit` Unicode scalars, ``printable``, followed by `…` if there are more.
  package func printable(limit: Int) -> String {
    shortened(to: limit).printable
  }

  /// Returns the text in one line, ``printable``: each run of white space is one space, and only the first `limit` Unicode scalars of the
  /// result are shown.
  package func singleLine(limit: Int) -> String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").printable(limit: limit)
  }

  /// Returns the text, or its first `limit` Unicode scalars and `…`.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    // Limited by scalars, not characters: one character may have any number of scalars.
    let shown = unicodeScalars.prefix(limit)
    return shown.endIndex == unicodeScalars.endIndex ? self : String(shown) + "…"
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether ``String/printable`` escapes the scalar.
  package var isUnprintable: Bool {
    guard !isASCII else { return value < 0x20 || value == 0x7F }
    switch value {
    // The joiner of emoji, and the selectors between text and emoji presentation.
    case 0x200D, 0xFE0E, 0xFE0F: return false
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }
}

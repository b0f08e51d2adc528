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

  /// ``printable``: each run of white space is one space, and only the first `limit` Unicode scalars of the result are shown.
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

extension String {
  /// The text as a JSON string. The characters that ``printable`` escapes are written as JSON escapes, such as `\u202e`.
  package var quoted: String {
    quoted { scalar in scalar.isUnprintable ? scalar.jsonEscape : nil }
  }

  /// With the escapes that JSON and Swift share. `escape` returns that of another character; `nil` leaves it unchanged.
  package func quoted(escape: (Unicode.Scalar) -> String?) -> String {
    let text = replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: escape(scalar)
      }
    }
    return "\"\(text)\""
  }
}

extension Unicode.Scalar {
  /// The escape of the scalar in a JSON string, such as `\u202e`, or two escapes for a surrogate pair.
  package var jsonEscape: String {
    (UTF16.encode(self) ?? UTF16.encodedReplacementCharacter).map { "\\u" + $0.text(digits: 4, radix: 16) }.joined()
  }
}

extension String {
  /// Returns the text with some of its scalars replaced. `replacement` returns the text for a scalar, or `nil` to leave it unchanged.
  ///
  /// A quotation mark with a combining mark is another `Character`, but the formats in which texts are escaped still see the quotation mark.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. `UnicodeScalarView.append(contentsOf:)` would copy the text in each call.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) { text += replacement } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension BinaryInteger {
  /// Returns the number, which must not be negative, with zeros before it if it has fewer than `count` digits. Letters are in lower case.
  package func text(digits count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without leading and trailing spaces and tabs. Source: RFC 9110 §5.6.3.
  package var trimmingBlanks: SubSequence {
    guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}

extension String {
  /// The text without leading and trailing spaces and tabs. Source: RFC 9110 §5.6.3.
  package var trimmingBlanks: String {
    guard let first = utf8.first, let last = utf8.last, first.isBlank || last.isBlank else { return self }
    return String(decoding: utf8.trimmingBlanks, as: UTF8.self)
  }
}

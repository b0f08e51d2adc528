extension String {
  /// The text as a JSON string, with quotation marks. The characters that ``printable`` escapes are written as JSON escapes, such as
  /// `\u202e`.
  package var quoted: String {
    quoted { scalar in scalar.isUnprintable ? scalar.jsonEscape : nil }
  }

  /// Returns the text in quotation marks, with the escapes that JSON and Swift share. `escape` returns the escape of
  /// any other character, or `nil` to leave it unchanged.
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
    (UTF16.encode(self) ?? UTF16.encodedReplacementCharacter).map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }
}

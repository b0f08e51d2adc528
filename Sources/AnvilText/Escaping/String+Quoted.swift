extension String {
  /// The text as a JSON string, with quotation marks. The characters that ``printable`` escapes are written as JSON escapes, such as
  /// `\u202e`.
  package var quoted: String {
    quoted { scalar in
      guard scalar.isUnprintable else { return nil }
      return (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter).map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }.joined()
    }
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

extension JSON.Path: CustomStringConvertible {
  /// The steps as Swift would write them: `people[1].login`; nothing for the root.
  ///
  /// Keys that are not made of letters, digits, `_`, `-`, `$` and `@` alone stand quoted in brackets, `["odd.key"]`, so
  /// that no two paths look the same.
  public var description: String {
    var text = ""
    for step in steps { text.append(step) }
    return text
  }

  /// The path as a JSON pointer: `/people/1/login`; nothing for the root.
  ///
  /// Source: RFC 6901 §3; `~` becomes `~0`, `/` becomes `~1`.
  public var pointer: String { JSON.Pointer(steps).description }
}

extension String {
  /// Appends `step` as a path's description shows it.
  mutating func append(_ step: JSON.Step) {
    switch step {
    case .index(let index): self += "[\(index)]"
    case .key(let key) where key.isPlainKey: self += isEmpty ? key : ".\(key)"
    case .key(let key): self += "[\(key.quoted)]"
    }
  }

  /// Whether a path's description shows this key as it is.
  private var isPlainKey: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        // Some letters are invisible.
        !scalar.isUnprintable
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_-$@".unicodeScalars.contains(scalar))
      }
  }

  /// The text as a JSON string, with quotation marks. What ``printable`` escapes is escaped as JSON has it: `\u202e`.
  var quoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isUnprintable:
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

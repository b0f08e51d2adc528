internal import AnvilBase

extension JSON.Path: CustomStringConvertible {
  /// The steps as Swift would write them, such as `people[1].login`; empty for the root.
  ///
  /// Keys with characters other than letters, digits, `_`, `-`, `$` and `@` are quoted in brackets, `["odd.key"]`, so
  /// that different paths never look the same.
  public var description: String {
    var text = ""
    for step in steps { text.append(step) }
    return text
  }

  /// The path as a JSON pointer, such as `/people/1/login`; empty for the root.
  ///
  /// `~` becomes `~0` and `/` becomes `~1`. Source: RFC 6901 §3.
  public var pointer: String { JSON.Pointer(steps).description }
}

extension String {
  /// Appends `step` in the form of a path's description.
  package mutating func append(_ step: JSON.Step) {
    switch step {
    case .index(let index): self += "[\(index)]"
    case .key(let key) where key.isPlainKey: self += isEmpty ? key : ".\(key)"
    case .key(let key): self += "[\(key.quoted)]"
    }
  }

  /// True if the description of a path contains this key without quotes.
  private var isPlainKey: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        // Some letters are invisible.
        !scalar.isUnprintable
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_-$@".unicodeScalars.contains(scalar))
      }
  }
}

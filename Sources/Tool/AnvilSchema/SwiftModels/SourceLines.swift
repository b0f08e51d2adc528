internal import AnvilBase
internal import AnvilJSON

/// Lines of Swift, indented by two spaces for each level.
struct SourceLines {
  /// The maximum length of a line that can be broken, in characters.
  static let width = 120

  private(set) var text = ""
  private var level = 0

  /// Adds a line. An empty line is not indented.
  mutating func add(_ line: String = "") {
    text += line.isEmpty ? "\n" : "\(indentation)\(line)\n"
  }

  /// Adds a block: `head`, the indented lines of `body`, and the closing brace.
  mutating func block(_ head: String, _ body: (inout SourceLines) -> Void) {
    add("\(head) {")
    indented(body)
    add("}")
  }

  /// Adds the lines of `body`, indented by one more level.
  mutating func indented(_ body: (inout SourceLines) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }

  /// Adds `words` in lines that start with `mark`.
  mutating func fill(_ mark: String, _ words: [Substring]) {
    var line = mark
    for word in words {
      if line.count + word.count + 1 + indentation.count > Self.width, line != mark {
        add(line)
        line = mark
      }
      line += " \(word)"
    }
    if line != mark { add(line) }
  }

  /// Returns whether `line` fits at the current indentation.
  func fits(_ line: String) -> Bool { line.count + indentation.count <= Self.width }

  private var indentation: String { String(repeating: "  ", count: level) }
}

extension String {
  /// The text as a Swift string literal.
  var swiftLiteral: String {
    quoted { scalar in
      // Escapes characters that are invisible or reorder the text, that join emoji, or that are not yet assigned.
      scalar.isUnprintable || [.format, .unassigned].contains(scalar.properties.generalCategory)
        ? "\\u{\(String(scalar.value, radix: 16))}" : nil
    }
  }
}

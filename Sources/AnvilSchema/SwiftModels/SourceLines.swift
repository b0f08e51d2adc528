internal import AnvilJSON
internal import AnvilText

/// Lines of Swift, indented by two spaces for each level.
struct SourceLines {
  /// How many characters a line has at most where it can be broken.
  static let width = 120

  private(set) var text = ""
  private var level = 0

  /// Adds a line; an empty one without indentation.
  mutating func add(_ line: String = "") {
    text += line.isEmpty ? "\n" : "\(indentation)\(line)\n"
  }

  /// Adds `head`, what `body` adds one level further in, and the closing brace.
  mutating func block(_ head: String, _ body: (inout SourceLines) -> Void) {
    add("\(head) {")
    indented(body)
    add("}")
  }

  /// Adds what `body` adds one level further in.
  mutating func indented(_ body: (inout SourceLines) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }

  /// Adds `words` behind `mark`, in as many lines as they need.
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

  /// Whether `line` fits at this level.
  func fits(_ line: String) -> Bool { line.count + indentation.count <= Self.width }

  private var indentation: String { String(repeating: "  ", count: level) }
}

extension String {
  /// The text as a literal of Swift.
  var swiftLiteral: String {
    quoted { scalar in
      // What cannot be seen or moves what is seen; in a literal also what joins emoji, and what may do so once it is assigned.
      scalar.isUnprintable || [.format, .unassigned].contains(scalar.properties.generalCategory)
        ? "\\u{\(String(scalar.value, radix: 16))}" : nil
    }
  }
}

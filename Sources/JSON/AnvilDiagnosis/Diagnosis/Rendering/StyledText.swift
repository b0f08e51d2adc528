package import AnvilJSON

/// A text of several lines whose parts can be coloured.
package struct StyledText: Sendable {
  /// The role of a part of the text, which determines its colour.
  package enum Role: Sendable {
    case plain, error, strong, path, gutter, caret, note, muted

    /// The parameters of the control sequence. Source: ECMA-48 §8.3.117.
    fileprivate var parameters: String? {
      switch self {
      case .plain: nil
      case .error: "1;31"
      case .strong: "1"
      case .path: "1;36"
      case .gutter: "34"
      case .caret: "1;31"
      case .note: "33"
      case .muted: "2"
      }
    }
  }

  private var lines: [[(text: String, role: Role)]] = [[]]
  /// The number of columns in use on the last line.
  package private(set) var column = 0
  private let width: Int

  /// Creates an empty text with lines of `width` columns.
  package init(width: Int) { self.width = width }

  /// Appends `text`, which has no line ends, to the last line without wrapping.
  package mutating func write(_ text: String, _ role: Role = .plain) {
    guard !text.isEmpty else { return }
    if let last = lines[lines.count - 1].last, last.role == role {
      lines[lines.count - 1][lines[lines.count - 1].count - 1].text += text
    } else {
      lines[lines.count - 1].append((text, role))
    }
    column += text.displayWidth
  }

  /// Appends `text` word by word. Where the line is full, a new one begins with `indentation` spaces.
  package mutating func writeWords(
    _ text: String, _ role: Role = .plain, indentation: Int, breaking: Breaking = .anywhere
  ) {
    for (number, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let space = number == 0 ? 0 : 1
      if column + space + String(word).displayWidth > width, column > indentation {
        endLine()
        write(String(repeating: " ", count: indentation), role)
      } else if number > 0 {
        write(" ", role)
      }
      if breaking == .atSpaces {
        write(String(word), role)
      } else {
        writeWord(String(word), role, indentation: indentation)
      }
    }
  }

  /// The places at which a text that is wider than a line may be broken.
  package enum Breaking: Sendable {
    /// Only at spaces. Words that are copied, such as URLs, are not broken.
    case atSpaces
    /// At any character.
    case anywhere
  }

  /// Appends `word`, over several lines if it is wider than one.
  private mutating func writeWord(_ word: String, _ role: Role, indentation: Int) {
    guard column + word.displayWidth > width else { return write(word, role) }
    for character in word {
      if column + character.displayWidth > width, column > indentation {
        endLine()
        write(String(repeating: " ", count: indentation), role)
      }
      write(String(character), role)
    }
  }

  /// Fills the line with spaces up to `column`.
  package mutating func pad(to column: Int) {
    if column > self.column { write(String(repeating: " ", count: column - self.column)) }
  }

  /// Ends the line.
  package mutating func endLine() {
    lines.append([])
    column = 0
  }

  /// Returns the lines, without trailing spaces.
  package func rendered(_ colors: JSON.Diagnosis.Style.Colors) -> String {
    var lines = lines.map { parts in
      var parts = parts
      while let last = parts.last {
        let kept = last.text.droppingTrailingSpaces
        parts.removeLast()
        guard kept.isEmpty else {
          parts.append((kept, last.role))
          break
        }
      }
      return parts.map { Self.colored($0.text, $0.role, colors) }.joined()
    }
    if lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  private static func colored(_ text: String, _ role: Role, _ colors: JSON.Diagnosis.Style.Colors) -> String {
    guard colors == .ansi, let parameters = role.parameters else { return text }
    return "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

extension String {
  fileprivate var droppingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

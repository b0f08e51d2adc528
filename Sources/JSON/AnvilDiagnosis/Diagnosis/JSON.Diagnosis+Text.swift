internal import AnvilBase
public import AnvilJSON

extension JSON.Diagnosis: CustomStringConvertible {
  /// The full report without values of the document, safe to log. Lines have at most 100 columns unless a name is longer.
  public var description: String { rendered(Style()) }

  /// The full report with values.
  public var detailedDescription: String { rendered(Style(values: .shown)) }

  /// Returns the full report: code and subject, then for each problem its path, the expected and the found value, the location,
  /// the lines around it with a mark, and suggestions.
  public func rendered(_ style: Style) -> String {
    var text = StyledText(width: style.columns)
    if let first = problems.first { text.write("error[\(first.code)]", .error) }
    text.write(" ")
    text.writeWords(title, .strong, indentation: 2)
    text.endLine()
    write(to: &text, style)
    return text.rendered(style.colors)
  }

  /// The number of problems and the decoded type: `2 problems decoding [User]`.
  package var title: String {
    let count = extent == .limited ? "at least \(problems.count)" : "\(problems.count)"
    let subject = subject.map { " decoding \($0)" } ?? ""
    return "\(count) problem\(problems.count == 1 ? "" : "s")\(subject)"
  }

  package func write(to text: inout StyledText, _ style: Style) {
    let longest = problems.map { $0.pathText.displayWidth }.max() ?? 0
    let column = min(max(20, longest), max(20, style.columns / 3)) + 2
    let shown = problems.prefix(max(0, style.problemLimit))
    for (index, problem) in shown.enumerated() {
      problem.write(number: index + 1, of: problems.count, source: source, messageColumn: column, to: &text, style)
    }
    if shown.count < problems.count {
      text.write("… and \(problems.count - shown.count) more", .muted)
      text.endLine()
    }
  }

  /// The form for logs, in one line without values of the document: `decode.type-mismatch $[3].zip expected String found number
  /// @118:12 (+1 more)`.
  public var line: String { line(context: nil) }

  /// Returns the form for logs with `context`, which describes the origin of the text.
  package func line(context: String?) -> String {
    guard let first = problems.first else { return context ?? "" }
    let others = problems.count - 1
    let more: String? =
      if others > 0 { "(+\(others) \(extent == .limited ? "or more" : "more"))" } else {
        extent == .limited ? "(maybe more)" : nil
      }
    return [first.line, context, more].compactMap { $0 }.joined(separator: " ")
  }
}

extension JSON.Diagnosis.Problem: CustomStringConvertible {
  /// Code, path, description and location in one line, without values of the document.
  public var description: String { line }

  /// The path from `$`: `$[3].address.zip`.
  package var pathText: String {
    let steps = path.steps.map { step -> JSON.Step in
      if case .key(let key) = step { .key(key.shortened) } else { step }
    }
    let text = JSON.Path(steps: steps).description.printable
    return text.isEmpty || text.hasPrefix("[") ? "$\(text)" : "$.\(text)"
  }

  /// The property with its model: `User.Address.zip`.
  private var propertyName: String? {
    switch (model, property) {
    case (let model?, let property?): "\(model).\(property)"
    case (nil, let property?): property
    default: nil
    }
  }

  var line: String { "\(summary(.redacted)) @\(location)" }

  /// Returns code, path and description in one line, without the location.
  package func summary(_ values: JSON.Diagnosis.Style.Values) -> String {
    var words = [code.rawValue, pathText]
    if let missingKey {
      words.append("missing \(missingKey.shortened.quoted.printable)")
    } else if let missingIndex {
      words.append("missing [\(missingIndex)]")
    } else {
      if let expected { words.append("expected \(expected.printable)") }
      if expected == nil, !code.isOfDecoding, let detail {
        words.append(detail.printable)
      } else if expected == nil, code == .invalidValue {
        words.append(refusal(values))
      } else if let found = foundText(values) {
        words.append(expected == nil ? found : "found \(found)")
      }
    }
    return words.joined(separator: " ")
  }

  private func foundText(_ values: JSON.Diagnosis.Style.Values) -> String? {
    if values == .shown, let found, found.kind != .null, found.kind != .object, found.kind != .array {
      return "\(found.kind == .bool ? "" : "\(found.kind) ")\(found.text)"
    }
    return detail ?? found?.kind.description
  }

  /// Returns the description of a value that custom code rejected without naming a type.
  private func refusal(_ values: JSON.Diagnosis.Style.Values) -> String {
    let name = propertyName.map { " (\($0))" } ?? ""
    guard let found else { return detail ?? "refused\(name)" }
    let isShown = values == .shown && found.kind != .object && found.kind != .array
    return "refused\(name), found \(isShown ? "\(found.kind) \(found.text)" : "\(found.kind)")"
  }

  private func message(_ values: JSON.Diagnosis.Style.Values) -> String {
    let name = propertyName
    if let missing = missingKey.map({ "key \($0.shortened.quoted.printable)" })
      ?? missingIndex.map({ "element [\($0)]" })
    {
      let parts = [name, expected.map { $0.printable }].compactMap { $0 }.joined(separator: ": ")
      return "missing \(missing)" + (parts.isEmpty ? "" : " (\(parts))")
    }
    let found = foundText(values)
    guard let expected else {
      if !code.isOfDecoding, let detail { return detail.printable }
      return code == .invalidValue ? refusal(values) : found ?? "cannot be used"
    }
    let place = name.map { " (\($0))" } ?? ""
    return "expected \(expected.printable)\(place)" + (found.map { ", found \($0)" } ?? "")
  }

  fileprivate func write(
    number: Int, of count: Int, source: String, messageColumn: Int, to text: inout StyledText,
    _ style: JSON.Diagnosis.Style
  ) {
    let ordinal = "\(number)) "
    let column = ordinal.count + messageColumn
    text.write(ordinal)
    text.write(pathText, .path)
    text.pad(to: column)
    let message = message(style.values)
    if text.column > column || column + min(message.displayWidth, 24) > style.columns {
      text.endLine()
      text.pad(to: 5)
    }
    text.writeWords(message, indentation: min(text.column, column))
    text.endLine()
    writePlace(source, to: &text, style)
    writeNotes(to: &text, style)
  }

  private static let gutter = 9

  private func writePlace(_ source: String, to text: inout StyledText, _ style: JSON.Diagnosis.Style) {
    let digits = "\(location.line)".count
    let gutter = max(Self.gutter, digits + 2)
    text.pad(to: gutter)
    text.write("┌─ ", .gutter)
    text.write("\(source.printable):\(location) (byte \(location.offset))", .muted)
    text.endLine()
    guard let snippet else { return }
    let width = style.columns - gutter - 2
    for (index, line) in snippet.lines.enumerated() {
      let isLast = index == snippet.lines.count - 1
      let shown = Snippet.shown(line, in: width, around: snippet.spot, style)
      let number = "\(line.number)"
      text.pad(to: gutter - 1 - number.count)
      text.write("\(number) │ ", .gutter)
      text.write(shown.text)
      text.endLine()
      guard isLast else { continue }
      text.pad(to: gutter)
      text.write("│ ", .gutter)
      text.pad(to: gutter + 2 + shown.mark.column)
      text.write(String(repeating: "^", count: shown.mark.width), .caret)
      if let label = found?.kind.description, text.column + 1 + label.count <= style.columns {
        text.write(" \(label)", .caret)
      }
      text.endLine()
    }
  }

  private func writeNotes(to text: inout StyledText, _ style: JSON.Diagnosis.Style) {
    if missingKey != nil || (found?.kind == .object && !keys.isEmpty) {
      let names = keys.map { $0.printable }.joined(separator: ", ")
      let more = keyCount > keys.count ? ", … and \(keyCount - keys.count) more" : ""
      writeNote("keys here:", keys.isEmpty ? "none" : names + more, to: &text)
    }
    if !choices.isEmpty, !choices.allSatisfy({ expected?.contains($0) ?? false }) {
      writeNote("one of:", choices.map(\.printable).joined(separator: ", "), to: &text)
    }
    for strategy in strategies { writeNote("strategy:", strategy, to: &text) }
    if style.values == .shown, let reason { writeNote("reason:", reason.printable, to: &text) }
    if let elsewhere { writeNote("also at:", elsewhere.printable, to: &text) }
    for hint in hints { writeNote("hint:", hint.printable, role: .note, to: &text) }
  }

  @inline(never)
  private func writeNote(_ name: String, _ content: String, role: StyledText.Role = .plain, to text: inout StyledText) {
    text.pad(to: Self.gutter)
    text.write("= ", .gutter)
    text.write("\(name) ", .strong)
    text.writeWords(content, role, indentation: Self.gutter + 2 + min(name.count + 1, 12))
    text.endLine()
  }
}

extension JSON.Diagnosis {
  /// Returns the form for programs, without values of the document unless they are shown: `code`, `message`, `subject`, `source`, `complete` and `problems`, each
  /// with `code`, `path`, `pointer`, `line`, `column`, `bytes` and the other details that are known.
  public func json(_ values: Style.Values = .redacted) -> JSON {
    JSON.object(
      [
        ("code", problems.first.map { JSON($0.code.rawValue) }),
        ("message", JSON(line)),
        ("subject", subject.map { JSON($0) }),
        ("source", JSON(source)),
        ("complete", JSON(isComplete)),
        ("problems", JSON(problems.map { $0.json(values) })),
      ])
  }
}

extension JSON.Diagnosis.Problem {
  fileprivate func json(_ values: JSON.Diagnosis.Style.Values) -> JSON {
    let found: JSON? = found.map { found in
      JSON.object(
        [
          ("kind", JSON(found.kind.rawValue)),
          ("text", values == .shown ? .some(JSON(found.text)) : .none),
        ])
    }
    let expected: JSON? =
      expected == nil && expectedKinds.isEmpty
      ? .none
      : .some(
        JSON.object(
          [
            ("type", self.expected.map { JSON($0) }),
            ("kinds", Self.list(expectedKinds.map(\.rawValue))),
          ]))
    return JSON.object(
      [
        ("code", JSON(code.rawValue)),
        ("path", JSON(pathText)),
        ("pointer", path.pointer.utf8.count <= 1_000 ? .some(JSON(path.pointer)) : .none),
        ("line", JSON(location.line)),
        ("column", JSON(location.column)),
        ("bytes", JSON([JSON(location.range.lowerBound), JSON(location.range.upperBound)])),
        ("missingKey", missingKey.map { JSON($0.shortened) }),
        ("missingIndex", missingIndex.map { JSON($0) }),
        ("expected", expected),
        ("found", found),
        ("detail", detail.map { JSON($0) }),
        ("model", model.map { JSON($0) }),
        ("property", property.map { JSON($0) }),
        ("keys", Self.list(keys)),
        ("choices", Self.list(choices)),
        ("strategies", Self.list(strategies)),
        ("hints", Self.list(hints)),
        ("reason", values == .shown ? reason.map { JSON($0) } : .none),
      ])
  }

  /// Returns an array of strings; nothing for an empty list.
  private static func list(_ strings: [String]) -> JSON? {
    strings.isEmpty ? .none : .some(JSON(strings.map { JSON($0) }))
  }
}

extension JSON {
  /// Returns an object of those members that have a value.
  package static func object(_ members: [(String, JSON?)]) -> JSON {
    JSON(members.compactMap { member in member.1.map { (key: member.0, value: $0) } })
  }
}

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

  package mutating func pad(to column: Int) {
    if column > self.column { write(String(repeating: " ", count: column - self.column)) }
  }

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

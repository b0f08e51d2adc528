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

  /// Writes the problems, each with its lines.
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
      if expected == nil, !isDecodingProblem, let detail {
        words.append(detail.printable)
      } else if expected == nil, code == .invalidValue {
        words.append(refusal(values))
      } else if let found = foundText(values) {
        words.append(expected == nil ? found : "found \(found)")
      }
    }
    return words.joined(separator: " ")
  }

  /// True if the problem was found by a decoder. Other sources supply their own description.
  private var isDecodingProblem: Bool { code.rawValue.hasPrefix("decode.") }

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

  /// Returns a description of the problem without its location.
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
      if !isDecodingProblem, let detail { return detail.printable }
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

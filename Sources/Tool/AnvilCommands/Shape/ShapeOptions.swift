/// The options of `anvil shape`.
struct ShapeOptions: Sendable {
  /// The action of the command.
  enum Action: Sendable {
    /// The shape is written to a file, or to standard output for `nil`.
    case save(to: String?)
    /// The shape is compared with a saved one.
    case diff(DocumentSource, Format, Selection)
  }

  /// The output format of changes.
  enum Format: String, Sendable {
    case text, json
  }

  /// The changes that are reported.
  enum Selection: Sendable {
    case all, breaking
  }

  let action: Action
  /// The samples of the shape.
  let sources: [DocumentSource]
  /// The path of the documents in the samples, or `nil` for the whole samples.
  let path: JSONPath?

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for an unknown action, an invalid value, and a missing file.
  init(_ arguments: ArgumentParser, console: Console) throws(UsageError) {
    var operands = arguments.operands
    guard let name = operands.first else { throw UsageError("save or diff is missing") }
    operands.removeFirst()
    path = if let text = arguments.value(of: .shapePath) { try JSONPath(text) } else { nil }
    guard operands.count(where: { $0 == "-" }) <= 1 else { throw UsageError("standard input can be read only once") }
    switch name {
    case "save":
      if operands.isEmpty { throw UsageError("a file or URL is missing") }
      if arguments.contains(.onlyBreaking) { throw UsageError("--breaking needs diff") }
      if arguments.contains(.changeFormat) { throw UsageError("--format needs diff") }
      let file = arguments.value(of: .shapeFile)
      if file == "" { throw UsageError("--to needs the name of a file") }
      sources = try CheckOptions.sources(operands, arguments, console)
      action = .save(to: file)
    case "diff":
      guard let shape = operands.first else { throw UsageError("the saved shape is missing") }
      operands.removeFirst()
      if operands.isEmpty { throw UsageError("a file or URL to compare with is missing") }
      if DocumentSource.isURL(shape) { throw UsageError("\(shape.quotedExcerpt) is a URL; the saved shape is a file") }
      if arguments.contains(.shapeFile) { throw UsageError("--to needs save") }
      sources = try CheckOptions.sources(operands, arguments, console)
      action = .diff(
        shape == "-" ? .standardInput : .file(shape), try Self.format(arguments.value(of: .changeFormat)),
        arguments.contains(.onlyBreaking) ? .breaking : .all)
    default:
      let suggestion = Suggestion.text(for: name, among: ["save", "diff"])
      throw UsageError("\(name.quotedExcerpt) is neither save nor diff\(suggestion)")
    }
  }

  private static func format(_ text: String?) throws(UsageError) -> Format {
    guard let text else { return .text }
    guard let format = Format(rawValue: text) else {
      throw UsageError("--format \(text.quotedExcerpt) is neither text nor json")
    }
    return format
  }
}

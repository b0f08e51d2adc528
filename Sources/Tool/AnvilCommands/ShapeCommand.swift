internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

struct ShapeCommand {
  enum Action: Sendable {
    /// The shape is written to a file, or to standard output for `nil`.
    case save(to: String?)
    case diff(DocumentSource, Format, Selection)
  }

  enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  enum Selection: Sendable {
    case all, breaking
  }

  let action: Action
  let sources: [DocumentSource]
  let path: JSONPath?
  let console: Console

  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    self.console = console
    var operands = arguments.operands
    guard let name = operands.first else { throw CommandError("save or diff is missing") }
    operands.removeFirst()
    path = if let text = arguments.value(of: .shapePath) { try JSONPath(text) } else { nil }
    try DocumentSource.checkStandardInput(operands, arguments)
    switch name {
    case "save":
      if operands.isEmpty { throw CommandError("a file or URL is missing") }
      if arguments.contains(.onlyBreaking) { throw CommandError("--breaking needs diff") }
      if arguments.contains(.changeFormat) { throw CommandError("--format needs diff") }
      let file = try arguments.file(of: .shapeFile)
      sources = try DocumentSource.sources(operands, arguments, console)
      action = .save(to: file)
    case "diff":
      guard let shape = operands.first else { throw CommandError("the saved shape is missing") }
      operands.removeFirst()
      if operands.isEmpty { throw CommandError("a file or URL to compare with is missing") }
      let saved = try DocumentSource(file: shape, "the saved shape is a file")
      if arguments.contains(.shapeFile) { throw CommandError("--to needs save") }
      sources = try DocumentSource.sources(operands, arguments, console)
      action = .diff(
        saved, try arguments.choice(of: .changeFormat) ?? .text,
        arguments.contains(.onlyBreaking) ? .breaking : .all)
    default:
      let suggestion = Suggestion.text(for: name, among: ["save", "diff"])
      throw CommandError("\(name.quotedExcerpt) is neither save nor diff\(suggestion)")
    }
  }

  /// Runs the command. All inputs are read before anything is written.
  func run() async throws(CommandError) -> ExitStatus {
    switch action {
    case .save(let file):
      let (shape, count) = try await shape()
      return try save(shape, of: count, to: file)
    case .diff(let source, let format, let selection):
      let old = try await saved(source)
      let changes = old.changes(to: try await shape().shape)
      return report(changes.filter { selection == .all || $0.isBreaking }, format)
    }
  }

  /// Returns the common shape of the samples and their number. A single schema is read as a saved shape.
  private func shape() async throws(CommandError) -> (shape: SavedShape, count: Int) {
    var shape = Shape()
    var count = 0
    for source in sources {
      let samples = try await console.samples(in: source, at: path)
      if sources.count == 1, samples.values.count == 1, path == nil,
        JSONSchema.isSchema(samples.values[0])
      {
        return (try saved(samples.values[0], source), 0)
      }
      for value in samples.values { shape.add(value) }
      count += samples.values.count
    }
    return (SavedShape(shape), count)
  }

  private func saved(_ source: DocumentSource) async throws(CommandError) -> SavedShape {
    let samples = try await console.samples(in: source, at: nil).values
    guard samples.count == 1, JSONSchema.isSchema(samples[0]) else {
      throw CommandError(
        "\(source.description) is not a saved shape: 'anvil shape save' creates one from it", status: .decoding)
    }
    return try saved(samples[0], source)
  }

  private func saved(_ schema: JSON, _ source: DocumentSource) throws(CommandError) -> SavedShape {
    let what = "\(source.description) is a JSON Schema but not a saved shape"
    return try CommandError.explaining(what, status: .decoding) { try SavedShape(schema: schema) }
  }

  private func save(_ shape: SavedShape, of count: Int, to file: String?) throws(CommandError) -> ExitStatus {
    let comment = "The shape of \(count == 1 ? "1 document" : "\(count) documents"), written by anvil shape save."
    let data = shape.schema(comment: comment).serializedData(.pretty()) + Data("\n".utf8)
    guard let file, !OutputFile.isStandardOutput(file) else {
      console.write(data)
      return .success
    }
    do {
      if OutputFile.isStream(file) {
        try OutputFile.write(data, to: URL(filePath: file))
      } else {
        try data.write(to: URL(filePath: file), options: .atomic)
      }
      return .success
    } catch {
      throw CommandError("\(file) cannot be written: \(OutputFile.words(for: error, of: file))", status: .inputOutput)
    }
  }
}

extension ShapeCommand {
  private func report(_ changes: [ShapeChange], _ format: Format) -> ExitStatus {
    switch format {
    case .text: console.write(text(changes))
    case .json: console.write(json: json(changes))
    }
    return changes.isEmpty ? .success : .departure
  }

  /// Returns each change in one line: `! type      $.users[].zip  was string, is string or null`.
  private func text(_ changes: [ShapeChange]) -> String {
    let widest = min(changes.map { $0.path.displayWidth }.max() ?? 0, console.outputColumns / 2)
    var lines = changes.map { change in
      let kind = change.kind.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      let path = change.path.printable
      let padding = String(repeating: " ", count: max(0, widest - path.displayWidth))
      return "\(change.isBreaking ? "!" : " ") \(kind) \(path)\(padding)  \(change.text.printable)"
    }
    if console.outputIsTerminal {
      let breaking = changes.count(where: \.isBreaking)
      let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
      lines.append(changes.isEmpty ? "no changes" : "\(count), \(breaking) of which can break existing programs (!)")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private func json(_ changes: [ShapeChange]) -> JSON {
    JSON(
      changes.map { change in
        JSON.object([
          ("kind", JSON(change.kind.rawValue)), ("path", JSON(change.path)), ("text", JSON(change.text)),
          ("breaking", JSON(change.isBreaking)),
        ])
      })
  }
}

extension CommandOption {
  static let shapeFile = value("to", nil, "SHAPE", completion: .files, "with save, write the shape to this file")
  static let shapePath = value("path", nil, "PATH", "use only the value at PATH of each document")
  static let onlyBreaking = flag(
    "breaking", nil, "with diff, show and count only changes that can break programs written for the old shape")
  static let changeFormat = value(
    "format", nil, "FORMAT", completion: .choices(of: ShapeCommand.Format.self),
    "with diff: text, the default; json: an array of objects with kind, path, text and breaking")
}

extension CommandEntry {
  static let shape = CommandEntry(
    name: "shape", operands: "save|diff", operandCompletion: .files,
    firstOperandCompletion: .choices(["save", "diff"]),
    summary: "save the shape of an API's responses, and show later what has changed",
    synopses: ["shape save FILE|URL... [--to SHAPE] [options]", "shape diff SHAPE FILE|URL... [options]"],
    discussion: [
      "Saves the common shape of documents: the fields, their types, which of them are optional, and which strings are "
        + "dates, UUIDs or URLs. Later it compares other documents with the saved shape, and prints one line per change. "
        + "Documents are files, - for standard input, and http and https URLs; a file has one document, or one per line. "
        + "Several documents are combined. More documents mean fewer accidental differences.",
      DocumentSource.discussion,
      "A saved shape is a JSON Schema that contains no values of the documents. anvil check accepts it, too. Two saved "
        + "shapes can be compared with each other.",
    ],
    groups: [
      "Options": [.shapeFile, .shapePath, .onlyBreaking, .changeFormat],
      "Requests": [.header, .follow, .retries, .timeout, .secretPath] + CommandOption.credentials,
    ],
    sections: [
      HelpSection(
        "Changes",
        .terms([
          ("added", "a field that no object had"), ("removed", "a field that no object has now"),
          ("optional", "a field that every object had and some lack now"),
          ("required", "a field that some objects lacked and every object has now"),
          ("type", "values of other types, such as null"),
          ("format", "strings that are no longer dates, UUIDs or URLs"),
        ]),
        .paragraph(
          "! marks changes that can break programs written for the old shape. Headers and credentials are sent only to "
            + "the server of the first URL."))
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the shape is saved, or nothing has changed"),
      ExitStatusHelp(.departure, "something has changed; with --breaking, something that can break programs"),
      .transport, .status, ExitStatusHelp(.decoding, "decoding: a document is not JSON, or SHAPE is not a saved shape"),
      .usage, .inputOutput,
    ]
  ) { arguments, console throws(CommandError) in
    try await ShapeCommand(arguments, console: console).run()
  }
}

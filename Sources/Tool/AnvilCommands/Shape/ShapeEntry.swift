extension CommandOption {
  static let shapeFile = value("to", nil, "SHAPE", completion: .files, "with save, write the shape to this file")
  static let shapePath = value("path", nil, "PATH", "use only the value at PATH of each document")
  static let onlyBreaking = flag(
    "breaking", nil, "with diff, show and count only changes that can break programs written for the old shape")
  static let changeFormat = value(
    "format", nil, "FORMAT", completion: .choices(["text", "json"]),
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
      OptionGroup("Options", [.shapeFile, .shapePath, .onlyBreaking, .changeFormat]),
      OptionGroup("Requests", [.header, .follow, .retries, .timeout, .secretPath] + CommandOption.credentials),
    ],
    sections: [
      HelpSection(
        title: "Changes",
        blocks: [
          .terms([
            ("added", "a field that no object had"), ("removed", "a field that no object has now"),
            ("optional", "a field that every object had and some lack now"),
            ("required", "a field that some objects lacked and every object has now"),
            ("type", "values of other types, such as null"),
            ("format", "strings that are no longer dates, UUIDs or URLs"),
          ]),
          .paragraph(
            "! marks changes that can break programs written for the old shape. Headers and credentials are sent only to "
              + "the server of the first URL."),
        ])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the shape is saved, or nothing has changed"),
      ExitStatusHelp(.departure, "something has changed; with --breaking, something that can break programs"),
      .transport, .status, ExitStatusHelp(.decoding, "decoding: a document is not JSON, or SHAPE is not a saved shape"),
      .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await ShapeCommand(options: try ShapeOptions(arguments, console: console), console: console).run()
  }
}

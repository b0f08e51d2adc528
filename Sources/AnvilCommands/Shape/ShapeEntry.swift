extension CommandOption {
  static let shapeFile = value("to", nil, "SHAPE", completion: .files, "write the shape to this file; needs save")
  static let shapePath = value("path", nil, "PATH", "only the value at PATH of each document")
  static let onlyBreaking = flag(
    "breaking", nil, "show and count only changes that can break programs written for the old shape; needs diff")
  static let changeFormat = value(
    "format", nil, "FORMAT", completion: .choices(["text", "json"]),
    "text, the default; json: an array of objects with kind, path, text and breaking; needs diff")
}

extension CommandEntry {
  static let shape = CommandEntry(
    name: "shape", operands: "save|diff", operandCompletion: .files,
    summary: "keep the shape of an API's answers, and see later what has changed",
    synopses: ["shape save FILE|URL... [--to SHAPE] [options]", "shape diff SHAPE FILE|URL... [options]"],
    discussion: [
      "Saves what documents have in common: the fields, their types, which of them some objects lack, and which strings "
        + "are dates, UUIDs or URLs. Later it compares other documents with that, and prints each change in a line. "
        + "Documents are files, - for standard input, and http and https URLs; a text is one document or has one per "
        + "line. Several documents count as one shape: the more, the fewer changes are chance.",
      "A saved shape is a JSON Schema without any value of the documents, which anvil check takes, too. Two saved shapes "
        + "can be compared with each other.",
    ],
    groups: [
      OptionGroup("Options", [.shapeFile, .shapePath, .onlyBreaking, .changeFormat]),
      OptionGroup("Requests", [.header, .follow, .retries, .timeout] + CommandOption.credentials),
    ],
    sections: [
      HelpSection(
        title: "Changes",
        blocks: [
          .terms([
            ("added", "a field that no object had"), ("removed", "a field that no object has any more"),
            ("optional", "a field that every object had and some lack now"),
            ("required", "a field that some objects lacked and every object has now"),
            ("type", "values of other types, such as null"), ("format", "text that is no date, UUID or URL any more"),
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

extension CommandOption {
  static let typeName = value(
    "name", nil, "NAME",
    "the name of the outermost type, or of an array's elements; by default it is derived from the first sample")
  static let modelPath = value("path", nil, "PATH", "generate models only for the value at PATH of each document")
  static let style = value(
    "style", nil, "STYLE", completion: .choices(["macro", "codable", "mapping"]),
    "macro, the default: types with @JSONCodable; codable: Codable types that do not depend on Anvil; mapping: types "
      + "that are mapped from Anvil's JSON with => and =>?")
  static let keys = value(
    "keys", nil, "KEYS", completion: .choices(["coding-keys", "snake-case"]),
    "coding-keys, the default: @CodingKey or CodingKeys where names differ from keys; snake-case: "
      + "@CodableNaming(.snakeCase), or names for a decoder with .convertFromSnakeCase")
  static let access = value(
    "access", nil, "ACCESS", completion: .choices(["internal", "public"]), "internal, the default, or public")
}

extension CommandEntry {
  static let model = CommandEntry(
    name: "model", operands: "FILE|URL...", operandCompletion: .files,
    summary: "write Swift models that decode JSON like the samples",
    discussion: [
      "Writes Swift models that decode all samples to standard output. Samples are files, - for standard input, and http "
        + "and https URLs; redirects are followed. A sample contains one document, or one per line. A member that is "
        + "missing or null in some objects is optional. Strings become dates, URLs, UUIDs or an enum if all of them have "
        + "that form; objects whose keys are numbers or UUIDs become dictionaries. Values whose type cannot be "
        + "determined from the samples become JSON, or Unknown with --style codable.",
      DocumentSource.discussion,
    ],
    groups: [
      OptionGroup("Options", [.typeName, .modelPath, .style, .keys, .access]),
      OptionGroup("Requests", [.header, .timeout, .secretPath] + CommandOption.credentials),
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success"), .transport, .status,
      ExitStatusHelp(.decoding, "decoding: a sample is not JSON, or has no value at PATH"), .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await ModelCommand(options: try ModelOptions(arguments, console: console), console: console).run()
  }
}

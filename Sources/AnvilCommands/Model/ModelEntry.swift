extension CommandOption {
  static let typeName = value(
    "name", nil, "NAME", "the name of the outermost type, or of an array's elements; derived from the first sample's")
  static let modelPath = value("path", nil, "PATH", "make models only of the value at PATH of each document")
  static let style = value(
    "style", nil, "STYLE", completion: .choices(["macro", "codable", "mapping"]),
    "macro, the default: types with @JSONCodable; codable: Codable types that do not depend on Anvil; mapping: types "
      + "that decode themselves from Anvil's JSON with => and =>?")
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
      "Writes Swift models that decode JSON like the samples to standard output. Samples are files, - for standard "
        + "input, and http and https URLs; redirects are followed. A text is one document, or has one per line. All "
        + "documents count as one: a member that an object lacks, or has as null, is optional. Strings become dates, "
        + "URLs, UUIDs or an enum where all of them are; objects whose keys are numbers or UUIDs become dictionaries. "
        + "What no sample shows is JSON, or Unknown with codable."
    ],
    groups: [
      OptionGroup("Options", [.typeName, .modelPath, .style, .keys, .access]),
      OptionGroup("Requests", [.header, .timeout] + CommandOption.credentials),
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success"), .transport, .status,
      ExitStatusHelp(.decoding, "decoding: a sample is not JSON, or has nothing at PATH"), .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await ModelCommand(options: try ModelOptions(arguments, console: console), console: console).run()
  }
}

extension CommandOption {
  static let against = values(
    "against", nil, "FILE|URL", completion: .files,
    "the reference: a JSON Schema, or a sample; several samples are combined; required")
  static let asSchema = flag("schema", nil, "treat the reference as a schema, whatever it looks like")
  static let asSample = flag("sample", nil, "treat the reference as a sample, whatever it looks like")
  static let strict = flag("strict", nil, "count keys that are in no sample as departures")
  static let lines = flag("lines", nil, "read one document per line, which is the default for .ndjson and .jsonl files")
  static let format = value(
    "format", nil, "FORMAT", completion: .choices(["text", "line", "json"]),
    "text, the default; line: one line per departure, in the format of compiler messages; json: one object")
  static let redact = flag("redact", nil, "hide the document's values: strings and numbers are shown as …")
  static let limit = value(
    "limit", nil, "N", "show at most N departures and N notes, up to 1000; 100 by default")
  static let checkTimeout = value(
    "check-timeout", nil, "SECONDS",
    "stop the check after SECONDS, because a schema can require any amount of work; 60 by default, 0 for no limit")
  static let color = value(
    "color", nil, "WHEN", completion: .choices(["auto", "always", "never"]),
    "auto, the default: colours on a terminal, unless NO_COLOR is set; always; never")
}

extension CommandEntry {
  static let check = CommandEntry(
    name: "check", operands: "FILE|URL", operandCompletion: .files,
    summary: "show where JSON departs from a sample or a JSON Schema",
    synopses: ["check FILE|URL --against FILE|URL [options]"],
    discussion: [
      "Compares documents with the shape of samples or with a JSON Schema, and shows each departure with its path, what "
        + "was expected and found, its line and a hint. The same departure in several elements of an array is shown once. "
        + "Documents are files, - for standard input, and http and https URLs, whose responses must be 2xx. Departures "
        + "are printed to standard output, everything else to standard error.",
      DocumentSource.discussion,
      "A document departs from the samples if a key that all samples have is missing, if a value has a different type, "
        + "or if a string is not a date, UUID or URL, but the strings of the samples are. Keys that are in no sample "
        + "are notes: they are shown last and count only with --strict.",
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .against, .asSchema, .asSample, .strict, .lines, .format, .redact, .limit, .checkTimeout, .color,
        ]),
      OptionGroup("Requests", [.header, .follow, .retries, .timeout, .secretPath] + CommandOption.credentials),
    ],
    sections: [
      HelpSection(
        title: "Servers",
        blocks: [
          .paragraph(
            "Headers, user and token are sent only to the server of the document, or of the first URL if the document is "
              + "a file, and not to another server after a redirect. Users and passwords of a netrc file are sent to "
              + "the servers that it names. ANVIL_USER and ANVIL_BEARER are used if no option names credentials. If a "
              + "document matches, one line is printed on a terminal, an object is printed with --format json, and "
              + "nothing is printed otherwise.")
        ])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the document matches"), ExitStatusHelp(.departure, "it departs from the reference"),
      .transport, .status,
      ExitStatusHelp(
        .decoding,
        "decoding: the document or the reference is not JSON, the schema is invalid, or the check was stopped before its "
          + "end"),
      .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await CheckCommand(options: try CheckOptions(arguments, console: console), console: console).run()
  }
}

extension CommandOption {
  static let against = values(
    "against", nil, "FILE|URL", completion: .files,
    "what the document should be like: a JSON Schema, or a sample; several samples count as one; needed")
  static let asSchema = flag("schema", nil, "treat it as a schema, whatever it looks like")
  static let asSample = flag("sample", nil, "treat it as a sample, whatever it looks like")
  static let strict = flag("strict", nil, "count keys that no sample has as departures")
  static let lines = flag("lines", nil, "the document's file has one document per line, as .ndjson and .jsonl files do")
  static let format = value(
    "format", nil, "FORMAT", completion: .choices(["text", "line", "json"]),
    "text, the default; line: one line per departure, as compilers write them; json: one object")
  static let redact = flag("redact", nil, "show no values of the document: … stands for strings and numbers")
  static let limit = value(
    "limit", nil, "N", "show at most N departures and N notes, up to 1000; 100 by default")
  static let color = value(
    "color", nil, "WHEN", completion: .choices(["auto", "always", "never"]),
    "auto, the default: on a terminal where NO_COLOR is not set; always; never")
}

extension CommandEntry {
  static let check = CommandEntry(
    name: "check", operands: "FILE|URL", operandCompletion: .files,
    summary: "show where JSON departs from a sample or a JSON Schema",
    synopses: ["check FILE|URL --against FILE|URL [options]"],
    discussion: [
      "Shows every way in which a document departs from the shape of samples or from a JSON Schema: the path, what was "
        + "expected and found, the line and a hint. A departure that several elements of an array share is shown once. "
        + "Documents are files, - for standard input, and http and https URLs, whose responses must be 2xx. Departures "
        + "are printed to standard output, everything else to standard error.",
      "A document departs from samples where a key that all of them have is missing, a value is of another kind, or a "
        + "string is not a date, UUID or URL where theirs is. Keys that no sample has are notes: they are shown last "
        + "and count only with --strict.",
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .against, .asSchema, .asSample, .strict, .lines, .format, .redact, .limit, .color,
        ]),
      OptionGroup("Requests", [.header, .follow, .retries, .timeout] + CommandOption.credentials),
    ],
    sections: [
      HelpSection(
        title: "Servers",
        blocks: [
          .paragraph(
            "Headers, user and token are sent only to the server of the document or, if that is a file, of the first "
              + "URL, and not where a redirect leads from there; users of a netrc file to the servers that it names. "
              + "ANVIL_USER and ANVIL_BEARER are used if no option names credentials. For a document that matches, one "
              + "line is printed on a terminal, an object with --format json, and otherwise nothing.")
        ])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the document matches"), ExitStatusHelp(.departure, "it departs"), .transport, .status,
      ExitStatusHelp(
        .decoding,
        "decoding: the document or what it is checked against is not JSON, the schema is invalid, or the check was "
          + "stopped before its end"),
      .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await CheckCommand(options: try CheckOptions(arguments, console: console), console: console).run()
  }
}

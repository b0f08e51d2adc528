internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import Foundation

extension CommandOption {
  static let against = values(
    "against", nil, "FILE|URL", completion: .files,
    "the reference: a JSON Schema, or a sample; several samples are combined; required")
  static let asSchema = flag("schema", nil, "treat the reference as a schema, whatever it looks like")
  static let asSample = flag("sample", nil, "treat the reference as a sample, whatever it looks like")
  static let strict = flag("strict", nil, "count keys that are in no sample as departures")
  static let lines = flag("lines", nil, "read one document per line, which is the default for .ndjson and .jsonl files")
  static let format = value(
    "format", nil, "FORMAT", completion: .choices(of: CheckOptions.Format.self),
    "text, the default; line: one line per departure, in the format of compiler messages; json: one object")
  static let redact = flag("redact", nil, "hide the document's values: strings and numbers are shown as …")
  static let limit = value(
    "limit", nil, "N", "show at most N departures and N notes, up to 1000; 100 by default")
  static let checkTimeout = value(
    "check-timeout", nil, "SECONDS",
    "stop the check after SECONDS, because a schema can require any amount of work; 60 by default, 0 for no limit")
  static let color = value(
    "color", nil, "WHEN", completion: .choices(of: Colors.Choice.self),
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
      "Options": [.against, .asSchema, .asSample, .strict, .lines, .format, .redact, .limit, .checkTimeout, .color],
      "Requests": [.header, .follow, .retries, .timeout, .secretPath] + CommandOption.credentials,
    ],
    sections: [
      HelpSection(
        "Servers",
        .paragraph(
          "Headers, user and token are sent only to the server of the document, or of the first URL if the document is "
            + "a file, and not to another server after a redirect. Users and passwords of a netrc file are sent to "
            + "the servers that it names. ANVIL_USER and ANVIL_BEARER are used if no option names credentials. If a "
            + "document matches, one line is printed on a terminal, an object is printed with --format json, and "
            + "nothing is printed otherwise."))
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
  ) { arguments, console throws(CommandError) in
    try await CheckCommand(options: CheckOptions(arguments, console: console), console: console).run()
  }
}

struct CheckOptions: Sendable {
  enum Reference: Sendable {
    /// A schema if the text looks like one, otherwise a sample.
    case inferred
    case schema
    case sample
  }

  enum Format: String, CaseIterable, Sendable {
    case text, line, json
  }

  enum UnknownKeys: Sendable {
    case notes, departures
  }

  let document: DocumentSource
  let against: [DocumentSource]
  let reference: Reference
  let unknownKeys: UnknownKeys
  let hasLines: Bool
  let format: Format
  let style: JSON.Diagnosis.Style
  let errorStyle: JSON.Diagnosis.Style
  let limit: Int
  /// The maximum duration of the check of all documents, or `nil` for no limit.
  let timeout: Duration?

  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    let operand = try arguments.operand("a file or URL")
    let names = arguments.values(of: .against)
    if names.isEmpty { throw CommandError("--against is missing: it names a sample or a schema") }
    let sources = try DocumentSource.sources([operand] + names, arguments, console)
    document = sources[0]
    against = Array(sources.dropFirst())
    try arguments.exclude([.asSchema, .asSample])
    reference = arguments.contains(.asSchema) ? .schema : arguments.contains(.asSample) ? .sample : .inferred
    if reference == .schema, names.count > 1 { throw CommandError("--schema allows only one --against") }
    unknownKeys = arguments.contains(.strict) ? .departures : .notes
    hasLines = arguments.contains(.lines) || document.hasLines
    format = try arguments.choice(of: .format) ?? .text
    limit = try arguments.integer(of: .limit, in: 1...1_000) ?? 100
    let seconds = try arguments.seconds(of: .checkTimeout, in: 0...1e9, "") ?? CheckStandard.defaultTimeout
    timeout = seconds == .zero ? nil : seconds
    let colors = try Colors(arguments.choice(of: .color), console)
    style = JSON.Diagnosis.Style(
      values: arguments.contains(.redact) ? .redacted : .shown, colors: colors.output, width: console.outputColumns)
    errorStyle = JSON.Diagnosis.Style(values: style.values, colors: colors.error, width: style.width)
  }
}

struct CheckCommand {
  let options: CheckOptions
  let console: Console

  /// Runs the command. All inputs are read before anything is printed.
  func run() async throws(CommandError) -> ExitStatus {
    let standards = StandardReader(reference: options.reference, errorStyle: options.errorStyle, console: console)
    let standard = try await standards.standard(in: options.against)
    return try check(try await console.read(options.document), against: standard)
  }

  private func check(_ text: DocumentText, against standard: CheckStandard) throws(CommandError) -> ExitStatus {
    let report = CheckReport(text: text, standard: standard, options: options, console: console)
    let deadline = Deadline(after: options.timeout)
    var result = CheckResult()
    do throws(DocumentText.Malformed) {
      if options.hasLines {
        try text.forEachLine { result.add(standard.check($0.value, until: deadline), of: $0, options) }
      } else {
        let document = try text.document()
        result.add(standard.check(document.value, until: deadline), of: document, options)
      }
    } catch {
      report.write(broken: text.diagnosis(of: error))
      if !options.hasLines, text.looksLikeLines {
        console.fail("the first line is a complete document: use --lines to check each line")
      }
      return .decoding
    }
    if result.documentCount == 0 {
      throw CommandError("\(text.source.description) has no documents", status: .decoding)
    }
    report.write(result)
    if let interruption = result.interruption {
      let remedy = if case .time = interruption { "; --check-timeout allows more" } else { "" }
      console.fail("\(text.source.description): \(interruption)\(remedy)")
    }
    if result.departures.count > 0 { return .departure }
    return result.isComplete ? .success : .decoding
  }
}

struct CheckStandard: Sendable {
  /// The time for checks unless an option specifies another.
  static let defaultTimeout = Duration.seconds(60)

  let kind: String
  let names: [String]
  let notes: [JSONSchema.Note]
  private let findings: @Sendable (JSON, CheckLimits) -> CheckFindings

  static func schema(_ schema: JSONSchema, name: String) -> CheckStandard {
    CheckStandard(kind: "schema", names: [name], notes: schema.notes) { schema.check($0, limits: $1) }
  }

  static func samples(_ check: SampleCheck, names: [String]) -> CheckStandard {
    CheckStandard(kind: "sample", names: names, notes: []) { check.check($0, limits: $1) }
  }

  func check(_ document: JSON, until deadline: Deadline) -> CheckFindings {
    // The limits are far higher than the number of printed departures, because all departures are counted and grouped.
    findings(document, CheckLimits(faults: 100_000, work: 100_000_000, deadline: deadline))
  }

  /// The standard as a phrase: `the schema user.schema.json`, `3 samples`.
  var phrase: String {
    names.count == 1 ? "the \(kind) \(names[0])" : "\(names.count) samples"
  }
}

/// Reads the texts that documents are checked against: a schema, or samples whose common shape the documents must have.
struct StandardReader {
  let reference: CheckOptions.Reference
  let errorStyle: JSON.Diagnosis.Style
  let console: Console

  /// Returns the standard in `sources`, after printing its notes to standard error.
  func standard(in sources: [DocumentSource]) async throws(CommandError) -> CheckStandard {
    var texts: [DocumentText] = []
    for source in sources { texts.append(try await console.read(source)) }
    let standard = try standard(of: texts)
    for note in standard.notes { console.fail("\(standard.names[0]): \(note)") }
    return standard
  }

  private func standard(of texts: [DocumentText]) throws(CommandError) -> CheckStandard {
    var samples: [JSON] = []
    for text in texts {
      let before = samples.count
      do throws(DocumentText.Malformed) {
        if text.source.hasLines {
          try text.forEachLine { samples.append($0.value) }
        } else {
          samples.append(try text.document().value)
        }
      } catch {
        throw fail("not JSON, and therefore not a sample or schema", text.diagnosis(of: error), of: text)
      }
      guard samples.count == before + 1 else { continue }
      let isSchema = reference == .inferred && JSONSchema.isSchema(samples[before])
      guard isSchema || reference == .schema else { continue }
      if texts.count > 1 {
        let name = text.source.description
        console.fail("\(name) is a schema and must be the only --against; --sample treats it as a sample")
        throw CommandError(printed: .usage)
      }
      return try schema(samples[before], of: text)
    }
    if samples.isEmpty { throw CommandError("\(texts[0].source.description) has no documents", status: .decoding) }
    return .samples(SampleCheck(samples: samples), names: texts.map { CheckReport.name(of: $0.source) })
  }

  private func schema(_ document: JSON, of text: DocumentText) throws(CommandError) -> CheckStandard {
    do throws(JSONSchema.Malformed) {
      return .schema(try JSONSchema(compiling: document), name: CheckReport.name(of: text.source))
    } catch {
      var fault = Fault(JSON.Diagnosis.Code(rawValue: "schema.malformed"), at: error.steps)
      fault.detail = error.reason
      let diagnosis = JSON.Diagnosis([fault], in: SourceText(text.bytes), source: text.source.shortName)
      throw fail("the schema is invalid", diagnosis, of: text)
    }
  }

  private func fail(_ what: String, _ diagnosis: JSON.Diagnosis, of text: DocumentText) -> CommandError {
    let shown = CheckReport.rendered(diagnosis, of: text, title: what, errorStyle)
    console.writeError(shown + "\n")
    return CommandError(printed: .decoding)
  }
}

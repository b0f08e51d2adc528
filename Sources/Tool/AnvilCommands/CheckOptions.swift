internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

/// The options of `anvil check`.
struct CheckOptions: Sendable {
  /// The kind of reference that documents are compared with.
  enum Reference: Sendable {
    /// A schema if the text looks like one, otherwise a sample.
    case inferred
    case schema
    case sample
  }

  /// The output format of departures.
  enum Format: String, Sendable {
    case text, line, json
  }

  /// The treatment of keys that are in no sample.
  enum UnknownKeys: Sendable {
    case notes, departures
  }

  let document: DocumentSource
  let against: [DocumentSource]
  let reference: Reference
  let unknownKeys: UnknownKeys
  /// True if the text has a document in each line.
  let hasLines: Bool
  let format: Format
  /// The style in which differences from the reference are printed.
  let style: JSON.Diagnosis.Style
  /// The style of standard error.
  let errorStyle: JSON.Diagnosis.Style
  /// The maximum number of departures, and of notes, that are shown.
  let limit: Int
  /// The maximum duration of the check of all documents, or `nil` for no limit.
  let timeout: Duration?

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for an invalid value, and if the document or the reference is missing.
  init(_ arguments: ArgumentParser, console: Console) throws(UsageError) {
    guard let operand = arguments.operands.first else { throw UsageError("a file or URL is missing") }
    if arguments.operands.count > 1 {
      throw UsageError("unexpected argument \(arguments.operands[1].quotedExcerpt) after \(operand.quotedExcerpt)")
    }
    let names = arguments.values(of: .against)
    if names.isEmpty { throw UsageError("--against is missing: it names a sample or a schema") }
    let inputs =
      [operand] + names + [arguments.value(of: .userFile), arguments.value(of: .bearerFile)].compactMap { $0 }
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw UsageError("standard input can be read only once")
    }
    let sources = try Self.sources([operand] + names, arguments, console)
    document = sources[0]
    against = Array(sources.dropFirst())
    reference = try Self.reference(arguments)
    if reference == .schema, names.count > 1 { throw UsageError("--schema allows only one --against") }
    unknownKeys = arguments.contains(.strict) ? .departures : .notes
    hasLines = arguments.contains(.lines) || document.hasLines
    format = try Self.format(arguments.value(of: .format))
    limit = try Self.limit(arguments.value(of: .limit))
    timeout = try Self.timeout(arguments.value(of: .checkTimeout))
    let colors = try Colors(arguments.value(of: .color), console)
    style = JSON.Diagnosis.Style(
      values: arguments.contains(.redact) ? .redacted : .shown, colors: colors.output, width: console.outputColumns)
    errorStyle = JSON.Diagnosis.Style(values: style.values, colors: colors.error, width: style.width)
  }

  /// Returns the source that each operand names. Only sources on the server of the first URL get the header fields and the credentials.
  static func sources(
    _ operands: [String], _ arguments: ArgumentParser, _ console: Console
  ) throws(UsageError) -> [DocumentSource] {
    let common = options(arguments, [.follow, .retries, .timeout])
    let headers = options(arguments, [.header])
    let server = operands.first(where: DocumentSource.isURL).flatMap { DocumentSource.origin($0) }
    let hasURL = operands.contains(where: DocumentSource.isURL)
    let ofRequests = [.header, .follow, .retries, .timeout] + CommandOption.credentials
    if !hasURL, let given = arguments.options.first(where: { ofRequests.contains($0.option) }) {
      throw UsageError("--\(given.option.name) needs a URL")
    }
    let credentials = hasURL ? try CredentialOptions(arguments, console: console) : .none
    var sources: [DocumentSource] = []
    for operand in operands {
      let isMeant = DocumentSource.origin(operand) == server
      sources.append(
        try DocumentSource(
          operand, requestOptions: common + (isMeant ? headers : []),
          credentials: isMeant ? credentials : credentials.forNamedServers, console: console))
    }
    return sources
  }

  /// Returns those options of `arguments` that are in `names`, as command-line words for `anvil get`.
  private static func options(_ arguments: ArgumentParser, _ names: Set<CommandOption>) -> [String] {
    arguments.options.filter { names.contains($0.option) }.flatMap { option, value in
      option.form == .flag ? ["--\(option.name)"] : ["--\(option.name)", value]
    }
  }

  private static func reference(_ arguments: ArgumentParser) throws(UsageError) -> Reference {
    switch (arguments.contains(.asSchema), arguments.contains(.asSample)) {
    case (true, true): throw UsageError("--schema and --sample cannot be used together")
    case (true, false): return .schema
    case (false, true): return .sample
    case (false, false): return .inferred
    }
  }

  private static func format(_ text: String?) throws(UsageError) -> Format {
    guard let text else { return .text }
    guard let format = Format(rawValue: text) else {
      throw UsageError("--format \(text.quotedExcerpt) is not text, line or json")
    }
    return format
  }

  private static func timeout(_ text: String?) throws(UsageError) -> Duration? {
    guard let text else { return CheckStandard.defaultTimeout }
    guard let seconds = Double(text), seconds >= 0, seconds <= 1e9 else {
      throw UsageError("--check-timeout \(text.quotedExcerpt) is not a number of seconds")
    }
    return seconds == 0 ? nil : .seconds(seconds)
  }

  private static func limit(_ text: String?) throws(UsageError) -> Int {
    guard let text else { return 100 }
    guard let limit = Int(text), (1...1_000).contains(limit) else {
      throw UsageError("--limit \(text.quotedExcerpt) is not a number from 1 to 1000")
    }
    return limit
  }
}

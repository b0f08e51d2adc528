internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

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

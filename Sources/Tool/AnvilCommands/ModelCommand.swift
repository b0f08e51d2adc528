internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
internal import AnvilSync
internal import Foundation

struct ModelCommand {
  enum Style: String, CaseIterable {
    case macro, codable, mapping
  }

  let sources: [DocumentSource]
  let path: JSONPath?
  /// The name of the outermost type, or `nil` to derive it from the first source.
  let givenName: String?
  let style: SwiftModels.Style
  let access: SwiftModels.Access
  let console: Console

  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    self.console = console
    if arguments.operands.isEmpty { throw CommandError("a file or URL is missing") }
    sources = try DocumentSource.sources(arguments.operands, arguments, console, isFollowing: true)
    path = if let text = arguments.value(of: .modelPath) { try JSONPath(text) } else { nil }
    givenName = arguments.value(of: .typeName)
    if let givenName, !SwiftModels.isTypeName(givenName) {
      throw CommandError("--name \(givenName.quotedExcerpt) cannot be the name of a type")
    }
    let keys: SwiftModels.Keys? = try arguments.choice(of: .keys)
    switch try arguments.choice(of: .style, as: Style.self) ?? .macro {
    case .macro: style = .macro(keys ?? .codingKeys)
    case .codable: style = .codable(keys ?? .codingKeys)
    case .mapping:
      if keys != nil { throw CommandError("--keys needs --style macro or codable") }
      style = .mapping
    }
    access = try arguments.choice(of: .access) ?? .internal
  }

  /// Runs the command. All samples are read before anything is printed.
  func run() async throws(CommandError) -> ExitStatus {
    var shape = Shape()
    var hasLines: Bool?
    for source in sources {
      let samples = try await console.samples(in: source, at: path)
      hasLines = hasLines ?? samples.hasLines
      for value in samples.values { shape.add(value) }
    }
    let models = SwiftModels(
      of: shape, name: typeName(for: shape, hasLines: hasLines ?? false), style: style, access: access,
      origin: origin)
    console.write(models.source)
    return .success
  }

  private func typeName(for shape: Shape, hasLines: Bool) -> String {
    if let name = givenName { return name }
    // The last key of the path is the default name of the value.
    for step in path?.steps.reversed() ?? [] {
      guard case .key(let key, index: nil) = step else { continue }
      return SwiftModels.typeName(from: key, for: shape)
    }
    return sources[0].typeName(for: shape, hasLines: hasLines)
  }

  private var origin: String {
    let origins = sources.prefix(3).map(\.origin.printable)
    let rest = sources.count - origins.count
    return origins.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension DocumentSource {
  /// The name of the source in generated models, without local folders and secrets.
  var origin: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): URL(filePath: name).lastPathComponent
    case .url(let options): options.request.url.host().map { $0 + options.request.url.path } ?? "a URL"
    }
  }

  func typeName(for shape: Shape, hasLines: Bool) -> String {
    switch self {
    case .standardInput: return "Root"
    case .file(let name):
      let text = Self.withoutNumber(URL(filePath: name).deletingPathExtension().lastPathComponent)
      return hasLines ? SwiftModels.typeName(ofOneOf: text) : SwiftModels.typeName(from: text, for: shape)
    case .url(let options):
      let steps = options.request.url.path.split(separator: "/").map { $0.prefix { $0 != "." } }
      let names = steps.map(String.init).filter { $0.contains(where: \.isLetter) }
      if shape.arrays.count == 0, let plural = names.last(where: SwiftModels.isPlural) {
        return SwiftModels.typeName(ofOneOf: plural)
      }
      return SwiftModels.typeName(from: names.last ?? "Root", for: shape)
    }
  }

  /// Returns the name without its number, because numbers distinguish samples: `user` for `user-1` and `user2`.
  private static func withoutNumber(_ name: String) -> String {
    let end = name.lastIndex { !$0.isNumber && !"-_. ".contains($0) }
    return end.map { String(name[...$0]) } ?? name
  }
}

extension CommandOption {
  static let typeName = value(
    "name", nil, "NAME",
    "the name of the outermost type, or of an array's elements; by default it is derived from the first sample")
  static let modelPath = value("path", nil, "PATH", "generate models only for the value at PATH of each document")
  static let style = value(
    "style", nil, "STYLE", completion: .choices(of: ModelCommand.Style.self),
    "macro, the default: types with @JSONCodable; codable: Codable types that do not depend on Anvil; mapping: types "
      + "that are mapped from Anvil's JSON with => and =>?")
  static let keys = value(
    "keys", nil, "KEYS", completion: .choices(of: SwiftModels.Keys.self),
    "coding-keys, the default: @CodingKey or CodingKeys where names differ from keys; snake-case: "
      + "@CodableNaming(.snakeCase), or names for a decoder with .convertFromSnakeCase")
  static let access = value(
    "access", nil, "ACCESS", completion: .choices(of: SwiftModels.Access.self), "internal, the default, or public")
}

extension CommandEntry {
  static let model = CommandEntry(
    name: "model", operands: "FILE|URL...", operandCompletion: .files,
    summary: "write Swift models that decode JSON like the samples",
    discussion: [
      "Writes Swift models that decode all samples to standard output. Samples are files, - for standard input, and http "
        + "and https URLs; redirects are followed. A sample contains one document, or one per line. A member that is "
        + "missing or null in some objects is optional. Strings become dates, days, URLs, UUIDs or an enum if all of them have "
        + "that form; objects whose keys are numbers or UUIDs become dictionaries. Values whose type cannot be "
        + "determined from the samples become JSON, or Unknown with --style codable.",
      DocumentSource.discussion + " Headers and credentials are sent only to the server of the first URL.",
    ],
    groups: [
      "Options": [.typeName, .modelPath, .style, .keys, .access],
      "Requests": [.header, .timeout, .secretPath] + CommandOption.credentials,
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success"), .transport, .status,
      ExitStatusHelp(.decoding, "decoding: a sample is not JSON, or has no value at PATH"), .usage, .inputOutput,
    ]
  ) { arguments, console throws(CommandError) in
    try await ModelCommand(arguments, console: console).run()
  }
}

internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
internal import AnvilSync
internal import Foundation

/// Implements `anvil model`: reads samples and prints models that decode them, or the problem of a sample.
struct ModelCommand {
  let options: ModelOptions
  let console: Console

  /// Runs the command. All samples are read before anything is printed.
  func run() async -> ExitStatus {
    var shape = Shape()
    var counts: [SampleText.Count] = []
    for source in options.sources {
      do throws(DocumentReader.Failure) {
        let sample = try await read(source)
        counts.append(sample.count)
        for document in sample.documents {
          guard let value = value(of: document, from: source) else { return .decoding }
          shape.add(value)
        }
      } catch {
        return error.status
      }
    }
    let models = SwiftModels(
      of: shape, name: typeName(for: shape, documents: counts.first ?? .one), style: options.style,
      access: options.access, origin: origin)
    console.write(models.source)
    return .success
  }

  private func read(_ source: DocumentSource) async throws(DocumentReader.Failure) -> SampleText {
    let text = try await DocumentReader(console: console).read(source)
    do throws(SampleText.Malformed) {
      return try SampleText(Data(text.bytes), count: source.hasLines ? .several : nil)
    } catch {
      console.fail("\(source.description) is not JSON: \(error)")
      throw DocumentReader.Failure(status: .decoding)
    }
  }

  private func value(of document: JSON, from source: DocumentSource) -> JSON? {
    do throws(JSONPath.Failure) {
      return try options.path?.value(in: document) ?? document
    } catch {
      console.fail("\(source.description): \(error)")
      return nil
    }
  }

  private func typeName(for shape: Shape, documents: SampleText.Count) -> String {
    if let name = options.typeName { return name }
    // The last key of the path is the default name of the value.
    for step in options.path?.steps.reversed() ?? [] {
      guard case .key(let key, index: nil) = step else { continue }
      return SwiftModels.typeName(from: key, for: shape)
    }
    return options.sources[0].typeName(for: shape, documents: documents)
  }

  private var origin: String {
    let origins = options.sources.prefix(3).map(\.origin.printable)
    let rest = options.sources.count - origins.count
    return origins.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// The names in models that are created from a sample.
extension DocumentSource {
  /// The name of the source in generated models, without local folders and secrets.
  var origin: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): URL(filePath: name).lastPathComponent
    case .url(let options): options.request.url.host().map { $0 + options.request.url.path } ?? "a URL"
    }
  }

  /// Returns the name of the type for this source.
  ///
  /// - Parameter documents: The number of documents in a text.
  func typeName(for shape: Shape, documents: SampleText.Count) -> String {
    switch self {
    case .standardInput: return "Root"
    case .file(let name):
      let text = Self.withoutNumber(URL(filePath: name).deletingPathExtension().lastPathComponent)
      return documents == .several ? SwiftModels.typeName(ofOneOf: text) : SwiftModels.typeName(from: text, for: shape)
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

/// The options of `anvil model`.
struct ModelOptions: Sendable {
  /// The sources of the samples, in the order of the command line.
  let sources: [DocumentSource]
  /// The path of the value in each sample, or `nil` for the whole sample.
  let path: JSONPath?
  /// The name of the outermost type, or `nil` to derive it from the first source.
  let typeName: String?
  let style: SwiftModels.Style
  let access: SwiftModels.Access

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for an invalid value, and if there is no sample.
  init(_ arguments: ArgumentParser, console: Console) throws(UsageError) {
    if arguments.operands.isEmpty { throw UsageError("a file or URL is missing") }
    let files = [arguments.value(of: .userFile), arguments.value(of: .bearerFile)].compactMap { $0 }
    if (arguments.operands + files).count(where: { $0 == "-" }) > 1 {
      throw UsageError("standard input can be read only once")
    }
    let hasURL = arguments.operands.contains(where: DocumentSource.isURL)
    if !hasURL, let given = arguments.options.first(where: { Self.isOfRequests($0.option) }) {
      throw UsageError("--\(given.option.name) needs a URL")
    }
    let credentials = hasURL ? try CredentialOptions(arguments, console: console) : .none
    let requestOptions = ["--follow"] + Self.requestOptions(arguments)
    var sources: [DocumentSource] = []
    for operand in arguments.operands {
      sources.append(
        try DocumentSource(
          operand, requestOptions: requestOptions, credentials: credentials, console: console))
    }
    self.sources = sources
    path = if let text = arguments.value(of: .modelPath) { try JSONPath(text) } else { nil }
    typeName = arguments.value(of: .typeName)
    if let typeName, !SwiftModels.isTypeName(typeName) {
      throw UsageError("--name \(typeName.quotedExcerpt) cannot be the name of a type")
    }
    style = try Self.style(arguments.value(of: .style), keys: arguments.value(of: .keys))
    access = try Self.access(arguments.value(of: .access))
  }

  /// Returns the options of requests in the form of `anvil get`.
  private static func requestOptions(_ arguments: ArgumentParser) -> [String] {
    var options: [String] = []
    for (option, value) in arguments.options where [.header, .timeout].contains(option) {
      options += ["--\(option.name)", value]
    }
    return options
  }

  private static func isOfRequests(_ option: CommandOption) -> Bool {
    ([.header, .timeout] + CommandOption.credentials).contains(option)
  }

  private static func style(_ style: String?, keys: String?) throws(UsageError) -> SwiftModels.Style {
    switch style ?? "macro" {
    case "macro": return .macro(try Self.keys(keys))
    case "codable": return .codable(try Self.keys(keys))
    case "mapping" where keys == nil: return .mapping
    case "mapping": throw UsageError("--keys needs --style macro or codable")
    case let style: throw UsageError("--style \(style.quotedExcerpt) is not macro, codable or mapping")
    }
  }

  private static func keys(_ text: String?) throws(UsageError) -> SwiftModels.Keys {
    switch text ?? "coding-keys" {
    case "coding-keys": return .codingKeys
    case "snake-case": return .snakeCase
    case let text: throw UsageError("--keys \(text.quotedExcerpt) is neither coding-keys nor snake-case")
    }
  }

  private static func access(_ text: String?) throws(UsageError) -> SwiftModels.Access {
    guard let text else { return .internal }
    guard let access = SwiftModels.Access(rawValue: text) else {
      throw UsageError("--access \(text.quotedExcerpt) is neither internal nor public")
    }
    return access
  }
}

/// A text that is a document or has a document in each line.
struct SampleText {
  /// The number of documents in a text.
  enum Count {
    case one, several
  }

  /// The documents in their order.
  let documents: [JSON]
  /// The form of the text: a single document, or a document in each line.
  let count: Count

  /// The error for a text without documents, with its position.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the documents in `data`. If the data is not a document but its first line is, each line is a document, and
  /// empty lines are skipped.
  ///
  /// - Parameter count: The number of documents according to the text's name, or `nil` if it is not known.
  /// - Throws: ``Malformed``, with line and column.
  init(_ data: Data, count: Count?) throws(Malformed) {
    if count != .several {
      do throws(JSON.SyntaxError) {
        documents = [try Self.parse(data)]
        self.count = .one
        return
      } catch {
        guard error.code == .trailingContent, error.line > 1, Self.firstLineIsDocument(data) else {
          throw Malformed(description: data.isEmpty ? "it is empty" : "\(error)")
        }
      }
    }
    documents = try Self.lines(of: data)
    self.count = .several
    if documents.isEmpty { throw Malformed(description: "it is empty") }
  }

  private static func lines(of data: Data) throws(Malformed) -> [JSON] {
    var documents: [JSON] = []
    for (index, line) in data.split(separator: .lineFeed, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 == .space || $0 == .tab || $0 == .carriageReturn }) { continue }
      do throws(JSON.SyntaxError) {
        documents.append(try parse(line))
      } catch {
        throw Malformed(description: "\(error.code) at line \(index + 1), column \(error.column)")
      }
    }
    return documents
  }

  private static func firstLineIsDocument(_ data: Data) -> Bool {
    let first = data.split(separator: .lineFeed, maxSplits: 1).first
    return first.map { (try? parse($0)) != nil } ?? false
  }

  /// Parses a document with limited depth, because Swift's compiler fails for types that are nested too deeply.
  private static func parse(_ data: Data) throws(JSON.SyntaxError) -> JSON {
    try JSON(parsing: data, options: JSON.ParsingOptions(depthLimit: 128))
  }
}

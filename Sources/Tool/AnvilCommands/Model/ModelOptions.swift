internal import AnvilSchema
internal import Foundation

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

internal import AnvilDiagnosis
internal import AnvilJSON

/// The options of `anvil har`.
struct HAROptions: Sendable {
  /// The use of the page.
  enum Destination: Sendable {
    /// The page is written to a file, or to standard output for `-`.
    case file(String)
    /// The page is written to a temporary file, which a browser opens.
    case temporary
    /// The page is served on this port and follows the archive. The port 0 lets the system choose one.
    case server(port: UInt16)
  }

  let source: DocumentSource
  let destination: Destination
  /// True if a browser is started.
  let opensBrowser: Bool
  /// The standard that JSON bodies of responses are compared with. It is empty if they are not checked.
  let against: [DocumentSource]
  /// The text that the URL of a response must contain for its body to be checked. `nil` matches all responses.
  let checkedURL: String?
  /// The style of standard error.
  let errorStyle: JSON.Diagnosis.Style

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for an invalid value, options that exclude each other, and a missing or second file.
  init(_ arguments: ArgumentParser, console: Console) throws(UsageError) {
    guard let operand = arguments.operands.first else { throw UsageError("a file is missing") }
    if arguments.operands.count > 1 {
      throw UsageError("unexpected argument \(arguments.operands[1].quotedExcerpt) after \(operand.quotedExcerpt)")
    }
    let names = arguments.values(of: .bodiesAgainst)
    if let url = ([operand] + names).first(where: DocumentSource.isURL) {
      throw UsageError("\(url.quotedExcerpt) is a URL; anvil har reads files")
    }
    if ([operand] + names).count(where: { $0 == "-" }) > 1 { throw UsageError("standard input can be read only once") }
    source = operand == "-" ? .standardInput : .file(operand)
    against = names.map { $0 == "-" ? .standardInput : .file($0) }
    checkedURL = arguments.value(of: .bodiesOfURL)
    if checkedURL != nil, names.isEmpty { throw UsageError("--url needs --against") }
    destination = try Self.destination(arguments)
    if case .server = destination, operand == "-" { throw UsageError("--follow needs a file, not standard input") }
    if case .file = destination {
      opensBrowser = false
    } else {
      opensBrowser = !arguments.contains(.noOpen)
    }
    errorStyle = JSON.Diagnosis.Style(
      values: .shown, colors: try Colors(nil, console).error, width: console.outputColumns)
  }

  private static func destination(_ arguments: ArgumentParser) throws(UsageError) -> Destination {
    let port = try ProxyOptions.port(arguments.value(of: .inspectorPort))
    switch (arguments.value(of: .html), arguments.contains(.followsFile)) {
    case (_?, true): throw UsageError("--html and --follow cannot be used together")
    case ("", false): throw UsageError("--html needs the name of a file")
    case (_, false) where arguments.contains(.inspectorPort): throw UsageError("--port needs --follow")
    case (let name?, false): return .file(name)
    case (nil, false): return .temporary
    case (nil, true): return .server(port: port)
    }
  }
}

/// The options of `anvil serve`.
struct ServeOptions: Sendable {
  /// The delay before a reply.
  enum Latency: Sendable {
    case fixed(Duration)
    /// The recorded duration of the exchange.
    case recorded
  }

  let source: DocumentSource
  let mode: RecordingPlayer.Mode
  let latency: Latency
  let faults: [ServeFault]
  /// The port. The system chooses one if it is 0.
  let port: UInt16
  /// The options for TLS, or `nil` for clear text.
  let tls: TLSOptions?
  /// The beginning of the URLs whose exchanges are used, or `nil` for all.
  let origin: String?
  /// True if a line is printed about each exchange.
  let isVerbose: Bool

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for an invalid value and a missing or second file.
  init(_ arguments: ArgumentParser) throws(UsageError) {
    guard let operand = arguments.operands.first else { throw UsageError("a file is missing") }
    if arguments.operands.count > 1 {
      throw UsageError("unexpected argument \(arguments.operands[1].quotedExcerpt) after \(operand.quotedExcerpt)")
    }
    if DocumentSource.isURL(operand) { throw UsageError("\(operand.quotedExcerpt) is a URL; anvil serve reads files") }
    source = operand == "-" ? .standardInput : .file(operand)
    mode = arguments.contains(.strictReplay) ? .strict : .lenient
    latency = try Self.latency(arguments.value(of: .latency))
    faults = if let text = arguments.value(of: .faults) { try ServeFault.list(text) } else { [] }
    port = try ProxyOptions.port(arguments.value(of: .port))
    tls = try TLSOptions(arguments)
    origin = if let text = arguments.value(of: .recordedOrigin) { try ProxyOptions.origin(text) } else { nil }
    isVerbose = arguments.contains(.logsExchanges)
  }

  private static func latency(_ text: String?) throws(UsageError) -> Latency {
    guard let text else { return .fixed(.zero) }
    if text == "recorded" { return .recorded }
    guard let seconds = Double(text), seconds >= 0, seconds <= 3600 else {
      throw UsageError("--latency \(text.quotedExcerpt) is neither a number of seconds up to 3600 nor recorded")
    }
    return .fixed(.seconds(seconds))
  }
}

internal import AnvilHTTP
internal import Foundation

/// The options of `anvil proxy`.
struct ProxyOptions: Sendable {
  /// The port. The system chooses one if it is 0.
  let port: UInt16
  /// The options for TLS, or `nil` for clear text.
  let tls: TLSOptions?
  /// True if responses are stored and reused.
  let hasCache: Bool
  /// The file of the stored responses, or `nil` for memory.
  let storePath: String?
  /// The origin that receives all requests, without a slash at the end. If it is `nil`, each request names its origin.
  let origin: String?
  /// The file for an HTTP archive of the exchanges, or `nil` to record nothing.
  let recordPath: String?
  /// True if each exchange is printed.
  let isVerbose: Bool

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for an invalid value, and for an operand.
  init(_ arguments: ArgumentParser) throws(UsageError) {
    try arguments.refuseOperands()
    hasCache = arguments.contains(.cache)
    storePath = arguments.value(of: .cacheStore)
    isVerbose = arguments.contains(.logsExchanges)
    recordPath = arguments.value(of: .recordFile)
    if let recordPath, OutputFile.isStream(recordPath) {
      throw UsageError("--record \(recordPath.quotedExcerpt) is a pipe or device; a recording needs a file")
    }
    if recordPath == "" { throw UsageError("--record needs the name of a file") }
    if storePath == "" { throw UsageError("--store needs the name of a file") }
    if storePath != nil, !hasCache { throw UsageError("--store needs --cache") }
    port = try Self.port(arguments.value(of: .port))
    tls = try TLSOptions(arguments)
    origin = if let text = arguments.value(of: .origin) { try Self.origin(text) } else { nil }
  }

  static func port(_ text: String?) throws(UsageError) -> UInt16 {
    guard let text else { return 0 }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text) else {
      throw UsageError("--port \(text.quotedExcerpt) is not a number from 0 to 65535")
    }
    return port
  }

  /// Returns the URL in `text`, which needs no scheme, without a slash at the end.
  static func origin(_ text: String) throws(UsageError) -> String {
    let full = RequestOperands.withScheme(text)
    guard let url = URL(string: full), url.query() == nil, url.fragment() == nil else {
      throw UsageError("--origin \(text.quotedExcerpt) is not a URL without query and fragment")
    }
    do throws(HTTP.InvalidMessage) {
      try HTTP.Request(url: url).validate()
    } catch {
      throw UsageError("--origin \(text.quotedExcerpt): \(error)")
    }
    return full.hasSuffix("/") ? String(full.dropLast()) : full
  }
}

internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilURLSession
internal import Foundation

struct ConnectionOptions: Sendable {
  let session: any TransportSession
  /// The words of a curl command line with the same meaning.
  let curlWords: [String]
  /// True if the session reports the heads of messages in their form on the wire.
  let reportsHeads: Bool

  init(_ arguments: ArgumentParser) throws(CommandError) {
    let choice: TransportChoice? = try arguments.choice(of: .transport)
    #if os(Linux)
    let usesCurl = choice != .urlsession
    #else
    if choice == .curl {
      throw CommandError("--transport curl: this tool was built without this transport; use urlsession")
    }
    let usesCurl = false
    #endif
    if !usesCurl {
      let ofCurl = CommandOption.connection.filter { $0 != .transport } + [.uncompressed]
      if let option = ofCurl.first(where: arguments.contains) {
        throw CommandError("--\(option.name) needs the transport curl")
      }
      if let key = try HeaderArguments(arguments).removed.first(where: { $0 != .contentType }) {
        throw CommandError("--header \("\(key):".quotedExcerpt), which removes the field, needs the transport curl")
      }
    }
    #if os(Linux)
    if usesCurl {
      (session, curlWords) = try Self.curl(arguments)
      reportsHeads = true
      return
    }
    #endif
    session = URLTransportSession.shared
    curlWords = []
    reportsHeads = false
  }
}

#if os(Linux)
extension ConnectionOptions {
  private static func curl(
    _ arguments: ArgumentParser
  ) throws(CommandError) -> (session: any TransportSession, words: [String]) {
    var configuration = CurlSession.Configuration()
    var words: [String] = []
    if !arguments.contains(.timeout) { configuration.timeouts.firstByte = .seconds(60) }
    if arguments.contains(.uncompressed) { configuration.decompression = .off }
    configuration.omittedFields = try HeaderArguments(arguments).removed
    for key in configuration.omittedFields.sorted(by: { $0.rawValue < $1.rawValue }) { words += ["-H", "\(key):"] }
    configuration.httpVersion = try version(arguments, &words)
    configuration.tls = try tls(arguments, &words)
    if let text = arguments.value(of: .proxy) {
      configuration.proxy = try proxy(text)
      words += text == "none" ? ["--noproxy", "*"] : ["--proxy", text.withoutURLSecrets]
    }
    for text in arguments.values(of: .resolve) {
      configuration.resolveOverrides.append(try override(text))
      words += ["--resolve", text]
    }
    return (CurlSession(configuration: configuration), words)
  }

  private static func version(
    _ arguments: ArgumentParser, _ words: inout [String]
  ) throws(CommandError) -> CurlSession.Configuration.HTTPVersion {
    try arguments.exclude([.http1, .http2])
    switch (arguments.contains(.http1), arguments.contains(.http2)) {
    case (true, _):
      words.append("--http1.1")
      return .http1
    case (false, true):
      words.append("--http2-prior-knowledge")
      // Negotiated, a streamed response would be one of HTTP/1.1 with a libcurl older than 8.0.
      return .http2PriorKnowledge
    case (false, false): return .automatic
    }
  }

  private static func tls(
    _ arguments: ArgumentParser, _ words: inout [String]
  ) throws(CommandError) -> CurlSession.Configuration.TLS {
    var tls = CurlSession.Configuration.TLS()
    try arguments.exclude([.insecure, .authorities])
    if arguments.contains(.insecure) {
      tls.trust = .anyCertificate
      words.append("-k")
    }
    if let file = try file(.authorities, arguments, &words) { tls.trust = .authorities(.file(file)) }
    let keyOption =
      arguments.contains(.certificateKey) || !arguments.hasKeyOfCertificate ? .certificateKey : CommandOption.key
    let key = try file(keyOption, arguments, &words, word: "--key")
    if let certificate = try file(.certificate, arguments, &words) {
      tls.clientCertificate = .init(certificate: .file(certificate), key: .file(key ?? certificate))
    } else if key != nil {
      throw CommandError("--cert-key needs --cert")
    }
    return tls
  }

  private static func file(
    _ option: CommandOption, _ arguments: ArgumentParser, _ words: inout [String], word: String? = nil
  ) throws(CommandError) -> URL? {
    guard let name = arguments.value(of: option) else { return nil }
    words += [word ?? "--\(option.name)", name]
    return try InputFile.checked(name, of: "--\(option.name)")
  }

  private static func proxy(_ text: String) throws(CommandError) -> CurlSession.Configuration.Proxy {
    if text == "none" { return .none }
    let full = text.containsSchemeEnd ? text : "http://\(text.hasPrefix(":") ? "localhost" : "")\(text)"
    // Foundation takes a part of a password with an unencoded delimiter for the port.
    if let reason = ProxyURL(full, in: "--proxy").error?.reason { throw CommandError(reason) }
    guard var parts = URLComponents(string: full) else { throw CommandError("--proxy is not a URL") }
    let (user, password) = (parts.user, parts.password)
    parts.user = nil
    parts.password = nil
    guard let url = parts.url else { throw CommandError("--proxy is not a URL") }
    return .server(url, user: user, password: password)
  }

  private static func override(
    _ text: String
  ) throws(CommandError) -> CurlSession.Configuration.ResolveOverride {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, !parts[0].isEmpty, let port = UInt16(parts[1]), !parts[2].isEmpty else {
      throw CommandError("--resolve \(text.quotedExcerpt) is not HOST:PORT:ADDRESS")
    }
    return .init(host: parts[0], port: Int(port), addresses: parts[2].split(separator: ",").map(String.init))
  }
}
#endif

extension ArgumentParser {
  /// True if `--key` names the private key of a certificate, as with curl, instead of a member of stored objects.
  var hasKeyOfCertificate: Bool { contains(.certificate) && !contains(.into) && contains(.key) }
}

enum TransportChoice: String, CaseIterable {
  case curl, urlsession
}

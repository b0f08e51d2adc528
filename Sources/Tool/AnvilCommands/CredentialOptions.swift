internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Foundation

/// The credentials for requests: from a file, standard input, the environment, or the arguments, which every user of the machine can read.
struct CredentialOptions: Sendable {
  private enum Source: Sendable {
    case none
    case credential(Credential)
    case netrc(Netrc, file: String, isPreemptive: Bool)
  }

  private let source: Source
  /// The options of a curl command line for the same credentials, with `<redacted>` for secrets.
  let curlWords: [String]

  static let none = CredentialOptions(source: .none, curlWords: [])

  private init(source: Source, curlWords: [String]) {
    self.source = source
    self.curlWords = curlWords
  }

  /// Reads the credentials from `arguments`, or from `ANVIL_USER` or `ANVIL_BEARER` if the arguments contain no credentials.
  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    try arguments.exclude(CommandOption.credentials)
    let environment = console.environment
    let isPreemptive = arguments.contains(.basic)
    guard let (option, value) = arguments.options.first(where: { CommandOption.credentials.contains($0.option) }) else {
      let (user, token) = (environment.value(of: "ANVIL_USER"), environment.value(of: "ANVIL_BEARER"))
      if user != nil, token != nil { throw CommandError("ANVIL_USER and ANVIL_BEARER cannot be used together") }
      switch (user, token) {
      case (let user?, _): self = try Self.user(user, from: "ANVIL_USER", isPreemptive)
      case (nil, let token?): self = try Self.bearer(token, from: "ANVIL_BEARER")
      case (nil, nil):
        if isPreemptive { throw CommandError("--basic needs a user: --user, --user-file, --netrc or ANVIL_USER") }
        self = .none
      }
      return
    }
    switch option {
    case .user: self = try Self.user(value, from: "--user", isPreemptive)
    case .bearer: self = try Self.bearer(value, from: "--bearer")
    case .userFile:
      self = try Self.user(
        SecretFile(value, of: "--user-file", console).line, from: "--user-file", isPreemptive)
    case .bearerFile:
      self = try Self.bearer(SecretFile(value, of: "--bearer-file", console).line, from: "--bearer-file")
    default: self = try Self.netrc(option == .netrc ? nil : value, isPreemptive, console)
    }
  }

  /// Returns the credential for the server of `url`, or `nil` if there are no credentials for it.
  func credential(for url: URL) throws(CommandError) -> Credential? {
    switch source {
    case .none: return nil
    case .credential(let credential): return credential
    case .netrc(let netrc, let file, let isPreemptive):
      guard let entry = url.sentHost.flatMap(netrc.entry) else { return nil }
      return try CommandError.explaining(file) { try Self.password(entry.login, entry.password, isPreemptive) }
    }
  }

  /// The credentials that apply only to the server that they name, as in a netrc file.
  var forNamedServers: CredentialOptions {
    if case .netrc = source { self } else { .none }
  }

  private static func user(
    _ text: String, from name: String, _ isPreemptive: Bool
  ) throws(CommandError) -> CredentialOptions {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let credential = try CommandError.explaining(name) {
      try password(parts[0], parts.count > 1 ? parts[1] : "", isPreemptive)
    }
    return CredentialOptions(
      source: .credential(credential),
      curlWords: [isPreemptive ? "--basic" : "--anyauth", "--user", HTTP.Redaction.mark])
  }

  private static func password(
    _ username: String, _ password: String, _ isPreemptive: Bool
  ) throws(Credential.FormatError) -> Credential {
    try isPreemptive
      ? .basic(username: username, password: password) : .password(username: username, password: password)
  }

  private static func bearer(_ token: String, from name: String) throws(CommandError) -> CredentialOptions {
    let credential = try CommandError.explaining(name) { try Credential.bearer(token) }
    return CredentialOptions(
      source: .credential(credential), curlWords: ["-H", "Authorization: Bearer \(HTTP.Redaction.mark)"])
  }

  /// Reads a netrc file. Without a `name`, it is the file that the variable `NETRC` names, or `.netrc` in the home folder.
  private static func netrc(
    _ name: String?, _ isPreemptive: Bool, _ console: Console
  ) throws(CommandError) -> CredentialOptions {
    let option = name == nil ? "--netrc" : "--netrc-file"
    let environment = console.environment
    let home = environment.value(of: "HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
    let path = name ?? environment.value(of: "NETRC") ?? home + "/.netrc"
    let file = try SecretFile(path, of: option, console)
    let netrc = try CommandError.explaining(file.description) { try Netrc(file.text) }
    return CredentialOptions(
      source: .netrc(netrc, file: file.description, isPreemptive: isPreemptive),
      curlWords: [isPreemptive ? "--basic" : "--anyauth"] + (name.map { ["--netrc-file", $0] } ?? ["--netrc"]))
  }
}

extension [String: String] {
  fileprivate func value(of name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The entries of a netrc file: users and passwords by host.
///
/// Words are separated by white space. A word in quotation marks may contain blanks, and `\"`, `\\`, `\n`, `\r` and
/// `\t`. In the place of a keyword, a word that begins with `#` begins a comment. Macros are skipped.
///
/// Source: ftp(1), "The .netrc file"; curl's documentation of quotation marks and comments in it.
struct Netrc: Sendable {
  struct Entry: Hashable, Sendable {
    /// The host of the entry, or `nil` for every host.
    var host: String?
    var login = ""
    var password = ""
  }

  /// The error for an invalid file. It contains no text of the file, which may be a password.
  struct Malformed: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
  }

  let entries: [Entry]

  init(_ text: String) throws(Malformed) {
    var scanner = NetrcScanner(text)
    var entries: [Entry] = []
    while let keyword = try scanner.keyword() {
      switch keyword {
      case "machine": entries.append(Entry(host: try scanner.value(of: keyword).lowercased()))
      case "default": entries.append(Entry())
      case "macdef":
        _ = try scanner.value(of: keyword)
        scanner.skipMacro()
      case "login", "password", "account":
        let value = try scanner.value(of: keyword)
        guard let last = entries.indices.last else {
          throw scanner.malformed("\(keyword) appears before the first machine")
        }
        if keyword == "login" { entries[last].login = value }
        if keyword == "password" { entries[last].password = value }
      default: throw scanner.malformed("expected machine, default, login, password, account or macdef")
      }
    }
    self.entries = entries
  }

  func entry(for host: String) -> Entry? {
    let host = host.lowercased()
    return entries.first { $0.host == nil || $0.host == host }
  }
}

private struct NetrcScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  func malformed(_ reason: String) -> Netrc.Malformed { Netrc.Malformed(line: line, reason: reason) }

  mutating func keyword() throws(Netrc.Malformed) -> String? {
    while true {
      skipSpace()
      guard position < bytes.count else { return nil }
      guard bytes[position] == .numberSign else { return try word() }
      skipLine()
    }
  }

  mutating func value(of keyword: String) throws(Netrc.Malformed) -> String {
    skipSpace()
    guard position < bytes.count else { throw malformed("\(keyword) has no value") }
    return try word()
  }

  /// Skips the rest of the line and all lines up to an empty one.
  mutating func skipMacro() {
    skipLine()
    while position < bytes.count {
      let start = position
      skipLine()
      if bytes[start..<position].allSatisfy({ $0 <= .space }) { return }
    }
  }

  private mutating func word() throws(Netrc.Malformed) -> String {
    guard bytes[position] != .quote else { return try quotedWord() }
    let start = position
    while position < bytes.count, bytes[position] > .space { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedWord() throws(Netrc.Malformed) -> String {
    var word: [UInt8] = []
    position += 1
    while position < bytes.count, bytes[position] != .lineFeed {
      let byte = bytes[position]
      position += 1
      switch byte {
      case .quote: return String(decoding: word, as: UTF8.self)
      case .backslash where position < bytes.count && bytes[position] != .lineFeed:
        word.append(Self.escapes[bytes[position]] ?? bytes[position])
        position += 1
      default: word.append(byte)
      }
    }
    throw malformed("a quotation mark is not closed")
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= .space {
      if bytes[position] == .lineFeed { line += 1 }
      position += 1
    }
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != .lineFeed { position += 1 }
    guard position < bytes.count else { return }
    position += 1
    line += 1
  }
}

struct SecretFile: CustomStringConvertible {
  /// The maximum size of the file in bytes, which is more than any credential needs.
  private static let sizeLimit = 1 << 20

  let description: String
  let text: String

  /// The text without the final line end that editors add.
  var line: String {
    String(text.hasSuffix("\r\n") || text.hasSuffix("\n") ? text.dropLast() : text[...])
  }

  /// Reads the file `name`, or standard input for `-`. Prints a warning if other users can read the file.
  init(_ name: String, of option: String, _ console: Console) throws(CommandError) {
    guard !name.isEmpty else { throw CommandError("\(option) needs the name of a file") }
    description = name == "-" ? "\(option) -" : "\(option) \"\(name.withoutURLSecrets)\""
    let data: Data
    do {
      if name == "-" {
        data = try console.readInput()
      } else {
        let handle = try FileHandle(forReadingFrom: URL(filePath: name))
        defer { try? handle.close() }
        data = try handle.read(upToCount: Self.sizeLimit + 1) ?? Data()
      }
    } catch {
      let reason = DocumentSource.file(name).words(for: error)
      throw CommandError("\(description) cannot be read: \(reason)", status: .inputOutput)
    }
    guard data.count <= Self.sizeLimit, let text = String(bytes: data, encoding: .utf8) else {
      throw CommandError("\(description) is not a file with credentials: it must be text in UTF-8 of at most 1 MiB")
    }
    self.text = text
    if name != "-", Self.isReadableByOthers(name) {
      console.fail("\(description) can be read by other users: chmod 600 prevents that")
    }
  }

  private static func isReadableByOthers(_ name: String) -> Bool {
    let path = URL(filePath: name).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
    return (attributes?[.posixPermissions] as? Int).map { $0 & 0o077 != 0 } ?? false
  }
}

extension CommandOption {
  static let user = value(
    "user", "u", "NAME:PASSWORD", "answer the server's challenge with Digest if it is offered, otherwise with Basic")
  static let bearer = value("bearer", nil, "TOKEN", "send a bearer token")
  static let userFile = value(
    "user-file", nil, "FILE", completion: .files, "read NAME:PASSWORD from FILE, or from standard input for -")
  static let bearerFile = value(
    "bearer-file", nil, "FILE", completion: .files, "read the token from FILE, or from standard input for -")
  static let netrc = flag("netrc", nil, "read user and password from ~/.netrc, or from the file that NETRC names")
  static let netrcFile = value(
    "netrc-file", nil, "FILE", completion: .files, "read user and password from FILE, in the format of netrc")

  /// The options for credentials. At most one of them may be given.
  static let credentials = [user, bearer, userFile, bearerFile, netrc, netrcFile]

  static let header = values(
    "header", "H", "'NAME: VALUE'",
    "add a header field, which is not sent to another server after a redirect, except with the body that it describes; "
      + "'NAME:' removes a field that is sent by default, 'NAME;' sends an empty one; may be repeated")
  static let secretPath = values(
    "secret-path", nil, "PATTERN",
    "print and record the parts of URL paths that PATTERN has in braces as <redacted>, like other secrets: /bot{token}, or "
      + "hooks.example.com/services/*/{key}; may be repeated")
  static let follow = flag(
    "follow", "L", "follow redirects; --header fields and credentials are not sent to another server")
  static let retries = value(
    "retries", nil, "N",
    "repeat the request up to N times after a 408, 425, 429, 500, 502 to 504, 520 to 524, 529 or lost connection, with backoff or after Retry-After"
  )
  static let timeout = value(
    "timeout", nil, "SECONDS", "give up on a request after SECONDS, such as 2.5; 60 by default")
}

extension HelpSection {
  static let credentials = HelpSection(
    "Credentials",
    .paragraph(
      "Other users of the machine can read the arguments of a command. To keep credentials private, use files, "
        + "standard input, or the variables ANVIL_USER (NAME:PASSWORD) and ANVIL_BEARER. The variables are used if "
        + "no option names credentials. Credentials are sent only to the server of the URL."))
}

extension HTTP.Redaction {
  /// Hides the secrets in paths that the command line describes, in the whole process.
  static func hideSecretPaths(_ arguments: ArgumentParser) throws(CommandError) {
    var patterns: [SecretPath] = []
    for text in arguments.values(of: .secretPath) {
      guard text.contains(/\/.*\{[^\/]*\}/) else {
        throw CommandError(
          "--secret-path \(text.quotedExcerpt) is not a path with a secret in braces, such as /bot{token}")
      }
      patterns.append(SecretPath(text))
    }
    // Without the option, patterns of a program that contains the tool stay.
    if !patterns.isEmpty { secretPaths = patterns }
  }
}

internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// The credentials for requests. They can be in the options of the command line, in a file, on standard input, or in the environment.
///
/// Every user of the machine can read the arguments of a process, but not the other sources.
struct CredentialOptions: Sendable {
  private enum Source: Sendable {
    case none
    case credential(Credential)
    case netrc(Netrc, file: String, isPreemptive: Bool)
  }

  private let source: Source
  /// The options of a curl command line for the same credentials, with `<redacted>` for secrets.
  let curlWords: [String]

  /// No credentials.
  static let none = CredentialOptions(source: .none, curlWords: [])

  private init(source: Source, curlWords: [String]) {
    self.source = source
    self.curlWords = curlWords
  }

  /// Reads the credentials from `arguments`, or from `ANVIL_USER` or `ANVIL_BEARER` if the arguments contain no credentials.
  ///
  /// - Throws: ``UsageError`` for more than one of the options, a file that cannot be read, and credentials that cannot
  ///   be sent.
  init(_ arguments: ArgumentParser, console: Console) throws(UsageError) {
    let given = CommandOption.credentials.compactMap { option in
      arguments.value(of: option).map { (option: option, value: $0) }
    }
    if given.count > 1 {
      throw UsageError("--\(given[0].option.name) and --\(given[1].option.name) cannot be used together")
    }
    let environment = console.environment
    let isPreemptive = arguments.contains(.basic)
    guard let (option, value) = given.first else {
      let (user, token) = (environment.value(of: "ANVIL_USER"), environment.value(of: "ANVIL_BEARER"))
      if user != nil, token != nil { throw UsageError("ANVIL_USER and ANVIL_BEARER cannot be used together") }
      switch (user, token) {
      case (let user?, _): self = try Self.user(user, from: "ANVIL_USER", isPreemptive)
      case (nil, let token?): self = try Self.bearer(token, from: "ANVIL_BEARER")
      case (nil, nil):
        if isPreemptive { throw UsageError("--basic needs a user: --user, --user-file, --netrc or ANVIL_USER") }
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
  ///
  /// - Throws: ``UsageError`` for an entry of a netrc file that cannot be sent.
  func credential(for url: URL) throws(UsageError) -> Credential? {
    switch source {
    case .none: return nil
    case .credential(let credential): return credential
    case .netrc(let netrc, let file, let isPreemptive):
      guard let entry = url.host().flatMap(netrc.entry) else { return nil }
      do throws(Credential.Invalid) {
        return try Self.password(entry.login, entry.password, isPreemptive)
      } catch {
        throw UsageError("\(file): \(error)")
      }
    }
  }

  /// The credentials that apply only to the server that they name, as in a netrc file.
  var forNamedServers: CredentialOptions {
    if case .netrc = source { self } else { .none }
  }

  private static func user(
    _ text: String, from name: String, _ isPreemptive: Bool
  ) throws(UsageError) -> CredentialOptions {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    do throws(Credential.Invalid) {
      let credential = try password(parts[0], parts.count > 1 ? parts[1] : "", isPreemptive)
      return CredentialOptions(
        source: .credential(credential),
        curlWords: [isPreemptive ? "--basic" : "--anyauth", "--user", HTTP.Redaction.mark])
    } catch {
      throw UsageError("\(name): \(error)")
    }
  }

  private static func password(
    _ username: String, _ password: String, _ isPreemptive: Bool
  ) throws(Credential.Invalid) -> Credential {
    try isPreemptive
      ? .basic(username: username, password: password) : .password(username: username, password: password)
  }

  private static func bearer(_ token: String, from name: String) throws(UsageError) -> CredentialOptions {
    do throws(Credential.Invalid) {
      return CredentialOptions(
        source: .credential(try .bearer(token)), curlWords: ["-H", "Authorization: Bearer \(HTTP.Redaction.mark)"])
    } catch {
      throw UsageError("\(name): \(error)")
    }
  }

  /// Reads the credentials of a netrc file.
  ///
  /// - Parameter name: The name of the file. If it is `nil`, the file is the one that the environment variable `NETRC` names, or `.netrc`
  ///   in the home folder.
  private static func netrc(
    _ name: String?, _ isPreemptive: Bool, _ console: Console
  ) throws(UsageError) -> CredentialOptions {
    let option = name == nil ? "--netrc" : "--netrc-file"
    let environment = console.environment
    let home = environment.value(of: "HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
    let path = name ?? environment.value(of: "NETRC") ?? home + "/.netrc"
    let file = try SecretFile(path, of: option, console)
    do throws(Netrc.Malformed) {
      return CredentialOptions(
        source: .netrc(try Netrc(file.text), file: file.description, isPreemptive: isPreemptive),
        curlWords: [isPreemptive ? "--basic" : "--anyauth"] + (name.map { ["--netrc-file", $0] } ?? ["--netrc"]))
    } catch {
      throw UsageError("\(file): \(error)")
    }
  }
}

extension [String: String] {
  /// Returns the value of a variable. Returns `nil` if the variable is missing or empty.
  fileprivate func value(of name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

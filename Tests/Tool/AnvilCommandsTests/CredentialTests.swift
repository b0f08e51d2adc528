import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The sources of credentials other than the argument list. The output of the tool never contains credentials.
@Suite(.timeLimit(.minutes(15))) struct CredentialTests {
  private let server: LoopbackServer
  private let file = FileManager.default.temporaryDirectory.appending(path: "credentials-\(UUID())")
  private static let basic = "Basic \(Data("ada:t0p:x".utf8).base64EncodedString())"

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/") { request in
      guard let value = request.headers[.authorization] else {
        return .status(401, headers: [.wwwAuthenticate: "Basic realm=x"])
      }
      return .json(#"{"sent": "\#(value)"}"#)
    }
  }

  private func sent(
    _ options: [String], file text: String? = nil, mode: Int = 0o600, environment: [String: String] = [:],
    input: String = ""
  ) async throws -> Outcome {
    if let text {
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
    defer { try? FileManager.default.removeItem(at: file) }
    let options = options.map { $0.replacing("FILE", with: file.path) }
    return await anvil(
      arguments: ["get", server.argument(), "--path", "sent"] + options, environment: environment, input: input)
  }

  @Test(arguments: [
    (["--user-file", "FILE"], "ada:t0p:x\n", basic), (["--user-file=FILE"], "ada:t0p:x\r\n", basic),
    (["--bearer-file", "FILE"], "t0p", "Bearer t0p"), (["--bearer-file", "FILE"], "t0p\n", "Bearer t0p"),
    (["--netrc-file", "FILE"], "machine 127.0.0.1 login ada password t0p:x", basic),
    (["--netrc-file", "FILE"], "machine h login b password c\ndefault login ada password \"t0p:x\"", basic),
  ])
  func credentialsAreReadFromFiles(options: [String], text: String, value: String) async throws {
    #expect(try await sent(options, file: text) == Outcome(status: 0, output: value + "\n", error: ""))
  }

  @Test(arguments: [("--user-file", "ada:t0p:x\n", basic), ("--bearer-file", "t0p\n", "Bearer t0p")])
  func credentialsAreReadFromStandardInput(option: String, text: String, value: String) async throws {
    #expect(try await sent([option, "-"], input: text) == Outcome(status: 0, output: value + "\n", error: ""))
  }

  @Test func credentialsAreReadFromTheEnvironment() async throws {
    #expect(try await sent([], environment: ["ANVIL_USER": "ada:t0p:x"]).output == Self.basic + "\n")
    #expect(try await sent([], environment: ["ANVIL_BEARER": "t0p", "ANVIL_USER": ""]).output == "Bearer t0p\n")
    // An option takes precedence over these sources.
    #expect(
      try await sent(["--bearer", "t1"], environment: ["ANVIL_USER": "ada:t0p:x"]).output == "Bearer t1\n")
  }

  @Test func netrcFileIsNamedByTheEnvironmentOrInTheHomeFolder() async throws {
    let text = "machine 127.0.0.1 login ada password t0p:x"
    #expect(try await sent(["--netrc"], file: text, environment: ["NETRC": file.path]).output == Self.basic + "\n")
    let home = file.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: file) }
    let netrc = home.appending(path: ".netrc")
    try Data(text.utf8).write(to: netrc)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: netrc.path)
    let outcome = await anvil(
      arguments: ["get", server.argument(), "--path=sent", "--netrc"], environment: ["HOME": home.path])
    #expect(outcome.output == Self.basic + "\n")
  }

  @Test func netrcFileWithoutTheHostSendsNoCredentials() async throws {
    let outcome = try await sent(["--netrc-file", "FILE"], file: "machine example.com login a password t0p")
    #expect(outcome.status == 4)
    #expect(server.requests.map { $0.headers[.authorization]?.rawValue } == [nil])
  }

  @Test(arguments: ["--user-file", "--bearer-file", "--netrc-file"])
  func fileThatOthersCanReadCausesAWarning(option: String) async throws {
    let text = option == "--netrc-file" ? "default login a password b" : "ab"
    let shown = "\(option) \"\(file.path)\" can be read by other users: chmod 600 prevents that\n"
    for mode in [0o644, 0o640, 0o604] {
      #expect(try await sent([option, "FILE"], file: text, mode: mode).error.hasPrefix("anvil: " + shown))
    }
    #expect(try await !sent([option, "FILE"], file: text, mode: 0o400).error.contains("other users"))
  }

  @Test(arguments: [
    (
      ["--bearer-file", "FILE"], "t0p\nt0p",
      "--bearer-file: the token is empty or contains a character other than visible ASCII"
    ),
    (
      ["--bearer-file", "FILE"], "",
      "--bearer-file: the token is empty or contains a character other than visible ASCII"
    ),
    (["--user-file", "FILE"], "a:t0p\nb", "--user-file: the user name or the password contains a control character"),
    (["--netrc-file="], "", "--netrc-file needs the name of a file"),
    (["--user", "a:t0p", "--bearer-file", "FILE"], "t0p", "--user and --bearer-file cannot be used together"),
    (["--netrc", "--netrc-file", "FILE"], "", "--netrc and --netrc-file cannot be used together"),
  ])
  func unusableCredentialsAreAUsageError(options: [String], text: String, message: String) async throws {
    let outcome = try await sent(options, file: text)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil get --help'.\n"))
    #expect(server.requests.isEmpty)
  }

  @Test func malformedNetrcFileIsReportedWithItsLine() async throws {
    let outcome = try await sent(["--netrc-file", "FILE"], file: "machine h\nlogin a t0p b")
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("line 2: expected machine, default, login, password, account or macdef\n"))
    #expect(!outcome.error.contains("t0p"))
  }

  @Test func bothCredentialVariablesAreAUsageError() async throws {
    let outcome = try await sent([], environment: ["ANVIL_USER": "a:t0p", "ANVIL_BEARER": "t0p"])
    #expect(
      outcome
        == Outcome(
          status: 64, output: "",
          error: "anvil: ANVIL_USER and ANVIL_BEARER cannot be used together\nTry 'anvil get --help'.\n"))
  }

  @Test(arguments: ["check", "model"]) func checkAndModelAcceptCredentialOptions(command: String) async throws {
    try Data("t0p".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    let more = command == "check" ? ["--against", server.argument()] : [server.argument()]
    let outcome = await anvil(arguments: [command, server.argument(), "--bearer-file", file.path] + more)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(server.requests.map { $0.headers[.authorization]?.rawValue } == ["Bearer t0p", "Bearer t0p"])
  }

  @Test(arguments: ["check", "model"]) func standardInputCanBeReadOnlyOnce(command: String) async {
    let more = command == "check" ? ["--against", server.argument()] : [server.argument()]
    let outcome = await anvil(arguments: [command, "-", "--bearer-file", "-"] + more, input: "t0p")
    #expect(outcome.status == 64)
    #expect(outcome.error.hasPrefix("anvil: standard input can be read only once\n"))
  }

  @Test(arguments: [
    (["--user", "ada:t0p"], " --anyauth --user '<redacted>'"),
    (["--bearer", "t0p"], " -H 'Authorization: Bearer <redacted>'"),
    (["--netrc-file", "FILE"], " --anyauth --netrc-file FILE"), ([], ""),
  ])
  func curlCommandHasPlaceholdersForCredentials(options: [String], words: String) async throws {
    try Data("default login ada password t0p".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    let options = options.map { $0.replacing("FILE", with: file.path) }
    let outcome = await anvil(arguments: ["get", "http://h/a", "--curl"] + options)
    #expect(
      outcome
        == Outcome(
          status: 0, output: "curl 'http://h/a'\(words.replacing("FILE", with: file.path))\n", error: ""))
  }

  @Test(arguments: [
    (["get", "ftp://u:t0p@h/a"], #""ftp://<redacted>@h/a": the URL"#), (["get", "u:t0p@h/a"], #""<redacted>@h/a""#),
    (["https://u:t0p@h/a?token=t0p"], #"unknown command "https://<redacted>@h/a?token=<redacted>""#),
    (["get", "http://h", "http://u:t0p@h"], #"unexpected argument "http://<redacted>@h" after the URL"#),
    (["get", "http://u:t0p/t0p@"], #""http://<redacted>@" is not a URL"#),
    (["get", "http:/u:t0p@h"], #""http:/<redacted>@h""#),
    (["proxy", "--origin", "ftp://u:t0p@h"], #"--origin "ftp://<redacted>@h""#),
    (["get", "a\u{202E}\u{1B}b"], #"a\u{202e}\u{1b}b"#),
  ])
  func usageErrorsContainNoSecrets(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: arguments)
    #expect(outcome.status == 64)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(!outcome.error.contains("t0p"))
  }

  @Test func fileNamesThatAreURLsAreReportedWithoutSecrets() async {
    let outcome = await anvil("model", "ftp://u:t0p@h/a?token=t0p")
    #expect(
      outcome
        == Outcome(
          status: 74, output: "", error: "anvil: cannot read ftp://<redacted>@h/a?token=<redacted>: no such file\n"))
  }

  @Test(arguments: ["get", "model"]) func redirectLocationIsShownWithoutSecrets(command: String) async {
    server.on(.get, "/old") { _ in .status(300, headers: [.location: "https://u:t0p@e.com/a?token=t0p#t0p"]) }
    let outcome = await anvil(command, server.argument("/old"))
    #expect(
      outcome.error
        == "anvil: GET \(server.argument("/old")) → 300 Multiple Choices, not followed; Location: "
        + "https://<redacted>@e.com/a?token=<redacted>#<redacted>\n")
  }
}

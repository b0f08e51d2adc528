#if os(Linux)
import AnvilTestSupport
import Foundation
import Synchronization
import Testing

@testable import AnvilCommands

/// Command lines that shells complete on a pseudo-terminal.
@Suite(.timeLimit(.minutes(15)))
struct CompletionTests {
  /// Names of files that a shell would run, split or expand if they were not quoted.
  private static let names = [
    "xy;touch${IFS}P;#", "dl$(touch Q)", "bt`touch R`", "with blank.har", "quo'te", #"dq"uote"#, "plain.json",
    "amp&&touch S",
    "new\nline", "eq=sign", "star*", "back\\slash", "dir one/inner", "dir one/with:two=3", "tab\there", "!bang",
    "co:lon", "co:py=1", "at@sign", "zu am", "zu pm",
  ]

  /// What is typed before the tabulator, and the arguments that the command receives.
  private static let lines: [(typed: String, arguments: [String])] = [
    ("har xy", ["har", "xy;touch${IFS}P;#"]), ("har dl", ["har", "dl$(touch Q)"]), ("har bt", ["har", "bt`touch R`"]),
    ("har with", ["har", "with blank.har"]), ("har quo", ["har", "quo'te"]), ("har dq", ["har", #"dq"uote"#]),
    ("har amp", ["har", "amp&&touch S"]), ("har sta", ["har", "star*"]), ("har back", ["har", "back\\slash"]),
    ("har dir\tin", ["har", "dir one/inner"]), ("har eq", ["har", "eq=sign"]),
    ("check xy", ["check", "xy;touch${IFS}P;#"]),
    ("pull xy", ["pull", "xy;touch${IFS}P;#"]), ("pull with", ["pull", "with blank.har"]),
    ("pull statu", ["pull", "status"]),
    ("get --output xy", ["get", "--output", "xy;touch${IFS}P;#"]), ("get -o with", ["get", "-o", "with blank.har"]),
    ("get -d @xy", ["get", "-d", "@xy;touch${IFS}P;#"]), ("get -d @plain", ["get", "-d", "@plain.json"]),
    ("get -d plain", ["get", "-d", "plain"]), ("get -F n=@with", ["get", "-F", "n=@with blank.har"]),
    ("get -F n=@dl", ["get", "-F", "n=@dl$(touch Q)"]), ("get :80 n=@plain", ["get", ":80", "n=@plain.json"]),
    ("get http://plain", ["get", "http://plain"]), ("check http://plain", ["check", "http://plain"]),
    ("get --proxy plain", ["get", "--proxy", "plain"]), ("get --transp", ["get", "--transport"]),
    ("get -d @eq=", ["get", "-d", "@eq=sign"]), ("get -d @eq=s", ["get", "-d", "@eq=sign"]),
    ("get -F n=@eq=", ["get", "-F", "n=@eq=sign"]), ("get -d @co:l", ["get", "-d", "@co:lon"]),
    ("get -F n=@co:lo", ["get", "-F", "n=@co:lon"]), ("get :80 n=@co:py=", ["get", ":80", "n=@co:py=1"]),
    ("get -d @at@s", ["get", "-d", "@at@sign"]), ("get -F n=@at@", ["get", "-F", "n=@at@sign"]),
    ("get -d @dir\tin", ["get", "-d", "@dir one/inner"]), ("get -d @dir\\ one/i", ["get", "-d", "@dir one/inner"]),
    ("get -F n=@dir\\ one/i", ["get", "-F", "n=@dir one/inner"]),
    ("get :80 n=@dir\tin", ["get", ":80", "n=@dir one/inner"]),
    ("get -d @dir\\ one/wi", ["get", "-d", "@dir one/with:two=3"]),
    ("get -d @dir\\ one/with:", ["get", "-d", "@dir one/with:two=3"]),
  ]

  private static let linesWithEquals: [(typed: String, arguments: [String])] = [
    ("get --output=with", ["get", "--output=with blank.har"]),
    ("get --cacert=xy", ["get", "--cacert=xy;touch${IFS}P;#"]),
    ("har new", ["har", "new\nline"]), ("./bin/anvil har xy", ["har", "xy;touch${IFS}P;#"]),
  ]

  @Test(.enabled(if: Shell.path("bash") != nil, "bash is not installed")) func bashInsertsQuotedNames() async throws {
    let shell = try await Shell("bash")
    try await check(Self.lines + Self.linesWithEquals, in: shell)
    try await check([("pull zu\tp", ["pull", "zu pm"])], in: shell)
    try await check([("har \"with", ["har", "with blank.har"])], in: shell, suffix: "")
  }

  /// Many people remove characters from `COMP_WORDBREAKS`, so that arguments with them are one word.
  @Test(.enabled(if: Shell.path("bash") != nil, "bash is not installed"), arguments: [":", "=", "@", ":=", ":=@"])
  func bashInsertsQuotedNamesWithOtherWordBreaks(removed: String) async throws {
    let shell = try await Shell("bash", setup: "COMP_WORDBREAKS=${COMP_WORDBREAKS//[\(removed)]/}")
    let lines = [
      ("get --transport=cu", ["get", "--transport=curl"]), ("get --output=dir\tin", ["get", "--output=dir one/inner"]),
    ]
    try await check(Self.lines + Self.linesWithEquals + lines, in: shell)
    try await check([("pull zu\tp", ["pull", "zu pm"])], in: shell)
  }

  /// Bash 3.2, the shell `/bin/bash` of macOS, has no `compopt`.
  @Test(.enabled(if: Shell.path("bash") != nil, "bash is not installed"))
  func bashWithoutCompoptInsertsQuotedNames() async throws {
    let shell = try await Shell(
      "bash", setup: "compopt() { return 1; }; complete -r anvil; complete -o default -F _anvil anvil")
    // Where nothing is offered, such a shell completes names of files. A blank follows the name of a folder that a function offers.
    let lines = (Self.lines + Self.linesWithEquals).filter {
      !$0.arguments.contains { $0.hasSuffix("plain") } && !$0.typed.contains("@dir\t")
    }
    try await check(lines + [("pull zu\tp", ["pull", "zu pm"])], in: shell)
    try await check([("pull \"with", ["pull", "with blank.har"])], in: shell, suffix: "")
  }

  @Test(.enabled(if: Shell.path("zsh") != nil, "zsh is not installed: scripts/setup --tests installs it"))
  func zshInsertsQuotedNames() async throws {
    try await check(Self.lines + Self.linesWithEquals, in: try await Shell("zsh"))
  }

  @Test(.enabled(if: Shell.path("fish") != nil, "fish is not installed: scripts/setup --tests installs it"))
  func fishInsertsQuotedNames() async throws {
    try await check(Self.lines + Self.linesWithEquals, in: try await Shell("fish"))
  }

  private func check(
    _ lines: [(typed: String, arguments: [String])], in shell: Shell, suffix: String = ""
  ) async throws {
    for name in Self.names { try shell.folder.create(name) }
    for line in lines {
      let arguments = await shell.arguments(typing: line.typed + "\t" + suffix)
      #expect(arguments == line.arguments, "\(line.typed) \(shell.text)")
    }
    for name in ["P", "Q", "R", "S"] { #expect(!FileManager.default.fileExists(atPath: shell.folder.path(name))) }
  }
}

/// An interactive shell on a pseudo-terminal, with the completions of the tool and a command `anvil` that records its arguments.
private final class Shell: Sendable {
  let folder: TemporaryFolder
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let received = Mutex(Data())

  /// The path of a shell, or `nil` if it or `script` is not installed.
  static func path(_ name: String) -> String? {
    func find(_ name: String) -> String? {
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      return folders.lazy.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
    return find("script") == nil ? nil : find(name)
  }

  /// Everything that the shell has printed.
  var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

  /// Starts a shell, which runs `setup` after it has read the completions.
  init(_ name: String, setup: String = "") async throws {
    folder = try TemporaryFolder()
    try folder.create(
      "bin/anvil",
      "#!/bin/sh\nprintf '%s\\0' \"$@\" >'\(folder.path("new"))'\nmv '\(folder.path("new"))' '\(folder.path("arguments"))'\n"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("bin/anvil"))
    let script = await anvil("completions", name).output
    let command: String
    switch name {
    case "zsh":
      try folder.create("functions/_anvil", script)
      try folder.create(
        ".zshrc",
        "fpath=('\(folder.path("functions"))' $fpath)\nautoload -U compinit\ncompinit -u -D\nPS1='READY> '\nunsetopt beep\n"
      )
      command = "zsh -d -i"
    case "fish":
      try folder.create(
        "completions.fish", script + "\nfunction fish_prompt; echo -n 'READY> '; end\nset -g fish_greeting ''\n")
      command = "fish --no-config -C 'source \(folder.path("completions.fish"))' -i"
    default:
      try folder.create("completions.bash", script + "\n\(setup)\nPS1='READY> '\nset +H\n")
      command = "bash --noprofile --rcfile '\(folder.path("completions.bash"))' -i"
    }
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["script", "-qec", command, "/dev/null"]
    process.currentDirectoryURL = URL(filePath: folder.path(""))
    process.environment = [
      "PATH": folder.path("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""), "HOME": folder.path(""),
      "ZDOTDIR": folder.path(""), "TERM": "xterm", "LANG": "C.UTF-8", "SHELL": "/bin/sh",
      "XDG_CONFIG_HOME": folder.path("config"), "XDG_DATA_HOME": folder.path("data"),
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    output.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.received.withLock { $0.append(data) }
    }
    try process.run()
    await waitUntil { text.contains("READY> ") }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
  }

  /// Types a command line and the Enter key, and returns the arguments that the command receives.
  func arguments(typing line: String) async -> [String] {
    let file = folder.path("arguments")
    try? FileManager.default.removeItem(atPath: file)
    let command = line.hasPrefix("./") ? line : "anvil \(line)"
    try? input.fileHandleForWriting.write(contentsOf: Data((command + "\r").utf8))
    await waitUntil { FileManager.default.fileExists(atPath: file) }
    let data = FileManager.default.contents(atPath: file) ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }
}

extension TemporaryFolder {
  fileprivate func create(_ name: String, _ text: String = "") throws {
    let url = self.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}
#endif

import AnvilJSON
import AnvilServer
import AnvilTestSupport
import Foundation
import Testing

/// `anvil har` without a browser: the validation of archives, and the output of the page.
@Suite(.timeLimit(.minutes(15)))
struct HARTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ text: String, _ name: String = "a.har") throws -> String {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
    return folder.path(name)
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("[]", "it is a JSON array and not an object with log.entries"),
    (#"{"a": 1, "b": 2}"#, #"it has no log; keys here: "a", "b""#),
    (
      #"{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}"#, #"it has no log; keys here: "a", "b", "c", "d", "e""#
    ),
    ("{}", "it has no log"),
    (#"{"log": []}"#, "its log is a JSON array and not an object"),
    (#"{"log": {}}"#, "its log has no entries"),
    (#"{"log": {"entries": {}}}"#, "its log.entries is a JSON object and not an array"),
    (
      #"{"version": 1, "exchanges": []}"#,
      "it is a cassette, with exchanges instead of log.entries: use 'anvil serve' for it"
    ),
  ])
  func filesThatAreNotArchivesAreReported(text: String, reason: String) async throws {
    let path = try file(text)
    #expect(
      await anvil("har", path, "--html", "-")
        == Outcome(status: 5, output: "", error: "anvil: \(path) is not an HTTP archive: \(reason)\n"))
  }

  @Test func truncatedArchiveIsReportedWithItsLocation() async throws {
    let outcome = await anvil("har", try file("{\"log\": {\n  \"entries\": [{\"time\": 1"), "--html", "-")
    #expect(outcome.status == 5 && outcome.output.isEmpty)
    #expect(outcome.error.contains("not JSON, and therefore not an HTTP archive"))
    #expect(outcome.error.contains("a.har:2:"), "\(outcome.error)")
  }

  @Test func archivesMayBeInUTF16() async throws {
    let text = #"{"log": {"entries": [{"request": {"method": "GET", "url": "http://a.example/ü"}}]}}"#
    let file = folder.url.appending(path: "wide.har")
    try #require(text.data(using: .utf16)).write(to: file)
    let outcome = await anvil("har", folder.path("wide.har"), "--html", "-")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#""url":"http://a.example/ü""#) && !outcome.output.contains("\0"))
  }

  @Test func missingFileIsReported() async throws {
    let outcome = await anvil("har", folder.path("none.har"), "--html", "-")
    #expect(
      outcome == Outcome(status: 74, output: "", error: "anvil: cannot read \(folder.path("none.har")): no such file\n")
    )
  }

  @Test func pageIsReadableOnlyByItsOwner() async throws {
    let page = folder.path("page.html")
    let path = try file(#"{"log": {"entries": []}}"#)
    #expect(await anvil("har", path, "--html", page) == Outcome(status: 0, output: "", error: ""))
    let attributes = try FileManager.default.attributesOfItem(atPath: page)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  /// The test provides the program that opens files.
  @Test func withoutOutputABrowserOpensThePage() async throws {
    let seen = folder.path("seen")
    for name in ["xdg-open", "open"] {
      _ = try file("#!/bin/sh\nprintf %s \"$1\" >'\(seen).part'\nmv '\(seen).part' '\(seen)'\n", name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
    }
    let path = try file(#"{"log": {"entries": []}}"#)
    let outcome = await anvil(
      arguments: ["har", path], environment: ["PATH": "\(folder.url.path()):/usr/bin:/bin"])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    let page = outcome.output.trimmingCharacters(in: .newlines)
    defer { try? FileManager.default.removeItem(at: URL(filePath: page).deletingLastPathComponent()) }
    #expect(page.hasSuffix("/a.har.html"))
    #expect(FileManager.default.fileExists(atPath: page))
    await waitUntil { FileManager.default.fileExists(atPath: seen) }
    #expect(try String(contentsOfFile: seen, encoding: .utf8) == URL(filePath: page).absoluteString)
  }

  /// Other users can see the arguments of processes.
  @Test func secretPathOfTheServedPageIsNotAnArgumentOfTheBrowser() async throws {
    let seen = folder.path("seen")
    for name in ["xdg-open", "open"] {
      _ = try file("#!/bin/sh\nprintf %s \"$*\" >'\(seen).part'\nmv '\(seen).part' '\(seen)'\n", name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
    }
    let path = try file(#"{"log": {"entries": []}}"#)
    var opened: URL?
    try await withListening(
      arguments: ["har", path, "--follow"], environment: ["PATH": "\(folder.url.path()):/usr/bin:/bin"]
    ) { (url: URL) async throws in
      await waitUntil { FileManager.default.fileExists(atPath: seen) }
      let argument = try String(contentsOfFile: seen, encoding: .utf8)
      #expect(!argument.contains(url.path()))
      let page = try #require(URL(string: argument))
      #expect(page.isFileURL)
      let attributes = try FileManager.default.attributesOfItem(atPath: page.path())
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try String(contentsOf: page, encoding: .utf8).contains(url.absoluteString))
      opened = page
    }
    // The page is removed with the server that it leads to.
    #expect(try !FileManager.default.fileExists(atPath: #require(opened).path()))
  }

  @Test func withoutABrowserThePageRemains() async throws {
    let path = try file(#"{"log": {"entries": []}}"#)
    let outcome = await anvil(arguments: ["har", path], environment: ["PATH": folder.url.path()])
    let page = outcome.output.trimmingCharacters(in: .newlines)
    defer { try? FileManager.default.removeItem(at: URL(filePath: page).deletingLastPathComponent()) }
    #expect(outcome.status == 0 && FileManager.default.fileExists(atPath: page))
    #expect(outcome.error == "anvil: no browser could be started: open the page yourself\n")
  }

  @Test func loneSurrogatesOfBrowsersAreReplaced() async throws {
    let path = try file(#"{"log": {"entries": [], "comment": "\ud800 \\ud800 \ud83d\ude00 \udc00\ud801"}}"#)
    let outcome = await anvil("har", path, "--html", "-")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#""\ufffd \\ud800 \ud83d\ude00 \ufffd\ufffd""#))
  }

  @Test func servedPageRequiresItsSecretPath() async throws {
    let path = try file(#"{"log": {"entries": []}}"#)
    try await withListening(arguments: ["har", path, "--follow", "--no-open"]) { (url: URL) async throws in
      let page = await anvil("get", url.absoluteString)
      #expect(page.status == 0 && page.output.contains("connect-src 'self'"))
      let archive = await anvil("get", "\(url)archive", "-i")
      #expect(archive.status == 0 && archive.output.contains(#""entries""#))
      #expect(await anvil("get", "http://127.0.0.1:\(url.port ?? 0)/").error.contains("404"))
      // The name of a page whose host was made to resolve to this machine.
      #expect(await anvil("get", url.absoluteString, "-H", "Host: evil.example").error.contains("421"))
      #expect(await anvil("get", url.absoluteString, "-H", "Host: LocalHost:\(url.port ?? 0)").status == 0)
    }
  }
}

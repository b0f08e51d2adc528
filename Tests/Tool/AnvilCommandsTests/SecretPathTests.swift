import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The option `--secret-path`. The patterns apply to the whole process, so the tests run in separate processes.
@Suite(.timeLimit(.minutes(15)))
struct SecretPathTests {
  @Test func noOutputOfARequestContainsASecretSegment() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let server = try LoopbackServer()
      server.on(.get, "/:bot/getMe") { _ in .status(302, headers: [.location: "/bot1:SECRET/end"]) }
      server.on(.get, "/:bot/end") { _ in .status(404) }
      let url = server.argument("/bot1:SECRET/getMe")
      let options = ["--secret-path", "/bot{token}", "--secret-path=hooks.example.com/services/{key}"]
      let har = folder.path("a.har")
      let outcome = await anvil(arguments: ["get", url, "-L", "-v", "-i", "--har", har] + options)
      #expect(outcome.status == 4)
      let archive = try String(contentsOfFile: har, encoding: .utf8)
      for text in [outcome.error, archive] { #expect(text.contains("/bot<redacted>/end"), "\(text)") }
      let line = await anvil(arguments: ["get", url, "--curl"] + options).output
      #expect(line.contains("/bot<redacted>/getMe"))
      let refused = await anvil(
        arguments: ["get", "https://hooks.example.com/services/SECRET", "--proxy", "127.0.0.1:1"] + options)
      #expect(refused.status == 3 && refused.error.contains("/services/<redacted>"))
      for text in [outcome.output, outcome.error, archive, line, refused.error] { #expect(!text.contains("SECRET")) }
      #expect(server.requests.first?.target == "/bot1:SECRET/getMe")
    }
  }

  @Test func commandsThatRequestListingsHideSecretSegments() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let server = try LoopbackServer()
      let url = server.argument("/bot1:SECRET/rows")
      let file = folder.path("pull.json")
      try Data(
        #"""
        {"base_url": "\#(server.url.absoluteString)", "into": "\#(folder.path("a.db"))",
         "listings": [{"name": "m", "path": "bot1:SECRET/rows", "table": "M"}]}
        """#.utf8
      ).write(to: URL(filePath: file))
      for arguments in [["pull", file], ["check", url, "--against", file], ["model", url], ["shape", "save", url]] {
        let outcome = await anvil(arguments: arguments + ["--secret-path", "/bot{token}"])
        #expect(outcome.status != 0)
        #expect(outcome.error.contains("bot<redacted>") && !outcome.error.contains("SECRET"), "\(outcome)")
      }
    }
  }

  @Test func theRecordingOfAProxyContainsNoSecretSegment() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let server = try LoopbackServer()
      server.on(.get, "/:bot/getMe") { _ in .text("it") }
      let file = folder.path("a.har")
      let arguments = [
        "proxy", "--origin", server.url.absoluteString, "--record", file, "-v", "--secret-path", "/bot{token}",
      ]
      let outcome = try await withListening(arguments: arguments) { (url: URL) async throws in
        let own = await anvil("get", "\(url)/bot1:SECRET/getMe")
        #expect(own.output == "it")
      }
      let archive = try String(contentsOfFile: file, encoding: .utf8)
      for text in [outcome.error, archive] {
        #expect(text.contains("/bot<redacted>/getMe") && !text.contains("SECRET"), "\(text)")
      }
      try await withListening(arguments: ["serve", file]) { (url: URL) async throws in
        #expect(await anvil("get", "\(url)/bot2:OTHER/getMe").output == "it")
      }
    }
  }

  @Test(arguments: ["", "bot{token}", "/bot", "/a/*"]) func aPatternHasAPathWithASecret(pattern: String) async {
    let outcome = await anvil("get", "localhost", "--secret-path", pattern)
    #expect(outcome.status == 64)
    #expect(
      outcome.error.hasPrefix(
        "anvil: --secret-path \"\(pattern)\" is not a path with a secret in braces, such as /bot{token}\n"))
  }
}

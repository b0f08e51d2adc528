import AnvilCommands
import AnvilTestSupport
import Foundation
import Testing

/// `anvil get` against the httpbin that `scripts/with-httpbin` has started.
@Suite(
  .timeLimit(.minutes(15)),
  .enabled(
    if: ProcessInfo.processInfo.environment["ANVIL_HTTPBIN_URL"] != nil,
    "ANVIL_HTTPBIN_URL is not set: scripts/with-httpbin"))
struct HTTPBinGetTests {
  private let base: String
  private let folder: URL

  init() throws {
    base = try #require(ProcessInfo.processInfo.environment["ANVIL_HTTPBIN_URL"])
    folder = FileManager.default.temporaryDirectory.appending(path: "httpbin-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test(arguments: [
    ["/digest-auth/auth/smith/pw/MD5", "-u", "smith:pw", "--path", "authenticated"],
    ["/digest-auth/auth/smith/pw/SHA-256", "-u", "smith:pw", "--path", "authenticated"],
    ["/basic-auth/smith/pw", "--user=smith:pw", "--path", "authenticated"],
    ["/bearer", "--bearer", "t0ken", "--path", "authenticated"],
  ])
  func credentialsAreAccepted(arguments: [String]) async {
    let outcome = await anvil(arguments: ["get", base + arguments[0]] + arguments.dropFirst())
    #expect(outcome == Outcome(status: 0, output: "true\n", error: ""))
  }

  @Test func wrongPasswordIsAStatusFailure() async {
    let outcome = await anvil(arguments: ["get", base + "/digest-auth/auth/smith/pw/MD5", "-u", "smith:t0p"])
    #expect(outcome.status == 4)
    #expect(!outcome.error.contains("t0p"))
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func redirectsAreFollowedWithTheOption(status: Int) async {
    let url = "\(base)/redirect-to?url=/anything/end&status_code=\(status)"
    #expect(await anvil(arguments: ["get", url]).status == 4)
    let outcome = await anvil(arguments: ["post", url, "-L", "--json", "{}", "--path", "method", "-v"])
    #expect(outcome.status == 0)
    #expect(outcome.output == (status < 307 ? "GET\n" : "POST\n"))
    #expect(outcome.error.contains("* POST \(base)/redirect-to?url=<redacted>&status_code=<redacted> → \(status)"))
  }

  @Test func cookiesAreKeptBetweenRuns() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let jar = folder.appending(path: "cookies.json").path
    let set = "\(base)/response-headers?Set-Cookie=a%3D1%3B%20Max-Age%3D600%3B%20Path%3D/"
    #expect(await anvil(arguments: ["get", set, "--cookies", jar]).status == 0)
    let outcome = await anvil(arguments: ["get", "\(base)/cookies", "--cookies", jar, "--path", "cookies.a"])
    #expect(outcome == Outcome(status: 0, output: "1\n", error: ""))
    let mode = try FileManager.default.attributesOfItem(atPath: jar)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test(arguments: ["gzip", "deflate", "brotli"]) func compressedBodiesAreDecompressed(coding: String) async {
    #expect(await anvil(arguments: ["get", "\(base)/\(coding)", "--path", "method"]).output == "GET\n")
  }

  @Test func rangesSlowBodiesAndTimeoutsAreSupported() async {
    let part = await anvil(arguments: ["get", "\(base)/range/100", "-H", "Range: bytes=3-5", "-i"])
    #expect(part.status == 0 && part.output.hasPrefix("HTTP 206 Partial Content\n") && part.output.hasSuffix("\ndef"))
    #expect(await anvil(arguments: ["get", "\(base)/drip?duration=0.2&numbytes=4&delay=0"]).output == "****")
    #expect(await anvil(arguments: ["get", "\(base)/delay/10", "--timeout", "0.3"]).status == 3)
  }

  @Test func conditionalRequestsAreSent() async {
    let outcome = await anvil(arguments: ["get", "\(base)/etag/abc", "-H", "If-None-Match: \"abc\""])
    #expect(outcome.status == 4 && outcome.error.contains("304 Not Modified"))
  }

  @Test func exchangesAreRecordedWithoutSecrets() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.har")
    let outcome = await anvil(arguments: [
      "get", "\(base)/basic-auth/smith/t0p?api_key=t0p2", "-u", "smith:t0p", "--har", file.path,
    ])
    #expect(outcome.status == 0)
    let archive = try String(contentsOf: file, encoding: .utf8)
    #expect(archive.contains("\"status\" : 401") && archive.contains("\"status\" : 200"))
    #expect(!archive.contains("t0p2") && !archive.contains("c21pdGg6dDBw"))
  }

  @Test func temporaryFailuresAreRetried() async {
    let outcome = await anvil(arguments: ["get", "\(base)/status/503", "--retries", "1", "-v"])
    #expect(outcome.status == 4)
    #expect(outcome.error.contains("* attempt failed: 503 Service Unavailable, then "))
  }
}

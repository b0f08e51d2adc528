import Anvil
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// Files that are kept between runs: cookies and entity tags.
@Suite(.timeLimit(.minutes(15)))
struct KeptFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func netscapeCookiesAreSentAndSaved() async throws {
    let server = try server(json: "{}")
    let file = folder.path("cookies.txt")
    let text = """
      # Netscape HTTP Cookie File
      127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts1
      #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tkept\tk 1
      127.0.0.1\tFALSE\t/other\tFALSE\t4102444800\tother\to1
      127.0.0.1\tFALSE\t/\tFALSE\t1\texpired\te1
      .example.com\tTRUE\t/\tTRUE\t4102444800\tdomain\td1

      """
    try Data(text.utf8).write(to: URL(filePath: file))
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    #expect(server.requests.last?.headers[.cookie]?.rawValue == "session=s1; kept=k 1")
    let saved = try String(contentsOfFile: file, encoding: .utf8)
    #expect(saved.contains("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tkept\tk 1\n"))
    #expect(saved.contains("\n.example.com\tTRUE\t/\tTRUE\t4102444800\tdomain\td1\n"))
  }

  @Test func linesOfCookiesMayEndWithCarriageReturns() async throws {
    let server = try server(json: "{}")
    let file = folder.path("cookies.txt")
    let line = "127.0.0.1\tFALSE\t/\tFALSE\t4102444800"
    // A combining character after a tab or a line end is part of the next field or line.
    let text = "# Netscape HTTP Cookie File\r\n\(line)\ta\t1\r\n\r\n\(line)\tb\t\u{301}2\r\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    #expect(server.requests.last?.headers[.cookie]?.rawValue == "a=1; b=\u{301}2")
  }

  @Test func jsonThatIsNotOfCookiesIsReported() async throws {
    let server = try server(json: "{}")
    let file = folder.path("package.json")
    try Data(#"{"name": "a"}"#.utf8).write(to: URL(filePath: file))
    let outcome = await anvil("get", server.argument(), "--cookies", file)
    let reason = "the file contains JSON other than that of --cookies"
    #expect(outcome == Outcome(status: 74, output: "", error: "anvil: the cookies cannot be read: \(reason)\n"))
  }

  @Test func emptyFileHasTheFormatOfItsName() async throws {
    let server = try server(json: "{}")
    for (name, start) in [("empty.txt", "# Netscape"), ("empty", "{")] {
      try Data().write(to: folder.url.appending(path: name))
      #expect(await anvil("get", server.argument(), "--cookies", folder.path(name)).status == 0)
      #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8).hasPrefix(start))
    }
  }

  @Test func newTextFileHasNetscapeFormat() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}", headers: ["Set-Cookie": "a=b; Max-Age=3600; HttpOnly"]) }
    let file = folder.path("new.txt")
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("# Netscape HTTP Cookie File\n"))
    let cookies = CookieFile.contents(of: text).cookies
    #expect(cookies.map(\.name) == ["a"] && cookies.allSatisfy { $0.isHTTPOnly && $0.domain == "127.0.0.1" })
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test(arguments: ["cookies.txt", "cookies.json"]) func sessionCookiesAreKeptBetweenRuns(name: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}", headers: ["Set-Cookie": "sid=s1; Path=/"]) }
    server.on(.get, "/next") { _ in .json("{}") }
    let file = folder.path(name)
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    for _ in 0..<2 {
      #expect(await anvil("get", server.argument("/next"), "--cookies", file).status == 0)
      #expect(server.requests.last?.headers[.cookie]?.rawValue == "sid=s1")
    }
  }

  @Test func invalidCookieLineIsReported() async throws {
    let server = try server(json: "{}")
    let file = folder.path("cookies.txt")
    try Data("# x\na b c\n".utf8).write(to: URL(filePath: file))
    let outcome = await anvil("get", server.argument(), "--cookies", file)
    #expect(outcome.status == 74 && server.requests.isEmpty)
    #expect(outcome.error.contains("line 2 is not a cookie"))
  }

  /// The cookies of other sites remain usable.
  @Test func aLineThatIsNotACookieIsSkipped() async throws {
    let server = try server(json: "{}")
    let file = folder.path("cookies.txt")
    let text = "# Netscape HTTP Cookie File\na b c\n127.0.0.1\tFALSE\t/\tFALSE\t0\tkept\tk\nx\ty\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    let outcome = await anvil("get", server.argument(), "--cookies", file)
    #expect(outcome.status == 0 && outcome.output == "{}")
    #expect(outcome.error.contains("lines 2, 4 are not cookies: skipped"), "\(outcome.error)")
    #expect(server.requests.last?.headers[.cookie]?.rawValue == "kept=k")
    let saved = CookieFile.contents(of: try String(contentsOfFile: file, encoding: .utf8))
    #expect(saved.cookies.map(\.name) == ["kept"] && saved.malformedLines.isEmpty)
  }

  /// A tab separates the fields of Netscape's format.
  @Test(arguments: [
    "a=1\t2", "a=1; Path=/\tTRUE\t0\t__Host-a\tforged", "a\tTRUE\t0\t__Host-a=forged",
    "__Host-a=1; Secure; Path=/", "__secure-a=1",
  ])
  func aServerCannotForgeFieldsOfTheFile(field: String) async throws {
    // Secure cookies are stored on the loopback interface. The prefix needs `Secure`, which a line without it cannot add.
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .json("{}", headers: ["Set-Cookie": .init(rawValue: field), "Set-Cookie": "b=2; Path=/"])
    }
    let file = folder.path("cookies.txt")
    _ = await anvil("get", server.argument(), "--cookies", file)
    guard FileManager.default.fileExists(atPath: file) else { return }
    let saved = CookieFile.contents(of: try String(contentsOfFile: file, encoding: .utf8))
    #expect(saved.malformedLines.isEmpty)
    #expect(saved.cookies.allSatisfy { !$0.value.contains("forged") && !$0.value.contains("\t") })
    #expect(saved.cookies.filter { $0.name.lowercased().hasPrefix("__") }.allSatisfy { $0.isSecure })
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
  }

  /// Names and values that have a meaning at the start of a line.
  @Test(arguments: ["#a=1", "#HttpOnly_a=1", "a=#1", "a=", "1", "=1"])
  func unusualCookiesSurviveTheFile(field: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}", headers: ["Set-Cookie": .init(rawValue: field)]) }
    let file = folder.path("cookies.txt")
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    #expect(server.requests.last?.headers[.cookie]?.rawValue == (field == "=1" ? "1" : field))
  }

  @Test(arguments: [("1e300", "253402300799"), ("9223372036854775808", "253402300799"), ("4102444799.5", "4102444800")])
  func hugeExpiriesAreAccepted(expiry: String, saved: String) async throws {
    let server = try server(json: "{}")
    let file = folder.path("cookies.txt")
    try Data("127.0.0.1\tFALSE\t/\tFALSE\t\(expiry)\tkept\tk\n".utf8).write(to: URL(filePath: file))
    #expect(await anvil("get", server.argument(), "--cookies", file).status == 0)
    #expect(server.requests.last?.headers[.cookie]?.rawValue == "kept=k")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\t\(saved)\tkept\tk\n"))
    let past = CookieFile.contents(of: "a\tFALSE\t/\tFALSE\t-1e300\tb\tc").cookies
    #expect(past.first?.expiry.map { $0 < Date.now } == true)
  }

  @Test func entityTagsAreSavedAndCompared() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { request in
      request.headers[.ifNoneMatch] == "\"v1\""
        ? .status(304, headers: ["ETag": "\"v1\""]) : .json("{}", headers: ["ETag": "\"v1\""])
    }
    let file = folder.path("tag")
    let options = ["--etag-save", file, "--etag-compare", file]
    #expect(await anvil(arguments: ["get", server.argument()] + options).output == "{}")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "\"v1\"\n")
    #expect(await anvil(arguments: ["get", server.argument()] + options) == Outcome(status: 0, output: "", error: ""))
    let output = folder.path("body")
    let outcome = await anvil(arguments: ["get", server.argument(), "-o", output] + options)
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// A saved entity tag can be compared: an invalid one, and that of an earlier response, are not kept.
  @Test(arguments: ["v1", "W/v1", "\"v1", "\"a\"b\"", "", "W/\"v1\" "])
  func onlyValidEntityTagsAreSaved(tag: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}", headers: ["ETag": .init(rawValue: tag)]) }
    let file = folder.path("tag")
    try Data("\"old\"\n".utf8).write(to: URL(filePath: file))
    let options = ["--etag-save", file, "--etag-compare", file]
    for _ in 0..<2 {
      let outcome = await anvil(arguments: ["get", server.argument()] + options)
      #expect(outcome == Outcome(status: 0, output: "{}", error: ""))
    }
    let isValid = tag.hasPrefix("W/\"")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (isValid ? "W/\"v1\"\n" : ""))
    #expect(server.requests.last?.headers[.ifNoneMatch]?.rawValue == (isValid ? "W/\"v1\"" : nil))
  }

  @Test func fileWithoutAnEntityTagIsReported() async throws {
    let file = folder.path("tag")
    try Data("x\r\nEvil: 1".utf8).write(to: URL(filePath: file))
    let outcome = await anvil("get", "localhost", "--etag-compare", file)
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("is not a file with an entity tag"))
  }
}

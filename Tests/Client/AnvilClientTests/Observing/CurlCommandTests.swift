import AnvilBodies
import AnvilClient
import AnvilHTTP
import Foundation
import Testing

/// A real shell parses the line and prints the arguments for curl.
struct CurlCommandTests {
  private let url: URL

  init() throws {
    url = try #require(URL(string: "https://api.example.com/users/1?page=2&token=t0p"))
  }

  private func words(of line: String, shell shellPath: String = "/bin/sh") throws -> [String] {
    let shell = Process()
    shell.executableURL = URL(filePath: shellPath)
    shell.arguments = ["-c", "printf '%s\\0' \(line)"]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    return data.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func aSimpleRequestIsAShortCommand() throws {
    let request = HTTP.Request(
      url: try #require(URL(string: "https://example.com/a")), headers: [.accept: .applicationJSON])
    #expect(request.curlCommand() == "curl 'https://example.com/a' -H 'Accept: application/json'")
  }

  @Test func argumentsAreQuotedForTheShell() throws {
    let body = "it's $HOME `x` \"q\" \\ *\n%ü"
    let request = HTTP.Request(
      method: .put, url: url, headers: ["X-Odd": "it's; $x", "X-Empty": ""], body: HTTP.Body(body))
    #expect(
      try words(of: request.curlCommand(redaction: nil)) == [
        "curl", "-X", "PUT", url.absoluteString, "-H", "X-Odd: it's; $x", "-H", "X-Empty;", "-H",
        "Content-Type: text/plain; charset=utf-8", "--data-raw", body,
      ])
  }

  @Test func cookieLinesAreJoinedAndBlankValuesAreWrittenWithASemicolon() throws {
    let request = HTTP.Request(url: url, headers: [.cookie: "a=1", "X-A": " \t", .cookie: " b=2 ", "X-B": " c "])
    #expect(
      try words(of: request.curlCommand(redaction: nil)).suffix(6) == [
        "-H", "Cookie: a=1; b=2", "-H", "X-A;", "-H", "X-B: c",
      ])
  }

  @Test func aQuotationMarkWithACombiningCharacterIsQuoted() throws {
    let body = "a'\u{301}; echo b"
    let request = HTTP.Request(method: .post, url: url, body: HTTP.Body(body, contentType: nil))
    #expect(try words(of: request.curlCommand(redaction: nil)).last == body)
  }

  @Test func aByteOrderMarkIsPartOfTheBody() throws {
    let request = HTTP.Request(
      method: .post, url: url, body: HTTP.Body(Data([0xEF, 0xBB, 0xBF, 0x61]), contentType: nil))
    #expect(request.curlCommand(redaction: nil).contains(#"$'\357\273\277a'"#))
  }

  /// POSIX.1-2024 shells decode octal escapes; older ones, such as dash, do not support `$'…'`.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
    arguments: [
      ("\u{202E}gpj'.\\exe\n7", #"$'\342\200\256gpj\'.\\exe\n7'"#), ("\u{1B}[31m7", #"$'\033[31m7'"#),
      ("a\u{2028}b\u{9B}1\r", #"$'a\342\200\250b\302\2331\015'"#), ("\u{1}1", #"$'\0011'"#),
    ])
  func controlCharactersAreWrittenInOctal(body: String, written: String) throws {
    let request = HTTP.Request(method: .post, url: url, body: HTTP.Body(body, contentType: nil))
    let line = request.curlCommand(redaction: nil)
    #expect(line.hasSuffix("--data-raw \(written)"))
    #expect(try words(of: line, shell: "/bin/bash").last == body)
  }

  @Test func secretFieldsOfMultipartFormsAreHidden() throws {
    let form = HTTP.Body.multipart([.text("ada", name: "user"), .text("t0p", name: "password")])
    let line = HTTP.Request(method: .post, url: url, body: form).curlCommand()
    #expect(line.contains("ada") && line.contains("<redacted>"))
    #expect(!line.replacing(url.absoluteString, with: "").contains("t0p"))
  }

  @Test func fieldsOfABodyAreWrittenAsTheyAreSent() throws {
    let form = HTTP.Body.multipart([.text("ada", name: "user")])
    let type = try #require(form.contentType)
    let request = HTTP.Request(method: .post, url: url, headers: [.contentType: "multipart/form-data"], body: form)
    #expect(try words(of: request.curlCommand(redaction: nil)).contains("Content-Type: \(type)"))
  }

  @Test func secretsAreHiddenByDefault() throws {
    let request = HTTP.Request(
      method: .post, url: url, headers: [.authorization: "Bearer t0p", .cookie: "t0p"],
      body: HTTP.Body(Data(#"{"password":"t0p"}"#.utf8), contentType: .applicationJSON))
    let line = request.curlCommand()
    #expect(!line.contains("t0p"))
    #expect(line.contains("page=2") && line.contains("Authorization: <redacted>"))
    #expect(request.curlCommand(redaction: nil).contains("Bearer t0p"))
  }

  @Test(arguments: [
    (HTTP.Method.post, "", ["-X", "POST"]), (.post, "x", []), (.get, "x", ["-X", "GET"]), (.get, "", []),
    (.head, "", ["--head"]), (.head, "x", ["--head"]), (.delete, "", ["-X", "DELETE"]),
  ])
  func methodsAreWrittenIfTheyDifferFromCurlsDefault(method: HTTP.Method, body: String, words expected: [String]) throws
  {
    let body = body.isEmpty ? HTTP.Body.empty : HTTP.Body(Data(body.utf8))
    let words = try words(of: HTTP.Request(method: method, url: url, body: body).curlCommand(redaction: nil))
    #expect(Array(words.dropFirst().prefix { $0 != url.absoluteString }) == expected)
  }

  @Test func aBodyOfHEADIsAComment() {
    let request = HTTP.Request(method: .head, url: url, body: HTTP.Body("x"))
    #expect(request.curlCommand().hasSuffix("  # and a body, which curl cannot send with HEAD"))
    #expect(!request.curlCommand().contains("--data"))
  }

  @Test func modelsAreWrittenAsTheyAreSent() throws {
    let request = HTTP.Request(method: .post, url: url, body: .encoding(["name": "Ada", "password": "t0p"]))
    #expect(request.curlCommand().contains(#""name":"Ada""#) && !request.curlCommand().contains(#":"t0p""#))
    let words = try words(of: HTTP.Request(method: .post, url: url, body: .encoding([1])).curlCommand(redaction: nil))
    #expect(words == ["curl", url.absoluteString, "-H", "Content-Type: application/json", "--data-raw", "[1]"])
    let unencodable = HTTP.Request(method: .post, url: url, body: .encoding([Double.infinity]))
    #expect(unencodable.curlCommand().hasPrefix("curl -X POST "))
    #expect(unencodable.curlCommand().hasSuffix("  # and a body: value to be encoded"))
  }

  @Test func theMethodIsWrittenIfTheBodyCannotBe() throws {
    let chunks = AsyncStream<Data> { $0.finish() }
    for body in [.stream(chunks), .stream(chunks, length: 5), HTTP.Body(Data([0xFF, 0]))] as [HTTP.Body] {
      #expect(HTTP.Request(method: .post, url: url, body: body).curlCommand().hasPrefix("curl -X POST "))
    }
    #expect(!HTTP.Request(method: .post, url: url, body: .file(URL(filePath: "/tmp/a"))).curlCommand().contains("-X"))
  }

  @Test func bodiesThatCannotBeWrittenAreDescribed() throws {
    let stream = HTTP.Request(method: .post, url: url, body: .stream(AsyncStream<Data> { $0.finish() }, length: 5))
    #expect(stream.curlCommand().hasSuffix("  # and a body: stream, 5 B"))
    #expect(stream.body.isReadable)
    let binary = HTTP.Request(method: .post, url: url, body: HTTP.Body(Data([0xFF, 0])))
    #expect(binary.curlCommand().hasSuffix("  # and a body that is not text, 2 B"))
    let compressed = HTTP.Request(
      method: .post, url: url, body: HTTP.Body(Data([0x1F, 0x8B]), contentType: .applicationJSON))
    #expect(compressed.curlCommand().hasSuffix("  # and a body that is not text, 2 B"))
    let file = HTTP.Request(method: .post, url: url, body: .file(URL(filePath: "/tmp/a b.bin")))
    #expect(try words(of: file.curlCommand()).suffix(2) == ["--data-binary", "@/tmp/a b.bin"])
    let web = try #require(URL(string: "https://example.com/tmp/a"))
    #expect(!HTTP.Request(method: .post, url: url, body: .file(web)).curlCommand().contains("@"))
  }
}

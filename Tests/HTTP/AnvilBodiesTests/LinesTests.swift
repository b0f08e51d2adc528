import AnvilBodies
import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct LinesTests {
  @Test(arguments: [
    ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
    ("\r\n\r\n", ["", ""]), ("a\n\nb", ["a", "", "b"]), ("a\rb\n", ["a\rb"]), ("a\r", ["a\r"]),
    ("a\r\r\nb", ["a\r", "b"]),
    ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}", []), ("\u{FEFF}\n", [""]), ("é😀\n日本", ["é😀", "日本"]),
    ("a\u{2028}b\u{85}c\u{B}d\u{C}e", ["a\u{2028}b\u{85}c\u{B}d\u{C}e"]), ("\u{0}\n\u{0}", ["\u{0}", "\u{0}"]),
  ])
  func linesEndWithLFOrCRLF(text: String, lines: [String]) async throws {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.lines.all()
      #expect(found.elements.map { Array($0.utf8) } == lines.map { Array($0.utf8) })
      #expect(found.error == nil)
    }
  }

  @Test func invalidUTF8IsReplaced() async throws {
    let data = Data([0x61, 0xFF, 0x0A, 0xE2, 0x82, 0x0A, 0xF0, 0x9F, 0x98, 0x80])
    for sizes in [[1], [3], [10]] {
      #expect(await HTTP.Body.cut(data, sizes: sizes).lines.all().elements == ["a\u{FFFD}", "\u{FFFD}", "😀"])
    }
  }

  @Test(arguments: [
    ("abc\nabcd\nabc\n", 2), ("abc\r\nabcd", 2), ("\u{FEFF}abcd\r\n", 1), ("\u{FEFF}abc\r\nab\rd\r\n", 2),
    ("abcdefghijk", 1),
    ("\nabc\r\r\n", 2),
  ])
  func lineLengthsAreLimited(text: String, line: Int) async {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.lines(sizeLimit: 3).all()
      #expect(found.elements.count == line - 1)
      #expect(found.error as? HTTP.BodyError == .lineTooLong(line: line, limit: 3))
    }
    #expect("\(HTTP.BodyError.lineTooLong(line: 7, limit: 3))" == "line 7 has more than 3 bytes")
  }

  @Test(arguments: ["abc\r\nabc\n", "\u{FEFF}abc\r\n", "\u{FEFF}abc"])
  func theLimitExcludesLineEndsAndByteOrderMark(text: String) async {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.lines(sizeLimit: 3).all()
      #expect(found.error == nil && Set(found.elements) == ["abc"])
    }
  }

  @Test func extremeLimitsAreAccepted() async {
    #expect(await HTTP.Body("a\nb").lines(sizeLimit: .max).all().elements == ["a", "b"])
    #expect(await HTTP.Body("\n\n").lines(sizeLimit: 0).all().elements == ["", ""])
    #expect(
      await HTTP.Body("\na").lines(sizeLimit: .min).all().error as? HTTP.BodyError == .lineTooLong(line: 2, limit: 0))
  }

  /// An endless line is refused before it is complete.
  @Test func memoryIsBounded() async {
    let source = ChunkSource(Array(repeating: String(repeating: "x", count: 1_000), count: 100), then: .silence)
    let found = await HTTP.Body.stream(source).lines(sizeLimit: 10_000).all()
    #expect(found.error as? HTTP.BodyError == .lineTooLong(line: 1, limit: 10_000))
    #expect(source.readCount == 11)
  }

  /// Compared with lines that are split from the whole text.
  @Test func randomLinesAreSplitCorrectly() async {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let pieces = ["a", "\n", "\r\n", "\r", "bcd", "é", "", String(repeating: "x", count: 70)]
      let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in pieces[Int.random(in: 0..<8, using: &random)] }
        .joined()
      var expected = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
      for index in expected.indices.dropLast() where expected[index].last == "\r" { expected[index].removeLast() }
      if expected.last?.isEmpty == true { expected.removeLast() }
      let sizes = (0..<4).map { _ in Int.random(in: 1..<20, using: &random) }
      let found = await HTTP.Body.cut(Data(text.utf8), sizes: sizes).lines.all().elements
      #expect(found.map { Array($0.unicodeScalars) } == expected)
    }
  }
}

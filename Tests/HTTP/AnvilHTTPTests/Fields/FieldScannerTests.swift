import AnvilHTTP
import Testing

struct FieldScannerTests {
  private typealias Directive = FieldScanner.Directive

  @Test func directiveNamesAreLowercasedAndArgumentsUnchanged() {
    #expect(
      FieldScanner.directives(in: #"No-Store, Max-Age=60 ,private="Set-Cookie, X", ext = Token"#) == [
        Directive(name: "no-store"), Directive(name: "max-age", argument: "60"),
        Directive(name: "private", argument: "Set-Cookie, X"),
        Directive(name: "ext", argument: "Token", hasBlanks: true),
      ])
  }

  @Test(arguments: ["", ",", " , ,", ";;", "=1", "\"quoted\""])
  func malformedDirectivesAreSkipped(text: String) {
    #expect(FieldScanner.directives(in: text).isEmpty)
  }

  @Test func quotedStringsAreUnescaped() {
    var scanner = FieldScanner(#""a\"b\\c\d""#)
    #expect(scanner.quotedString() == #"a"b\cd"#)
    #expect(scanner.isAtEnd)
  }

  @Test func anUnterminatedQuotedStringIsNotRead() {
    var scanner = FieldScanner(#""abc\""#)
    #expect(scanner.quotedString() == nil)
    #expect(scanner.position == 0)
    #expect(FieldScanner.directives(in: #"a="x, b"#).first == Directive(name: "a", argument: ""))
  }

  /// Source: RFC 9110 §5.6.1.
  @Test(
    arguments: [
      ("", []), (" ,\t, ,", []), ("a", ["a"]), (" a , b\tc\t,", ["a", "b\tc"]), (",a,,b", ["a", "b"]),
      (#"a="x, y", b"#, [#"a="x, y""#, "b"]), (#""a", "b, c""#, [#""a""#, #""b, c""#]),
      (#""a\", b", c"#, [#""a\", b""#, "c"]), (#""a\\", b"#, [#""a\\""#, "b"]),
      // An unterminated quotation mark is an ordinary character.
      (#""a, b"#, [#""a"#, "b"]), (#"a, b", c"#, ["a", #"b""#, "c"]), (#""a\", b"#, [#""a\""#, "b"]),
      (#"a\, b"#, [#"a\"#, "b"]), ("\u{A0}a\u{A0}, \u{E4}", ["\u{A0}a\u{A0}", "\u{E4}"]),
      ("a,\u{301}b", ["a", "\u{301}b"]),
    ] as [(String, [String])])
  func elementsAreSeparatedByCommasOutsideQuotationMarks(text: String, elements: [String]) {
    #expect(FieldScanner.elements(in: text) == elements)
  }

  /// Source: RFC 9110 §8.8.3.
  @Test func aBackslashInAnEntityTagEscapesNothing() {
    let text = #""a\", W/"b, c", *"#
    #expect(FieldScanner.elements(in: text, quoting: .entityTags) == [#""a\""#, #"W/"b, c""#, "*"])
  }

  @Test func elementsOfAllLinesAreReturned() {
    let headers: HTTP.Headers = [.connection: "Close, x", .accept: "y", .connection: "\"upgrade\""]
    #expect(headers.elements(of: .connection) == ["Close", "x", "\"upgrade\""])
    #expect(headers.hasToken("close", in: .connection))
    #expect(!headers.hasToken("upgrade", in: .connection))
  }

  /// A new scan from each quotation mark would take quadratic time.
  @Test(.timeLimit(.minutes(15))) func unterminatedQuotesTakeLinearTime() {
    let value = "x=\"" + String(repeating: "\\\"", count: 500_000)
    #expect(FieldScanner.directives(in: value) == [Directive(name: "x", argument: "")])
    #expect(FieldScanner.elements(in: value) == [value])
  }
}

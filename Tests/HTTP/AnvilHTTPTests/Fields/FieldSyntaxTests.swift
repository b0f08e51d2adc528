import AnvilBase
import AnvilHTTP
import Testing

struct FieldSyntaxTests {
  /// Source: RFC 9110 §5.6.2.
  @Test func tokensConsistOfLettersDigitsAndFifteenMarks() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let accepted = Set("!#$%&'*+-.^_`|~0123456789\(letters)".utf8)
    #expect((0...UInt8.max).filter(\.isHTTPTokenByte) == accepted.sorted())
  }

  @Test(arguments: [
    ("", ""), (" \t ", ""), ("a", "a"), ("\ta b ", "a b"), (" \u{301}", "\u{301}"), ("\u{A0}a\r\n", "\u{A0}a\r\n"),
  ])
  func spacesAndTabsAreTrimmed(text: String, trimmed: String) {
    #expect(Array(text.trimmingBlanks.utf8) == Array(trimmed.utf8))
    #expect(Array(text.utf8.trimmingBlanks) == Array(trimmed.utf8))
  }
}

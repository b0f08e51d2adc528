import AnvilHTTP
import Testing

struct FieldScannerTests {
  private typealias Directive = FieldScanner.Directive

  @Test func directivesHaveNamesInLowerCaseAndArgumentsAsTheyAre() {
    #expect(
      FieldScanner.directives(in: #"No-Store, Max-Age=60 ,private="Set-Cookie, X", ext = Token"#) == [
        Directive(name: "no-store"), Directive(name: "max-age", argument: "60"),
        Directive(name: "private", argument: "Set-Cookie, X"), Directive(name: "ext", argument: "Token"),
      ])
  }

  @Test(arguments: ["", ",", " , ,", ";;", "=1", "\"quoted\""])
  func whatIsNoDirectiveIsLeftOut(text: String) {
    #expect(FieldScanner.directives(in: text).isEmpty)
  }

  @Test func escapesAreTakenOutOfQuotedStrings() {
    var scanner = FieldScanner(#""a\"b\\c\d""#)
    #expect(scanner.quotedString() == #"a"b\cd"#)
    #expect(scanner.isAtEnd)
  }

  @Test func aQuotedStringWithoutEndIsNotRead() {
    var scanner = FieldScanner(#""abc\""#)
    #expect(scanner.quotedString() == nil)
    #expect(scanner.position == 0)
    #expect(FieldScanner.directives(in: #"a="x, b"#).first == Directive(name: "a", argument: ""))
  }

  /// Looked at anew from each mark it would take longer than anybody waits.
  @Test(.timeLimit(.minutes(5))) func marksWithoutEndTakeLinearTime() {
    let value = "x=\"" + String(repeating: "\\\"", count: 500_000)
    #expect(FieldScanner.directives(in: value) == [Directive(name: "x", argument: "")])
  }
}

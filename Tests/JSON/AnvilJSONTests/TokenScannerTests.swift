import Testing

@testable import AnvilJSON

@Suite(.timeLimit(.minutes(15))) struct TokenScannerTests {
  /// A byte-order mark and no-break spaces often come with text that was copied from a page.
  @Test(arguments: ["[1]", " [ 1 ] ", "\u{FEFF}[1]", "\u{A0}[\u{A0}\u{A0}1]\u{A0}", "[\u{FEFF}1\n]\t"])
  func whiteSpaceOfAnyKindIsSkipped(text: String) {
    let bytes = Array(text.utf8)
    var scanner = bytes.tokens()
    var tokens: [String] = []
    while let token = scanner.next() { tokens.append(String(decoding: bytes[token.range], as: UTF8.self)) }
    #expect(tokens == ["[", "1", "]"])
  }
}

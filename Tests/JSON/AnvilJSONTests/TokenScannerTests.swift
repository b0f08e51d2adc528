import Testing

@testable import AnvilJSON

@Suite(.timeLimit(.minutes(15))) struct TokenScannerTests {
  /// The tokens that are not comments.
  private func tokens(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    var scanner = bytes.tokens()
    var tokens: [String] = []
    while let token = scanner.nextToken() { tokens.append(String(decoding: bytes[token.range], as: UTF8.self)) }
    return tokens
  }

  /// A byte-order mark and no-break spaces often come with text that was copied from a page.
  @Test(arguments: [
    "[1]", " [ 1 ] ", "\u{FEFF}[1]", "\u{A0}[\u{A0}\u{A0}1]\u{A0}", "[\u{FEFF}1\n]\t",
    "[\u{2028}1\u{2003}]\u{3000}",
  ])
  func whiteSpaceOfAnyKindIsSkipped(text: String) {
    #expect(tokens(of: text) == ["[", "1", "]"])
  }

  @Test(arguments: ["1/* ] */,2", "1// ,\n,2", "1//\u{2028},2", "1/**/ , /*,*/2"])
  func aCommentEndsAWord(text: String) {
    #expect(tokens(of: text) == ["1", ",", "2"])
  }

  @Test(arguments: [
    (#"na\u00efve"#, "naïve"), (#""na\u00efve""#, "naïve"), (#"'it\'s'"#, "it's"), (#"\u0069d"#, "id"),
    (#"\q"#, #"\q"#),
    (#""\q\u12""#, #"\q\u12"#), ("plain", "plain"),
  ])
  func aKeyIsReadWithoutEscapes(text: String, key: String) {
    let bytes = Array(text.utf8)
    var scanner = bytes.tokens()
    guard let token = scanner.next() else {
      Issue.record("no token")
      return
    }
    #expect(scanner.string(token) == key)
  }
}

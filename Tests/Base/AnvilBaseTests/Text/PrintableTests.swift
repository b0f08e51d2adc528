import AnvilBase
import Testing

/// The escaping of external text before it is printed.
struct PrintableTests {
  @Test(
    arguments: [
      ("\u{1B}[31m", #"\u{1b}[31m"#), ("a\r\nb\tc", #"a\u{d}\u{a}b\u{9}c"#), ("\0\u{7F}", #"\u{0}\u{7f}"#),
      // C1: what 8-bit terminals take for ESC [, and next line.
      ("\u{9B}31m\u{85}", #"\u{9b}31m\u{85}"#),
      // Direction: overrides, embeddings, isolates and marks.
      ("\u{202E}gpj.exe", #"\u{202e}gpj.exe"#),
      ("\u{202A}\u{202B}\u{202C}\u{202D}", #"\u{202a}\u{202b}\u{202c}\u{202d}"#),
      ("\u{2066}\u{2067}\u{2068}\u{2069}", #"\u{2066}\u{2067}\u{2068}\u{2069}"#),
      ("\u{200E}\u{200F}\u{61C}", #"\u{200e}\u{200f}\u{61c}"#),
      // Line ends of Unicode.
      ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#),
      // Invisible characters.
      ("a\u{200B}\u{200C}\u{2060}\u{AD}\u{FEFF}", #"a\u{200b}\u{200c}\u{2060}\u{ad}\u{feff}"#),
      ("\u{3164}\u{115F}\u{E0041}\u{E0100}", #"\u{3164}\u{115f}\u{e0041}\u{e0100}"#), ("\u{E000}", #"\u{e000}"#),
    ] as [(String, String)])
  func controlAndInvisibleCharactersAreEscaped(text: String, shown: String) {
    #expect(text.printable == shown)
    #expect(shown.printable == shown)
  }

  @Test(arguments: ["", "plain ~", "naïve ΑΒΓ 日本語", "e\u{301}", "👩‍👩‍👧 ❤️ ☂︎", "\u{A0}\u{3000}", "עברית عربي", #"\u{1b}\"#])
  func otherTextIsUnchanged(text: String) {
    #expect(text.printable == text)
    #expect(text.printable(limit: 100) == text)
  }

  @Test(arguments: [("", 2, ""), ("ab", 2, "ab"), ("abc", 2, "ab…"), ("a\n", 2, #"a\u{a}"#), ("a\nb", 2, #"a\u{a}…"#)])
  func longTextIsTruncated(text: String, limit: Int, shown: String) {
    #expect(text.printable(limit: limit) == shown)
  }

  @Test func aLongCharacterIsTruncated() {
    let text = "e" + String(repeating: "\u{301}", count: 10_000)
    #expect(text.printable(limit: 40).unicodeScalars.count == 41)
  }
}

import AnvilBase
import Testing

struct FormEncodingTests {
  /// Source: the URL standard, "application/x-www-form-urlencoded serializing".
  @Test(arguments: [
    ("", ""), ("a b", "a+b"), ("a+b", "a%2Bb"), ("*-._", "*-._"), ("~", "%7E"), ("ä", "%C3%A4"), ("a[b]", "a%5Bb%5D"),
    ("\0\n", "%00%0A"), ("%41", "%2541"),
  ])
  func textIsEncodedAndDecoded(text: String, encoded: String) {
    #expect(FormEncoding.encode(text) == encoded)
    #expect(FormEncoding.decode(encoded.utf8) == text)
  }

  @Test func aPercentSignWithoutDigitsIsKept() {
    #expect(FormEncoding.decode("100%+%4".utf8) == "100% %4")
  }

  @Test func bytesThatAreNotUTF8AreRejected() {
    #expect(FormEncoding.decode("%C3".utf8) == nil)
    #expect(FormEncoding.decode([0xFF]) == nil)
  }
}

import AnvilBase
import Testing

struct PercentEncodingTests {
  /// Source: RFC 3986 §2.1.
  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("%41%7a%7A", "Azz"), ("%C3%a4", "\u{E4}"), ("%25%34%31", "%41"), ("%2541", "%41"),
    ("a+b", "a+b"),
    ("%00", "\0"),
    // What two hexadecimal digits do not follow stays.
    ("%", "%"), ("%%", "%%"), ("%4", "%4"), ("%4g", "%4g"), ("%g4", "%g4"), ("%%41", "%A"), ("%4%41", "%4A"),
    ("%+1", "%+1"),
    ("%\u{FF14}1", "%\u{FF14}1"),
  ])
  func tripletsAreDecoded(encoded: String, decoded: String) {
    #expect(PercentEncoding.decode(encoded.utf8) == Array(decoded.utf8))
  }

  @Test func everyByteSurvivesARoundTrip() {
    for byte in 0...UInt8.max {
      var text = ""
      PercentEncoding.append(byte, to: &text)
      #expect(PercentEncoding.decode(text.utf8) == [byte])
      #expect(PercentEncoding.decode(text.lowercased().utf8) == [byte])
    }
  }
}

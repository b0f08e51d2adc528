import AnvilJSON
import Foundation
import Testing

@Suite struct TextDecodingTests {
  @Test func textIsDecodedLikeItsBytes() throws {
    let decoder = JSON.Decoder()
    for text in [#"["é", "\u00e9", "😀"]"#, "\u{FEFF}[]", "[1]", "[", "", "[\"\u{0}\"]"] {
      let fromText = Result { try decoder.decode([String].self, from: text) }
      let fromData = Result { try decoder.decode([String].self, from: Data(text.utf8)) }
      #expect((try? fromText.get()) == (try? fromData.get()))
      #expect("\(fromText)" == "\(fromData)")
    }
    // A literal is the text, not a JSON string.
    #expect(try decoder.decode(Int.self, from: "7") == 7)
  }
}

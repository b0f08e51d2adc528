import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

/// Texts whose only errors are escapes of unpaired surrogates.
@Suite struct RepairTests {
  private func repairing(_ text: String, _ options: JSON.ParsingOptions = .init()) -> JSON.RepairedText? {
    JSON.repairing(Data(text.utf8), options: options)
  }

  @Test func halvesOfPairsAreReplaced() throws {
    let text = "\u{FEFF}" + #"{"a": ["\uD83D\uDE00", "x\ud800y"], "b": {"\udc00": 1, "c": "\ud83d"}, "d": "\\ud800"}"#
    let repaired = try #require(repairing(text))
    #expect(repaired.replacements.map(\.path) == [["a", 1], ["b"], ["b", "c"]])
    #expect(repaired.replacements.map(\.escape) == [#"\ud800"#, #"\udc00"#, #"\ud83d"#])
    #expect(
      repaired.value == ["a": ["😀", "x\u{FFFD}y"], "b": ["\u{FFFD}": 1, "c": "\u{FFFD}"], "d": #"\ud800"#])
  }

  @Test(arguments: [
    "[1]", #"["\ud800""#, #"["\ud800", "\x"]"#, #"["\ud8"]"#, #""\ud800\ud8"#, #"["\ud800] "#, "", "\\",
  ])
  func otherTextsAreNotRepaired(text: String) {
    #expect(repairing(text) == nil)
  }

  @Test func otherLanguagesAreNotRepaired() {
    #expect(repairing(#"["\ud800"]"#, .init(syntax: .json5)) == nil)
    #expect(repairing(#""a": "\ud800""#, .init(root: .members)) == nil)
    #expect(
      JSON.repairing(Data(#"["\ud800"]"#.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] }), options: .init()) == nil
    )
  }

  /// The replacements are the same as Swift's for invalid UTF-16.
  @Test func randomEscapesAreReplacedLikeInUTF16() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<rounds(5_000) {
      var paths: [JSON.Path] = []
      var texts: [String] = []
      let expected = (0..<Int.random(in: 1...4)).map { index in
        var text = ""
        var units: [UInt16] = []
        for _ in 0..<Int.random(in: 0...8) {
          let unit =
            [0x5C, 0x22, 0x61, 0xE9, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0x0A].randomElement(using: &random) ?? 0x61
          units.append(UInt16(unit))
          let digits = String(unit, radix: 16, uppercase: Bool.random())
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          if Bool.random() { continue }
          units.append(0x5C)
          text += #"\\"#
        }
        texts.append("\"\(text)\"")
        let string = String(decoding: units, as: UTF16.self)
        paths += string.unicodeScalars.filter { $0 == "\u{FFFD}" }.map { _ in [JSON.Path(index)] }
        return JSON(stringLiteral: string)
      }
      let text = "[\(texts.joined(separator: ", "))]"
      let repaired = repairing(text)
      #expect(repaired?.replacements.map(\.path) ?? [] == paths, "\(text)")
      let value = try repaired?.value ?? JSON(parsing: text)
      #expect(value == JSON(expected), "\(text)")
    }
  }
}

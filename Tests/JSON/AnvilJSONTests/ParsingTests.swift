import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ParsingTests {
  private func parse(_ text: String, options: JSON.ParsingOptions = .init()) throws(JSON.SyntaxError) -> Document {
    try JSON(parsing: text, options: options).document
  }

  private func failure(_ text: String, options: JSON.ParsingOptions = .init()) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try parse(text, options: options)
      return nil
    } catch {
      return error
    }
  }

  /// Escapes are resolved in place. The text after them does not move.
  @Test(arguments: [
    (#""\n"#, 3), (#""\/\/ab"#, 7), (#""ü\u00fc ü\t"#, 14), (#""\n0123456789abcdef0123456789abcdef"#, 35),
  ])
  func invalidBytesAfterEscapesHaveTheirOffset(text: String, offset: Int) {
    for byte in [0xFF, 0x80, 0xC3] as [UInt8] {
      do throws(JSON.SyntaxError) {
        _ = try JSON(parsing: Array(text.utf8) + [byte, 0x22])
        Issue.record("accepted")
      } catch {
        #expect(error.code == .invalidEncoding && error.offset == offset)
      }
    }
  }

  /// Later letters that fit do not count.
  @Test(arguments: [("tu[", "true", 1), ("nlll", "null", 1), ("[fase]", "false", 3), ("txue", "true", 1)])
  func aMisspeltLiteralIsWrongAtItsFirstOtherLetter(text: String, name: String, offset: Int) {
    let error = failure(text)
    #expect(error?.offset == offset)
    #expect(error?.code == .unexpectedByte(Array(text.utf8)[offset], expected: name))
  }

  /// Runs between escapes of every length, each moved by some bytes.
  @Test func runsBetweenEscapesAreMovedWhole() throws {
    let characters = "abcdefghijklmnopqrstuvwxyz0123456789"
    for first in 0..<34 {
      for second in 0..<34 {
        let (start, end) = (characters.prefix(first), characters.suffix(second))
        let json = try JSON(parsing: #"["\#(start)\/\#(end)\n\#(start)","\\\#(end)\u0041\#(start)", "\#(end)"]"#)
        #expect(json[0]?.string == "\(start)/\(end)\n\(start)")
        #expect(json[1]?.string == "\\\(end)A\(start)")
        #expect(json[2]?.string == "\(end)")
      }
    }
  }

  /// The layout that the tape's documentation shows.
  @Test func tapeHasTheDocumentedLayout() throws {
    let document = try parse(#"{"a": [1, 2.5], "bc": null}"#)
    let words = (0..<document.wordCount).map { document.tape[$0] }
    #expect(words.count == 8)
    #expect(words[0].is(.object) && words[0].count == 2 && words[0].span == 8)
    #expect(words[1].is(.string) && words[1].offset == 2 && words[1].length == 1)
    #expect(words[2].is(.array) && words[2].count == 2 && words[2].span == 4)
    #expect(words[3].is(.integer) && words[3].integer == 1)
    #expect(words[4].is(.double) && words[4].offset == 10 && words[4].length == 3 && words[4].span == 2)
    #expect(Double(bitPattern: words[5].bits) == 2.5)
    #expect(words[6].is(.string) && words[6].offset == 17 && words[6].length == 2)
    #expect(words[7].is(.null))
  }

  @Test(arguments: ["[]", "{}", "[[]]", #"{"a":{}}"#, "[[],[]]", "[{},[],{}]", " [ ] ", "[1]", "[[1],[2,[3]]]"])
  func spansOfContainersCoverTheirContents(text: String) throws {
    let document = try parse(text)
    func end(of index: Int) -> Int {
      let word = document.tape[index]
      guard word.isContainer else { return index + word.span }
      var next = index + 1
      for _ in 0..<word.count {
        if word.is(.object) { next = end(of: next) }
        next = end(of: next)
      }
      #expect(next == index + word.span)
      return next
    }
    #expect(end(of: 0) == document.wordCount)
  }

  // MARK: Strings

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\uD83D\uDE00""#, "😀"), (#""\u0000""#, "\0"), (#""grüße 日本 😀""#, "grüße 日本 😀"), (#""日\n本""#, "日\n本"),
    (#""\u65e5本""#, "日本"),
    (
      #""0123456789abcdef\n0123456789abcdefghijklmnopqrstuvwxyz""#,
      "0123456789abcdef\n0123456789abcdefghijklmnopqrstuvwxyz"
    ),
    (
      #""\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nabcdefghijklmnopqrstuvwxyz""#,
      String(repeating: "\n", count: 20) + "abcdefghijklmnopqrstuvwxyz"
    ),
    (
      #""\/\/\/\/\/\/\/\/\/\/\/\/\/\/\/\/\/\/0123456789ABCDEFGHIJ\/0123456789ABCDEFGHIJ0123456789ABCDEFGHIJ""#,
      String(repeating: "/", count: 18) + "0123456789ABCDEFGHIJ/0123456789ABCDEFGHIJ0123456789ABCDEFGHIJ"
    ),
  ])
  func escapesInStringsAreResolved(text: String, expected: String) throws {
    let document = try parse(text)
    #expect(Array(document.string(at: 0).unicodeScalars) == Array(expected.unicodeScalars))
  }

  /// Long white space is skipped in words. Any other byte in a word must be detected.
  @Test(arguments: [0x00, 0x08, 0x0B, 0x0C, 0x1F, 0x21, 0x60, 0x7F] as [UInt8])
  func otherBytesInWhiteSpaceAreRefused(byte: UInt8) {
    let character = String(UnicodeScalar(byte))
    for blank in [" ", "\n", "\t"] {
      for offset in 0..<40 {
        let text =
          "[" + String(repeating: blank, count: offset) + character + String(repeating: blank, count: 40 - offset)
          + "1]"
        #expect(failure(text)?.offset == 1 + offset, "\(offset) of \(blank.debugDescription)")
      }
    }
  }

  @Test(arguments: ["-", "1.", "-0.", "1e", "1E+", "1e-", "1.5e", "[1.", "{\"a\":-", "[0e"])
  func truncatedAndInvalidNumbersHaveDifferentErrors(text: String) {
    #expect(failure(text)?.code == .unexpectedEnd && failure(text)?.offset == text.utf8.count)
    #expect(failure(text + "x")?.code == .invalidNumber && failure(text + "x")?.offset == text.utf8.count)
  }

  @Test func stringsOfEveryLengthAndEscapeSurvive() throws {
    for length in 0..<70 {
      for escape in [nil, 0, length / 2, length] as [Int?] {
        var text = String(repeating: "x", count: length)
        var expected = text
        if let escape {
          text.insert(contentsOf: "\\u00e9", at: text.index(text.startIndex, offsetBy: escape))
          expected.insert("é", at: expected.index(expected.startIndex, offsetBy: escape))
        }
        #expect(try parse("[\"\(text)\", 7]").string(at: 1) == expected, "\(length) \(String(describing: escape))")
      }
    }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF0, 0x9F, 0x98, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22],
      [0x22, 0xC3, 0x5C, 0x6E, 0x22], [0x22, 0x5C, 0x6E, 0xA9, 0x22],
      [0x22, 0xC3, 0x5C, 0x75, 0x30, 0x30, 0x65, 0x39, 0x22],
    ] as [[UInt8]])
  func invalidUTF8IsRefused(bytes: [UInt8]) {
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: bytes) }
    let padded = Array(repeating: 0x20 as UInt8, count: 20) + bytes
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: padded) }
  }

  @Test(arguments: [#""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800x""#, #""\uD800\n""#])
  func loneSurrogatesAreRefused(text: String) {
    #expect(failure(text)?.code == .loneSurrogate && failure(text)?.offset == 1)
  }

  // MARK: Errors

  @Test(arguments: [
    ("", "unexpected end at line 1, column 1 (byte 0)"),
    ("{\n  \"a\": 1,\n  \"b\": tru\n}", "expected true, found byte 0x0A at line 3, column 11 (byte 22)"),
    ("[1, 2", "unexpected end at line 1, column 6 (byte 5)"),
    ("[1 2]", "expected ',' or ']', found '2' at line 1, column 4 (byte 3)"),
    ("{\"a\" 1}", "expected ':', found '1' at line 1, column 6 (byte 5)"),
    ("{a: 1}", "expected a key in quotation marks, found 'a' at line 1, column 2 (byte 1)"),
    ("[01]", "invalid number at line 1, column 3 (byte 2)"),
    ("[1.]", "invalid number at line 1, column 4 (byte 3)"),
    ("[-]", "invalid number at line 1, column 3 (byte 2)"),
    ("[\"ü\",\r\n\"é\" x]", "expected ',' or ']', found 'x' at line 2, column 5 (byte 13)"),
    ("[\"a\tb\"]", "byte 0x09 in a string, where it must be escaped at line 1, column 4 (byte 3)"),
    ("\"\\x\"", "invalid escape sequence at line 1, column 2 (byte 1)"),
    ("[1] 2", "content after the value at line 1, column 5 (byte 4)"),
    ("\"abc", "unexpected end at line 1, column 5 (byte 4)"),
    ("[1,]", "expected a value, found ']' at line 1, column 4 (byte 3)"),
    ("nul", "unexpected end at line 1, column 4 (byte 3)"),
    ("[1\u{0}]", "expected ',' or ']', found byte 0x00 at line 1, column 3 (byte 2)"),
  ])
  func errorsContainReasonAndLocation(text: String, expected: String) {
    #expect(failure(text)?.description == expected)
  }

  @Test func nestingHasALimit() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    _ = try parse(nested(512))
    #expect(failure(nested(513))?.code == .tooDeep(limit: 512))
    #expect(failure(nested(513))?.offset == 512)
    _ = try parse(nested(100_000), options: .init(depthLimit: 100_000))
    #expect(failure(String(repeating: "[{\"a\":", count: 100_000))?.code == .tooDeep(limit: 512))
  }

  @Test func sizeHasALimit() throws {
    _ = try parse("[1]", options: .init(sizeLimit: 3))
    #expect(failure("[1] ", options: .init(sizeLimit: 3))?.code == .tooLarge(limit: 3))
  }

  @Test func fragmentsCanBeRefused() throws {
    _ = try parse("1")
    _ = try parse(" []", options: .init(root: .container))
    #expect(failure("1", options: .init(root: .container))?.code == .fragment)
  }

  // MARK: Encodings

  @Test(arguments: [
    String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16, .utf32,
  ])
  func everyEncodingIsRead(encoding: String.Encoding) throws {
    for text in [#"{"a": "grüße 😀", "b": [1, null]}"#, "[]", "{}", "1", "12", "\"\"", "\"é\""] {
      let data = try #require(text.data(using: encoding))
      let document = try JSON(parsing: data).document
      let expected = try parse(text)
      #expect(document.wordCount == expected.wordCount, "\(text)")
      for index in 0..<document.wordCount where document.tape[index].is(.string) && expected.tape[index].is(.string) {
        #expect(document.string(at: index) == expected.string(at: index))
      }
    }
  }

  @Test func utf8MarkIsSkipped() throws {
    #expect(try JSON(parsing: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)).document.wordCount == 2)
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: [0xEF, 0xBB, 0xBF]) }
  }

  @Test func incompleteUTF16CharactersAreRefused() {
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: [0xFF, 0xFE, 0x22, 0, 0x3D, 0xD8, 0x22, 0]) }
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: [0xFE, 0xFF, 0, 0x31, 0]) }
  }

  /// The parser terminates for any bytes. Assertions of the padded memory check every access.
  @Test func randomDamageNeverTraps() throws {
    var random = RandomSource(seed: 42)
    let texts = [
      #"{"id":1234567890123,"name":"grüße \ud83d\ude00 \n","tags":["a","b",null,true,false],"score":-1.5e-3,"nested":{"deep":[[[{}]]]}}"#,
      #"[1,2.25,-0,1e400,123456789012345678901234567890,"\\\"\/","日本語日本語日本語日本語"]"#,
    ]
    for _ in 0..<20_000 {
      var bytes = Array(random.pick(texts).utf8)
      for _ in 0...random.below(4) { Damage.apply(to: &bytes, &random) }
      let ours = try? JSON(parsing: bytes)
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      // Foundation accepts more in known cases, such as trailing commas and large exponents, which are not generated
      // here.
      if ours != nil, theirs == nil, !Self.isOutOfFoundationsRange(bytes) {
        Issue.record("accepted \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  /// Foundation rejects numbers out of the range of a double, which are valid JSON.
  private static func isOutOfFoundationsRange(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(/[0-9][eE][+]?[0-9]{3,}/)
  }
}

import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@Suite struct JSON5ErrorTests {
  private func failure(_ bytes: [UInt8], options: JSON.ParsingOptions = .init(syntax: .json5)) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try JSON(parsing: bytes, options: options)
      return nil
    } catch {
      return error
    }
  }

  private func failure(_ text: String, options: JSON.ParsingOptions = .init(syntax: .json5)) -> JSON.SyntaxError? {
    failure(Array(text.utf8), options: options)
  }

  @Test(arguments: [
    ("", "unexpected end at line 1, column 1 (byte 0)"),
    (" // nothing", "unexpected end at line 1, column 12 (byte 11)"),
    ("[1, 2", "unexpected end at line 1, column 6 (byte 5)"),
    ("{a: 1", "unexpected end at line 1, column 6 (byte 5)"),
    ("{a", "unexpected end at line 1, column 3 (byte 2)"),
    ("{", "unexpected end at line 1, column 2 (byte 1)"),
    ("[,]", "expected a value, found ',' at line 1, column 2 (byte 1)"),
    ("[1,,2]", "expected a value, found ',' at line 1, column 4 (byte 3)"),
    ("{,}", "expected a key, found ',' at line 1, column 2 (byte 1)"),
    ("{a:1,,}", "expected a key, found ',' at line 1, column 6 (byte 5)"),
    ("{1a:1}", "expected a key, found '1' at line 1, column 2 (byte 1)"),
    ("{a-b:1}", "expected ':', found '-' at line 1, column 3 (byte 2)"),
    ("{a b:1}", "expected ':', found 'b' at line 1, column 4 (byte 3)"),
    ("{a:1 b:2}", "expected ',' or '}', found 'b' at line 1, column 6 (byte 5)"),
    ("[1 2]", "expected ',' or ']', found '2' at line 1, column 4 (byte 3)"),
    ("[1}", "expected ',' or ']', found '}' at line 1, column 3 (byte 2)"),
    ("1 2", "content after the value at line 1, column 3 (byte 2)"),
    ("1}", "content after the value at line 1, column 2 (byte 1)"),
    ("{\"ü\": 'é',\r\n  ß: 1 2}", "expected ',' or '}', found '2' at line 2, column 8 (byte 22)"),
    ("tru", "unexpected end at line 1, column 4 (byte 3)"),
    ("trie", "expected true, found 'i' at line 1, column 3 (byte 2)"),
    ("Infinit", "unexpected end at line 1, column 8 (byte 7)"),
    ("-Inf", "unexpected end at line 1, column 5 (byte 4)"),
    ("infinity", "expected a value, found 'i' at line 1, column 1 (byte 0)"),
    ("undefined", "expected a value, found 'u' at line 1, column 1 (byte 0)"),
    ("Infinityx", "content after the value at line 1, column 9 (byte 8)"),
    ("[truefalse]", "expected ',' or ']', found 'f' at line 1, column 6 (byte 5)"),
    ("01", "invalid number at line 1, column 3 (byte 2)"), ("-01", "invalid number at line 1, column 4 (byte 3)"),
    ("00", "invalid number at line 1, column 3 (byte 2)"), ("[.]", "invalid number at line 1, column 3 (byte 2)"),
    (".", "unexpected end at line 1, column 2 (byte 1)"), ("+", "unexpected end at line 1, column 2 (byte 1)"),
    ("++1", "expected a number, found '+' at line 1, column 2 (byte 1)"),
    ("- 1", "expected a number, found a space at line 1, column 2 (byte 1)"),
    ("-'a'", "expected a number, found ''' at line 1, column 2 (byte 1)"),
    ("[1e]", "invalid number at line 1, column 4 (byte 3)"), ("1e+", "unexpected end at line 1, column 4 (byte 3)"),
    ("0x", "unexpected end at line 1, column 3 (byte 2)"), ("[0xg]", "invalid number at line 1, column 4 (byte 3)"),
    ("[0x1.8]", "expected ',' or ']', found '.' at line 1, column 5 (byte 4)"),
    ("[1a]", "expected ',' or ']', found 'a' at line 1, column 3 (byte 2)"),
    ("[1_000]", "expected ',' or ']', found '_' at line 1, column 3 (byte 2)"),
    ("[0b1]", "expected ',' or ']', found 'b' at line 1, column 3 (byte 2)"),
    ("'abc", "unexpected end at line 1, column 5 (byte 4)"), ("'abc\"", "unexpected end at line 1, column 6 (byte 5)"),
    ("'a\nb'", "byte 0x0A in a string, where it must be escaped at line 1, column 3 (byte 2)"),
    ("'a\rb'", "byte 0x0D in a string, where it must be escaped at line 1, column 3 (byte 2)"),
    (#"'a\1'"#, "invalid escape sequence at line 1, column 3 (byte 2)"),
    (#"'\9'"#, "invalid escape sequence at line 1, column 2 (byte 1)"),
    (#"'\01'"#, "invalid escape sequence at line 1, column 2 (byte 1)"),
    (#"'\x4'"#, "invalid escape sequence at line 1, column 2 (byte 1)"),
    (#"'\x4"#, "unexpected end at line 1, column 2 (byte 1)"), (#"'\"#, "unexpected end at line 1, column 2 (byte 1)"),
    (#"'\u{41}'"#, "invalid escape sequence at line 1, column 2 (byte 1)"),
    (#"'\uD800'"#, "unpaired surrogate at line 1, column 2 (byte 1)"),
    (#"'\uD800\uD800'"#, "unpaired surrogate at line 1, column 2 (byte 1)"),
    (#"{a\x41:1}"#, "invalid escape sequence at line 1, column 3 (byte 2)"),
    (#"{\u0031:1}"#, "invalid escape sequence at line 1, column 2 (byte 1)"),
    (#"{a\u0020b:1}"#, "invalid escape sequence at line 1, column 3 (byte 2)"),
    ("{\u{301}a:1}", "expected a key, found byte 0xCC at line 1, column 2 (byte 1)"),
    ("{😀:1}", "expected a key, found byte 0xF0 at line 1, column 2 (byte 1)"),
    ("1 /* c", "unexpected end at line 1, column 7 (byte 6)"), ("/*/", "unexpected end at line 1, column 4 (byte 3)"),
    ("/", "unexpected end at line 1, column 2 (byte 1)"),
    ("1 / 2", "expected '/' or '*', found a space at line 1, column 4 (byte 3)"),
    ("/* /* */ */ 1", "expected a value, found '*' at line 1, column 10 (byte 9)"),
    ("\u{180E}1", "expected a value, found byte 0xE1 at line 1, column 1 (byte 0)"),
    ("\u{85}1", "expected a value, found byte 0xC2 at line 1, column 1 (byte 0)"),
  ])
  func errorsContainReasonAndLocation(text: String, expected: String) {
    #expect(failure(text)?.description == expected)
  }

  @Test func aNULIsNoWhitespace() {
    #expect(failure("[1\0]")?.description == "expected ',' or ']', found byte 0x00 at line 1, column 3 (byte 2)")
    #expect(failure("\0")?.description == "expected a value, found byte 0x00 at line 1, column 1 (byte 0)")
    #expect(failure("1 \0")?.code == .trailingContent)
  }

  @Test func jsonStaysStrict() {
    for text in ["[1,]", "{a:1}", "'a'", "// c\n1", "+1", ".5", "5.", "0x10", "Infinity", "NaN", "\u{A0}1"] {
      #expect(failure(text, options: .init()) != nil, "\(text)")
    }
  }

  @Test func depthAndSizeLimitsApply() throws {
    let options = JSON.ParsingOptions(depthLimit: 3, sizeLimit: 20, syntax: .json5)
    #expect(failure("[[[]]]", options: options) == nil)
    #expect(failure("[{a:[[", options: options)?.code == .tooDeep(limit: 3))
    #expect(failure("[{a:[[", options: options)?.offset == 5)
    #expect(failure(String(repeating: "1", count: 20), options: options) == nil)
    #expect(failure(String(repeating: "1", count: 21), options: options)?.code == .tooLarge(limit: 20))
    let nested = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(failure(nested)?.code == .tooDeep(limit: 512))
    #expect(failure(nested, options: .init(depthLimit: 100_000, syntax: .json5)) == nil)
    #expect(failure("1", options: .init(root: .container, syntax: .json5))?.code == .fragment)
    #expect(failure("/**/[]", options: .init(root: .container, syntax: .json5)) == nil)
  }

  @Test func invalidEncodingIsReportedAtItsOffset() {
    #expect(failure([0x27, 0x61, 0xFF, 0x27])?.description == "invalid text encoding at line 1, column 3 (byte 2)")
    #expect(failure([0x2F, 0x2F, 0xC3, 0x28])?.description == "invalid text encoding at line 1, column 3 (byte 2)")
    #expect(failure([0x31, 0x20, 0xED, 0xA0, 0x80])?.code == .invalidEncoding)
    // The first error in the text is reported.
    #expect(failure([0x5B, 0x2C, 0xFF])?.code == .unexpectedByte(0x2C, expected: "a value"))
  }

  @Test(arguments: [JSON.ParsingOptions.Syntax.json, .json5])
  func offsetsAreThoseOfTheText(syntax: JSON.ParsingOptions.Syntax) throws {
    let text = "[\"é😀\",\n x]"
    for (encoding, width) in [
      (String.Encoding.utf16LittleEndian, 2), (.utf16BigEndian, 2), (.utf32LittleEndian, 4), (.utf32BigEndian, 4),
    ] {
      let data = try #require(text.data(using: encoding))
      let error = try #require(failure(Array(data), options: .init(syntax: syntax)))
      #expect(error.offset == (width == 2 ? 9 : 8) * width)
      #expect(error.line == 2 && error.column == 2)
    }
    let marked = failure([0xFF, 0xFE, 0x5B, 0, 0x78, 0], options: .init(syntax: syntax))
    #expect(marked?.offset == 4)
  }

  // MARK: Bad input

  private static let texts = [
    #"/* head */ {id: +1234567890123, 'name': "grüße \ud83d\ude00 \n\x41\v\0", "tags": ['a', "b", null, true, false,], score: -1.5e-3, nested: {deep: [[[{}]]]},} // end"#,
    "[1, 2.25, -0, .5, 5., 0xFFFFFFFFFFFFFFFFFF, 1e400, 123456789012345678901234567890, '\\\\\\\"\\\n', Infinity, -NaN, '日本語日本語']",
    "\u{FEFF}{ \\u0061é\u{200C}: {$: []}, 日本 : '\\\u{2028}\\\r\n', //x\u{2029}\u{A0}null:null}",
  ]

  @Test(arguments: texts.indices)
  func truncationAtAnyByteIsAnError(text: Int) {
    let bytes = Array(Self.texts[text].utf8)
    #expect(failure(bytes) == nil)
    // Only a comment may be cut.
    let value = text == 0 ? bytes.count - " // end".utf8.count : bytes.count
    for count in 0..<value {
      let error = failure(Array(bytes[..<count]))
      #expect((error?.offset ?? .max) <= count, "\(count)")
    }
  }

  @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf32BigEndian], JSON.ParsingOptions.Syntax.allForTests)
  func randomDamageNeverTraps(encoding: String.Encoding, syntax: JSON.ParsingOptions.Syntax) throws {
    var random = RandomSource(seed: 42)
    for root in [JSON.ParsingOptions.Root.anyValue, .container, .members] {
      let options = JSON.ParsingOptions(root: root, syntax: syntax)
      for _ in 0..<rounds(4000) {
        let text = try #require(Self.texts.randomElement(using: &random)?.data(using: encoding))
        var bytes = Array(text)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: index)
          case 2: bytes.insert(Array(#"{}[]'",:\u0x+-.eIN/*"#.utf8).randomElement(using: &random) ?? 0, at: index)
          default: bytes.removeSubrange(index...)
          }
          if bytes.isEmpty { break }
        }
        do throws(JSON.SyntaxError) {
          let json = try JSON(parsing: bytes, options: options)
          #expect((try? JSON(parsing: json.serialized())) != nil, "\(json)")
        } catch {
          #expect(error.offset >= 0 && error.offset <= bytes.count)
          #expect(error.line >= 1 && error.column >= 1)
        }
      }
    }
  }
}

extension JSON.ParsingOptions.Syntax {
  static let allForTests: [Self] = [.json, .json5]
}

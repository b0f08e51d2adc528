import AnvilJSON
import Foundation
import Testing

/// Texts that are an object's members without its braces.
@Suite struct MembersRootTests {
  private func failure(_ text: String, _ syntax: JSON.ParsingOptions.Syntax) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try JSON(parsing: text, options: .init(root: .members, syntax: syntax))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("\"a\":1,\n\"b\":[]", #"{"a":1,"b":[]}"#), ("", "{}"), (" \n", "{}"), ("{\"a\":1}", #"{"a":1}"#), ("{}", "{}"),
    ("\"é\\n\":\"\\u00e9\"", #"{"é\n":"é"}"#),
  ])
  func membersWithoutBracesAreParsed(text: String, expected: String) throws {
    for syntax in JSON.ParsingOptions.Syntax.allForTests {
      #expect(try JSON(parsing: text, options: .init(root: .members, syntax: syntax)).description == expected)
    }
  }

  @Test(
    arguments: [
      ("\"a\"", "unexpected end at line 1, column 4 (byte 3)"),
      ("\"a\":", "unexpected end at line 1, column 5 (byte 4)"),
      ("\"a\":[1", "unexpected end at line 1, column 7 (byte 6)"),
      ("\"a", "unexpected end at line 1, column 3 (byte 2)"),
      ("\"a\":1}", "expected ',' or the end of the text, found '}' at line 1, column 6 (byte 5)"),
      ("\"a\":1 } ", "expected ',' or the end of the text, found '}' at line 1, column 7 (byte 6)"),
      ("\"a\":1},\n\"b\":2", "expected ',' or the end of the text, found '}' at line 1, column 6 (byte 5)"),
      ("\"a\":1,\r\n\"b\" 2", "expected ':', found '2' at line 2, column 5 (byte 12)"),
      ("{\"a\":1} x", "content after the value at line 1, column 9 (byte 8)"),
      ("{\"a\":1", "unexpected end at line 1, column 7 (byte 6)"),
      ("\"a\":-", "unexpected end at line 1, column 6 (byte 5)"), ("\"a\":1.", nil),
      ("\"a\":\"\\", "unexpected end at line 1, column 6 (byte 5)"),
      ("\"a\":\"\\u12", "unexpected end at line 1, column 6 (byte 5)"),
      ("\"a\":tru", "unexpected end at line 1, column 8 (byte 7)"),
    ] as [(String, String?)])
  func errorsHaveTheirLocationInTheTextWithoutBraces(text: String, expected: String?) {
    #expect(failure(text, .json5)?.description == expected)
    guard expected != nil else { return }
    #expect(failure(text, .json)?.description == expected)
  }

  @Test func contentAfterTheMembersIsAnErrorAtItsOffset() {
    #expect(failure("\"a\":1 x", .json)?.offset == 6)
    #expect(
      failure("\"a\":1 x", .json5)?.description
        == "expected ',' or the end of the text, found 'x' at line 1, column 7 (byte 6)")
  }

  @Test func otherValuesAreRefused() {
    for text in ["[1]", "1", "-"] {
      #expect(failure(text, .json)?.offset == 0)
      #expect(failure(text, .json5)?.offset == 0)
    }
    // In JSON5 a key.
    for text in ["null", "x"] {
      #expect(failure(text, .json)?.offset == 0)
      #expect(failure(text, .json5)?.offset == text.utf8.count)
    }
  }

  @Test func everyEncodingIsRead() throws {
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32, .utf16] {
      let data = try #require("\"a\": \"é\"".data(using: encoding))
      #expect(try JSON(parsing: data, options: .init(root: .members)) == ["a": "é"])
      let damaged = try #require("\"é\": ?".data(using: encoding))
      let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: damaged, options: .init(root: .members)) }
      #expect(error?.column == 6 && error?.line == 1)
      #expect(error?.offset == damaged.count - (encoding == .utf32 ? 4 : 2))
    }
    let marked = [0xEF, 0xBB, 0xBF] + Array("\"a\":x".utf8)
    for syntax in JSON.ParsingOptions.Syntax.allForTests {
      let error = #expect(throws: JSON.SyntaxError.self) {
        try JSON(parsing: marked, options: .init(root: .members, syntax: syntax))
      }
      #expect(error?.offset == 7)
    }
  }

  @Test func decodersCanAssumeATopLevelDictionary() throws {
    let decoder = JSON.Decoder()
    #expect(!decoder.assumesTopLevelDictionary && !decoder.allowsJSON5)
    decoder.assumesTopLevelDictionary = true
    #expect(try decoder.decode([String: Int].self, from: Data("\"a\": 1".utf8)) == ["a": 1])
    #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: Data("a: 1".utf8)) }
    decoder.allowsJSON5 = true
    #expect(try decoder.decode([String: Int].self, from: Data("a: 1".utf8)) == ["a": 1])
    #expect(decoder.assumesTopLevelDictionary && decoder.parsingOptions.root == .members)
    decoder.assumesTopLevelDictionary = false
    #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: Data("a: 1".utf8)) }
  }
}

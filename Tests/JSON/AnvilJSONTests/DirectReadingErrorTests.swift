import AnvilJSON
import Foundation
import Testing

/// The places and descriptions of errors.
@Suite struct DirectReadingErrorTests {
  private typealias Item = DirectReadingMemberTests.Item

  private func failure<Value: JSONReadable>(_ type: Value.Type, _ text: String) -> JSON.ReadingError? {
    do throws(JSON.ReadingError) {
      _ = try JSON.read(type, from: text)
      return nil
    } catch {
      return error
    }
  }

  @Test func errorHasTheSizeOfOneWord() {
    #expect(MemoryLayout<JSON.ReadingError>.size == MemoryLayout<Int>.size)
  }

  @Test(arguments: [
    (
      "[{\"id\": 1, \"name\": \"a\",\n  \"tags\": [\"x\", 2]}]",
      "ReadingError at object[0].tags[1], line 2, column 17 (byte 40): expected String, found number in 2"
    ),
    (
      #"[{"id": "12"}]"#,
      #"ReadingError at object[0].id, line 1, column 9 (byte 8): expected Int, found string in "12""#
    ),
    (
      #"[{"id": 1, "tags": [], "x": [1, {"y": 2}]}]"#,
      #"ReadingError at object[0], line 1, column 2 (byte 1): missing key name in {"id": 1, "tags": [], "x": [1, {"y": 2}]…"#
    ),
    (
      #"[{"id":1.5}]"#,
      "ReadingError at object[0].id, line 1, column 8 (byte 7): number that Int cannot represent in 1.5"
    ),
    (
      #"[{"name": null}]"#,
      "ReadingError at object[0].name, line 1, column 11 (byte 10): expected String, found null in null"
    ),
    (#"[{"id": }]"#, "ReadingError at object[0].id, line 1, column 9 (byte 8): expected a value, found '}'"),
    (#"[{"id": 1 "x"}]"#, "ReadingError at object[0].id, line 1, column 11 (byte 10): expected ',' or '}', found '\"'"),
    (#"[{"id" 1}]"#, "ReadingError at object[0], line 1, column 8 (byte 7): expected ':', found '1'"),
    (
      #"[{id: 1}]"#,
      "ReadingError at object[0], line 1, column 3 (byte 2): expected a key in quotation marks, found 'i'"
    ),
    (#"{"a": 1}"#, #"ReadingError at object, line 1, column 1 (byte 0): expected array, found object in {"a": 1}"#),
    ("[7]", "ReadingError at object[0], line 1, column 2 (byte 1): expected object, found number in 7"),
    ("[] ]", "ReadingError at object, line 1, column 4 (byte 3): content after the value"),
    ("", "ReadingError at object, line 1, column 1 (byte 0): unexpected end"),
    (
      "[{\"x\": \"a\tb\"}]",
      "ReadingError at object[0].x, line 1, column 10 (byte 9): byte 0x09 in a string, where it must be escaped"
    ),
    (
      "[{\"x\": [\"ü\", \"\\ud800\"]}]",
      "ReadingError at object[0].x[1], line 1, column 15 (byte 15): unpaired surrogate"
    ),
    (
      "[{\"\\u00fc.\": {\"id\": tru}}]",
      "ReadingError at object[0][\"ü.\"].id, line 1, column 24 (byte 23): expected true, found '}'"
    ),
  ])
  func errorsContainReasonAndLocation(text: String, expected: String) {
    #expect(failure([Item].self, text)?.description == expected)
  }

  @Test func errorsContainPathLineColumnAndOffset() throws {
    let error = try #require(failure([String: [Int]].self, "{\"a\": [1],\r\n \"é\": [1, 2, \"x\"]}"))
    #expect(error.code == .typeMismatch(expected: "Int", found: .string))
    #expect(error.path == ["é", 2])
    #expect(error.line == 2 && error.column == 14)
    #expect(error.offset == 26)
  }

  @Test(arguments: [
    (#"{"a": {"b": 1}, "c": {}}"#, "", 0), (#"[{"id":1,"name":"","tags":[]}, {"x": {}}]"#, "[1]", 31),
  ])
  func missingKeyErrorsHaveThePathOfTheObject(text: String, path: String, offset: Int) throws {
    let error = try #require(text.hasPrefix("[") ? failure([Item].self, text) : failure(Item.self, text))
    #expect(error.code == .missingKey("id"))
    #expect(error.path.description == path && error.offset == offset)
  }

  @Test func longValuesAreShortenedInErrors() throws {
    let long = String(repeating: "é", count: 50)
    #expect(
      failure(Int.self, "\"\(long)\"")?.description
        == "ReadingError at object, line 1, column 1 (byte 0): expected Int, found string in \"\(String(repeating: "é", count: 19))…"
    )
    #expect(
      failure(Int.self, "[ 1,\n\n   2 ]")?.description
        == "ReadingError at object, line 1, column 1 (byte 0): expected Int, found array in [ 1, 2 ]")
    #expect(
      failure(Int.self, #"["a\"]", "b"]"#)?.description
        == #"ReadingError at object, line 1, column 1 (byte 0): expected Int, found array in ["a\"]", "b"]"#)
  }

  /// Calls in an invalid order, with any limits.
  @Test func nextElementWithoutAnOpenArrayDoesNotTrap() {
    struct Leaving: JSONReadable {
      static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Leaving {
        _ = try reader.nextElement()
        _ = try reader.nextElement()
        try reader.skip()
        return Leaving()
      }
    }
    for limit in [Int.max, 512, 1, 0, -1, .min] {
      #expect((try? JSON.read(Leaving.self, from: "]]1", options: .init(depthLimit: limit))) != nil)
    }
  }

  /// Offsets count bytes of the caller's input.
  @Test func errorsInTranscodedTextsHaveOffsetsInTheInput() throws {
    let data = try #require("[1,\n\"ü\", x]".data(using: .utf16LittleEndian))
    do throws(JSON.ReadingError) {
      _ = try JSON.read([JSON].self, from: data)
      Issue.record("accepted")
    } catch {
      #expect(error.line == 2 && error.column == 6 && error.offset == 18 && error.path == [2])
    }
  }
}

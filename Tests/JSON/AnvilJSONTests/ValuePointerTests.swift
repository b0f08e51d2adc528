import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ValuePointerTests {
  private static let sample = #"""
    {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}
    """#

  /// RFC 6901 §5.
  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
    ("/g|h", "4"), (#"/i\j"#, "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func examplesOfTheRFCAreReproduced(text: String, expected: String) throws {
    let json = try JSON(parsing: Self.sample)
    let pointer = try JSON.Pointer(text)
    #expect(json[pointer]?.description == expected)
    #expect(json.value(at: pointer) == json[pointer])
    #expect(pointer.description == text)
  }

  @Test func emptyPointerIsTheWholeValue() throws {
    let json = try JSON(parsing: Self.sample)
    #expect(try json[JSON.Pointer("")] == json)
    #expect(JSON.Pointer().description == "")
    #expect(try JSON.Pointer("").tokens.isEmpty)
    #expect(try JSON.Pointer("/").tokens == [""])
  }

  @Test func escapesAreResolvedOnce() throws {
    #expect(try JSON.Pointer("/~01").tokens == ["~1"])
    #expect(JSON.Pointer(tokens: ["~1/~0"]).description == "/~01~1~00")
    #expect(try JSON.Pointer("//a//").tokens == ["", "a", "", ""])
  }

  /// A slash with a combining mark is one Swift `Character`, but still a separator.
  @Test func slashesBeforeCombiningMarksSeparateTokens() throws {
    #expect(try JSON.Pointer("/a/\u{301}b").tokens == ["a", "\u{301}b"])
    #expect(JSON.Pointer(tokens: ["/\u{301}", "~\u{301}"]).description == "/~1\u{301}/~0\u{301}")
  }

  @Test(arguments: [
    ("foo", "a JSON pointer must begin with '/'"), ("#/foo", "a JSON pointer must begin with '/'"),
    ("/~", "'~' is followed by neither 0 nor 1 in a JSON pointer (byte 1)"),
    ("/é/~2", "'~' is followed by neither 0 nor 1 in a JSON pointer (byte 4)"),
    ("/a~/b", "'~' is followed by neither 0 nor 1 in a JSON pointer (byte 2)"),
  ])
  func invalidPointersThrow(text: String, message: String) throws {
    let error = try #require(throws: JSON.Pointer.SyntaxError.self) { try JSON.Pointer(text) }
    #expect(error.description == message)
  }

  @Test(arguments: [
    "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/1.0", "/foo/ 1", "/foo/",
    "/foo/9223372036854775808",
    "/foo/٠", "/foo/0/0", "/bar", "/foo/bar", "//", "/a", "/i",
  ])
  func pointersToMissingValuesReturnNil(text: String) throws {
    #expect(try JSON(parsing: Self.sample)[JSON.Pointer(text)] == nil)
  }

  @Test func keysThatLookLikeIndicesAreKeys() throws {
    let json: JSON = ["0": ["-": [1]], "01": 2]
    #expect(try json[JSON.Pointer("/0/-/0")] == 1)
    #expect(try json[JSON.Pointer("/01")] == 2)
  }

  @Test func pointersAreEqualByScalars() throws {
    #expect(JSON.Pointer(tokens: ["\u{E9}"]) != JSON.Pointer(tokens: ["e\u{301}"]))
    #expect(Set([JSON.Pointer(tokens: ["a"]), try JSON.Pointer("/a")]).count == 1)
    #expect(JSON.Pointer(tokens: ["a", ""]) != JSON.Pointer(tokens: ["a"]))
  }

  @Test func tokensRoundTripThroughText() throws {
    var generator = ValueGenerator(seed: 10)
    let pieces = ["~", "/", "0", "1", "a", "é", "~0", "~1", "", "\u{301}", "😀"]
    for _ in 0..<1_000 {
      let tokens = (0..<generator.int(0..<4)).map { _ in
        (0..<generator.int(0..<4)).map { _ in pieces[generator.int(0..<pieces.count)] }.joined()
      }
      let pointer = JSON.Pointer(tokens: tokens)
      #expect(try JSON.Pointer(pointer.description) == pointer)
    }
  }

  @Test func everyValueIsFoundAtItsPointer() throws {
    var generator = ValueGenerator(seed: 11)
    for _ in 0..<300 {
      let json = try generator.value()
      var pending = [json]
      while let value = pending.popLast() {
        // A pointer cannot refer to the later values of a repeated key.
        let found = try #require(json[JSON.Pointer(value.stepsFromRoot)])
        #expect(found.index <= value.index)
        pending += value.elements
        for (key, member) in value.members where value[key]?.index == member.index { pending.append(member) }
        #expect(found == value)
      }
    }
  }
}

import Foundation
import Testing

@testable import AnvilJSON

/// The texts of `JSONWritable` values.
@Suite struct DirectWritingTests {
  private static func text<Value: JSONWritable>(_ value: Value) throws -> String {
    let data = try JSON.write(value)
    _ = try JSON(parsing: data)
    return String(decoding: data, as: UTF8.self)
  }

  @Test func scalarsAreWrittenAsLiterals() throws {
    #expect(try Self.text(true) == "true")
    #expect(try Self.text(false) == "false")
    #expect(try Self.text(1.5) == "1.5")
    #expect(try Self.text(-0.0) == "-0")
    #expect(try Self.text(Float(0.1)) == "0.1")
    #expect(try Self.text("a/b") == #""a/b""#)
    #expect(try Self.text(Int?.none) == "null")
    #expect(try Self.text(Optional(3)) == "3")
    #expect(try Self.text(Int??.some(nil)) == "null")
  }

  @Test func smallestAndLargestIntegersOfEveryWidthAreWritten() throws {
    #expect(try Self.text([Int8.min, .max]) == "[-128,127]")
    #expect(try Self.text([Int16.min, .max]) == "[-32768,32767]")
    #expect(try Self.text([Int32.min, .max]) == "[-2147483648,2147483647]")
    #expect(try Self.text([Int64.min, .max]) == "[-9223372036854775808,9223372036854775807]")
    #expect(try Self.text([Int.min, .max]) == "[-9223372036854775808,9223372036854775807]")
    #expect(try Self.text([UInt8.min, .max]) == "[0,255]")
    #expect(try Self.text([UInt16.min, .max]) == "[0,65535]")
    #expect(try Self.text([UInt32.min, .max]) == "[0,4294967295]")
    #expect(try Self.text([UInt64.min, .max]) == "[0,18446744073709551615]")
    #expect(try Self.text([UInt.min, .max]) == "[0,18446744073709551615]")
    #expect(try Self.text([Int128.min, 0, .max]) == "[\(Int128.min),0,\(Int128.max)]")
    #expect(try Self.text([UInt128.min, .max]) == "[0,\(UInt128.max)]")
  }

  @Test func controlCharactersAreEscapedByTheirShortestForm() throws {
    let escapes: [UInt8: String] = [0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#]
    for byte in 0..<0x20 as Range<UInt8> {
      let character = String(UnicodeScalar(byte))
      let expected = escapes[byte] ?? #"\u00"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      #expect(try Self.text(character) == "\"\(expected)\"")
      #expect(try Self.text([character: "x\(character)y"]) == "{\"\(expected)\":\"x\(expected)y\"}")
    }
  }

  @Test(
    arguments: [
      ("", #""""#), (#"""#, #""\"""#), (#"\"#, #""\\""#), ("/", #""/""#), ("\u{7F}", "\"\u{7F}\""),
      ("\u{2028}\u{FFFF}😀é", "\"\u{2028}\u{FFFF}😀é\""),
    ])
  func onlyCharactersThatMustBeEscapedAreEscaped(string: String, text: String) throws {
    #expect(try Self.text(string) == text)
  }

  @Test func specialCharactersAtEveryOffsetOfStringsAndKeysAreEscaped() throws {
    for length in 1...40 {
      for offset in 0..<length {
        var characters = Array(repeating: Character("x"), count: length)
        characters[offset] = "\""
        let string = String(characters)
        let escaped = string.replacingOccurrences(of: "\"", with: "\\\"")
        #expect(try Self.text([string: string]) == "{\"\(escaped)\":\"\(escaped)\"}")
      }
    }
  }

  enum Color: String, JSONWritable { case red }
  enum Level: Int, JSONWritable { case high = 3 }

  @Test func foundationTypesAndRawValuesAreWritten() throws {
    #expect(try Self.text(Color.red) == #""red""#)
    #expect(try Self.text(Level.high) == "3")
    #expect(try Self.text(#require(URL(string: "https://example.com/a?b=c"))) == #""https://example.com/a?b=c""#)
    let uuid = try #require(UUID(uuidString: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"))
    #expect(try Self.text(uuid) == #""F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6""#)
    let decimal = try #require(Decimal(string: "-12345678901234567890.123456789"))
    #expect(try Self.text(decimal) == "-12345678901234567890.123456789")
  }

  @Test func dataIsWrittenAsBase64() throws {
    var random = RandomSource(seed: 21)
    for count in Array(0...70) + [3071, 3072, 3073, 6144, 10_000] {
      let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      #expect(try Self.text(data) == "\"\(data.base64EncodedString())\"")
      #expect(try Self.text(data.dropFirst()) == "\"\(data.dropFirst().base64EncodedString())\"")
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (0.5, "1970-01-01T00:00:00.500Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799.96875, "2000-02-29T23:59:59.968750Z"),
      (1_770_091_506.789, "2026-02-03T04:05:06.789Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (-2_203_891_200, "1900-03-01T00:00:00Z"),
      (1.002, "1970-01-01T00:00:01.002Z"),
    ] as [(Double, String)])
  func datesAreWrittenAsInRFC3339(seconds: Double, text: String) throws {
    #expect(try Self.text(Date(timeIntervalSince1970: seconds)) == "\"\(text)\"")
  }

  @Test func datesRoundTripWithMilliseconds() throws {
    var random = RandomSource(seed: 22)
    for _ in 0..<5000 {
      let milliseconds = Int.random(in: -62_167_219_200_000..<253_402_300_800_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let decoded = try Date.decode(JSON(parsing: JSON.write(date)))
      #expect(abs(decoded.timeIntervalSince(date)) < 0.0005)
    }
  }

  @Test func containersAreWrittenWithTheirElementsAndMembers() throws {
    #expect(try Self.text([Int]()) == "[]")
    #expect(try Self.text([[Int]()]) == "[[]]")
    #expect(try Self.text([[1, 2], [], [3]]) == "[[1,2],[],[3]]")
    #expect(try Self.text([Optional(1), nil]) == "[1,null]")
    #expect(try Self.text([String: Int]()) == "{}")
    #expect(try Self.text(["a": [String: Int]()]) == #"{"a":{}}"#)
    let members = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", $0) })
    #expect(try JSON(parsing: Self.text(members)).members.allSatisfy { $0.value.int == members[$0.key] })
  }

  struct Everything: JSONWritable {
    func write(to writer: inout JSON.Writer) {
      let key = "k\n"
      writer.object { members in
        members.write("plain", 1)
        members.write("quo\"ted", 2)
        members.write("", 3)
        members.write("a\\", 4)
        members.write("longer than the room that is left behind every value, which is sixty-four bytes wide", 5)
        members.write("ключ", 6)
        members.write("absent", ifPresent: Int?.none)
        members.write("present", ifPresent: Optional(7))
        members.write("null", Int?.none)
        members.write("void", JSON.null)
        members.object("object") { $0.write("x", true) }
        members.object("empty") { _ in }
        members.array("array") { elements in
          elements.write("s")
          elements.write(JSON.null)
          elements.object { $0.write("y", JSON.null) }
          elements.array { _ in }
          elements.write(Int?.none)
        }
        members.write(key, 8)
        members.write(key, Optional(9))
        members.write(key, JSON.null)
        members.write(key, [:] as [String: Int])
        members.write(key, [10])
      }
    }
  }

  @Test func membersAndElementsKeepTheOrderOfWriting() throws {
    let expected =
      #"{"plain":1,"quo\"ted":2,"":3,"a\\":4,"#
      + #""longer than the room that is left behind every value, which is sixty-four bytes wide":5,"ключ":6,"#
      + #""present":7,"null":null,"void":null,"object":{"x":true},"empty":{},"array":["s",null,{"y":null},[],null],"#
      + #""k\n":8,"k\n":9,"k\n":null,"k\n":{},"k\n":[10]}"#
    #expect(try Self.text(Everything()) == expected)
    let rows = try JSON(parsing: Self.text(Array(repeating: Everything(), count: 300)))
    #expect(rows.count == 300)
    #expect(rows.elements.allSatisfy { $0.description == expected })
  }

  /// Literal keys are inspected in words whose size depends on the key's length.
  struct Escaped: JSONWritable {
    func write(to writer: inout JSON.Writer) {
      writer.object { members in
        members.write("\"", 1)
        members.write("a\"", 2)
        members.write("ab\"", 3)
        members.write("abc\"", 4)
        members.write("abcd\"", 5)
        members.write("\"bcdef", 6)
        members.write("abcdef\"", 7)
        members.write("abcdefg\"", 8)
        members.write("abcdefgh\"", 9)
        members.write("\"bcdefghi", 10)
        members.write("abcdefghijklmnop\"", 11)
      }
    }
  }

  @Test func keysOfEveryLengthAreEscaped() throws {
    let expected =
      #"{"\"":1,"a\"":2,"ab\"":3,"abc\"":4,"abcd\"":5,"\"bcdef":6,"abcdef\"":7,"abcdefg\"":8,"abcdefgh\"":9,"#
      + #""\"bcdefghi":10,"abcdefghijklmnop\"":11}"#
    #expect(try Self.text(Escaped()) == expected)
  }

  @Test(
    arguments: [
      "null", "[]", "{}", #"{"a":[1,2.50,1e400,-0,12345678901234567890123],"b":{"c":"x\n/😀"}}"#, #""s""#, "[[[[]]]]",
    ])
  func valuesAreWrittenAsTheyWereParsed(text: String) throws {
    let json = try JSON(parsing: text)
    #expect(try Self.text(json) == text)
    #expect(try Self.text([json, json]) == "[\(text),\(text)]")
    #expect(try Self.text(["k": json["a"]]) == #"{"k":\#(json["a"]?.description ?? "null")}"#)
  }

  @Test func anyWritableValueCanBeWritten() throws {
    struct Erased: JSONWritable {
      var values: [any JSONWritable]

      func write(to writer: inout JSON.Writer) {
        writer.array { elements in
          for value in values { elements.write(value) }
        }
      }
    }
    #expect(try Self.text(Erased(values: [1, "a", [true], Color.red, Int?.none])) == #"[1,"a",[true],"red",null]"#)
  }

  @Test func largeTextsAreWritten() throws {
    let part = String(repeating: "0123456789abcdef", count: 1 << 16)
    let data = try JSON.write(Array(repeating: part, count: 104))
    #expect(data.count == 104 * ((1 << 20) + 3) + 1)
    #expect(data.prefix(4) == Data(#"["01"#.utf8))
    #expect(data.suffix(4) == Data(#"ef"]"#.utf8))
    #expect(data[((1 << 20) + 3) * 50 + 1] == 0x22)
    for count in [(1 << 15) - 3, (1 << 15) - 2, (1 << 15) - 1, 1 << 16] {
      let text = String(repeating: "x", count: count)
      #expect(try JSON.write(text) == Data("\"\(text)\"".utf8))
    }
  }

  /// A tagged wrapper of another value.
  private struct Tagged<Value>: JSONWritable {
    var value: Value
    var write: @Sendable (inout JSON.Writer, Value) -> Void
    func write(to writer: inout JSON.Writer) { write(&writer, value) }
  }

  private struct OnlyEncodable: Encodable { var x = 1 }

  @Test func tagsAreTheFirstMembers() throws {
    let dictionary = Tagged(value: ["x": 1]) { $0.write($1, taggedBy: "type", "a") }
    #expect(try Self.text(dictionary) == #"{"type":"a","x":1}"#)
    #expect(try Self.text(Tagged(value: [String: Int]()) { $0.write($1, taggedBy: "t", "a") }) == #"{"t":"a"}"#)
    #expect(
      try Self.text([Tagged(value: dictionary) { $0.write($1, taggedBy: "outer", "b\"") }])
        == #"[{"outer":"b\"","type":"a","x":1}]"#)
    #expect(
      try Self.text(Tagged(value: ["y": [1]] as JSON) { $0.write($1, taggedBy: "t", "a") }) == #"{"t":"a","y":[1]}"#)
    #expect(
      try Self.text(Tagged(value: OnlyEncodable()) { $0.write($1, taggedBy: "t", "a") }) == #"{"t":"a","x":1}"#)
  }

  @Test func onlyObjectsCanBeTagged() {
    let error = JSON.WritingError.Code.invalidValue("a tagged value that is not an object")
    for value in [1, [], nil, "x"] as [JSON] {
      let thrown = #expect(throws: JSON.WritingError.self) {
        try JSON.write(Tagged(value: value) { $0.write($1, taggedBy: "t", "a") })
      }
      #expect(thrown?.code == error)
    }
    #expect(throws: JSON.WritingError.self) {
      try JSON.write(Tagged(value: [1]) { $0.write($1, taggedBy: "t", "a") })
    }
    #expect(throws: JSON.WritingError.self) {
      try JSON.write(Tagged(value: Int?.none) { $0.write($1, taggedBy: "t", "a") })
    }
  }

  /// A tagged value that contains another one, with members that have the key of the tag before and after it.
  private struct Chain: JSONWritable {
    let depth: Int
    let text: String

    struct Level: JSONWritable {
      let depth: Int
      let text: String

      func write(to writer: inout JSON.Writer) {
        writer.object { members in
          members.write("t", "x")
          members.write("depth", depth)
          if depth == 0 {
            members.write("text", text)
          } else {
            members.write("child", [Chain(depth: depth - 1, text: text)])
          }
          members.write("t", ["t": 1])
          members.write("other", ["t": "y"])
          members.write("t", 2)
        }
      }
    }

    func write(to writer: inout JSON.Writer) {
      writer.write(Level(depth: depth, text: text), taggedBy: "t", "a")
    }
  }

  @Test func membersWithTheKeyOfATagAreLeftOutAtAnyDepth() throws {
    #expect(
      try Self.text([Chain(depth: 2, text: #""t":,{"#)])
        == #"""
        [{"t":"a","depth":2,"child":[{"t":"a","depth":1,"child":[{"t":"a","depth":0,"text":"\"t\":,{","other":{"t":"y"}}],\#
        "other":{"t":"y"}}],"other":{"t":"y"}}]
        """#)
    let pair = Tagged(value: Chain(depth: 1, text: "")) { $0.write($1, taggedBy: "t", "outer") }
    #expect(
      try Self.text(Tagged(value: pair) { $0.write($1, taggedBy: "u", 1) })
        == #"""
        {"u":1,"t":"outer","depth":1,"child":[{"t":"a","depth":0,"text":"","other":{"t":"y"}}],"other":{"t":"y"}}
        """#)
    #expect(
      try Self.text(Tagged(value: ["t": 1]) { $0.write($1, taggedBy: "t", "a") }) == #"{"t":"a"}"#)
    #expect(
      try Self.text(Tagged(value: ["t": ["t": 1]] as JSON) { $0.write($1, taggedBy: "t", "a") }) == #"{"t":"a"}"#)
  }

  /// Reading the text in each value around it would take minutes.
  @Test func taggedValuesInTaggedValuesTakeLinearTime() throws {
    let text = String(repeating: "{,}", count: 16 << 20)
    let data = try JSON.write(Chain(depth: 240, text: text))
    let json = try JSON(parsing: data)
    var level = json
    for _ in 0..<240 { level = level["child"]?[0] ?? nil }
    #expect(level["text"]?.string == text)
    #expect(level.members.map(\.key) == ["t", "depth", "text", "other"])
  }
}

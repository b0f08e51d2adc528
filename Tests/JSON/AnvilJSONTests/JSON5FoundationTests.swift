import AnvilJSON
import Foundation
import Testing

/// A description of any decoded value.
private struct Anything: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      text = "null"
    } else if let value = try? container.decode(Bool.self) {
      text = "\(value)"
    } else if let value = try? container.decode(Double.self) {
      text = "\(value.isNaN ? .nan : value) \((try? container.decode(Int128.self)).map { "\($0)" } ?? "")"
    } else if let value = try? container.decode(String.self) {
      text = value.debugDescription
    } else if let value = try? container.decode([Anything].self) {
      text = "[\(value.map(\.text).joined(separator: ", "))]"
    } else {
      let members = try container.decode([String: Anything].self).sorted { $0.key < $1.key }
      text = "{\(members.map { "\($0.key.debugDescription): \($0.value.text)" }.joined(separator: ", "))}"
    }
  }
}

/// Foundation's decoder with `allowsJSON5`, compared with ours.
@Suite struct JSON5FoundationTests {
  private func ours(_ text: String, topLevel: Bool = false, json5: Bool = true) -> String? {
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = json5
    decoder.assumesTopLevelDictionary = topLevel
    return try? decoder.decode(Anything.self, from: Data(text.utf8)).text
  }

  private func foundations(_ text: String, topLevel: Bool = false, json5: Bool = true) -> String? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = json5
    decoder.assumesTopLevelDictionary = topLevel
    return try? decoder.decode(Anything.self, from: Data(text.utf8)).text
  }

  // Numbers are in brackets because Foundation reads past their end, and sometimes traps at the end of the text. NUL is
  // written as @ because it would truncate the test's output.
  @Test(arguments: [
    "[1,]", "[,]", "[1,,2]", "{a:1,}", "{,}", "{'a':1}", "'a\"b'", "\"a'b\"", "'\\1'", "'\\9'", "'\\01'",
    "'a\u{2028}b'",
    "'a\nb'", "'\\x4'", "'\\xZZ'", "'\\uD800'", "'\\uD83D\\uDE00'", "[0x1F]", "[0XfF]", "[-0x10]", "[+0x10]", "[0x]",
    "[-0x8000000000000000]", "[0x1.8]", "[.5]", "[5.]", "[-.5]", "[+.5]", "[5.e3]", "[.]",
    "[+]",
    "[-]", "[+1]", "[++1]", "[+ 1]", "[- 1]", "[01]", "[-01]", "[00]", "[0.]", "[1e5]", "[1E+5]", "[1e]", "[Infinity]",
    "[-Infinity]", "[+Infinity]",
    "[NaN]",
    "[-NaN]", "[+NaN]", "[infinity]", "[nan]", "[Infinit]", "// c\n[1]", "/* c */ [1]", "1 // c", "1 /* c",
    "/* * / */ [1]", "/**/[1]",
    "//",
    "/", "1 / 2", "\u{FEFF}[1]", "\u{180E}[1]", "\u{B}[1]", "\u{C}[1]", "\u{85}[1]", "{é:1}", "{日本:1}", "{$a_1:1}",
    "{a-b:1}",
    "{1a:1}", "{𝒳:1}", "{a\u{200C}b:1}", "{a\u{301}:1}", "{null:1}", "{Infinity:1}", "{a b:1}", "{a:1 b:2}", "{'a' :1}",
    "{a /*c*/ : /*d*/ 1 /*e*/ , //f\n}", "tru", "true", "[1 2]", "1 [2]", "{a:1", "['a", "/*", "[1,2,3,]", "[[],]",
    "{\"a\":1,'a':2}", "[1.5e3]", "[9007199254740993]", "undefined", "'\\b\\f\\n\\r\\t'", "[1_000]", "[0b1]", "[0o7]",
    "[0x-1]",
    "[1.e]",
    "[Infinityx]", "{a:Infinity}", "[NaN,]", "'\\u{41}'", "1//\r2", "\\u0061", "-\"a\"", "",
    #"'\x41\xe9\x7F'"#, #"'\''"#, "[1]@", "[@1]",
  ])
  func resultsAgreeWithFoundation(text: String) {
    let text = text.replacing("@", with: "\0")
    #expect(ours(text) == foundations(text))
  }

  /// Texts on which Foundation's decoder (Swift 6.3) violates the specification and ours does not.
  @Test(arguments: [
    // Foundation rejects some escapes and raw control characters in strings, and NUL in any spelling.
    (#"'\v'"#, #""\u{0B}""#), (#"'\0'"#, #""\0""#), (#"'\q'"#, #""q""#), (#"'\x00'"#, #""\0""#),
    (#"'\u0000'"#, #""\0""#),
    ("'a\tb'", #""a\tb""#), ("'a\u{1}b'", #""a\u{01}b""#), ("'a\\\u{2028}b'", #""ab""#), ("'a@b'", #""a\0b""#),
    // Foundation keeps the line end of a line continuation.
    ("'a\\\nb'", #""ab""#), ("'a\\\r\nb'", #""ab""#),
    // Foundation rejects white space beyond ASCII, and comments that end with a line separator.
    ("\u{A0}[1]", "[1.0 1]"), ("[1]\u{FEFF}", "[1.0 1]"), ("\u{2003}[1]", "[1.0 1]"), ("\u{3000}[1]", "[1.0 1]"),
    ("\u{2028}[1]", "[1.0 1]"), ("// \u{2028}[1]", "[1.0 1]"),
    // Foundation does not resolve any escapes in identifiers.
    (#"{\u0061b:1}"#, #"{"ab": 1.0 1}"#), (#"{a\u0062:1}"#, #"{"ab": 1.0 1}"#), (#"{\u0031:1}"#, nil),
    (#"{a\x41:1}"#, nil),
    // Foundation rejects hexadecimal integers that a double cannot represent exactly.
    ("[0xFFFFFFFFFFFFFFFF]", "[1.8446744073709552e+19 18446744073709551615]"),
    ("[0x7fffffffffffffff]", "[9.223372036854776e+18 9223372036854775807]"),
    ("[0x1FFFFFFFFFFFFFFFFF]", "[5.902958103587057e+20 590295810358705651711]"),
    // Foundation loses the sign of zero.
    ("[-0x0]", "[-0.0 0]"),
  ])
  func resultsFollowTheSpecificationWhereFoundationDiffers(text: String, expected: String?) {
    let text = text.replacing("@", with: "\0")
    #expect(ours(text) == expected)
    #expect(foundations(text) != expected)
  }

  /// Foundation accepts an exponent of two when it decodes an integer.
  @Test func hexadecimalIntegersHaveNoExponent() throws {
    let decoders = (theirs: JSONDecoder(), ours: JSON.Decoder())
    decoders.theirs.allowsJSON5 = true
    decoders.ours.allowsJSON5 = true
    let data = Data("[0x1p3]".utf8)
    #expect(try decoders.theirs.decode([Int].self, from: data) == [8])
    #expect(throws: DecodingError.self) { try decoders.ours.decode([Int].self, from: data) }
  }

  // MARK: Members without braces

  @Test(arguments: [
    "", "  ", "\"a\":1", "\"a\":1,\"b\":2", "{\"a\":1}", " {\"a\":1} ", "{}", "\"a\":1}", "{\"a\":1", "[1]", "1",
    "null",
    "\"a\"", "\"a\":{\"b\":1}", "{\"a\":1} x", "{\"a\":1},\"b\":2", "a:1", "a:1,", "'a':1,b:{c:[1,]}", "// c\na:1",
    "\"a\":1 x", "\"a\":1}}", ",", "\u{FEFF}\"a\":1", "\"a\":[1", "/*c*/{a:1}/*d*/", "\"a\" 1", "\"a", "\"a\":",
  ])
  func membersWithoutBracesAreReadAsFoundationDoes(text: String) {
    #expect(ours(text, topLevel: true) == foundations(text, topLevel: true))
    #expect(ours(text, topLevel: true, json5: false) == foundations(text, topLevel: true, json5: false))
  }

  /// Foundation also accepts a trailing comma in JSON.
  @Test func trailingCommaNeedsJSON5() {
    #expect(ours("\"a\":1,", topLevel: true, json5: false) == nil)
    #expect(ours("\"a\":1,", topLevel: true) == #"{"a": 1.0 1}"#)
  }
}

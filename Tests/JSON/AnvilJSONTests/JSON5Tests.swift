import AnvilJSON
import Foundation
import Testing

@Suite struct JSON5Tests {
  private func parse(_ text: String, options: JSON.ParsingOptions = .init(syntax: .json5)) throws -> JSON {
    try JSON(parsing: text, options: options)
  }

  /// Texts in JSON5 with the equivalent JSON.
  @Test(arguments: [
    (
      "{\n  // comments\n  unquoted: 'and you can quote me on that', /* more */\n}",
      #"{"unquoted":"and you can quote me on that"}"#
    ),
    ("[1,]", "[1]"), ("[[],]", "[[]]"), ("{a:1,}", #"{"a":1}"#), ("[]", "[]"), ("{}", "{}"),
    ("[{},[],{a:[{}]}]", #"[{},[],{"a":[{}]}]"#),
    ("'a\"b'", #""a\"b""#), (#""a'b""#, #""a'b""#), ("''", #""""#), ("\"\"", #""""#),
    (#"'\x41\v\0\'\"\q\\\b\f\n\r\t\/'"#, #""A\u000b\u0000'\"q\\\b\f\n\r\t/""#),
    (#"'\x7f\xe9\xFF'"#, "\"\u{7f}éÿ\""),
    (#"'\u0041\u20ac\uD83D\uDE00'"#, #""A€😀""#), (#"'\u0000'"#, #""\u0000""#), (#"'\é\😀'"#, #""é😀""#),
    ("'a\\\nb'", #""ab""#), ("'a\\\r\nb'", #""ab""#), ("'a\\\rb'", #""ab""#),
    ("'a\\\r\rb'".replacing("\r\rb", with: "\r\\\rb"), #""ab""#),
    ("'a\\\u{2028}b\\\u{2029}c'", #""abc""#),
    ("'a\u{2028}b\u{2029}'", "\"a\u{2028}b\u{2029}\""), ("'a\tb\u{1}'", #""a\tb\u0001""#),
    (
      "'0123456789abcdef0123456789abcdef\"\\'0123456789abcdef0123456789é'",
      #""0123456789abcdef0123456789abcdef\"'0123456789abcdef0123456789é""#
    ),
    ("0x1F", "31"), ("0XfF", "255"), ("-0x10", "-16"), ("+0x10", "16"), ("0x0", "0"), ("-0x0", "-0"),
    ("0x000000000000000000000000000001", "1"),
    ("0x7fffffffffffffff", "9223372036854775807"), ("-0x8000000000000000", "-9223372036854775808"),
    ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"), ("-0xFFFFFFFFFFFFFFFF", "-18446744073709551615"),
    ("0x10000000000000000", "18446744073709551616"), ("0x8AC7230489E80000", "10000000000000000000"),
    ("-0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "-340282366920938463463374607431768211455"),
    ("0x4B3B4CA85A86C47A098A224000000000", "100000000000000000000000000000000000000"),
    (".5", "0.5"), ("-.5", "-0.5"), ("+.5", "0.5"), ("5.", "5"), ("-0.", "-0"), ("+1", "1"), ("+0", "0"), ("-0", "-0"),
    ("5.e3", "5e3"),
    (".5E+2", "0.5E+2"), ("1e-5", "1e-5"), ("1.50", "1.50"), ("-.0", "-0.0"), ("9007199254740993", "9007199254740993"),
    ("12345678901234567890123.5", "12345678901234567890123.5"), ("1e400", "1e400"), ("0.", "0"),
    ("+99999999999999999999", "99999999999999999999"), (".00000000000000000000001", "0.00000000000000000000001"),
    ("// c\n1", "1"), ("1 // c", "1"), ("/* * / */ 1", "1"), ("/**/1/***/", "1"), ("//a\u{2028}1", "1"),
    ("//a\u{2029}1", "1"), ("//a\r1//", "1"),
    ("/* é \u{2028}*/1", "1"), ("[1/**/,//\n2]", "[1,2]"),
    ("\u{A0}\u{FEFF}\u{2003}\u{3000}\u{B}\u{C}\u{2028}\u{2029}\t1\u{FEFF}\u{1680}", "1"),
    ("{é:1,日本:2,$a_1:3,𝒳:4,_:5,ⅷ:6}", #"{"é":1,"日本":2,"$a_1":3,"𝒳":4,"_":5,"ⅷ":6}"#),
    (#"{\u0061b:1,a\u0062:2,\uD835\uDCB3:3}"#, #"{"ab":1,"ab":2,"𝒳":3}"#),
    ("{a\u{200C}b:1,a\u{301}:2,a٣:3,a‿b:4}", "{\"a\u{200C}b\":1,\"a\u{301}\":2,\"a٣\":3,\"a‿b\":4}"),
    ("{null:1,true:2,Infinity:3,NaN:4,while:5}", #"{"null":1,"true":2,"Infinity":3,"NaN":4,"while":5}"#),
    ("{'a':1,\"b\":2,'c\\x64':3,'':4}", #"{"a":1,"b":2,"cd":3,"":4}"#),
    ("{a /*c*/ : /*d*/ 1 /*e*/ , //f\n}", #"{"a":1}"#), ("{a:1,'a':2}", #"{"a":1,"a":2}"#),
    ("[true,false,null]", "[true,false,null]"),
  ])
  func textsAreConvertedToJSON(text: String, expected: String) throws {
    let json = try parse(text)
    #expect(json.serializedText() == expected)
    // The written text is JSON with the same value.
    #expect(try JSON(parsing: json.serialized()) == json)
    #expect(json.double == (try JSON(parsing: expected)).double)
  }

  @Test func stringsAndCommentsMayContainNULs() throws {
    #expect(try parse("/*\0*/'a\0b'//\0").string == "a\0b")
  }

  @Test func numbersOfAnyWidthAreExact() throws {
    #expect(try parse("0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF").integer(as: UInt128.self) == .max)
    #expect(try parse("-0x80000000000000000000000000000000").integer(as: Int128.self) == .min)
    #expect(try parse("0xFFFFFFFFFFFFFFFF").integer(as: UInt64.self) == .max)
    #expect(try parse("0x1F").int == 31)
    #expect(try parse("5.").int == 5)
    #expect(try parse("+.5").decimal == Decimal(string: "0.5"))
    #expect(try parse("0x20000000000000").double == 0x1p53)
  }

  /// Sixteen to the power of the number of zeros, multiplied out digit by digit.
  @Test(arguments: [1, 15, 16, 17, 29, 30, 31, 100, 1000])
  func longHexadecimalIntegersAreExact(zeros: Int) throws {
    var digits = [1]
    for _ in 0..<zeros {
      var carry = 0
      for index in digits.indices.reversed() {
        let product = digits[index] * 16 + carry
        digits[index] = product % 10
        carry = product / 10
      }
      while carry > 0 {
        digits.insert(carry % 10, at: 0)
        carry /= 10
      }
    }
    let text = digits.map(String.init).joined()
    #expect(try parse("0x1" + String(repeating: "0", count: zeros)).numberText == text)
    #expect(try parse("-0x001" + String(repeating: "0", count: zeros)).numberText == "-" + text)
  }

  @Test func hexadecimalIntegersHaveALimit() throws {
    let longest = String(repeating: "f", count: 16384)
    #expect(try parse("0x000\(longest)").numberText?.utf8.count == 19729)
    let error = #expect(throws: JSON.SyntaxError.self) { try parse("[0x\(longest)0]") }
    #expect(error?.code == .tooLarge(limit: 16384) && error?.offset == 3)
  }

  // MARK: Infinity and NaN

  @Test func nonFiniteNumbersAreDoubles() throws {
    let json = try parse("[Infinity, +Infinity, -Infinity, NaN, +NaN, -NaN]")
    #expect(json.elements.allSatisfy { $0.kind == .number })
    #expect(json.elements.map(\.numberText) == ["Infinity", "Infinity", "-Infinity", "NaN", "NaN", "NaN"])
    #expect(json[0]?.double == .infinity && json[2]?.double == -.infinity && json[3]?.double?.isNaN == true)
    #expect(try Double.decode(#require(json[2])) == -.infinity)
    #expect(try Float.decode(#require(json[0])) == .infinity)
    #expect(try Float.decode(#require(json[3])).isNaN)
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = true
    #expect(try decoder.decode([String: Double].self, from: Data("{a: -Infinity}".utf8)) == ["a": -.infinity])
    #expect(try decoder.decode(Double.self, from: Data("NaN".utf8)).isNaN)
  }

  @Test func decoderAcceptsNonFiniteNumbers() throws {
    struct Both<Value: Decodable & BinaryFloatingPoint>: Decodable {
      var values: [Value]
      var a: Value
      var b: Value?
    }
    func expectAll<Value: Decodable & BinaryFloatingPoint>(_ type: Value.Type) throws {
      let decoder = JSON.Decoder()
      decoder.allowsJSON5 = true
      let text = "{values: [Infinity, -Infinity, NaN, +Infinity, -NaN, 1], a: -Infinity, b: NaN}"
      let found = try decoder.decode(Both<Value>.self, from: Data(text.utf8))
      #expect(found.values.map { $0.isNaN ? "nan" : "\($0)" } == ["inf", "-inf", "nan", "inf", "nan", "1.0"])
      #expect(found.a == -.infinity && found.b?.isNaN == true)
      #expect(try decoder.decode(type, from: Data("Infinity".utf8)) == .infinity)
    }
    try expectAll(Double.self)
    try expectAll(Float.self)
    for text in ["1e39", "-1e39", "1e400"] {
      #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Float.self, from: Data(text.utf8)) }
    }
  }

  @Test func nonFiniteNumbersAreOnlyFloatingPoint() throws {
    for text in ["Infinity", "-Infinity", "NaN"] {
      let json = try parse(text)
      #expect(json.int == nil && json.integer(as: UInt128.self) == nil && json.decimal == nil)
      #expect(json.isNull == false && json.string == nil)
      #expect(throws: TypeMismatchError.self) { try Int.decode(json) }
      #expect(throws: TypeMismatchError.self) { try Decimal.decode(json) }
      #expect(throws: JSON.CanonicalFormError.self) { try json.canonicalForm() }
      #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Int.self, from: json) }
    }
  }

  @Test func nonFiniteNumbersAreWrittenAsNull() throws {
    let json = try parse("{a: [Infinity, -Infinity, NaN]}")
    #expect(json.description == #"{"a":[null,null,null]}"#)
    #expect(try #require(json["a"]).compactCopy().description == "[null,null,null]")
    #expect(json["a"]?.compactCopy()[2]?.double?.isNaN == true)
  }

  @Test func nonFiniteNumbersEqualThemselves() throws {
    let values = try ["Infinity", "-Infinity", "NaN", "1e400", "0", "null"].map { try parse($0) }
    for (left, leftValue) in values.enumerated() {
      for (right, rightValue) in values.enumerated() {
        #expect((leftValue == rightValue) == (left == right), "\(left) \(right)")
      }
    }
    #expect(try Set([parse("NaN"), parse("-NaN"), parse("Infinity"), parse("+Infinity")]).count == 2)
  }

  // MARK: Text

  @Test(arguments: [
    String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16, .utf32,
  ])
  func everyEncodingIsRead(encoding: String.Encoding) throws {
    let text = "// grüße 😀\n{é: '日本', b: [+1, .5,],}"
    let data = try #require(text.data(using: encoding))
    let json = try JSON(parsing: data, options: .init(syntax: .json5))
    #expect(json.description == #"{"é":"日本","b":[1,0.5]}"#)
  }

  @Test func utf8MarkIsSkipped() throws {
    #expect(try JSON(parsing: [0xEF, 0xBB, 0xBF] + Array("{a:1}".utf8), options: .init(syntax: .json5)) == ["a": 1])
  }

  @Test func jsonTextsAreValidJSON5() throws {
    var generator = ValueGenerator(seed: 5)
    for _ in 0..<2000 {
      let text = generator.text()
      let (strict, lax) = (try JSON(parsing: text), try parse(text))
      #expect(strict == lax && strict.description == lax.description, "\(text)")
    }
  }

  @Test func largeTextsAreRead() throws {
    let text = "[" + (0..<50_000).map { "{id: \($0), 'n': .5, s: 'é\\x41'}," }.joined() + "]"
    let json = try parse(text)
    #expect(json.count == 50_000)
    #expect(json[49_999] == ["id": 49_999, "n": 0.5, "s": "éA"])
  }
}

import AnvilJSON
import Foundation
import Testing

/// Reading values of each type.
@Suite struct DirectReadingTests {
  private func read<Value: JSONReadable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
    // Also in an array, followed by white space and other bytes.
    let value = try JSON.read(type, from: text)
    _ = try JSON.read([Value].self, from: "[ \(text) ,\t\(text)\n]")
    return value
  }

  private func code<Value: JSONReadable>(_ text: String, as type: Value.Type) -> JSON.ReadingError.Code? {
    do throws(JSON.ReadingError) {
      _ = try JSON.read(type, from: text)
      return nil
    } catch {
      return error.code
    }
  }

  // MARK: Strings, Booleans, null

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""0123456789abcde""#, "0123456789abcde"),
    (#""0123456789abcdef""#, "0123456789abcdef"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC\uD83D\uDE00\u0000""#, "Aé€😀\0"), (#""grüße 日本 😀""#, "grüße 日本 😀"),
    (#""日本語日本語日本語日本語日本語日本語""#, "日本語日本語日本語日本語日本語日本語"), (#""\u65e5本""#, "日本"),
    (#""ࠀ퟿ࠀ퟿ࠀ퟿ࠀ퟿""#, "ࠀ퟿ࠀ퟿ࠀ퟿ࠀ퟿"),
  ])
  func escapesInStringsAreResolved(text: String, expected: String) throws {
    #expect(Array(try read(text, as: String.self).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func stringsOfEveryLengthSurvive() throws {
    for length in 0..<70 {
      for filler in ["x", "é", "日", "😀"] {
        let value = String(repeating: filler, count: length)
        #expect(try read("\"\(value)\"") == value)
        #expect(try read("\"\(value)\\n\(value)\"") == "\(value)\n\(value)")
      }
    }
  }

  @Test func booleansAreTrueAndFalse() throws {
    #expect(try read("true") == true)
    #expect(try read("false") == false)
    #expect(code("1", as: Bool.self) == .typeMismatch(expected: "Bool", found: .number))
    #expect(code("tru", as: Bool.self) == .syntax(.unexpectedEnd))
    #expect(code("fals3", as: Bool.self) == .syntax(.unexpectedByte(0x33, expected: "false")))
  }

  @Test func nullIsNilForOptionalsOnly() throws {
    #expect(try read("null", as: Int?.self) == nil)
    #expect(try read("1", as: Int?.self) == 1)
    #expect(try JSON.read([Int?].self, from: "[null,1, null]") == [nil, 1, nil])
    #expect(code("null", as: Int.self) == .typeMismatch(expected: "Int", found: .null))
    #expect(code("null", as: String.self) == .typeMismatch(expected: "String", found: .null))
    #expect(code("nul", as: Int?.self) == .syntax(.unexpectedEnd))
  }

  // MARK: Numbers

  @Test(arguments: [
    ("0", 0), ("-1", -1), ("1.0", 1), ("10e-1", 1), ("1e3", 1000), ("0.0", 0), ("-0", 0), ("-0.0", 0), ("120e-1", 12),
    ("123456789012345678", 123_456_789_012_345_678), ("1234567890123456789", 1_234_567_890_123_456_789),
    ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9.223372036854775807e18", Int.max),
    ("0e999999999999999999", 0),
  ])
  func wholeNumbersInAnyNotationAreIntegers(text: String, expected: Int) throws {
    #expect(try read(text) == expected)
  }

  @Test(arguments: [
    "0.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e400", "1.00000000000000000001", "1e-1",
    "9223372036854775807.5", "12345678901234567890123456789012345678901234567890",
  ])
  func otherNumbersCannotBeReadAsInt(text: String) {
    #expect(code(text, as: Int.self) == .unrepresentableNumber("Int"))
  }

  private func expectRange<Value: FixedWidthInteger & JSONReadable>(of type: Value.Type) throws {
    let name = String(describing: type)
    #expect(try read("\(Value.min)") == Value.min)
    #expect(try read("\(Value.max)") == Value.max)
    #expect(try read("\(Value.max).0") == Value.max)
    #expect(try read("\(Value.max)0e-1") == Value.max)
    #expect(code("\(Value.max)0", as: type) == .unrepresentableNumber(name))
    #expect(code(Value.min < 0 ? "\(Value.min)0" : "-1", as: type) == .unrepresentableNumber(name))
    #expect(code("\"1\"", as: type) == .typeMismatch(expected: name, found: .string))
  }

  @Test func everyWidthHasItsRange() throws {
    try expectRange(of: Int.self)
    try expectRange(of: Int8.self)
    try expectRange(of: Int16.self)
    try expectRange(of: Int32.self)
    try expectRange(of: Int64.self)
    try expectRange(of: Int128.self)
    try expectRange(of: UInt.self)
    try expectRange(of: UInt8.self)
    try expectRange(of: UInt16.self)
    try expectRange(of: UInt32.self)
    try expectRange(of: UInt64.self)
    try expectRange(of: UInt128.self)
    #expect(code("128", as: Int8.self) == .unrepresentableNumber("Int8"))
    #expect(code("-129", as: Int8.self) == .unrepresentableNumber("Int8"))
    #expect(code("256", as: UInt8.self) == .unrepresentableNumber("UInt8"))
    #expect(code("18446744073709551616", as: UInt64.self) == .unrepresentableNumber("UInt64"))
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "1", "0.1", "1e0", "1E5", "1e+5", "1e-5", "9007199254740993", "1.7976931348623157e308",
    "4.9406564584124654e-324", "2.4703282292062327e-324", "1e-400", "1.00000000000000011102230246251566",
    "123456789012345678901234567890.123456789",
  ])
  func numbersAreReadAsTheNearestDouble(text: String) throws {
    let expected = try #require(Double(text))
    #expect(try read(text, as: Double.self).bitPattern == expected.bitPattern)
  }

  @Test func numbersBeyondTheRangeAreErrors() {
    #expect(code("1e309", as: Double.self) == .unrepresentableNumber("Double"))
    #expect(code("-1e400", as: Double.self) == .unrepresentableNumber("Double"))
    #expect(code("1e39", as: Float.self) == .unrepresentableNumber("Float"))
    #expect(code("1e400", as: Float.self) == .unrepresentableNumber("Float"))
  }

  @Test func floatsAndDecimalsKeepTheirDigits() throws {
    #expect(try read("0.1") == Float(0.1))
    for text in ["0.1", "123456789012345678901234567890.12345678", "-1.5e10", "1e-20", "42"] {
      #expect(try read(text) == Decimal(string: text))
    }
    #expect(code("1e9999", as: Decimal.self) == .unrepresentableNumber("Decimal"))
    #expect(code("[]", as: Decimal.self) == .typeMismatch(expected: "Decimal", found: .array))
  }

  @Test(arguments: ["01", "-", "-01", "1.", "1.e5", ".5", "+1", "1e", "1e+", "0x10", "NaN", "Infinity", "1_000", "--1"])
  func invalidNumbersAreRefused(text: String) {
    for container in [text, "[\(text)]", " \(text) "] {
      #expect(throws: JSON.ReadingError.self) { try JSON.read(JSON.self, from: container) }
    }
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Int.self, from: text) }
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Double.self, from: text) }
  }

  /// `JSON.Decoder`, which reads the tape, is the oracle.
  @Test func numbersAgreeWithTheDecoder() throws {
    var generator = ValueGenerator(seed: 11)
    let decoder = JSON.Decoder()
    func expectSame<Value: JSONReadable & Decodable & Equatable>(_ text: String, _ type: Value.Type) {
      let ours = try? JSON.read(type, from: text)
      let theirs = try? decoder.decode(type, from: Data(text.utf8))
      #expect(ours == theirs, "\(type) \(text)")
    }
    for _ in 0..<4000 {
      let text = generator.number()
      expectSame(text, Int.self)
      expectSame(text, UInt8.self)
      expectSame(text, Int128.self)
      expectSame(text, UInt64.self)
      expectSame(text, Double.self)
      expectSame(text, Float.self)
    }
  }

  // MARK: Containers

  @Test func arraysKeepTheirOrder() throws {
    #expect(try read("[]", as: [Int].self) == [])
    #expect(try read(" [ ] ", as: [Int].self) == [])
    #expect(try read("[1 , 2,3]") == [1, 2, 3])
    #expect(try read("[[],[[1.5]],[[],[2]]]") == [[], [[1.5]], [[], [2.0]]])
    #expect(code("{}", as: [Int].self) == .typeMismatch(expected: "array", found: .object))
    for text in ["[1,]", "[,1]", "[1 2]", "[1", "[", "[1}", "[1]]"] {
      #expect(throws: JSON.ReadingError.self) { try JSON.read([Int].self, from: text) }
    }
  }

  @Test func dictionariesKeepTheFirstOfEqualKeys() throws {
    #expect(try read("{}", as: [String: Int].self) == [:])
    #expect(try read(#"{"a":1,"b" : 2,"a":3}"#) == ["a": 1, "b": 2])
    #expect(try read(#"{"\u00e9":1,"é":2,"e\u0301":3,"":4}"#) == ["é": 1, "": 4])
    // A later value of a key is not read, and need not be valid.
    for text in [#"{"a":1,"a":"x"}"#, #"{"a":1,"a":{"b":[1,{}]}}"#, #"{"a":1,"\u0061":"\u00e9\n"}"#] {
      #expect(try read(text) == ["a": 1])
      #expect(try JSON.Decoder().decode([String: Int].self, from: Data(text.utf8)) == ["a": 1])
      let mapped: [String: Int] = try JSON(parsing: text) => []
      #expect(mapped == ["a": 1])
    }
    #expect(try read(#"{"o":{"a":1,"a":"x","b":2},"o":3}"#) == ["o": ["a": 1, "b": 2]])
    #expect(throws: JSON.ReadingError.self) { try JSON.read([String: Int].self, from: #"{"a":1,"a":x}"#) }
    #expect(try read(#"{"a":{"b":{}}}"#) == ["a": ["b": [String: Int]()]])
    #expect(code("[]", as: [String: Int].self) == .typeMismatch(expected: "object", found: .array))
    for text in [#"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{,}", #"{"a":1"#, #"{"a" 1}"#, "{1:1}", #"{""#, #"{"a":1]"#] {
      #expect(throws: JSON.ReadingError.self, "\(text)") { try JSON.read([String: Int].self, from: text) }
    }
  }

  @Test func subtreesAreReadAsJSONValues() throws {
    let text = #"{"a": [1, {"b": "\u0041"}], "c": "x"}"#
    let values = try JSON.read([String: JSON].self, from: text)
    #expect(values["a"] == [1, ["b": "A"]])
    #expect(values["a"]?.root == values["a"])
    #expect(try JSON.read(JSON.self, from: text) == JSON(parsing: text))
  }

  // MARK: Types with a form

  private enum Color: String, JSONReadable { case red, green }
  private struct Level: RawRepresentable, JSONReadable { var rawValue: UInt8 }

  @Test func rawRepresentableTypesAreReadFromRawValues() throws {
    #expect(try read(#""green""#) == Color.green)
    #expect(try read(#""\u0072ed""#) == Color.red)
    #expect(try read("7", as: Level.self).rawValue == 7)
    #expect(code(#""blue""#, as: Color.self) == .dataCorrupted("not a valid value of Color"))
    #expect(code("1", as: Color.self) == .typeMismatch(expected: "String", found: .number))
  }

  @Test func foundationTypesAreReadAsByTheMapping() throws {
    func expectSame<Value: JSONReadable & JSONDecodable & Equatable>(_ text: String, _ type: Value.Type) throws {
      let ours = try? JSON.read(type, from: text)
      #expect(ours == (try? Value.decode(JSON(parsing: text))), "\(type) \(text)")
    }
    for text in [
      #""https://example.org/a?b=c""#, #""""#, #""http://[""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#,
      #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, #""E621E1F8""#, #""2026-02-03T04:05:06Z""#,
      #""2026-02-03t04:05:06.789+01:30""#, #""\u0032026-02-03T04:05:06Z""#, #""2026-02-30T04:05:06Z""#, #""2026""#,
      #""YWJj""#, #""YWJ""#, #""YQ==""#, "1", "null",
    ] {
      try expectSame(text, URL.self)
      try expectSame(text, UUID.self)
      try expectSame(text, Date.self)
      try expectSame(text, Data.self)
    }
    #expect(try read(#""1970-01-01T00:00:01Z""#) == Date(timeIntervalSince1970: 1))
    #expect(try read(#""YWJj""#) == Data("abc".utf8))
    #expect(code(#""YWJ""#, as: Data.self) == .dataCorrupted("not a valid value of Data"))
    #expect(code("1", as: Date.self) == .typeMismatch(expected: "Date", found: .number))
  }

  // MARK: Sources

  @Test func everySourceIsRead() throws {
    let text = "[1,2]"
    #expect(try JSON.read([Int].self, from: Data(text.utf8)) == [1, 2])
    #expect(try JSON.read([Int].self, from: Array(text.utf8)) == [1, 2])
    let bytes = Array("xx[1,2]yy".utf8)
    #expect(try JSON.read([Int].self, from: Array(bytes[2..<7])) == [1, 2])
    #expect(try JSON.read([Int].self, from: Data(bytes)[2..<7]) == [1, 2])
  }

  @Test(arguments: [
    String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16, .utf32,
  ])
  func everyEncodingIsRead(encoding: String.Encoding) throws {
    let data = try #require(#"{"a": "grüße 😀", "ü": ""}"#.data(using: encoding))
    #expect(try JSON.read([String: String].self, from: data) == ["a": "grüße 😀", "ü": ""])
  }

  @Test func utf8MarkIsSkipped() throws {
    #expect(try JSON.read([Int].self, from: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == [1])
    #expect(throws: JSON.ReadingError.self) { try JSON.read(Int.self, from: [0xEF, 0xBB, 0xBF]) }
  }

  @Test func otherSyntaxesAreReadToo() throws {
    let json5 = JSON.ParsingOptions(syntax: .json5)
    #expect(try JSON.read([Int].self, from: "[1,/*x*/ 0x10,]", options: json5) == [1, 16])
    #expect(try JSON.read([String: Double].self, from: "{a: .5, 'b': +2.}", options: json5) == ["a": 0.5, "b": 2])
    let utf16 = try #require("{a: 'ü'}".data(using: .utf16))
    #expect(try JSON.read([String: String].self, from: utf16, options: json5) == ["a": "ü"])
    let members = JSON.ParsingOptions(root: .members)
    #expect(try JSON.read(JSON.self, from: "\"a\":1", options: members) == ["a": 1])
    #expect(try JSON.read(JSON.self, from: "", options: members) == [:])
    #expect(try JSON.read(JSON.self, from: "\u{FEFF}{\"a\":1}", options: members) == ["a": 1])
    #expect(throws: JSON.ReadingError.self) { try JSON.read(JSON.self, from: "[1]", options: members) }
    do throws(JSON.ReadingError) {
      _ = try JSON.read([Int].self, from: "[1,\n @]", options: json5)
      Issue.record("accepted")
    } catch {
      #expect(error.line == 2 && error.column == 2 && error.offset == 5)
    }
    #expect(throws: JSON.ReadingError.self) {
      try JSON.read(JSON.self, from: "[[1]]", options: .init(depthLimit: 1, syntax: .json5))
    }
  }
}

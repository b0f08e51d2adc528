import AnvilJSON
import Foundation
import Testing

private enum Color: String, Codable, JSONDecodable { case red, green }
private enum Level: Int, JSONDecodable { case low = 1, high }
private struct Token: RawRepresentable, Decodable, JSONDecodable, Equatable { let rawValue: String }
private struct Point: Codable, JSONDecodable, Equatable {
  let x: Double
  let label: String?
  let tags: [String: [Int]]
}

@Suite struct MappingConformanceTests {
  private func decode<T: JSONDecodable>(_ text: String, as type: T.Type = T.self) throws -> T {
    try T.decode(JSON(parsing: text))
  }

  /// A type accepts its bounds and rejects the numbers next to them. A number is an integer if its value is whole.
  private func checkBounds<T: FixedWidthInteger & JSONDecodable>(_ type: T.Type, above: String, below: String) throws {
    #expect(try decode("\(T.max)") == T.max)
    #expect(try decode("\(T.min)") == T.min)
    #expect(try decode("1.0") == T(1))
    #expect(try decode("12e1") == T(120))
    for text in [above, below, "1.5", "1e400", "\"1\"", "true", "null", "[1]", "{}"] {
      #expect(throws: TypeMismatchError.self, "\(text)") { try decode(text, as: T.self) }
    }
  }

  @Test func integersInRangeAreDecodedAndOthersThrow() throws {
    try checkBounds(Int8.self, above: "128", below: "-129")
    try checkBounds(Int16.self, above: "32768", below: "-32769")
    try checkBounds(Int32.self, above: "2147483648", below: "-2147483649")
    try checkBounds(Int64.self, above: "9223372036854775808", below: "-9223372036854775809")
    try checkBounds(Int.self, above: "9223372036854775808", below: "-9223372036854775809")
    try checkBounds(UInt8.self, above: "256", below: "-1")
    try checkBounds(UInt16.self, above: "65536", below: "-1")
    try checkBounds(UInt32.self, above: "4294967296", below: "-1")
    try checkBounds(UInt64.self, above: "18446744073709551616", below: "-1")
    try checkBounds(UInt.self, above: "18446744073709551616", below: "-1")
    try checkBounds(
      Int128.self, above: "170141183460469231731687303715884105728", below: "-170141183460469231731687303715884105729")
    try checkBounds(UInt128.self, above: "340282366920938463463374607431768211456", below: "-1")
  }

  @Test func otherNumbersAndBooleansDecode() throws {
    #expect(try decode("0.1", as: Double.self) == 0.1)
    #expect(try decode("1", as: Double.self) == 1)
    #expect(try decode("0.1") == Float(0.1))
    #expect(try decode("3.4028234663852886e38") == Float.greatestFiniteMagnitude)
    #expect(throws: TypeMismatchError.self) { try decode("1e39", as: Float.self) }
    #expect(throws: TypeMismatchError.self) { try decode("1e400", as: Double.self) }
    #expect(throws: TypeMismatchError.self) { try decode(#""0.1""#, as: Double.self) }
    #expect(try decode("0.1234567890123456789") == Decimal(string: "0.1234567890123456789"))
    #expect(throws: TypeMismatchError.self) { try decode("true", as: Decimal.self) }
    #expect(try decode("true", as: Bool.self))
    #expect(try !decode("false", as: Bool.self))
    #expect(throws: TypeMismatchError.self) { try decode("1", as: Bool.self) }
  }

  @Test func stringsDecode() throws {
    #expect(try decode(#""a\u00e9😀""#) == "aé😀")
    #expect(throws: TypeMismatchError.self) { try decode("1", as: String.self) }
    #expect(try decode(#""https://example.com/a?b=c""#) == URL(string: "https://example.com/a?b=c"))
    #expect(throws: TypeMismatchError.self) { try decode(#""""#, as: URL.self) }
    let uuid = UUID()
    #expect(try decode("\"\(uuid.uuidString.lowercased())\"") == uuid)
    #expect(throws: TypeMismatchError.self) { try decode(#""E621E1F8""#, as: UUID.self) }
    #expect(try decode(#""AAEC/w==""#) == Data([0, 1, 2, 255]))
    #expect(try decode(#""""#) == Data())
    #expect(throws: TypeMismatchError.self) { try decode(#""AAE*""#, as: Data.self) }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2001-09-09T01:46:40Z", 1_000_000_000), ("1969-12-31T23:59:59Z", -1),
    ("2000-02-29T12:00:00+01:00", 951_822_000), ("2000-02-29T12:00:00-0130", 951_831_000),
    ("2026-02-03T04:05:06.789Z", 1_770_091_506.789), ("2026-02-03t04:05:06,5z", 1_770_091_506.5),
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("1900-03-01T00:00:00Z", -2_203_891_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("2026-02-03T04:05:06.00000000000000000000001Z", 1_770_091_506),
  ])
  func datesDecode(text: String, seconds: Double) throws {
    #expect(try decode("\"\(text)\"") == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "2026", "2026-02-03", "2026-02-03T04:05:06", "2026-02-30T00:00:00Z", "1900-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+24:00", "+026-01-01T00:00:00Z", "é",
  ])
  func invalidDatesAreRefused(text: String) {
    #expect(throws: TypeMismatchError.self) { try decode("\"\(text)\"", as: Date.self) }
  }

  @Test func datesAreThoseOfFoundation() throws {
    // The step is a prime number of seconds, so that every day, hour and minute occurs.
    for seconds in stride(from: -2_208_988_800, through: 4_102_444_800, by: 3_000_017) {
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(try decode("\"\(date.ISO8601Format())\"") == date)
    }
  }

  @Test func containersDecode() throws {
    #expect(try decode("[1, null, 3]") == [1, nil, 3])
    #expect(try decode("[[], [[1]]]") == [[], [[1]]] as [[[Int]]])
    #expect(try decode(#"{"a": [true], "b": []}"#) == ["a": [true], "b": []])
    #expect(try decode("null") == Int?.none)
    #expect(try decode("[1, \"a\"]") == [1, "a"] as [JSON])
    #expect(try decode("[\((0..<20000).map(String.init).joined(separator: ","))]") == Array(0..<20000))
  }

  @Test func rawRepresentablesDecode() throws {
    #expect(try decode(#"["red", "green"]"#) == [Color.red, .green])
    #expect(try decode("[2, 1]") == [Level.high, .low])
    #expect(try decode(#""x""#) == Token(rawValue: "x"))
    #expect(throws: RawRepresentableInitializationError.self) { try decode("3", as: Level.self) }
    #expect(throws: RawRepresentableInitializationError.self) { try decode(#""blue""#, as: Color.self) }
    #expect(throws: TypeMismatchError.self) { try decode(#""low""#, as: Level.self) }
  }

  @Test func decodableTypesDecode() throws {
    let json = try JSON(
      parsing: #"{"p": {"x": 1.5, "label": "é\n", "tags": {"a": [1, 2]}}, "q": {"x": 2, "tags": {}}}"#)
    #expect(try json => "p" == Point(x: 1.5, label: "é\n", tags: ["a": [1, 2]]))
    #expect(try json =>? "q" == Point(x: 2, label: nil, tags: [:]))
    #expect(try json =>? "r" == Point?.none)
    #expect(throws: DecodingError.self) { try Point.decode(json) }
  }
}

import AnvilJSON
import Foundation
import Testing

private enum Color: String, JSONDecodable, JSONWritable { case red, green }
private enum Level: UInt8, Codable, JSONDecodable, JSONWritable { case low = 1, high = 2 }
private struct Token: RawRepresentable, Equatable, JSONDecodable, JSONWritable { var rawValue: Int? }
private struct Point: Codable, Equatable, JSONDecodable {
  var x: Double
  var tags: [String: [Int]]
  var date: Date
  var data: Data
}

/// Values that `JSON(encoding:)` writes are read back with `JSONDecodable`.
@Suite struct MappingRoundTripTests {
  private func expectRoundTrip<Value: JSONWritable & JSONDecodable & Equatable>(
    _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for value in values {
      let json = try JSON(encoding: value)
      #expect(try Value.decode(json) == value, "\(json)", sourceLocation: sourceLocation)
      let parsed = try JSON(parsing: json.serialized())
      #expect(try Value.decode(parsed) == value, "\(json)", sourceLocation: sourceLocation)
      #expect(parsed == json, sourceLocation: sourceLocation)
    }
    // As a member, an element and an optional.
    #expect(try [Value].decode(JSON(encoding: values)) == values, sourceLocation: sourceLocation)
    // Only if the value itself is not null.
    guard try values.allSatisfy({ try !JSON(encoding: $0).isNull }) else { return }
    let members = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("k\($0)", Optional($1)) })
    #expect(try [String: Value?].decode(JSON(encoding: members)) == members, sourceLocation: sourceLocation)
  }

  private func integers<Value: FixedWidthInteger>(_ type: Value.Type) -> [Value] {
    [.min, .min + 1, 0, 1, .max / 2, .max - 1, .max] + (0..<Value.bitWidth).map { 1 << $0 }
  }

  @Test func integersRoundTrip() throws {
    try expectRoundTrip(integers(Int.self))
    try expectRoundTrip(integers(Int8.self))
    try expectRoundTrip(integers(Int16.self))
    try expectRoundTrip(integers(Int32.self))
    try expectRoundTrip(integers(Int64.self))
    try expectRoundTrip(integers(Int128.self))
    try expectRoundTrip(integers(UInt.self))
    try expectRoundTrip(integers(UInt8.self))
    try expectRoundTrip(integers(UInt16.self))
    try expectRoundTrip(integers(UInt32.self))
    try expectRoundTrip(integers(UInt64.self))
    try expectRoundTrip(integers(UInt128.self))
  }

  @Test func floatsRoundTrip() throws {
    var random = RandomSource(seed: 7)
    try expectRoundTrip([0, -0.0, 1, 0.1, -2.5, 1e21, 1e-7, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    try expectRoundTrip(
      [0, -0.0, 1, 0.1, 16_777_216, 16_777_218, 1e20, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Float])
    #expect(try JSON(encoding: Float(0.1)).description == "0.1")
    #expect(try JSON(encoding: Double(-0.0)).double?.sign == .minus)
    #expect(try Float.decode(JSON(encoding: Float(-0.0))).sign == .minus)
    let doubles = (0..<2000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    try expectRoundTrip(doubles)
    let floats = (0..<20000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }.filter(
      \.isFinite)
    try expectRoundTrip(floats)
  }

  @Test func decimalsRoundTrip() throws {
    let texts = ["0", "1.10", "-0.1", "12345678901234567890123456789012345678", "1e100", "-1e-100", "1e127", "1e-127"]
    try expectRoundTrip(texts.compactMap { Decimal(string: $0) })
  }

  @Test func otherValuesRoundTrip() throws {
    try expectRoundTrip([true, false])
    try expectRoundTrip(["", "a", "é\n\"\\\u{0}/", "日本語😀", String(repeating: "é", count: 1000)])
    try expectRoundTrip(["https://example.com/a%20b?c=d#e", "a:b", "/x"].compactMap { URL(string: $0) })
    try expectRoundTrip([UUID(), UUID()])
    try expectRoundTrip((0..<20).map { Data((0..<$0).map { UInt8($0 * 13) }) })
    try expectRoundTrip([["a": 1, "b": [nil, 2.5]], nil, "x", [] as JSON])
    try expectRoundTrip([[[1], []], [[2, 3]]])
    try expectRoundTrip([["a": ["b": true]], [:], ["é\n": [:]]])
    try expectRoundTrip([Int?.none, 1])
    try expectRoundTrip([Color.red, .green])
    try expectRoundTrip([Level.low, .high])
    try expectRoundTrip([Token(rawValue: nil), Token(rawValue: 1)])
  }

  /// A type that is only `Encodable` is written with the forms of `JSON.write`.
  @Test func encodableTypesRoundTrip() throws {
    let point = Point(x: 0.1, tags: ["a/b": [1]], date: Date(timeIntervalSince1970: 1.25), data: Data([1, 2, 3]))
    let json = try JSON(encoding: point)
    #expect(json["date"] == "1970-01-01T00:00:01.250Z" && json["data"] == "AQID")
    #expect(try Point.decode(json) == point)
    #expect(try JSON(encoding: ["p": point])["p"] == json)
    struct Endless: Encodable { var x = Double.nan }
    let error = #expect(throws: EncodingError.self) { try JSON(encoding: ["a": Endless()]) }
    #expect("\(try #require(error))".contains("nan"))
  }

  @Test func errorsOfValuesHaveThePath() {
    let error = #expect(throws: JSON.WritingError.self) { try JSON(encoding: ["a": [1, .infinity]]) }
    #expect(error?.path == ["a", 1] && error?.code == .notFinite)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1.5, "1970-01-01T00:00:01.500Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
    (1_795_248_000, "2026-11-21T08:00:00Z"), (0.000001, "1970-01-01T00:00:00.000001Z"),
    (978_307_200.25, "2001-01-01T00:00:00.250Z"), (978_307_200.000001, "2001-01-01T00:00:00.000001Z"),
    (951_782_400, "2000-02-29T00:00:00Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    (0.9999999999, "1970-01-01T00:00:01Z"),
  ])
  func datesAreWrittenAsRFC3339(seconds: Double, text: String) throws {
    #expect(try JSON(encoding: Date(timeIntervalSince1970: seconds)).string == text)
  }

  @Test func datesRoundTrip() throws {
    var dates: [Date] = []
    for seconds in stride(from: -62_167_219_200, through: 253_402_300_799, by: 86_400 * 365.2425 * 7 + 3001) {
      dates.append(Date(timeIntervalSince1970: seconds.rounded()))
    }
    for seconds in stride(from: 0.0, through: 4_102_444_800, by: 30_000_017.123) {
      dates.append(Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000))
    }
    try expectRoundTrip(dates)
    // Foundation writes the same dates.
    for date in dates where date.timeIntervalSince1970 == date.timeIntervalSince1970.rounded() {
      guard date.timeIntervalSince1970 > -12_219_292_800 else { continue }
      #expect(try JSON(encoding: date).string == date.ISO8601Format())
    }
    for seconds in [Double.nan, .infinity, -62_167_219_201, 253_402_300_800] {
      #expect(throws: JSON.WritingError.self) { try JSON(encoding: Date(timeIntervalSince1970: seconds)) }
    }
  }
}

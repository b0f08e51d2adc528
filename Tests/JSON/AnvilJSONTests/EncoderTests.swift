import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// Encodes values with both coders. Foundation's encoder is the oracle for the text, the errors and their paths.
enum EncoderOracle {
  typealias Configure = (JSONEncoder, JSON.Encoder) -> Void

  /// The result of encoding a value: the text, or the error and its path.
  static func outcome(_ encode: () throws -> Data) -> String {
    do {
      return String(decoding: try encode(), as: UTF8.self)
    } catch EncodingError.invalidValue(let value, let context) {
      return
        "invalid \(rejected(value)) at \(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue })"
    } catch {
      return "error \(error)"
    }
  }

  /// Checks every output format. Texts with sorted keys must be identical, others must have the same value.
  static func expectSame<T: Encodable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation, configure: Configure = { _, _ in }
  ) {
    for bits in [0, 1, 2, 3, 8, 9, 10, 11] as [UInt] {
      let theirs = JSONEncoder()
      let ours = JSON.Encoder()
      configure(theirs, ours)
      theirs.outputFormatting = JSONEncoder.OutputFormatting(rawValue: bits)
      ours.outputFormatting = JSON.Encoder.OutputFormatting(rawValue: bits)
      let expected = outcome { try theirs.encode(value) }
      let found = outcome { try ours.encode(value) }
      if found == expected { continue }
      if bits & 2 == 0, let ours = parsed(found), let theirs = parsed(expected), ours == theirs,
        found.utf8.count == expected.utf8.count
      {
        continue
      }
      Issue.record("Format \(bits): \(found), Foundation \(expected)", sourceLocation: sourceLocation)
    }
  }

  private static func parsed(_ text: String) -> NSObject? {
    try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
  }

  /// The text that our encoder writes for a value.
  static func text<T: Encodable>(_ value: T, configure: (JSON.Encoder) -> Void = { _ in }) -> String {
    let encoder = JSON.Encoder()
    configure(encoder)
    return outcome { try encoder.encode(value) }
  }
}

/// Values and strategies.
@Suite struct EncoderTests {
  struct Address: Codable, Equatable {
    var street: String
    var zip: Int?
  }

  struct Person: Codable, Equatable {
    var id: Int
    var name: String
    var nick: String?
    var score: Double
    var isAdmin: Bool
    var tags: [String]
    var address: Address
    var former: [Address]?
    var scores: [String: [Double]]
    var home: URL?
    var balance: Decimal
  }

  static let person = Person(
    id: 7, name: "Ada \"A/L\"\n", nick: nil, score: 1.5, isAdmin: true, tags: ["a", "b/c"],
    address: Address(street: "S", zip: 1), former: [Address(street: "T", zip: nil)],
    scores: ["x": [1, 2.5], "y": [], "a\u{1}/": [0.1]], home: URL(string: "https://example.com/a?b=c"),
    balance: Decimal(string: "12345678901234567890.123456789") ?? 0)

  @Test func modelsEncodeAsFoundationDoes() throws {
    EncoderOracle.expectSame(Self.person)
    EncoderOracle.expectSame([Self.person, Self.person])
    EncoderOracle.expectSame(["a": Self.person])
    #expect(try JSON.Decoder().decode(Person.self, from: JSON.Encoder().encode(Self.person)) == Self.person)
  }

  @Test func membersAreInTheOrderOfEncoding() {
    #expect(EncoderOracle.text(Address(street: "S", zip: 1)) == #"{"street":"S","zip":1}"#)
  }

  @Test func fragmentsAndEmptyValuesEncode() {
    EncoderOracle.expectSame(1)
    EncoderOracle.expectSame("x")
    EncoderOracle.expectSame(true)
    EncoderOracle.expectSame(Int?.none)
    EncoderOracle.expectSame([Int?.none, 1])
    EncoderOracle.expectSame([Int]())
    EncoderOracle.expectSame([String: Int]())
    EncoderOracle.expectSame([[Int]()])
    EncoderOracle.expectSame(["a": [String: [Int]]()])
    EncoderOracle.expectSame(Nothing())
    EncoderOracle.expectSame([Nothing()])
    EncoderOracle.expectSame(["a": Nothing()])
    EncoderOracle.expectSame(Set(["a"]))
    EncoderOracle.expectSame(0..<3)
    EncoderOracle.expectSame(UUID())
    EncoderOracle.expectSame(Optional(Date()))
  }

  struct Nothing: Encodable {
    func encode(to encoder: any Swift.Encoder) throws {}
  }

  @Test func everyCharacterIsEscapedAsFoundationDoes() {
    for scalar in (0...0x300).compactMap(Unicode.Scalar.init) {
      EncoderOracle.expectSame(["k\(scalar)": "v\(scalar)w"])
    }
    EncoderOracle.expectSame(["\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFF}", "😀", "e\u{301}"])
  }

  @Test func specialCharactersAtEveryOffsetAreEscaped() {
    for length in 0...40 {
      for offset in 0..<max(1, length) {
        var characters = Array(repeating: Character("x"), count: length)
        if length > 0 { characters[offset] = length % 2 == 0 ? "/" : "\n" }
        EncoderOracle.expectSame(String(characters))
      }
    }
    EncoderOracle.expectSame(String(repeating: "\u{1}", count: 10_000))
  }

  @Test func keysAreSortedByTheirBytes() {
    let keys = ["aB", "é", "a\"", "a!", "a#", "a/", "a.", "a0", "10", "9", "", "a", "\u{1}", "😀", "\u{FFFD}"]
    EncoderOracle.expectSame(Dictionary(uniqueKeysWithValues: keys.map { ($0, [$0: $0]) }))
  }

  @Test func dictionariesWithOtherKeysEncodeAsFoundationDoes() {
    EncoderOracle.expectSame([1: "a", 20: "b"])
    EncoderOracle.expectSame([true: 1])
    EncoderOracle.expectSame([1.5: ["x": 1]])
  }

  @Test func everyWidthEncodes() {
    EncoderOracle.expectSame([Int8.min, .max])
    EncoderOracle.expectSame([Int16.min, .max])
    EncoderOracle.expectSame([Int32.min, .max])
    EncoderOracle.expectSame([Int64.min, .max, 0, -1])
    EncoderOracle.expectSame([Int128.min, .max, 0, Int128(Int64.max) + 1])
    EncoderOracle.expectSame([UInt8.max])
    EncoderOracle.expectSame([UInt16.max])
    EncoderOracle.expectSame([UInt32.max])
    EncoderOracle.expectSame([UInt64.max, UInt64(Int64.max) + 1])
    EncoderOracle.expectSame([UInt128.max])
    var power: UInt64 = 1
    for _ in 0..<19 {
      EncoderOracle.expectSame([power - 1, power, power + 1, power * 5 / 4])
      power *= 10
    }
  }

  @Test func doublesAreWrittenAsTheShortestText() throws {
    var random = RandomSource(seed: 3)
    var doubles: [Double] = [
      0, -0.0, 1, 0.1, 0.3, 1e-4, 9.999e-5, 1e-5, .leastNonzeroMagnitude, 1.7976931348623157e308, 1e15, 1e16, 1e17,
      0x1p53, 0x1p54,
      9_007_199_254_740_991, 9_007_199_254_740_994, 123456.789, 0.000123, 999999999.999999, 1e9 + 0.5, 100.25,
    ]
    for _ in 0..<rounds(20_000) {
      doubles.append(Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)))
      let digits = Double(Int.random(in: -9_999_999_999...9_999_999_999, using: &random))
      doubles.append(digits / [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8][Int.random(in: 0..<9, using: &random)])
      doubles.append(Double.random(in: -1000...1000, using: &random))
      doubles.append((digits / 100).nextUp)
    }
    let finite = doubles.filter(\.isFinite)
    EncoderOracle.expectSame(finite)
    EncoderOracle.expectSame(finite.map { Float($0) }.filter(\.isFinite))
    #expect(try JSON.Decoder().decode([Double].self, from: JSON.Encoder().encode(finite)) == finite)
  }

  struct Times: Codable, Equatable {
    var at: Date
    var path: [Date] = []
  }

  @Test func datesFollowTheStrategy() {
    for seconds in [0, 1.5, -1e9, 1e12, 0.123456789, .infinity, .nan] {
      let value = Times(at: Date(timeIntervalSinceReferenceDate: seconds), path: [.distantPast])
      EncoderOracle.expectSame(value)
      EncoderOracle.expectSame(value) {
        $0.dateEncodingStrategy = .secondsSince1970; $1.dateEncodingStrategy = .secondsSince1970
      }
      EncoderOracle.expectSame(value) {
        $0.dateEncodingStrategy = .millisecondsSince1970; $1.dateEncodingStrategy = .millisecondsSince1970
      }
      EncoderOracle.expectSame(value) {
        $0.dateEncodingStrategy = .iso8601; $1.dateEncodingStrategy = .iso8601
      }
      EncoderOracle.expectSame(value) {
        $0.dateEncodingStrategy = .secondsSince1970; $1.dateEncodingStrategy = .secondsSince1970
        $0.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "i", negativeInfinity: "-", nan: "n")
        $1.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "i", negativeInfinity: "-", nan: "n")
      }
      let custom: @Sendable (Date, any Swift.Encoder) throws -> Void = { date, encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(encoder.codingPath.map(\.stringValue), forKey: AnyKey("path"))
      }
      EncoderOracle.expectSame(value) {
        $0.dateEncodingStrategy = .custom(custom); $1.dateEncodingStrategy = .custom(custom)
      }
    }
    for value in [Date(), Date.distantFuture] {
      EncoderOracle.expectSame(value) {
        $0.dateEncodingStrategy = .custom { _, _ in }; $1.dateEncodingStrategy = .custom { _, _ in }
      }
    }
  }

  @Test func dataFollowsTheStrategy() {
    for data in [Data(), Data([104, 105]), Data((0...255).map { UInt8($0) })] {
      EncoderOracle.expectSame(["d": [data]])
      EncoderOracle.expectSame(["d": data]) {
        $0.dataEncodingStrategy = .deferredToData; $1.dataEncodingStrategy = .deferredToData
      }
      let custom: @Sendable (Data, any Swift.Encoder) throws -> Void = { data, encoder in
        if data.isEmpty { return }
        var container = encoder.singleValueContainer()
        try container.encode(data.count)
      }
      EncoderOracle.expectSame(["d": data]) {
        $0.dataEncodingStrategy = .custom(custom); $1.dataEncodingStrategy = .custom(custom)
      }
    }
  }

  struct Floats: Encodable {
    var outer: Inner
    struct Inner: Encodable {
      var list: [[Double]]
      var single: Float?
      var wrapped: [Optional<Double>]
    }
  }

  @Test func floatsFollowTheStrategy() {
    let values = [
      Floats(outer: .init(list: [[1], [.infinity]], single: nil, wrapped: [])),
      Floats(outer: .init(list: [[1], [-.infinity, .nan]], single: 1, wrapped: [nil, .nan])),
      Floats(outer: .init(list: [], single: .nan, wrapped: [])),
      Floats(outer: .init(list: [], single: nil, wrapped: [nil, .nan])),
    ]
    for value in values {
      EncoderOracle.expectSame(value)
      EncoderOracle.expectSame(value) {
        $0.nonConformingFloatEncodingStrategy = .convertToString(
          positiveInfinity: "+/", negativeInfinity: "-\"", nan: "n")
        $1.nonConformingFloatEncodingStrategy = .convertToString(
          positiveInfinity: "+/", negativeInfinity: "-\"", nan: "n")
      }
    }
    EncoderOracle.expectSame(Double.nan)
    EncoderOracle.expectSame(["a": Double.nan])
  }

  struct AnyKey: CodingKey, Hashable {
    var stringValue: String
    var intValue: Int?
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) {
      stringValue = "\(intValue)"
      self.intValue = intValue
    }
  }

  /// Members with arbitrary keys, written to a keyed container.
  struct Pairs: Encodable {
    var pairs: [(String, Int)]
    func encode(to encoder: any Swift.Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      for (key, value) in pairs { try container.encode(value, forKey: AnyKey(key)) }
    }
  }

  struct Snake: Encodable {
    var userName = "u"
    var _private = 1
    var urlStringOne: [String: Int] = ["innerKey": 1]
    var trailing_ = Pairs(pairs: [("innerKey", 1), ("inner_key", 2)])
  }

  @Test func snakeCaseFollowsTheStrategy() {
    let keys = [
      "one", "oneTwo", "myURLProperty", "_oneTwo_", "__a__B", "ABC", "Abc", "aBCd", "URLString", "éÀü", "a1B2", "A", "",
      "one_two", "oneTWO", "x_Y", "ǅa", "ßA", "a\u{301}B\u{301}c", "aB\u{600}c",
    ]
    for key in keys {
      EncoderOracle.expectSame(Pairs(pairs: [(key, 1)])) {
        $0.keyEncodingStrategy = .convertToSnakeCase; $1.keyEncodingStrategy = .convertToSnakeCase
      }
    }
    EncoderOracle.expectSame([Snake()]) {
      $0.keyEncodingStrategy = .convertToSnakeCase; $1.keyEncodingStrategy = .convertToSnakeCase
    }
  }

  @Test func customKeyStrategiesReceiveThePath() {
    let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
      AnyKey(path.map(\.stringValue).joined(separator: "/").uppercased())
    }
    for value in [[Snake()], [Snake(userName: "v")]] {
      EncoderOracle.expectSame(value) {
        $0.keyEncodingStrategy = .custom(convert); $1.keyEncodingStrategy = .custom(convert)
      }
    }
    // Foundation loses the key of a dictionary in a dictionary.
    let text = EncoderOracle.text(["a": ["b": Pairs(pairs: [("c", 1)])]]) { $0.keyEncodingStrategy = .custom(convert) }
    #expect(text == #"{"a":{"b":{"A\/B\/C":1}}}"#)
  }

  @Test func laterValuesReplaceEarlierOnes() {
    EncoderOracle.expectSame(Pairs(pairs: [("a", 1), ("b", 2), ("a", 3), ("a", 4), ("c", 5), ("b", 6)]))
    var random = RandomSource(seed: 11)
    for limit in [3, 30, 300] {
      let pairs = (0..<500).map { ("key\(Int.random(in: 0..<limit, using: &random))/", $0) }
      EncoderOracle.expectSame(Pairs(pairs: pairs))
    }
    EncoderOracle.expectSame(Pairs(pairs: (0..<5000).map { ("k\($0 % 4000)", $0) }))
  }
}

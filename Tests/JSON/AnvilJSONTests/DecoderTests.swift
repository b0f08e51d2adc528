import Foundation
import Testing

@testable import AnvilJSON

/// Foundation's decoder is the oracle. Both return the same value, or throw the same error at the same path.
@Suite struct DecoderTests {
  private func expectSame<T: Decodable & Equatable>(
    _ type: T.Type, _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    configure: (JSONDecoder, JSON.Decoder) -> Void = { _, _ in }
  ) {
    let theirs = JSONDecoder()
    let ours = JSON.Decoder()
    configure(theirs, ours)
    let data = Data(text.utf8)
    let expected = DecodingOutcome { try theirs.decode(type, from: data) }
    let found = DecodingOutcome { try ours.decode(type, from: data) }
    if let json = try? JSON(parsing: data) {
      let collected = DecodingOutcome { try ours.decodeCollecting(type, from: json) }
      if collected != found {
        Issue.record("\(type) from \(text): \(found), collecting \(collected)", sourceLocation: sourceLocation)
      }
    }
    let known = KnownDifference.Case(text: Array(text.utf8), found: found.error, expected: expected.error)
    guard found != expected, !KnownDifference.all.contains(where: { $0.explains(known) }) else { return }
    Issue.record("\(type) from \(text): \(found), Foundation \(expected)", sourceLocation: sourceLocation)
  }

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
  }

  static let person =
    #"{"id": 7, "name": "Ada", "nick": null, "score": 1.5, "isAdmin": true, "tags": ["a", "b"], "address": {"street": "S", "zip": 1}, "former": [{"street": "T"}], "scores": {"x": [1, 2.5], "y": []}, "home": "https://example.com/a", "extra": [{}]}"#

  @Test func modelsDecodeAsFoundationDoes() {
    expectSame(Person.self, Self.person)
    expectSame([Person].self, "[\(Self.person), \(Self.person)]")
    expectSame([String: Person].self, #"{"a": \#(Self.person)}"#)
  }

  @Test func keysInAnyOrderDecode() {
    expectSame(
      Person.self,
      #"{"scores": {}, "address": {"zip": null, "street": "S"}, "tags": [], "isAdmin": false, "score": -0.0, "name": "", "id": 0}"#
    )
  }

  /// Replaces each value by every other one. Both decoders throw the same error with the same path.
  @Test func wrongValuesFailWithTheErrorsOfFoundation() {
    let values = ["null", "true", "1", "-1.5", "1e400", "\"x\"", "[]", "{}", "[null]", "{\"street\": 1}", "300"]
    let members = [
      #""id": 7"#, #""name": "Ada""#, #""score": 1.5"#, #""isAdmin": true"#, #""tags": ["a", "b"]"#, #""zip": 1"#,
      #""street": "S""#, #""former": [{"street": "T"}]"#, #""x": [1, 2.5]"#, #""home": "https://example.com/a""#,
    ]
    for member in members {
      let key = member.prefix { $0 != ":" }
      for value in values {
        expectSame(Person.self, Self.person.replacing(member, with: "\(key): \(value)"))
      }
      expectSame(Person.self, Self.person.replacing(member, with: "\"other\": 1"))
    }
  }

  @Test(arguments: [
    "", "{", "nul", "[1,]", "{\"id\": }", "\"", "01", "{\"a\" 1}", "[1 2]", "\u{FEFF}[1]",
  ])
  func invalidJSONThrowsDataCorrupted(text: String) {
    expectSame([Int].self, text)
  }

  struct Widths: Codable, Equatable {
    var a: Int8?, b: Int16?, c: Int32?, d: Int64?, e: UInt?, f: UInt8?, g: UInt16?, h: UInt32?, i: UInt64?, j: Float?
    var k: Int128?, l: UInt128?
  }

  @Test func everyWidthChecksItsRange() {
    for key in "abcdefghijkl" {
      for number in [
        "0", "-1", "127", "128", "255", "256", "32768", "65536", "2147483648", "4294967296", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "1.0", "1e2", "1.5",
        "170141183460469231731687303715884105727", "340282366920938463463374607431768211456",
      ] {
        // Foundation also reads integers that need more than 64 bits from their text.
        expectSame(Widths.self, #"{"\#(key)": \#(number)}"#)
      }
    }
  }

  struct Times: Codable, Equatable {
    var at: Date
  }

  @Test func datesFollowTheStrategy() {
    for text in [#"{"at": 1.5}"#, #"{"at": "2026-11-21T08:00:00Z"}"#, #"{"at": "no"}"#, #"{"at": null}"#, "{}"] {
      // Without a strategy, a text is a known difference.
      if !text.contains("T") { expectSame(Times.self, text) }
      expectSame(Times.self, text) {
        $0.dateDecodingStrategy = .deferredToDate; $1.dateDecodingStrategy = .deferredToDate
      }
      expectSame(Times.self, text) {
        $0.dateDecodingStrategy = .secondsSince1970; $1.dateDecodingStrategy = .secondsSince1970
      }
      expectSame(Times.self, text) {
        $0.dateDecodingStrategy = .millisecondsSince1970
        $1.dateDecodingStrategy = .millisecondsSince1970
      }
      expectSame(Times.self, text) {
        $0.dateDecodingStrategy = .iso8601; $1.dateDecodingStrategy = .iso8601
      }
      expectSame(Times.self, text) {
        let custom: @Sendable (any Swift.Decoder) throws -> Date = { decoder in
          Date(timeIntervalSinceReferenceDate: try decoder.singleValueContainer().decode(Double.self) * 2)
        }
        $0.dateDecodingStrategy = .custom(custom)
        $1.dateDecodingStrategy = .custom(custom)
      }
    }
    expectSame([Date].self, "[0, 1]")
    expectSame(Date.self, "\"2026-11-21T08:00:00Z\"") {
      $0.dateDecodingStrategy = .iso8601
      $1.dateDecodingStrategy = .iso8601
    }
  }

  @Test func dataFollowsTheStrategy() {
    for text in [#"["aGk=", ""]"#, #"["*"]"#, "[[104, 105]]", "[null]"] {
      expectSame([Data].self, text)
      expectSame([Data].self, text) {
        $0.dataDecodingStrategy = .deferredToData; $1.dataDecodingStrategy = .deferredToData
      }
    }
  }

  @Test func floatsFollowTheStrategy() {
    for text in ["[1.5]", #"["inf", "-inf"]"#, #"["nope"]"#, "[1e400]", "[3.5e38]", "[null]", "[true]"] {
      expectSame([Double].self, text)
      expectSame([Float].self, text)
      expectSame([Float].self, text) {
        $0.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        $1.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      }
    }
  }

  struct Snake: Codable, Equatable {
    var userName: String?, _private: Int?, urlString: String?, aB: Int?, already: Int?, trailing_: Int?
    var nested: [String: Int]?
  }

  @Test func snakeCaseFollowsTheStrategy() {
    let text =
      #"{"user_name": "u", "_private": 1, "url_string": "s", "a_b": 2, "already": 3, "trailing_": 4, "nested": {"snake_key": 1}, "__": 1, "": 2, "URL_String": "no"}"#
    expectSame(Snake.self, text) {
      $0.keyDecodingStrategy = .convertFromSnakeCase
      $1.keyDecodingStrategy = .convertFromSnakeCase
    }
    expectSame(Snake.self, #"{"user_name": 1}"#) {
      $0.keyDecodingStrategy = .convertFromSnakeCase
      $1.keyDecodingStrategy = .convertFromSnakeCase
    }
    for key in [
      "one", "one_two", "_one_two", "one_two_", "__one__two__", "oneTwo", "ONE_TWO", "one__two", "_", "a_1", "é_ü",
      "image_2x", "o'neil_1st", "2x_x yABC", "a_ß", "a_ᾳ", "x_éCLAIR", "a_b-c", "a_ǆ", "a_ﬁn", "a_İx", "a__b__2c_",
      "A_1B",
    ] {
      expectSame(AllKeys.self, #"{"\#(key)": 1}"#) {
        $0.keyDecodingStrategy = .convertFromSnakeCase
        $1.keyDecodingStrategy = .convertFromSnakeCase
      }
    }
  }

  @Test func customKeyStrategiesReceiveThePath() {
    let text = #"{"X": {"Y": 1, "Z": [{"W": 2}]}}"#
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
      Key(stringValue: path.map(\.stringValue).joined(separator: "/").lowercased())
    }
    expectSame(Nest.self, text) {
      $0.keyDecodingStrategy = .custom(convert); $1.keyDecodingStrategy = .custom(convert)
    }
  }

  struct Outer: Decodable, Equatable {
    struct Inner: Decodable, Equatable { var value: Int }
    var inner: [Inner]
  }

  /// The path that a key conversion receives, and the path of errors, consist of converted keys.
  @Test func customKeysAreConvertedInPaths() {
    let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
      // Converts nothing if the outer keys are not converted.
      let isBelow = path.dropLast().allSatisfy { $0.stringValue == $0.stringValue.lowercased() }
      let key = path.last?.stringValue ?? ""
      return AnyKey(isBelow ? key.lowercased() : key)
    }
    for text in [#"{"INNER": [{"VALUE": 1}]}"#, #"{"INNER": [{"VALUE": "x"}]}"#, #"{"INNER": [{}]}"#, #"{"INNER": 1}"#]
    {
      expectSame(Outer.self, text) {
        $0.keyDecodingStrategy = .custom(convert)
        $1.keyDecodingStrategy = .custom(convert)
      }
    }
  }

  @Test(arguments: ["[1]", "1", "null", #"{"a": [1]}"#, #"{"a": null}"#])
  func dictionariesFailWithTheErrorsOfFoundation(text: String) {
    expectSame([String: Int].self, text)
    expectSame([String: [String: Int]].self, text)
  }

  struct Nest: Decodable, Equatable {
    var keys: [String]

    init(from decoder: any Swift.Decoder) throws {
      let root = try decoder.container(keyedBy: AnyKey.self)
      let inner = try root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("x"))
      keys = root.allKeys.map(\.stringValue) + inner.allKeys.map(\.stringValue).sorted()
    }
  }

  struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int?
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) {
      stringValue = "\(intValue)"
      self.intValue = intValue
    }
  }

  struct AllKeys: Decodable, Equatable {
    var keys: [String]
    init(from decoder: any Swift.Decoder) throws {
      keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    }
  }

  // MARK: Containers

  class Animal: Decodable {
    var name: String
    private enum Keys: String, CodingKey { case name }
    required init(from decoder: any Swift.Decoder) throws {
      name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
    }
  }

  final class Dog: Animal {
    var barks: Int
    private enum Keys: String, CodingKey { case barks, parent }
    required init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      barks = try container.decode(Int.self, forKey: .barks)
      try super.init(from: container.superDecoder())
    }
  }

  @Test func classHierarchiesUseSuper() throws {
    let dog = try JSON.Decoder().decode(Dog.self, from: Data(#"{"barks": 3, "super": {"name": "Rex"}}"#.utf8))
    #expect(dog.name == "Rex" && dog.barks == 3)
    #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Dog.self, from: Data(#"{"barks": 3}"#.utf8)) }
  }

  struct Tricky: Decodable, Equatable {
    var log: [String] = []

    init(from decoder: any Swift.Decoder) throws {
      let root = try decoder.container(keyedBy: AnyKey.self)
      let again = try decoder.container(keyedBy: AnyKey.self)
      log.append("\(root.contains(AnyKey("a"))) \(again.contains(AnyKey("missing")))")
      log.append("\(try root.decodeNil(forKey: AnyKey("n"))) \(try root.decodeNil(forKey: AnyKey("a")))")
      log.append("\(try root.decodeIfPresent(Int.self, forKey: AnyKey("n")) as Any)")
      log.append("\(try root.decodeIfPresent(Int.self, forKey: AnyKey("missing")) as Any)")
      log.append("\(try again.decode(Int.self, forKey: AnyKey("a"))) \(try root.decode(Int.self, forKey: AnyKey("a")))")
      var list = try root.nestedUnkeyedContainer(forKey: AnyKey("list"))
      log.append("\(list.count as Any) \(list.currentIndex) \(list.isAtEnd)")
      log.append("\(try list.decodeNil()) \(try list.decode(Int.self)) \(list.currentIndex)")
      log.append("\((try? list.decode(Int.self)) as Any) \(list.currentIndex)")
      log.append(try list.decode(String.self))
      log.append("\(try list.decodeNil()) \(list.currentIndex)")
      var inner = try list.nestedUnkeyedContainer()
      log.append("\(try inner.decode(Bool.self)) \(inner.codingPath.map(\.stringValue).count)")
      let object = try list.nestedContainer(keyedBy: AnyKey.self)
      log.append("\(try object.decode(String.self, forKey: AnyKey("k"))) \(list.isAtEnd)")
      log.append("\((try? list.decode(Int.self)) as Any) \((try? list.decodeNil()) as Any)")
      let missing = try root.superDecoder(forKey: AnyKey("missing"))
      log.append("\(try missing.singleValueContainer().decodeNil()) \(missing.codingPath.map(\.stringValue))")
      log.append("\(try root.superDecoder(forKey: AnyKey("a")).singleValueContainer().decode(Int.self))")
    }
  }

  @Test func containersBehaveLikeThoseOfFoundation() {
    expectSame(Tricky.self, #"{"a": 1, "n": null, "list": [5, "x", null, [true], {"k": "v"}]}"#)
  }

  struct Keeper: Decodable {
    let decoder: any Swift.Decoder
    init(from decoder: any Swift.Decoder) throws { self.decoder = decoder }
  }

  @Test func decodersCanBeUsedAfterDecoding() throws {
    func keep() throws -> any Swift.Decoder {
      try JSON.Decoder().decode([Keeper].self, from: Data("[\(Self.person)]".utf8))[0].decoder
    }
    let decoder = try keep()
    #expect(try decoder.singleValueContainer().decode(Person.self).name == "Ada")
    #expect(decoder.codingPath.map(\.intValue) == [0])
  }

  @Test func typesReceiveTheUserInfo() throws {
    struct Reads: Decodable {
      static let key = CodingUserInfoKey(rawValue: "k")
      var value: String
      init(from decoder: any Swift.Decoder) throws {
        value = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
      }
    }
    let decoder = JSON.Decoder()
    let key = try #require(Reads.key)
    decoder.userInfo[key] = "seen"
    #expect(try decoder.decode(Reads.self, from: Data("{}".utf8)).value == "seen")
  }

  @Test func firstOfRepeatedKeysIsDecoded() {
    expectSame(Address.self, #"{"street": "a", "zip": 1, "street": "b"}"#)
    expectSame([String: Int].self, #"{"a": 1, "b": 3, "a": 2}"#)
  }

  @Test func parsedValuesCanBeDecoded() throws {
    let json = try JSON(parsing: #"{"people": [\#(Self.person)]}"#)
    let person = try #require(json["people"]?[0])
    #expect(try JSON.Decoder().decode(Person.self, from: person).id == 7)
  }

  indirect enum Anything: Decodable, Equatable {
    case null, bool(Bool), int(Int), double(Double), string(String), array([Anything]), object([String: Anything])

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() { self = .null; return }
      if let bool = try? container.decode(Bool.self) { self = .bool(bool); return }
      if let int = try? container.decode(Int.self) { self = .int(int); return }
      if let double = try? container.decode(Double.self) { self = .double(double); return }
      if let string = try? container.decode(String.self) { self = .string(string); return }
      if let array = try? container.decode([Anything].self) { self = .array(array); return }
      self = .object(try container.decode([String: Anything].self))
    }
  }

  /// Random documents, read by a type that takes anything.
  @Test func randomDocumentsDecodeAsFoundationDoes() {
    var random = RandomSource(seed: 1)
    func value(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 4 ? 6 : 8), using: &random) {
      case 0: return "null"
      case 1: return Bool.random(using: &random) ? "true" : "false"
      case 2: return "\(Int.random(in: -1_000_000...1_000_000, using: &random))"
      case 3: return "\(Double.random(in: -1e6...1e6, using: &random))"
      case 4: return "\(UInt64.random(in: 0 ... .max, using: &random))"
      case 5:
        return ["\"\"", "\"a\"", #""\u00e9\n""#, "\"日本語\"", #""a longer string with 😀 in it""#].randomElement(
          using: &random) ?? "0"
      case 6:
        return "[\((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth + 1) }.joined(separator: ", "))]"
      default:
        let members = (0..<Int.random(in: 0..<5, using: &random)).map { "\"k\($0)\": \(value(depth + 1))" }
        return "{\(members.joined(separator: ","))}"
      }
    }
    for _ in 0..<2_000 { expectSame(Anything.self, value(0)) }
  }
}

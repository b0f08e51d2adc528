import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The codes, strategies and hints of single problems.
@Suite struct DiagnosisTests {
  private func problem(
    of text: String, decoder: JSON.Decoder? = nil, _ decode: (Data) throws -> Void
  ) throws -> JSON.Diagnosis.Problem {
    let data = Data(text.utf8)
    let error = try #require(throws: (any Error).self) { try decode(data) }
    return try #require(JSON.Diagnosis(error, in: data, decoder: decoder).problems.first)
  }

  @Test func strategiesAreStatedForAKnownDecoder() throws {
    struct User: Codable { var fullName: String }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = "{}"
    let known = try problem(of: text, decoder: decoder) { _ = try decoder.decode(User.self, from: $0) }
    #expect(known.strategies == ["keyDecodingStrategy = .convertFromSnakeCase"])
    let unknown = try problem(of: text) { _ = try decoder.decode(User.self, from: $0) }
    #expect(unknown.strategies == [])
  }

  @Test func keysOfAnotherTypeAreNotConfusedWithTheirValues() throws {
    enum Side: String, Codable, CodingKeyRepresentable { case left }
    for decode in [{ try JSON.Decoder().decode($0, from: $1) }, { try JSONDecoder().decode($0, from: $1) }]
      as [(any Decodable.Type, Data) throws -> Any]
    {
      for (type, name) in [([Int: String].self, "Int"), ([Side: String].self, "Side")] as [(any Decodable.Type, String)]
      {
        let found = try problem(of: #"{"a": "b"}"#) { _ = try decode(type, $0) }
        #expect(found.path.pointer == "/a" && found.hints == [])
        #expect(found.expected == "a key of type \(name)" && found.line.contains("found another key"), "\(found.line)")
      }
    }
  }

  @Test(arguments: [("{a: 'x'}", "/a", 4), ("{b: 1, /* c */ a: [1,],}", "/a", 18), ("// c\n{a: [+.5]}", "/a", 9)])
  func errorsOfFoundationAreLocatedInJSON5(text: String, pointer: String, offset: Int) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    struct Model: Decodable { let a: Int }
    let found = try problem(of: text) { _ = try decoder.decode(Model.self, from: $0) }
    #expect(found.path.pointer == pointer)
    #expect(found.location.offset == offset)
  }

  @Test func mappedValuesOfTheRightKindAreOutOfRangeOrInvalid() throws {
    let number = try problem(of: #"{"a":300}"#) { let _: Int8 = try JSON(parsing: $0) => "a" }
    #expect(number.code == .numberOutOfRange)
    let date = try problem(of: #"{"a":"soon"}"#) { let _: Date = try JSON(parsing: $0) => "a" }
    #expect(date.code == .invalidValue)
  }

  @Test func elementsAreLocatedInAnyOrderAndOnlyIfTheyExist() {
    var locator = ValueLocator(SourceText(Array("[1, 22, 333]".utf8)))
    for (index, offset) in [(3, nil), (3, nil), (1, 4), (2, 8), (0, 1), (4, nil), (2, 8), (3, nil)] {
      let found = locator.beginning(at: [.index(index)])
      #expect((found?.depth == 1 ? found?.token.range.lowerBound : nil) == offset, "\(index)")
    }
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\"?><a/>", "this is XML"), ("<a/>", "this looks like HTML or XML"),
    ("<!DOCTYPE html>", "this is HTML: a page instead of data"), ("%PDF-1.7", "this is a PDF document"),
    ("bplist00", "this is a binary property list"), (" \n", "the text contains only white space"),
  ])
  func otherFormatsAreNamed(text: String, hint: String) throws {
    #expect(try problem(of: text) { _ = try JSON(parsing: $0) }.hints == [hint])
  }

  @Test(arguments: [
    #"{"id" 1}"#, #"[{"id": 1}, {"id" 2}]"#, #"{"a": {"b": tru}}"#, #"{"a": ["\x"]}"#, #"{"a": 1, "b\x": 2}"#, #"{"a"#,
    #"{"a": 1, "b":"#, "[1, [2", #"{"a": [1, 2}"#, #"{"a": {"b": 1}, 2}"#, #"{"a\u0041": nul}"#,
  ])
  func readingErrorsAndDiagnosesHaveTheSamePath(text: String) throws {
    let error = try #require(throws: JSON.ReadingError.self) { try JSON.read(JSON.self, from: text) }
    let problem = try problem(of: text) { _ = try JSON(parsing: $0) }
    #expect(error.path == problem.path)
    #expect(error.offset == problem.location.offset)
  }

  @Test(arguments: ["id: 1", "[id: 1]", "{} id: 1", "1\nid: 1"]) func keysOutsideOfObjectsNeedMoreThanQuotationMarks(
    text: String
  ) throws {
    let hints = try problem(of: text) { _ = try JSON(parsing: $0) }.hints
    #expect(!hints.contains { $0.contains("quotation marks around keys") })
  }

  private struct Account: Decodable {
    enum CodingKeys: String, CodingKey {
      case id
      case createdAt = "created_at"
      case ownerID
    }
    var id: Int
    var createdAt: Int?
    var ownerID: Int

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      createdAt = try container.decode(Int.self, forKey: .createdAt)
      ownerID = try container.decode(Int.self, forKey: .ownerID)
    }
  }

  /// Returns the hints of all problems of decoding `type` with all strategies known.
  private func hints<T: Decodable>(
    _ type: T.Type, _ text: String, _ setUp: (JSON.Decoder) -> Void = { _ in }
  ) -> [String] {
    let decoder = JSON.Decoder()
    setUp(decoder)
    let error = #expect(throws: JSON.Diagnosis.self, "\(text)") { try decoder.decodeAll(type, from: Data(text.utf8)) }
    return error?.problems.flatMap(\.hints) ?? []
  }

  @Test func hintsNameTheKeysThatAStrategyMakes() {
    let text = #"{"id": 1, "created_at": 2, "owner_id": 3}"#
    let snake = hints(Account.self, text) { $0.keyDecodingStrategy = .convertFromSnakeCase }
    #expect(
      snake == [
        #""created_at" is here, but the key strategy converts it to "createdAt", which the coding key has to be"#,
        #""owner_id" is similar; the key strategy converts it to "ownerId""#,
      ])
    let custom = hints(Account.self, #"{"id": 1, "created_at": 2, "ownerID": 3}"#) {
      $0.keyDecodingStrategy = .custom { path in
        let key = path.last?.stringValue ?? ""
        return DecodingKey(stringValue: key == "id" ? key : "x-\(key)")
      }
    }
    #expect(
      custom == [
        #""created_at" is here, but the key strategy converts it to another key"#,
        #""ownerID" is here, but the key strategy converts it to another key"#,
      ])
    // Without a strategy a key is similar to others only.
    #expect(
      hints(Account.self, #"{"id": 1, "createdAt": 2, "owner_id": 3}"#) == [
        #""createdAt" is similar; check the key strategy"#, #""owner_id" is similar; check the key strategy"#,
      ])
  }

  @Test(arguments: [
    ("caf\u{E9}", "cafe\u{301}", "its letters have another normal form of Unicode"),
    ("\u{212B}", "\u{C5}", "its letters have another normal form of Unicode"),
    ("id", "id ", "its blanks or invisible characters differ"),
    ("id", "\u{A0}id", "its blanks or invisible characters differ"),
    ("id", "i\u{200B}d", "its blanks or invisible characters differ"),
    ("id", "\u{FEFF}id", "its blanks or invisible characters differ"),
    ("first name", "firstname", "its blanks or invisible characters differ"),
    ("first name", "first  name", "its blanks or invisible characters differ"), ("id", "ID", "case matters"),
  ])
  func hintsSayHowSimilarKeysDiffer(expected: String, found: String, difference: String) throws {
    let text = "{\(JSON(found)): 1}"
    let hints = try problem(of: text) { let _: Int = try JSON(parsing: $0) => JSON.Path(expected) }.hints
    #expect(hints.count == 1 && hints[0].hasSuffix(" is similar; \(difference)"), "\(hints)")
  }

  @Test func hintsExplainHalvesOfSurrogatePairs() throws {
    for text in [#"["\uD83D"]"#, #"["\uDE00"]"#, #"["a\ud83d b"]"#, #"{"\uD83D": 1}"#, #"["\uD83D\u0041"]"#] {
      let hints = try problem(of: text) { _ = try JSON(parsing: $0) }.hints
      #expect(
        hints == [
          "half of a surrogate pair: a character beyond U+FFFF has two escapes, \\uD83D\\uDE00; the text may have been cut within one"
        ], "\(text)")
    }
    let bytes = Data([0x22, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x22])
    let error = try #require(throws: (any Error).self) { try JSON(parsing: bytes) }
    #expect(
      JSON.Diagnosis(error, in: bytes).problems.first?.hints == [
        "half of a surrogate pair in three bytes: the text may be in CESU-8; JSON is in UTF-8"
      ])
  }

  private enum Shape: Decodable {
    case circle(Int)
    case square(side: Int)
    case none
  }

  @Test func hintsExplainEnumerationsAsSwiftCodesThem() throws {
    let unnamed =
      "Swift's own coding names the values of a case without labels _0, _1, …: write init(from:), or use @JSONCodable"
    #expect(hints(Shape.self, #"{"circle": {"radius": 1}}"#) == [unnamed])
    #expect(hints([Shape].self, #"[{"circle": {}}]"#) == [unnamed])
    let one = "an enumeration with values is an object with one key, the name of a case"
    #expect(hints(Shape.self, #"{"triangle": {}}"#) == [one])
    #expect(hints(Shape.self, "{}") == [one])
    #expect(hints(Shape.self, #"{"circle": {"_0": 1}, "square": {"side": 1}}"#) == [one])
  }
}

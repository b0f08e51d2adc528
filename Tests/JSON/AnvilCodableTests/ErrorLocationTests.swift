import AnvilCodable
import AnvilDiagnosis
import Foundation
import Testing

/// The paths, the missing keys and the expected types in the errors of all ways of reading, which are the same.
@Suite struct ErrorLocationTests {
  @JSONCodable
  struct Trip: Equatable {
    @CodableBy(.iso8601) var days: [Date]?
    @CodableBy(.iso8601) var holidays: Set<Date>?
    @CodableBy(.iso8601) var named: [String: Date]?
    @CodableBy(.iso8601) var sparse: [Date?]?
    @CodableBy(.text(of: Int.self)) var counts: [String: [Int]]?
    @CodableBy(Percentage()) var shares: [Double]?
    @CodableBy(.base64) var photos: [Data]?
    @CodingKey("inner", "stops") @CodableBy(.iso8601) var stops: [Date]?
  }

  struct Percentage: CodableStrategy {
    struct Refusal: Error {}
    func value(from text: String) throws -> Double {
      guard text.hasSuffix("%"), let number = Double(text.dropLast()) else { throw Refusal() }
      return number
    }
    func coded(_ value: Double) throws -> String {
      guard value.isFinite else { throw CodingStrategyError("not finite") }
      return "\(value)%"
    }
  }

  @JSONCodable @JSONTagged(by: "kind", content: "value")
  enum Message: Equatable {
    case text(String)
    case pair(Int, Int)
    case named(a: Int)
    case ping
  }

  @JSONCodable
  enum Shape: Equatable {
    case circle(radius: Int)
    case pair(Int, Int)
  }

  @JSONCodable
  struct Deep: Equatable {
    @CodingKey("a", "b") var z: Int
    @CodingKey("c", "d/e", "f~") var y: Int
  }

  @JSONCodable struct Outer: Equatable { var name: String, inner: Plain }

  /// A type without a direct path.
  struct Plain: Codable, Equatable {
    var numbers: [Int]
    var id: Int
  }

  /// A place in a document in the form of `JSON.Path`.
  private func text(_ path: [any CodingKey]) -> String {
    JSON.Path(codingPath: path).description
  }

  private func place(of error: any Error) -> String {
    switch error {
    case let error as JSON.ReadingError:
      if case .missingKey(let key) = error.code { return "\(error.path) lacks \(key)" }
      return "\(error.path)"
    case DecodingError.keyNotFound(let key, let context): return "\(text(context.codingPath)) lacks \(key.stringValue)"
    case let error as DecodingError:
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        return text(context.codingPath)
      default: return "?"
      }
    case let error as any JSONDecodingError:
      if case DecodingError.keyNotFound(let key, _)? = (error as? WrappedDecodingError)?.underlyingError {
        return "\(error.path) lacks \(key.stringValue)"
      }
      return "\(error.path)"
    case let error as JSON.Diagnosis:
      return error.problems.map { "\($0.path)" + ($0.missingKey.map { " lacks \($0)" } ?? "") }.joined(separator: ", ")
    default: return "\(type(of: error))"
    }
  }

  /// The place of the error of each way of reading.
  private func places<T: Model>(_ type: T.Type, _ text: String) -> [String: String] {
    let data = Data(text.utf8)
    let ways: [String: () throws -> T] = [
      "JSON.read": { try JSON.read(type, from: data) }, "=>": { try JSON(parsing: data) => JSON.Path() },
      "JSON.Decoder": { try JSON.Decoder().decode(type, from: data) },
      "JSONDecoder": { try JSONDecoder().decode(type, from: data) },
      "decodeAll": { try JSON.Decoder().decodeAll(type, from: data) },
    ]
    return ways.mapValues { way in
      do { return "no error: \(try way())" } catch { return place(of: error) }
    }
  }

  private func expect<T: Model>(_ type: T.Type, _ text: String, at place: String) {
    for (way, found) in places(type, text) { #expect(found == place, "\(way) of \(text)") }
  }

  @Test(arguments: [
    (#"{"days": ["2026-01-01T00:00:00Z", "x"]}"#, "days[1]"),
    (#"{"holidays": ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "x"]}"#, "holidays[2]"),
    (#"{"named": {"a": "2026-01-01T00:00:00Z", "\u0062.c": "x"}}"#, #"named["b.c"]"#),
    (#"{"named": {"a": "2026-01-01T00:00:00Z", "a": "y", "é": "x"}}"#, "named.é"),
    (#"{"sparse": [null, "2026-01-01T00:00:00Z", "x"]}"#, "sparse[2]"),
    (#"{"counts": {"a": [], "b": ["1", "y"]}}"#, "counts.b[1]"),
    (#"{"inner": {"stops": [ "x" ]}}"#, "inner.stops[0]"),
    (#"{"photos": ["", "?"]}"#, "photos[1]"),
  ])
  func elementsThatAStrategyRefusesHaveAPath(text: String, place: String) {
    expect(Trip.self, text, at: place)
  }

  @Test func allElementsThatAStrategyRefusesAreReported() throws {
    let text = #"""
      {"shares": ["1%", "y", 5, "z"], "days": ["x", "2026-01-01T00:00:00Z"], "counts": {"a": ["1", "x"], "b": ["y"]},
      "sparse": [null, "x"], "inner": {"stops": "x"}}
      """#
    let error = try #require(throws: JSON.Diagnosis.self) {
      try JSON.Decoder().decodeAll(Trip.self, from: Data(text.utf8))
    }
    #expect(
      error.problems.map { "\($0.path)" } == [
        "shares[1]", "shares[2]", "shares[3]", "days[0]", "counts.a[1]", "counts.b[0]", "sparse[1]", "inner.stops",
      ])
    #expect(error.extent == .everything)
  }

  @Test func errorsOfAStrategyOtherThanItsOwnHaveAPathWhereItIsKnown() throws {
    let data = Data(#"{"shares": ["1%", "y"]}"#.utf8)
    #expect(throws: Percentage.Refusal.self) { try JSON.Decoder().decode(Trip.self, from: data) }
    let error = try #require(throws: JSON.ReadingError.self) { try JSON.read(Trip.self, from: data) }
    #expect(error.path.description == "shares[1]")
    #expect(error.offset == 18)
  }

  @Test func elementsThatCannotBeEncodedHaveAPath() throws {
    let trips = [
      (Trip(shares: [1, .infinity]), "shares[1]"),
      (Trip(days: [.now, Date(timeIntervalSince1970: 1e13)]), "days[1]"),
      (Trip(named: ["a": .now, "b": Date(timeIntervalSince1970: 1e13)]), "named.b"),
    ]
    for (trip, place) in trips {
      for encode in [{ try JSON.Encoder().encode($0) }, { try JSONEncoder().encode($0) }] as [(Trip) throws -> Data] {
        let error = #expect(throws: EncodingError.self) { try encode(trip) }
        guard case .invalidValue(_, let context)? = error else { continue }
        #expect(self.text(context.codingPath) == place)
      }
      let error = #expect(throws: JSON.WritingError.self) { try JSON.write([trip]) }
      #expect(error?.path.description == "[0].\(place)")
    }
  }

  @Test func descriptionsHaveNoFullStopBeforeTheValue() throws {
    let error = #expect(throws: JSON.ReadingError.self) { try JSON.read(Numbered.self, from: #"{"m": {"a": "b"}}"#) }
    let description = error.map { "\($0)" } ?? ""
    #expect(description.hasSuffix(#": Expected Int key but found String key instead in "b""#), "\(description)")
  }

  @JSONCodable fileprivate struct Numbered { var m: [Int: String] }

  @Test func localizedDescriptionsAreTheDescriptions() throws {
    let errors: [any Error] = [
      try #require(throws: JSON.ReadingError.self) { try JSON.read(Trip.self, from: #"{"days": 1}"#) },
      try #require(throws: JSON.SyntaxError.self) { try JSON(parsing: "[1,") },
      try #require(throws: JSON.WritingError.self) { try JSON.write([Double.nan]) },
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }

  @Test(arguments: [
    (#"{"kind": "text"}"#, " lacks value"),
    (#"{"kind": "pair", "value": {"_0": 1}}"#, "value lacks _1"),
    (#"{"kind": "pair"}"#, " lacks value"),
    (#"{"value": {}, "kind": "named"}"#, "value lacks a"),
    (#"{"value": {}}"#, " lacks kind"),
  ])
  func membersThatATaggedEnumerationLacksHaveTheirKeys(text: String, place: String) {
    expect(Message.self, text, at: place)
    expect([Message].self, "[\(text)]", at: "[0]" + (place.hasPrefix(" ") ? "" : ".") + place)
  }

  @Test(arguments: [
    (#"{"circle": {}}"#, "circle lacks radius"), (#"{"pair": {"_0": 1}}"#, "pair lacks _1"),
  ])
  func membersThatACaseLacksHaveTheirKeys(text: String, place: String) { expect(Shape.self, text, at: place) }

  @Test(arguments: [
    (#"{"a.b": 1, "a": {}, "c": {"d/e": {"f~": 1}}}"#, "a lacks b"),
    (#"{"c": {"d/e": {"f~": 1}}}"#, " lacks a"),
    (#"{"a": {"b": 1}, "c": {"d/e": {}}, "d": {}}"#, #"c["d/e"] lacks f~"#),
    (#"{"\u0061": {"b": 1}, "c": {"x": {"d/e": {}}}}"#, "c lacks d/e"),
    (#"{"a": {"b": 1}}"#, " lacks c"),
  ])
  func missingNestedKeysAreLocatedInTheirObject(text: String, place: String) { expect(Deep.self, text, at: place) }

  @Test(arguments: [
    (#"{"name": "a", "inner": {"numbers": [1, "x"], "id": 1}}"#, "inner.numbers[1]"),
    (#"{"name": "a", "inner": {"numbers": []}}"#, "inner lacks id"),
  ])
  func errorsInTypesWithoutADirectPathAreLocated(text: String, place: String) { expect(Outer.self, text, at: place) }

  // MARK: Reports

  @JSONCodable
  struct One {
    @CodableBy(.iso8601) var at: Date?
    @CodableBy(.base64) var data: Data?
    @CodableBy(.text(of: Int.self)) var count: Int?
    @CodableBy(.iso8601) var all: [Date]?
    var plain: Date?
    var url: URL?
    var kind: Kind?
    var message: Message?
    var shape: Shape?
    var nested: Deep?
    var small: Int8?
    var names: [String]?
  }

  @JSONCodable enum Kind: String { case a, b }

  private static let secret = "s3cret"

  @Test(arguments: [
    (#"{"at": "s3cret"}"#, "expected Date (ErrorLocationTests.One.at), found string in another format"),
    (#"{"data": "s3cret"}"#, "expected Data (ErrorLocationTests.One.data), found string in another format"),
    (#"{"count": "s3cret"}"#, "expected text of Int (ErrorLocationTests.One.count), found string in another format"),
    (#"{"all": ["s3cret"]}"#, "expected Date (ErrorLocationTests.One.all), found string in another format"),
    (#"{"plain": "s3cret"}"#, "expected Date (ErrorLocationTests.One.plain), found string in another format"),
    (#"{"at": "2026-02-03"}"#, "decode it as a JSON.Day"),
  ])
  func reportsNameTheTypeOfAStrategy(text: String, message: String) throws {
    let data = Data(text.utf8)
    let all = try #require(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll(One.self, from: data) }
    func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(words(all.description).contains(message), "\(all)")
    let error = try #require(throws: (any Error).self) { try JSON.Decoder().decode(One.self, from: data) }
    let read = try #require(throws: JSON.ReadingError.self) { try JSON.read(One.self, from: data) }
    let mapped = try #require(throws: (any Error).self) { try JSON(parsing: data) => JSON.Path() as One }
    let ones =
      [error, read, mapped].map { JSON.Diagnosis($0, in: data) } + [
        JSON.Diagnosis(error, in: data, decoder: JSON.Decoder())
      ]
    for diagnosis in [all] + ones {
      #expect(!diagnosis.description.contains(Self.secret) && !diagnosis.line.contains(Self.secret), "\(diagnosis)")
      #expect(diagnosis.problems[0].expected == all.problems[0].expected, "\(diagnosis)")
      #expect(diagnosis.problems[0].code == .invalidValue)
      #expect(!diagnosis.description.contains("Strategy"), "\(diagnosis)")
      #expect(words(diagnosis.description).contains("found string in another format"), "\(diagnosis)")
    }
  }

  @Test(arguments: [
    #"{"small": 300}"#, #"{"small": 1.5}"#, #"{"small": "s3cret"}"#, #"{"names": [null]}"#, #"{"names": {}}"#,
    #"{"plain": "s3cret"}"#, #"{"url": ""}"#, #"{"kind": "s3cret"}"#, #"{"kind": 5}"#,
    #"{"message": {"kind": "s3cret"}}"#, #"{"message": {"kind": "text"}}"#, #"{"message": 5}"#,
    #"{"shape": {}}"#, #"{"nested": {"a": {}}}"#, #"{"at": "s3cret"}"#, #"{"names": ["a" "b"]}"#, #"{"names": ["a"],"#,
    "",
  ])
  func diagnosesOfReadingErrorsAreThoseOfTheDecoder(text: String) throws {
    let data = Data("\n\(text)".utf8)
    let read = try #require(throws: JSON.ReadingError.self) { try JSON.read(One.self, from: data) }
    let error = try #require(throws: (any Error).self) { try JSON.Decoder().decode(One.self, from: data) }
    let diagnosis = JSON.Diagnosis(read, in: data)
    let expected = JSON.Diagnosis(error, in: data)
    func summary(_ diagnosis: JSON.Diagnosis) -> String {
      let problem = diagnosis.problems[0]
      return "\(problem.code) \(problem.path) @\(problem.location) \(problem.missingKey ?? "")"
    }
    #expect(summary(diagnosis) == summary(expected), "\(read)\n\(error)")
    let choices = expected.problems[0].choices
    #expect(choices.isEmpty || diagnosis.problems[0].choices == choices, "\(read)\n\(error)")
    #expect(!diagnosis.description.contains(Self.secret))
    #expect(diagnosis.problems.count == 1 && diagnosis.extent == expected.extent)
  }

  @Test func diagnosesOfReadingErrorsInOtherEncodingsAreLocated() throws {
    let text = #"[{"kind": "é", "value": 1}]"#
    let data = try #require(#"{"message": {"kind": "ping", "x": "é"}, "names": [5]}"#.data(using: .utf16))
    let read = try #require(throws: JSON.ReadingError.self) { try JSON.read(One.self, from: data) }
    #expect(JSON.Diagnosis(read, in: data).line == "decode.type-mismatch $.names[0] expected String found number @1:51")
    let known = try #require(throws: JSON.ReadingError.self) { try JSON.read([Message].self, from: text) }
    #expect(JSON.Diagnosis(known, in: Data(text.utf8)).problems[0].choices == ["text", "pair", "named", "ping"])
  }

  // MARK: Dates of a decoder

  struct Dated: Codable { var at: Date }

  @Test func aTextThatIsNoDateIsNamedByADecoderWithoutAStrategy() throws {
    let data = Data(#"{"at": "2026-02-03"}"#.utf8)
    let error = try #require(throws: DecodingError.self) { try JSON.Decoder().decode(Dated.self, from: data) }
    guard case .dataCorrupted(let context) = error else { return _ = Issue.record("\(error)") }
    #expect(context.debugDescription == #"Expected a date and time in the format of RFC 3339, found "2026-02-03"."#)
    let all = try #require(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll(Dated.self, from: data) }
    #expect(all.line == "decode.invalid-value $.at expected Date found string in another format @1:8")
    #expect(JSON.Diagnosis(error, in: data).line == all.line)
    let other = try #require(throws: DecodingError.self) {
      try JSON.Decoder().decode(Dated.self, from: Data(#"{"at": true}"#.utf8))
    }
    guard case .typeMismatch = other else { return _ = Issue.record("\(other)") }
  }
}

import AnvilCodable
import AnvilDiagnosis
import Foundation
import Testing

/// All problems of models with macros: decoding goes on after a value that a strategy refuses, and after an unknown tag.
@Suite struct CollectingTests {
  @JSONCodable
  struct Visit {
    @CodableBy(.iso8601) var begin: Date
    @CodableBy(.iso8601) var end: Date?
    @CodableBy(.base64) var photo: Data
    @CodableBy(.text(of: Int.self)) var count: Int
    @CodableBy(.iso8601) var stops: [Date]
    @CodableBy(Uncodable()) var grade: Grade
    @CodingKey("place", "opened") @CodableBy(.iso8601) var opened: Date
    var name: String
  }

  /// A value of a strategy that is not `Decodable`.
  struct Grade: Equatable {
    var letter: String
  }

  struct Uncodable: CodableStrategy {
    struct Refusal: Error {}
    func value(from text: String) throws -> Grade {
      guard text == "A" || text == "" else { throw Refusal() }
      return Grade(letter: text)
    }
    func coded(_ grade: Grade) -> String { grade.letter }
  }

  @JSONTagged(by: "type") @JSONCodable
  enum Event {
    case opened(Opening)
    @CodingKey("closed_at") case closed(at: Int)
  }

  @JSONCodable struct Opening { var by: String }

  @JSONCodable
  enum Shape {
    case circle(radius: Int)
    case square(side: Int)
  }

  @JSONCodable
  struct Log {
    var first: Event
    var events: [Event]
    var shape: Shape
    var kind: Kind
    var label: Label
    var name: String
  }

  @JSONCodable enum Kind: String { case a, b }

  @JSONTagged @JSONCodable enum Label { case red, green }

  private func problems<T: Decodable>(_ type: T.Type, _ text: String) -> [String] {
    let error = #expect(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll(type, from: Data(text.utf8)) }
    return error?.problems.map { "\($0.code) \($0.path)" + ($0.choices.isEmpty ? "" : " of \($0.choices)") } ?? []
  }

  @Test func valuesThatStrategiesRefuseAreReportedTogether() {
    let text = #"""
      {"begin": "soon", "end": "late", "photo": "?", "count": "x", "stops": ["2026-01-01T00:00:00Z", "never"],
      "grade": "Z", "place": {"opened": "x"}, "name": 1}
      """#
    #expect(
      problems(Visit.self, text) == [
        "decode.invalid-value begin", "decode.invalid-value end", "decode.invalid-value photo",
        "decode.invalid-value count", "decode.invalid-value stops[1]", "decode.invalid-value grade",
        "decode.invalid-value place.opened", "decode.type-mismatch name",
      ])
  }

  @Test func valuesOfOtherKindsAndMissingOnesAreReportedTogether() {
    let text = #"{"begin": 1, "end": null, "photo": null, "count": 5, "stops": "x", "place": {}, "grade": "Z"}"#
    let found = problems(Visit.self, text)
    for place in ["begin", "photo", "count", "stops", "grade"] {
      #expect(found.contains { $0.hasSuffix(" \(place)") }, "\(place): \(found)")
    }
    #expect(found.count { $0.contains("missing-key") } == 2, "\(found)")
  }

  @Test func elementsAfterARefusedValueAreDecoded() {
    let good =
      #""photo": "", "count": "1", "stops": [], "grade": "A", "place": {"opened": "2026-01-01T00:00:00Z"}, "name": "a""#
    let text = #"[{"begin": "soon", \#(good)}, {"begin": "2026-01-01T00:00:00Z", \#(good)}, {"begin": 1, \#(good)}]"#
    #expect(problems([Visit].self, text) == ["decode.invalid-value [0].begin", "decode.type-mismatch [2].begin"])
  }

  @Test func unknownTagsAreReportedWithTheCasesAndWithWhatFollows() {
    let text = #"""
      {"first": {"type": "lost"}, "events": [{"type": "opened", "by": 1}, {"type": "Closed"}, {"by": "x"}],
      "shape": {"triangle": {}}, "kind": "c", "label": "blue", "name": 1}
      """#
    #expect(
      problems(Log.self, text) == [
        #"decode.unknown-case first.type of ["opened", "closed_at"]"#, "decode.type-mismatch events[0].by",
        #"decode.unknown-case events[1].type of ["opened", "closed_at"]"#, "decode.missing-key events[2]",
        #"decode.unknown-case shape of ["circle", "square"]"#, #"decode.unknown-case kind of ["a", "b"]"#,
        #"decode.unknown-case label of ["red", "green"]"#,
        "decode.type-mismatch name",
      ])
  }

  @Test(arguments: [
    (#"{"first": {"type": "Opened"}}"#, #""opened" is similar"#),
    (#"{"first": {"type": "opend"}}"#, #""opened" is similar"#),
    (#"{"first": {"type": "x"}, "shape": {"Circle": {}}}"#, #""circle" is similar"#),
  ])
  func unknownTagsHaveHints(text: String, hint: String) {
    let error = #expect(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll(Log.self, from: Data(text.utf8)) }
    #expect(
      error?.problems.contains { $0.hints.contains { $0.hasPrefix(hint) } } == true, "\(String(describing: error))")
  }

  @Test func errorsOfOtherDecodersNameTheCases() throws {
    let text = Data(#"[{"triangle": {}}]"#.utf8)
    let error = try #require(throws: DecodingError.self) { try JSONDecoder().decode([Shape].self, from: text) }
    #expect(
      "\(error)".contains("Expected one key, the name of a case of Shape (circle, square), found none of them."),
      "\(error)")
    let two = Data(#"{"circle": {"radius": 1}, "square": {"side": 2}}"#.utf8)
    let other = try #require(throws: DecodingError.self) { try JSON.Decoder().decode(Shape.self, from: two) }
    #expect(
      "\(other)".contains("Expected one key, the name of a case of Shape (circle, square), found several of them."),
      "\(other)")
    let tag = Data(#"{"type": "lost"}"#.utf8)
    let unknown = try #require(throws: DecodingError.self) { try JSONDecoder().decode(Event.self, from: tag) }
    #expect("\(unknown)".contains("There is no such case of Event, which has opened, closed_at."), "\(unknown)")
  }

  /// The error of each way of reading, in its own rendering.
  private func errors<T: JSONReadable & JSONDecodable & Decodable>(_ type: T.Type, _ text: String) -> [String] {
    let data = Data(text.utf8)
    let ways: [() throws -> T] = [
      { try JSON.read(type, from: data) }, { try JSON(parsing: data) => JSON.Path() },
      { try JSON.Decoder().decode(type, from: data) }, { try JSONDecoder().decode(type, from: data) },
    ]
    return ways.map { way in
      do { return "\(try way())" } catch { return "\(error)" }
    }
  }

  @Test func allWaysOfReadingNameTheCasesInTheSameWords() {
    for error in errors(Event.self, #"{"type": "lost"}"#) {
      #expect(error.contains("no such case of Event, which has opened, closed_at"), "\(error)")
    }
    for error in errors(Label.self, #""blue""#) {
      #expect(error.contains("no such case of Label, which has red, green"), "\(error)")
    }
    for (text, found) in [
      (#"{"triangle": {}}"#, "none"), ("{}", "none"), (#"{"circle": {"radius": 1}, "square": {"side": 2}}"#, "several"),
    ] {
      let words = "xpected one key, the name of a case of Shape (circle, square), found \(found) of them"
      for error in errors(Shape.self, text) { #expect(error.contains(words), "\(error)") }
    }
  }
}

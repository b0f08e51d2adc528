import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private enum Color: String, Codable, CodingKeyRepresentable { case red, green }

private struct Game: Codable, Hashable {
  @LossyDictionary var scores: [String: Int]
}

private struct Tables: Codable, Equatable {
  @LossyDictionary var byNumber: [Int: String]
  @LossyDictionary var byColor: [Color: Int]
}

@Suite struct LossyDictionaryTests {
  @Test(arguments: AnyDecoder.allCases) func invalidMembersAreSkippedAndReported(_ decoder: AnyDecoder) throws {
    let (game, report) = try decoder.decode(Game.self, #"{"scores": {"ann": 1, "bob": "x", "odd.key": [], "cy": 2}}"#)
    #expect(game.scores == ["ann": 1, "cy": 2])
    #expect(game.$scores.skippedCount == 2)
    #expect(
      Set(report.entries.map(\.description)) == [
        "lossy.skipped-member at scores.bob: expected Int",
        #"lossy.skipped-member at scores["odd.key"]: expected Int"#,
      ])
    #expect(report.entries.allSatisfy { $0.code == .skippedMember && $0.error is DecodingError })
  }

  @Test(arguments: AnyDecoder.allCases) func invalidKeysAreSkippedAndReported(_ decoder: AnyDecoder) throws {
    let (tables, report) = try decoder.decode(
      Tables.self,
      #"{"byNumber": {"1": "a", "x": "b", "2": 3, "-4": "d", "01": "e"}, "byColor": {"red": 1, "blue": 2, "green": 3}}"#
    )
    #expect(tables.byNumber == [1: "e", -4: "d"])
    #expect(tables.byColor == [.red: 1, .green: 3])
    #expect(tables.$byNumber.skippedCount == 3)
    #expect(
      Set(report.entries.map(\.description)) == [
        "lossy.skipped-member at byNumber.1: the same key as another member",
        "lossy.skipped-member at byNumber.2: expected String",
        "lossy.skipped-member at byNumber.x: not a key of type Int",
        "lossy.skipped-member at byColor.blue: not a key of type Color",
      ])
  }

  @Test(arguments: AnyDecoder.withNull) func nullIsSkippedUnlessTheTypeIsOptional(_ decoder: AnyDecoder) throws {
    let (game, report) = try decoder.decode(Game.self, #"{"scores": {"ann": null, "bob": 1}}"#)
    #expect(game.scores == ["bob": 1])
    #expect(report.entries.map(\.description) == ["lossy.skipped-member at scores.ann: expected Int, found null"])
    let (optional, none) = try decoder.decode(LossyDictionary<String, Int?>.self, #"{"ann": null, "bob": 1}"#)
    #expect(optional == ["ann": nil, "bob": 1])
    #expect(none.isEmpty)
  }

  @Test(arguments: AnyDecoder.allCases) func valuesThatAreNotObjectsAreErrors(_ decoder: AnyDecoder) {
    #expect(throws: DecodingError.self) { try decoder.decode(Game.self, #"{"scores": [1]}"#) }
    #expect(throws: DecodingError.self) { try decoder.decode(Game.self, "{}") }
  }

  @Test func keysAreNotConverted() throws {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let (game, report) = try decoder.decodeReporting(Game.self, from: Data(#"{"scores": {"ann_b": 1}}"#.utf8))
    #expect(game.scores == ["ann_b": 1])
    #expect(report.isEmpty)
    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try foundation.decode(Game.self, from: Data(#"{"scores": {"ann_b": 1}}"#.utf8)) == game)
  }

  @Test func encodesAsADictionary() throws {
    let tables = Tables(byNumber: [7: "a"], byColor: [.red: 1])
    let data = try JSON.Encoder().encode(tables)
    #expect(String(decoding: data, as: UTF8.self) == #"{"byNumber":{"7":"a"},"byColor":{"red":1}}"#)
    #expect(try JSON.Decoder().decode(Tables.self, from: data) == tables)
    #expect(try PropertyListDecoder().decode(Tables.self, from: PropertyListEncoder().encode(tables)) == tables)
  }

  @Test func equalityAndHashesAreThoseOfTheMembers() throws {
    let (lossy, _) = try AnyDecoder.anvil.decode(LossyDictionary<String, Int>.self, #"{"a": 1, "b": "x"}"#)
    #expect(lossy.skippedCount == 1)
    #expect(lossy == LossyDictionary(wrappedValue: ["a": 1]))
    #expect(lossy.hashValue == LossyDictionary(wrappedValue: ["a": 1]).hashValue)
    #expect(LossyDictionary(dictionaryLiteral: ("a", 1), ("a", 2)) == ["a": 1])
  }

  @Test func nestedDictionariesSkipTheirOwnMembers() throws {
    let (lossy, report) = try AnyDecoder.anvil.decode(
      LossyDictionary<String, LossyDictionary<String, Int>>.self, #"{"a": {"x": 1, "y": []}, "b": 5}"#)
    #expect(lossy == ["a": ["x": 1]])
    #expect(
      report.entries.map(\.description) == [
        "lossy.skipped-member at a.y: expected Int",
        "lossy.skipped-member at b: expected [String: Any]",
      ])
  }
}

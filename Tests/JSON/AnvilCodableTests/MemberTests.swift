import AnvilBase
import AnvilCodable
import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

/// The rest of an object, null, and strategies for containers.
@Suite struct MemberTests {
  // MARK: - The rest of an object

  @Test func membersWithoutAPropertyAreKept() throws {
    expectAgreement(
      #"{"id": 1, "owner": {"login": "a"}, "display_name": "b", "tags": [], "version": 2, "a": [1, {"b": "c"}], "z": true}"#,
      WithRest(id: 1, owner: "a", displayName: "b", other: ["a": [1, ["b": "c"]], "z": true], tags: []))
    // Keys of properties are not part of the rest, however they are used.
    expectAgreement(
      #"{"x": 1.5, "id": 1, "id": 2, "owner": {"other": 3}, "nick": "n", "display_name": null, "version": 9}"#,
      WithRest(id: 1, displayName: nil, other: ["x": 1.5], tags: []),
      writing: #"{"id": 1, "tags": [], "version": 2, "x": 1.5}"#, by: [])
    expectAgreement(
      #"{"y": null, "id": 1}"#, WithRest(id: 1, other: ["y": JSON.null], tags: []),
      writing: #"{"id": 1, "tags": [], "version": 2, "y": null}"#, by: .foundation)
    expectAgreement("{}", OnlyRest(values: [:]))
    expectAgreement(#"{"a": 1, "b": null}"#, OnlyRest(values: ["a": 1, "b": Int?.none]), by: .foundation)
    expectAgreement(
      #"{"a": {"name": "s"}, "name": "n", "b": {"name": "t", "number": 2}}"#,
      RestOfModels(name: "n", streets: ["a": Street(name: "s"), "b": Street(name: "t", number: 2)]))
    expectAgreement(#"{"p": {"x": 1, "y": 2}, "q": {"x": 3, "y": 4}}"#, as: RestOfPoints.self)
    expectAgreement(#"{"ID": 1, "id": 2, "other": 3}"#, RestWithOwnKeys(id: 1, other: ["id": 2, "other": 3]))
    let initialized = try #require(expectAgreement(#"{"reader": 1, "x": 2}"#, as: RestWithInitializer.self))
    #expect(initialized.decoder == ["x": 2])
    expectAgreement(#"{"first": "a", "b": "c"}"#, GenericRest<String>(first: "a", other: ["b": "c"]))
    expectAgreement(#"{"id": 1, "x": "y"}"#, RestClass(id: 1, other: ["x": "y"]))
    expectAgreement(#"{"level": {"value": 1}, "a": {"value": 2}}"#, as: RestScope.Nested.self)
  }

  @Test func keysInDifferentUnicodeFormsAreDifferent() throws {
    let text = "{\"\u{E9}A\": 1, \"e\u{301}A\": 2}"
    expectAgreement(text, RestOfAccents(éA: 1, other: ["e\u{301}A": 2]), by: [])
    let tagged = "{\"\u{E9}\": \"rest\", \"e\u{301}\": 2}"
    expectAgreement(tagged, .rest(RestOfAccents(other: ["e\u{301}": 2])) as TaggedByAccent, by: [])
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let written = try JSON(parsing: encoder.encode(RestOfAccents(éA: 1, other: ["e\u{301}_a": 2])))
    #expect(written["\u{E9}_a"] == 1 && written["e\u{301}_a"] == 2)
  }

  @Test func keysOfTheRestMayHaveAnyCharacters() {
    let long = String(repeating: "k", count: 100)
    let text = #"{"id": 1, "a\"b\\\n": 1, "": 2, "\#(long)": 3, "a/b": 4, "é": 5, "🙂": 6, "\u0041": 7}"#
    expectAgreement(text, as: WithTagRest.self)
    expectAgreement(#"{"\u0069d" : 1, "x" :2 , "\u0079"  :  3}"#, WithTagRest(id: 1, other: ["x": 2, "y": 3]))
    expectAgreement(
      #"{"id": 1, "x": 2, "x": 3}"#, WithTagRest(id: 1, other: ["x": 2]), writing: #"{"id": 1, "x": 2}"#, by: [])
  }

  @Test func wrongValuesOfTheRestAreErrors() {
    for text in [#"{"a": "x"}"#, #"{"a": 1, "b": []}"#, "[]", "null"] { expectFailure(OnlyRest.self, text) }
    for text in [#"{"a": {}}"#, #"{"a": {"name": 1}}"#, #"{"a": null}"#] { expectFailure(RestOfModels.self, text) }
    expectFailure(RestOfPoints.self, #"{"p": {"y": 1}}"#)
    let error = #expect(throws: JSON.ReadingError.self) {
      try JSON.read(RestOfModels.self, from: #"{"a": {"name": 1}}"#)
    }
    #expect(error?.path == ["a", "name"])
  }

  @Test func theRestIsWrittenInOrderAfterTheOthersAndWritesNoKeyTwice() throws {
    var value = WithRest(
      id: 1, other: ["z": 1, "a": 2, "id": 3, "nick": "x", "owner": [:], "display_name": "y"], tags: [])
    value.other["version"] = 9
    let text = #"{"id":1,"tags":[],"version":2,"a":2,"z":1}"#
    #expect(String(decoding: try JSON.write(value), as: UTF8.self) == text)
    #expect(String(decoding: try JSON.Encoder().encode(value), as: UTF8.self) == text)
    #expect(String(decoding: try JSON.Encoder().withoutDirectPath.encode(value), as: UTF8.self) == text)
  }

  /// Everything else of the text stays.
  @Test func damagedTextsWithARestAreReadAlike() throws {
    var documents = try DamagedDocuments(
      of: [
        #"{"id": 1, "owner": {"login": "a"}, "display_name": "b", "tags": ["t"], "a": [1, {"b": "c"}], "é": true}"#,
        #"{"nick": "b", "id": 2, "x": null}"#,
      ], seed: 44)
    let decoder = JSON.Decoder()
    for _ in 0..<3000 {
      let data = documents.next()
      let direct = Outcome { try decodeUnknown(WithRest.self, from: data, with: decoder) }
      let containers = Outcome { try decoder.withoutDirectPath.decode(WithRest.self, from: data) }
      #expect(direct == containers, "\(String(decoding: data, as: UTF8.self))")
      guard case .value(let value) = direct else { continue }
      #expect(try JSON.read(WithRest.self, from: JSON.write(value)) == value)
    }
  }

  /// As to a dictionary.
  @Test func keyStrategiesDoNotApplyToTheRest() throws {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = #"{"id": 1, "full_name": {"a_b": 1}, "camelCase": 2, "display_name": "n"}"#
    let value = try decoder.decode(RestOfNames.self, from: Data(text.utf8))
    #expect(value.displayName == "n" && value.other == ["full_name": ["a_b": 1], "camelCase": 2])
    #expect(try JSON(parsing: encoder.encode(value)) == JSON(parsing: text))
    #expect(try decoder.decodeAll(RestOfNames.self, from: Data(text.utf8)) == value)
    // A member that the model has is written once.
    let twice = RestOfNames(id: 1, displayName: "n", other: ["display_name": 1, "displayName": 2, "x_y": 3])
    #expect(try JSON(parsing: encoder.encode(twice)) == ["id": 1, "display_name": "n", "x_y": 3])
    decoder.keyDecodingStrategy = .custom { DataKeyOfTest(stringValue: "\($0.last?.stringValue.dropFirst() ?? "")") }
    let custom = try decoder.decode(WithTagRest.self, from: Data(#"{"_id": 1, "_x": 2}"#.utf8))
    #expect(custom == WithTagRest(id: 1, other: ["_x": 2]))
    // An update keeps the others.
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let updated = try decoder.update(value, from: Data(#"{"full_name": 1, "new_name": 2}"#.utf8))
    #expect(updated.other == ["full_name": 1, "camelCase": 2, "new_name": 2])
  }

  private struct DataKeyOfTest: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func theTagOfACaseIsNotPartOfTheRest() throws {
    expectAgreement(#"{"type": "event", "id": 1, "x": 2}"#, RestInTag.event(WithTagRest(id: 1, other: ["x": 2])))
    expectAgreement(#"{"id": 1, "type": "event"}"#, RestInTag.event(WithTagRest(id: 1, other: [:])))
    expectAgreement(
      #"{"type": "event", "id": 1, "next": {"type": "x"}}"#,
      RestInTag.event(WithTagRest(id: 1, other: ["next": ["type": "x"]])))
    // A separate value at the same place has no tag.
    expectAgreement(#"{"id": 1, "type": "event"}"#, WithTagRest(id: 1, other: ["type": "event"]))
    // Members with the key of the tag are not written.
    expectAgreement(
      #"{"type": "event", "id": 1}"#, RestInTag.event(WithTagRest(id: 1, other: [:])))
    #expect(
      try JSON(parsing: JSON.write(RestInTag.event(WithTagRest(id: 1, other: ["type": "x"]))))
        == ["type": "event", "id": 1])
  }

  @Test func thePlaceOfATagDecidesWhetherItIsPartOfTheRest() {
    // Two tags in one object.
    expectAgreement(
      #"{"kind": "inner", "type": "event", "id": 1, "x": 2}"#,
      RestInTags.inner(.event(WithTagRest(id: 1, other: ["x": 2]))))
    // A tag of an object around the value.
    expectAgreement(
      #"{"type": "event", "content": {"id": 1, "type": "x"}}"#,
      RestInContent.event(WithTagRest(id: 1, other: ["type": "x"])))
    // The value of the unknown case has the tag.
    expectAgreement(
      #"{"type": "y", "id": 1}"#, RestOfUnknown.other(WithTagRest(id: 1, other: ["type": "y"])))
    expectAgreement(
      #"{"kind": "open", "type": "y", "id": 1}"#,
      RestInTags.open(.other(WithTagRest(id: 1, other: ["type": "y"]))))
    // A property with a tag of its own.
    expectAgreement(
      #"{"kind": "deep", "part": {"type": "event", "id": 1, "kind": "z"}, "type": "w"}"#,
      RestInTags.deep(RestAroundTag(part: .event(WithTagRest(id: 1, other: ["kind": "z"])), other: ["type": "w"])))
    // A type with a decoding of its own.
    expectAgreement(
      #"{"kind": "own", "id": 1, "x": 2}"#, RestInTags.own(RestByHand(value: WithTagRest(id: 1, other: ["x": 2]))))
  }

  @Test func updatesReplaceMembersOfTheRestAndKeepOthers() throws {
    let old = WithRest(id: 1, displayName: "n", other: ["a": 1, "b": ["c": 1]], tags: ["t"])
    for decoder in [JSON.Decoder(), JSON.Decoder().withoutDirectPath] {
      var new = try decoder.update(old, from: Data(#"{"b": {"d": 2}, "e": null, "id": 3}"#.utf8))
      #expect(new == WithRest(id: 3, displayName: "n", other: ["a": 1, "b": ["d": 2], "e": JSON.null], tags: ["t"]))
      new = try decoder.update(new, from: Data(#"{"nick": "m"}"#.utf8))
      #expect(new == WithRest(id: 3, displayName: "m", other: ["a": 1, "b": ["d": 2], "e": JSON.null], tags: ["t"]))
      #expect(try decoder.update(new, from: Data("{}".utf8)) == new)
      let streets = RestOfModels(name: "n", streets: ["a": Street(name: "s", number: 1)])
      // A value that is updatable is updated in place, as the value of a property.
      #expect(
        try decoder.update(streets, from: Data(#"{"a": {"name": "t"}, "b": {"name": "u"}}"#.utf8))
          == RestOfModels(name: "n", streets: ["a": Street(name: "t", number: 1), "b": Street(name: "u")]))
    }
    let updated = try JSONDecoder().update(old, from: Data(#"{"b": 2}"#.utf8))
    #expect(updated.other == ["a": 1, "b": 2])
  }

  // MARK: - Null

  @Test func nilIsWrittenAsNullWhereItIsMarked() throws {
    expectAgreement(
      "{}", WrittenNulls(new: 3),
      writing: #"{"parent": null, "end": null, "a": {"b": null}, "new": 3, "point": null, "left": -1}"#, by: .foundation
    )
    expectAgreement(
      #"{"parent": null, "end": null, "a": null, "new": null, "point": null, "left": null}"#, WrittenNulls(),
      writing: #"{"parent": null, "end": null, "a": {"b": null}, "new": null, "point": null, "left": -1}"#,
      by: .foundation)
    expectAgreement(
      #"{"parent": 1, "end": 2, "a": {"b": "x", "c": 4}, "new": 5, "point": {"x": 1, "y": 2}, "left": 7, "plain": 8}"#,
      as: WrittenNulls.self)
    expectFailure(WrittenNulls.self, #"{"parent": "x"}"#)
    let decoder = JSON.Decoder()
    let old = try JSON.read(WrittenNulls.self, from: #"{"parent": 1, "end": 2, "new": 5}"#)
    for decoder in [decoder, decoder.withoutDirectPath] {
      let updated = try decoder.update(old, from: Data(#"{"end": null}"#.utf8))
      #expect(updated == WrittenNulls(parent: 1, new: 5))
    }
  }

  @Test func absentNullAndAValueAreToldApart() throws {
    let none = ThreeStates(fallback: .some(5))
    expectAgreement("{}", none, writing: #"{"fallback": 5}"#)
    var other = none
    other.count = .some(nil)
    #expect(other != none)
    let nulls = ThreeStates(
      count: .some(nil), text: .some(nil), date: .some(nil), plainDate: .some(nil), deep: .some(nil),
      fallback: .some(nil), none: .some(nil), point: .some(nil), list: .some(nil), street: .some(nil))
    expectAgreement(
      #"{"count": null, "text": null, "date": null, "plainDate": null, "a": {"b": null}, "fallback": null, "none": null, "point": null, "list": null, "street": null}"#,
      nulls, by: .foundation)
    let value = try #require(
      expectAgreement(
        #"{"count": 1, "text": "x", "date": 2, "plainDate": "2026-01-02T03:04:05Z", "a": {"b": 3}, "fallback": 4, "none": 5, "point": {"x": 6, "y": 7}, "list": [8], "street": {"name": "s"}}"#,
        as: ThreeStates.self))
    #expect(value.date == Date(timeIntervalSince1970: 2))
    other = none
    other.deep = .some(nil)
    expectAgreement(#"{"a": {"c": null}}"#, other, writing: #"{"a": {"b": null}, "fallback": 5}"#, by: .foundation)
    expectAgreement(#"{"a": null}"#, none, writing: #"{"fallback": 5}"#, by: .foundation)
    for text in [#"{"count": "x"}"#, #"{"date": "x"}"#, #"{"a": {"b": []}}"#, #"{"point": 1}"#] {
      expectFailure(ThreeStates.self, text)
    }
    for text in [
      #"{"patch": {"count": 1}}"#, #"{"patch": {"title": null, "count": 1}}"#,
      #"{"patch": {"title": "a", "count": 1}}"#,
    ] { expectAgreement(text, as: ThreeStateCases.self, by: .foundation) }
    for text in ["{}", #"{"title": null}"#, #"{"title": "a"}"#] {
      expectAgreement(text, as: ThreeStateClass.self, by: .foundation)
    }
    for text in [
      #"{"other": null, "written": null}"#,
      #"{"level": null, "other": null, "number": null, "written": null, "numbers": [null, "1"]}"#,
      #"{"level": {"value": 1}, "other": {"value": 2}, "number": "3", "written": "4", "numbers": []}"#,
    ] { expectAgreement(text, as: NullScope.Nested.self, by: .foundation) }
  }

  @Test func updatesTellAbsentNullAndAValueApart() throws {
    let old = ThreeStates(
      count: 1, text: .some(nil), date: Date(timeIntervalSince1970: 2), fallback: .some(nil),
      street: Street(name: "s", number: 1))
    for decoder in [JSON.Decoder(), JSON.Decoder().withoutDirectPath] {
      #expect(try decoder.update(old, from: Data("{}".utf8)) == old)
      var expected = old
      expected.count = .some(nil)
      expected.text = "x"
      expected.date = .some(nil)
      expected.street = Street(name: "t", number: 1)
      #expect(
        try decoder.update(
          old, from: Data(#"{"count": null, "text": "x", "date": null, "street": {"name": "t"}}"#.utf8))
          == expected)
    }
  }

  // MARK: - Strategies for containers

  @Test func strategiesApplyToTheElementsOfContainers() throws {
    let day = Date(timeIntervalSince1970: 1_767_323_045)
    let value = try #require(
      expectAgreement(
        #"{"dates": ["2026-01-02T03:04:05Z"], "byKey": {"a": "2026-01-02T03:04:05Z"}, "optional": ["2026-01-02T03:04:05Z"], "gaps": [1, null], "numbers": ["7"], "nested": {"a": [1, null]}, "own": [["1"], []], "optionals": {"a": null, "b": "AQI="}, "texts": "a,b", "lists": {"k": "c,d"}, "unknown": [-1, 1]}"#,
        as: ContainerStrategies.self))
    #expect(value.dates == [day] && value.byKey == ["a": day] && value.optional == [day])
    #expect(value.gaps == [Date(timeIntervalSince1970: 1), nil] && value.numbers == [7] && value.own == [[1], []])
    #expect(value.texts == ["a", "b"] && value.lists == ["k": ["c", "d"]])
    #expect(value.unknown == [nil, Date(timeIntervalSince1970: 1)])
    expectAgreement(
      #"{"dates": [], "byKey": {}, "gaps": [], "optional": null, "optionals": null}"#, as: ContainerStrategies.self,
      writing: #"{"dates": [], "byKey": {}, "gaps": [], "numbers": [], "optionals": null}"#, by: .foundation)
    expectAgreement(
      #"{"dates": ["2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00"], "byKey": {}, "gaps": []}"#,
      as: ContainerStrategies.self,
      writing: #"{"dates": ["2026-01-02T03:04:05Z"], "byKey": {}, "gaps": [], "numbers": []}"#)
    let rest = #""byKey": {}, "gaps": []"#
    for text in [
      #"{"dates": [1], \#(rest)}"#, #"{"dates": [null], \#(rest)}"#, #"{"dates": {}, \#(rest)}"#,
      #"{"dates": ["x"], \#(rest)}"#, #"{"dates": [], "byKey": {"a": null}, "gaps": []}"#,
      #"{"dates": [], \#(rest), "own": [[1]]}"#, #"{"dates": [], \#(rest), "optional": [null]}"#, #"{\#(rest)}"#,
    ] { expectFailure(ContainerStrategies.self, text) }
    for decoder in [JSON.Decoder(), JSON.Decoder().withoutDirectPath] {
      var expected = value
      expected.byKey = [:]
      expected.optional = nil
      #expect(try decoder.update(value, from: Data(#"{"byKey": {}, "optional": null}"#.utf8)) == expected)
    }
  }

  // MARK: - Unknown cases

  @Test(arguments: ["7", "-1", "1.5", "false", "18446744073709551615", #""x""#, "null", "[1]", "{}", "1e300"])
  func valuesWithAnUnknownScalarTagAreUnknown(tag: String) throws {
    let ways: Ways = tag == "null" || tag == "1e300" ? .foundation : .all
    let text = #"{"code": \#(tag), "x": 1}"#
    expectAgreement(text, OpenCoded.other(try JSON(parsing: text)), by: ways)
    if tag != "false" { expectAgreement(text, QuietCoded.other, writing: #"{"code": 0}"#) }
  }

  @Test func scalarTagsAndTheUnknownCaseAreCoded() throws {
    expectAgreement(#"{"code": 1, "x": 2}"#, OpenCoded.one(x: 2))
    expectAgreement(#"{"x": 2, "code": "1"}"#, OpenCoded.one(x: 2), writing: #"{"code": 1, "x": 2}"#)
    expectAgreement(#"{"code": 2, "width": 1}"#, OpenCoded.box(Box(width: 1)))
    expectAgreement(#"{"code": true}"#, OpenCoded.yes)
    for text in ["{}", "1", "true", "[]", #"{"x": 1}"#] {
      expectAgreement(text, OpenCoded.other(try JSON(parsing: text)))
      expectAgreement(text, QuietCoded.other, writing: #"{"code": 0}"#)
    }
    expectAgreement(#"{"code": 1, "value": 2}"#, QuietCoded.one(2))
    expectAgreement(#"{"code": false}"#, QuietCoded.no)
    expectAgreement(#"{"code": 0}"#, QuietCoded.other)
    expectAgreement(#"{"code": 9, "text": "t"}"#, TypedUnknown.other(OpenPart(code: 9, text: "t")))
    expectAgreement(#"{"code": 1, "x": 3}"#, TypedUnknown.one(x: 3))
    expectFailure(TypedUnknown.self, #"{"code": "x"}"#)
    expectFailure(OpenCoded.self, #"{"code": 1, "x": "y"}"#)
  }
}

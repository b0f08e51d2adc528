import AnvilCodable
import Foundation
import Testing

/// Types, names and keys of properties.
@Suite struct ValueTests {
  @Test func integersOfAllWidthsAreCoded() throws {
    expectAgreement(
      #"{"int": -1, "int8": -128, "int16": 32767, "int32": -2147483648, "int64": 9223372036854775807, "uint": 1, "uint8": 255, "uint16": 65535, "uint32": 4294967295, "uint64": 18446744073709551615}"#,
      as: Integers.self)
    for (key, value) in [("int8", "128"), ("uint8", "-1"), ("uint64", "18446744073709551616"), ("int", "1.5")] {
      var members = ["int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"]
      members.removeAll { $0 == key }
      let rest = members.map { #""\#($0)": 1"# }.joined(separator: ",")
      expectFailure(Integers.self, #"{\#(rest), "\#(key)": \#(value)}"#)
      expectAgreement(#"{\#(rest), "\#(key)": 1.0}"#, as: Integers.self, writing: #"{\#(rest), "\#(key)": 1}"#)
    }
    expectAgreement(
      #"{"signed": -170141183460469231731687303715884105728, "unsigned": 340282366920938463463374607431768211455}"#,
      WideIntegers(signed: .min, unsigned: .max), by: [])
  }

  @Test func scalarsAreCoded() {
    expectAgreement(
      #"{"bool": true, "double": -1.5e100, "float": 0.25, "string": "é\n\"🙂\\/", "decimal": 12345678901234567890.5}"#,
      as: Scalars.self)
    expectAgreement(#"{"bool": false, "double": -0.0, "float": 3, "string": "", "decimal": -1}"#, as: Scalars.self)
    for text in [
      #"{"bool": 1, "double": 1, "float": 1, "string": "", "decimal": 1}"#,
      #"{"bool": true, "double": 1e400, "float": 1, "string": "", "decimal": 1}"#,
      #"{"bool": true, "double": 1, "float": 1e39, "string": "", "decimal": 1}"#,
      #"{"bool": true, "double": 1, "float": 1, "string": null, "decimal": 1}"#,
    ] { expectFailure(Scalars.self, text) }
  }

  @Test func typesOfFoundationAreCoded() {
    expectAgreement(
      #"{"url": "https://example.com/a?b", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "AQI=", "date": "2026-01-02T03:04:05Z"}"#,
      as: FoundationValues.self)
    expectAgreement(
      #"{"url": "x", "uuid": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "data": "", "date": "2026-01-02T03:04:05Z", "urls": ["a", "b/c"], "dates": {"a": "2026-01-02T03:04:05Z"}, "optionalDate": "2026-01-02T03:04:06Z"}"#,
      as: FoundationValues.self,
      writing:
        #"{"url": "x", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "", "date": "2026-01-02T03:04:05Z", "urls": ["a", "b/c"], "dates": {"a": "2026-01-02T03:04:05Z"}, "optionalDate": "2026-01-02T03:04:06Z"}"#
    )
    for text in [
      #"{"url": "", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "", "date": "2026-01-02T03:04:05Z"}"#,
      #"{"url": "a", "uuid": "E621E1F8", "data": "", "date": "2026-01-02T03:04:05Z"}"#,
      #"{"url": "a", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "A", "date": "2026-01-02T03:04:05Z"}"#,
      #"{"url": "a", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "", "date": "yesterday"}"#,
    ] { expectFailure(FoundationValues.self, text) }
  }

  @Test func documentsAreKeptAsTheyAre() {
    expectAgreement(
      #"{"json": {"a": [1, null, "x"]}, "optional": 1, "list": [true, {}], "map": {"a": [], "b": "c"}}"#,
      as: Documents.self, by: .foundation)
    expectAgreement(#"{"json": 1, "list": [], "map": {}}"#, as: Documents.self)
    expectAgreement(
      #"{"json": null, "optional": null, "list": [null], "map": {"a": null}}"#, as: Documents.self,
      writing: #"{"json": null, "list": [null], "map": {"a": null}}"#, by: .foundation)
    expectFailure(Documents.self, #"{"list": [], "map": {}}"#)
  }

  @Test func containersAreCoded() {
    let rest = #""explicit": 1, "array": [2], "dictionary": {"z": 3}"#
    expectAgreement(
      #"{"list": [1], "lists": [["a"], []], "map": {"b": 2, "a": 1}, "maps": {"x": {"y": true}}, "optionals": [1, null], "optionalValues": {"a": null, "b": "c"}, "optionalList": [3], "users": [{"id": 1, "full_name": "", "tags": []}], "usersByName": {"a": {"id": 1, "full_name": "", "tags": ["t"]}}, \#(rest)}"#,
      as: Containers.self, by: .foundation)
    expectAgreement(
      #"{"list": [], "lists": [], "map": {}, "maps": {}, "optionals": [], "users": [], \#(rest)}"#, as: Containers.self)
    for text in [
      #"{"list": [null], "lists": [], "map": {}, "maps": {}, "optionals": [], "users": [], \#(rest)}"#,
      #"{"list": {}, "lists": [], "map": {}, "maps": {}, "optionals": [], "users": [], \#(rest)}"#,
      #"{"list": [], "lists": [], "map": {"a": null}, "maps": {}, "optionals": [], "users": [], \#(rest)}"#,
      #"{"list": [], "lists": [], "map": {}, "maps": {}, "optionals": [], "users": [{}], \#(rest)}"#,
    ] { expectFailure(Containers.self, text) }
  }

  @Test func propertiesOfCodableTypesAreCoded() {
    expectAgreement(
      #"{"set": [7], "plain": [1, 2], "optional": [3, 4], "list": [[5, 6]], "byNumber": {"1": "a"}, "range": [1, 2], "aliased": [0, 0], "a": {"b": [1, 1]}, "fallback": [2, 2], "optionalSet": ["x"], "raw": "a", "stamp": {"date": "2026-01-02T03:04:05Z"}, "dates": ["2026-01-02T03:04:05Z"]}"#,
      as: OnlyCodable.self)
    expectAgreement(
      #"{"set": [], "plain": [1, 2], "list": [], "byNumber": {}, "range": [1, 1], "a": {"b": [1, 1]}, "other": [0, 0], "raw": "b"}"#,
      as: OnlyCodable.self,
      writing:
        #"{"set": [], "plain": [1, 2], "list": [], "byNumber": {}, "range": [1, 1], "a": {"b": [1, 1]}, "aliased": [0, 0], "fallback": [1, 2], "raw": "b"}"#
    )
    let rest = #""list": [], "byNumber": {}, "range": [1, 1], "a": {"b": [1, 1]}, "raw": "b""#
    for text in [
      #"{"set": [], "plain": [1], \#(rest)}"#, #"{"set": [], "plain": null, \#(rest)}"#,
      #"{"plain": [1, 2], \#(rest)}"#,
      #"{"set": ["a"], "plain": [1, 2], \#(rest)}"#, #"{"set": [], "plain": [1, 2], "optional": 3, \#(rest)}"#,
    ] { expectFailure(OnlyCodable.self, text) }
  }

  @Test func allPropertiesMayBeOptional() {
    let none = AllOptional()
    expectAgreement("{}", none)
    expectAgreement(
      #"{"a": null, "b": null, "c": null, "d": null, "e": null, "f": null, "h": null, "i": null, "j": null}"#, none,
      writing: "{}")
    expectAgreement(#"{"f": {"g": null}}"#, none, writing: "{}")
    expectAgreement(
      #"{"a": 1, "b": "x", "c": [1], "d": {"id": 1, "full_name": "", "tags": []}, "e": [1, 2], "f": {"g": 1}, "h": 2000, "i": "user", "j": {"type": "dot"}}"#,
      as: AllOptional.self)
    expectFailure(AllOptional.self, "[]")
    expectFailure(AllOptional.self, #"{"a": "1"}"#)
  }

  @Test func strategiesCodeValues() throws {
    let text =
      #"{"seconds": 1.5, "milliseconds": 2500, "iso": "2026-01-02T03:04:05Z", "data": "AQI=", "number": "12", "dates": [1, 2], "numbers": ["1.5"], "aliased": "3", "a": {"b": "cba"}, "withDefault": "x"}"#
    let value = try #require(expectAgreement(text, as: Strategies.self))
    #expect(value.seconds == Date(timeIntervalSince1970: 1.5))
    #expect(value.milliseconds == Date(timeIntervalSince1970: 2.5))
    #expect(value.number == 12 && value.aliased == 3 && value.reversed == "abc" && value.numbers == [1.5])
    let short = #""seconds": 1, "iso": "2026-01-02T03:04:05Z", "data": "", "dates": []"#
    expectAgreement(
      #"{\#(short), "number": "1", "old": "4"}"#, as: Strategies.self,
      writing: #"{\#(short), "number": "1", "numbers": [], "aliased": "4", "withDefault": "cba"}"#)
    for text in [
      #"{\#(short), "number": 1}"#, #"{\#(short), "number": "x"}"#, #"{\#(short), "number": null}"#,
      #"{\#(short), "number": "1", "a": {"b": "bad"}}"#, #"{\#(short), "number": "1", "numbers": ["x"]}"#,
      #"{\#(short), "number": "1", "milliseconds": "x"}"#, #"{\#(short)}"#,
    ] { expectFailure(Strategies.self, text) }
  }

  @Test func strategiesApplyToValuesAndOptionals() throws {
    let value = try #require(
      expectAgreement(
        #"{"byKey": {"a": 1.5, "b": 2}, "gaps": [1, null], "lists": {"a": ["2026-01-02T03:04:05Z"], "b": null}}"#,
        as: NestedStrategies.self))
    #expect(value.byKey["a"] == Date(timeIntervalSince1970: 1.5))
    #expect(value.gaps == [Date(timeIntervalSince1970: 1), nil])
    #expect(value.lists["a"]??.count == 1 && value.lists["b"] == .some(nil))
    expectAgreement(#"{"byKey": {}}"#, as: NestedStrategies.self, writing: #"{"byKey": {}, "lists": {}}"#)
    for text in [
      #"{"byKey": {"a": "x"}}"#, #"{"byKey": {"a": null}}"#, #"{"byKey": []}"#, #"{"byKey": {}, "gaps": ["x"]}"#,
      #"{"byKey": {}, "lists": {"a": ["x"]}}"#,
    ] { expectFailure(NestedStrategies.self, text) }
  }

  @Test func failuresOfStrategiesHaveThePath() throws {
    var value = try JSON.read(
      Strategies.self,
      from: #"{"seconds": 1, "iso": "2026-01-02T03:04:05Z", "data": "", "dates": [], "number": "1"}"#)
    value.reversed = "worse"
    let coders = Coders()
    let direct = Outcome { try encodeUnknown(value, with: coders.encoder) }
    let containers = Outcome { try coders.containerEncoder.encode(value) }
    #expect(direct == containers)
    #expect(direct == .failure(#"invalid value at ["a", "b"]: a worse text"#))
    #expect(throws: JSON.WritingError.self) { try JSON.write(value) }
    let encodingError = #expect(throws: (any Error).self) { try JSON(encoding: value) }
    #expect((encodingError as? JSON.WritingError)?.path == ["a", "b"])
    let text = #"{"seconds": 1, "iso": "2026-01-02T03:04:05Z", "data": "", "dates": [], "number": "x"}"#
    let decodingError = #expect(throws: WrappedDecodingError.self) {
      try JSON(parsing: "[\(text)]") => 0 as Strategies
    }
    #expect(decodingError?.path == [0, "number"])
  }

  @Test func namesDoNotCollideWithGeneratedOnes() {
    let names = [
      "reader", "writer", "json", "container", "decoder", "encoder", "members", "key", "name", "inner", "offset",
      "self", "class", "init", "Self_", "values", "text", "read", "write", "decode", "encode", "hash", "model",
    ].enumerated().map { #""\#($1)": \#($0)"# }.joined(separator: ",")
    expectAgreement(#"{\#(names), "reader-inner": {"json": 1}}"#, as: Names.self)
    expectAgreement(
      #"{\#(names), "value": 1, "tags": 2, "default": 3, "await": 4, "containers": {"x": 4}, "reader-inner": {"json": 1}}"#,
      as: Names.self)
    for text in [
      #"{"reader": {"reader": 1, "writer": 2}}"#, #"{"json": {"json": 1, "key": 2, "value": 3}}"#,
      #"{"self": {"decoder": 1, "container": 2}}"#, #"{"default": {}}"#, #"{"value": {"name": 1, "objectOffset": 2}}"#,
      #"{"name": {"_0": 1}}"#, #"{"keys": {"keys": 1, "encoder": 2, "members": 3, "tags": 4}}"#,
      #"{"init": {"default": 1, "in": 2}}"#, #"{"await": {"await": 1}}"#,
    ] { expectAgreement(text, as: NamedCases.self) }
    for text in [
      #"{"tag": "tag", "reader": 1, "tags": 2, "decoder": 3}"#, #"{"tag": "tags", "key": 1, "container": 2}"#,
      #"{"tag": "content", "x": 1}"#,
    ] { expectAgreement(text, as: NamedTags.self) }
    expectAgreement(#"{"tag": "tag", "content": {"tag": 1, "content": 2}}"#, as: NamedContents.self)
    expectAgreement(#"{"tag": "content", "content": {"reader": 1, "tags": 2}}"#, as: NamedContents.self)
  }

  @Test func keysMayContainAnyCharacters() {
    expectAgreement(
      #"{"with space": 1, "quo\"te": 2, "back\\slash": 3, "dotted.key": 4, "ümläut": 5, "🙂": 6, "": 7, "new\nline": 8, "\u0001": 9, "a very long key of more than sixty-three bytes, which is compared in another way": 10, "größe": 11}"#,
      as: Keys.self)
    expectAgreement(
      #"{"with\u0020space": 1, "quo\u0022te": 2, "back\u005cslash": 3, "dotted\u002ekey": 4, "\u00fcml\u00e4ut": 5, "\ud83d\ude42": 6, "": 7, "new\u000aline": 8, "\u0001": 9, "\u0061 very long key of more than sixty-three bytes, which is compared in another way": 10, "gr\u00f6\u00dfe": 11, "🙃": {"x": 1}, "1": {"2": 3}, "$ref": 4, "raw\"key": 5}"#,
      as: Keys.self)
    expectAgreement(#"{"a/b": "c/d", "url": "x/y"}"#, as: Slashed.self)
  }

  @Test func namingsConvertNames() {
    expectAgreement(
      #"{"full_name": "a", "home_url": "b", "url_string2": "c", "other": 1, "in_out": 2}"#, as: SnakeNamed.self)
    expectAgreement(#"{"full-name": 1, "is-on": 2}"#, KebabNamed(fullName: 1, isOn: 2))
    expectAgreement(#"{"FullName": 1, "IsOn": 2}"#, PascalNamed(fullName: 1, isOn: 2))
    expectAgreement(#"{"fullname": 1, "ison": 2}"#, LowerNamed(fullName: 1, isOn: 2))
    expectAgreement(#"{"FULL_NAME": 1, "IS_ON": 2}"#, UpperNamed(fullName: 1, isOn: 2))
    expectAgreement(#"{"fullName": 1, "isOn": 2}"#, CamelNamed(fullName: 1, isOn: 2))
  }

  @Test func sixtyPropertiesAreCoded() {
    let members = (0..<60).map { #""property\#($0)": \#(["1", #""x""#, "1.5", "[1]", "true"][$0 % 5])"# }
    expectAgreement("{\(members.joined(separator: ","))}", as: Wide.self)
    let required = members.indices.filter { ![1, 2].contains($0 % 5) }.map { members[$0] }
    expectAgreement("{\(required.reversed().joined(separator: ","))}", as: Wide.self)
    expectFailure(Wide.self, "{\(required.dropLast().joined(separator: ","))}")
  }

  @JSONCodable
  struct Grade: Equatable {
    @CodableBy(.text(of: Character.self)) var letter: Character
    @CodableBy(.iso8601) var date: Date?
    @CodableBy(.millisecondsSince1970) var seen: Date?
  }

  @Test func oneCharacterIsTextAndOtherTextIsNoCharacter() {
    for text in ["a", "é", "e\u{301}", "👩‍👩‍👧", " ", "\r\n"] {
      let json = JSON(text)
      expectAgreement(#"{"letter": \#(json)}"#, Grade(letter: Character(text)))
    }
    for text in ["", "ab", "  ", "aé", String(repeating: "a", count: 100_000)] {
      expectFailure(Grade.self, #"{"letter": \#(JSON(text))}"#)
    }
  }

  @Test func datesThatCannotBeCodedThrowErrorsThatCanBePrinted() throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, 1e13] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      for grade in [Grade(letter: "a", date: date), Grade(letter: "a", seen: date)]
      where grade.date != nil || !seconds.isFinite {
        let theirs = try #require(throws: EncodingError.self) { try JSONEncoder().encode(grade) }
        let ours = try #require(throws: EncodingError.self) { try JSON.Encoder().encode([grade]) }
        let direct = try #require(throws: JSON.WritingError.self) { try JSON.write(grade) }
        for text in ["\(theirs)", "\(ours)", "\(direct)", String(reflecting: ours)] { #expect(!text.isEmpty) }
      }
    }
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = true
    #expect(throws: DecodingError.self) {
      try decoder.decode(Grade.self, from: Data(#"{"letter": "a", "seen": NaN}"#.utf8))
    }
  }
}

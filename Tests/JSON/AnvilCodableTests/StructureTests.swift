import AnvilCodable
import AnvilTestSupport
import Foundation
import Testing

@Suite struct StructureTests {
  @Test func emptyTypesAreCodedAsObjects() {
    expectAgreement("{}", Empty())
    expectAgreement(#"{"other": [1]}"#, Empty(), writing: "{}")
    for text in ["[]", "null", "1", #""x""#] { expectFailure(Empty.self, text) }
  }

  @Test func propertiesAreCodedAsMembers() {
    expectAgreement(
      #"{"id": 1, "full_name": "Ada", "tags": ["a"], "company": "b"}"#,
      User(id: 1, name: "Ada", tags: ["a"], company: "b"))
    expectAgreement(
      #"{"company": null, "full_name": "Ada", "id": 1}"#, User(id: 1, name: "Ada", tags: [], company: nil),
      writing: #"{"id": 1, "full_name": "Ada", "tags": []}"#)
    for text in [#"{"id": 1}"#, #"{"id": null, "full_name": ""}"#, #"{"id": "1", "full_name": ""}"#] {
      expectFailure(User.self, text)
    }
  }

  @Test func keyPathsAreCodedAsNestedObjects() {
    expectAgreement(
      #"{"name": "n", "owner": {"login": "l", "site": "http://a.b/c"}, "counts": {"stars": 1, "forks": 2}, "a": {"b": {"c": true, "d": false}, "x": 1}}"#,
      Repository(
        name: "n", owner: "l", site: URL(string: "http://a.b/c"), stars: 1, forks: 2, deep: true, deeper: false,
        beside: 1))
    let bare = Repository(
      name: "n", owner: "l", site: nil, stars: nil, forks: nil, deep: true, deeper: nil, beside: 7)
    let written = #"{"name": "n", "owner": {"login": "l"}, "a": {"b": {"c": true}, "x": 7}}"#
    for counts in ["", #","counts": null"#, #","counts": {}"#, #","counts": {"stars": null, "z": 1}"#] {
      expectAgreement(
        #"{"a": {"z": {}, "b": {"c": true}}, "owner": {"login": "l"}, "name": "n"\#(counts)}"#, bare, writing: written)
    }
    expectAgreement(
      #"{"name": "n", "owner": {"login": "l"}, "counts": {"forks": 1}, "a": {"b": {"c": true}, "x": null}}"#,
      as: Repository.self,
      writing: #"{"name": "n", "owner": {"login": "l"}, "counts": {"forks": 1}, "a": {"b": {"c": true}, "x": 7}}"#)
  }

  @Test func missingObjectsOnRequiredPathsAreErrors() {
    for text in [
      #"{"name": "n", "a": {"b": {"c": true}}}"#, #"{"name": "n", "owner": null, "a": {"b": {"c": true}}}"#,
      #"{"name": "n", "owner": 1, "a": {"b": {"c": true}}}"#, #"{"name": "n", "owner": {"login": "l"}, "a": {"x": 1}}"#,
      #"{"name": "n", "owner": {"login": "l"}, "counts": [], "a": {"b": {"c": true}}}"#,
      #"{"name": "n", "owner": {"login": "l"}, "counts": {"stars": "1"}, "a": {"b": {"c": true}}}"#,
    ] { expectFailure(Repository.self, text) }
  }

  @Test func firstOfSeveralObjectsWithOneKeyIsRead() throws {
    let text =
      #"{"name": "n", "owner": {"login": "l"}, "owner": {"login": "k", "site": "u"}, "a": {"b": {"c": true}}, "a": {"x": 1}}"#
    let value = try JSON.read(Repository.self, from: text)
    #expect(value.owner == "l" && value.site == nil && value.beside == 7)
    #expect(try Repository.decode(JSON(parsing: text)) == value)
    #expect(try JSON.Decoder().withoutDirectPath.decode(Repository.self, from: text) == value)
    #expect(try JSON.Decoder().decode(Repository.self, from: text) == value)
  }

  @Test func aliasesAreReadInTheirOrder() {
    let written = #"{"new": 1, "tags": ["none"], "owner": {"id": 2}}"#
    let value = Aliased(new: 1, name: nil, tags: ["none"], owner: 2, width: nil)
    expectAgreement(written, value)
    expectAgreement(#"{"older": 1, "owner": {"number": 2}}"#, value, writing: written)
    expectAgreement(#"{"older": 3, "old": 1, "owner": {"number": 2}}"#, value, writing: written)
    expectAgreement(#"{"older": 3, "old": 4, "new": 1, "owner": {"number": 3, "id": 2}}"#, value, writing: written)
    expectAgreement(
      #"{"old": 1, "nick": "n", "labels": [], "owner": {"id": 2}, "size": {"width": 1.5}}"#,
      Aliased(new: 1, name: "n", tags: [], owner: 2, width: 1.5),
      writing: #"{"new": 1, "name": "n", "tags": [], "owner": {"id": 2}, "size": {"w": 1.5}}"#)
    expectAgreement(#"{"b": 1, "a_2": 2}"#, Numbered(a: 1, a_2: 2), writing: #"{"a": 1, "a_2": 2}"#)
    // Null is a value: the aliases are not tried.
    expectAgreement(
      #"{"new": 1, "name": null, "nick": "n", "tags": null, "labels": [], "owner": {"id": 2}}"#, value,
      writing: written)
    expectFailure(Aliased.self, #"{"new": null, "old": 1, "owner": {"id": 2}}"#)
    expectFailure(Aliased.self, #"{"owner": {"id": 2}}"#)
  }

  /// All ways of reading ignore aliases if an earlier key is present.
  @Test(arguments: [
    #""new": 1, "old": "x""#, #""old": "x", "new": 1"#, #""new": 1, "old": null"#,
    #""old": {"a": [1, "\n"]}, "new": 1"#,
    #""ol\u0064": "\u0061", "\u006eew": 1"#, #""older": [], "old": 1"#, #""old": 1, "older": []"#,
  ])
  func unusedAliasesMayHaveAnyValue(_ members: String) {
    let value = Aliased(new: 1, name: nil, tags: ["none"], owner: 2, width: nil)
    let written = #"{"new": 1, "tags": ["none"], "owner": {"id": 2}}"#
    expectAgreement("{\(members), \"owner\": {\"id\": 2}}", value, writing: written)
    expectAgreement("{\"owner\": {\"number\": 2}, \(members)}", value, writing: written)
    expectAgreement("{\"owner\": {\"number\": {}, \"id\": 2}, \(members)}", value, writing: written)
    expectAgreement(
      "{\"size\": {\"width\": {}, \"w\": null}, \"owner\": {\"id\": 2}, \(members)}", value, writing: written)
    expectAgreement(
      "{\"labels\": 1, \"tags\": [\"a\"], \"nick\": 1, \"name\": null, \"owner\": {\"id\": 2}, \(members)}",
      Aliased(new: 1, name: nil, tags: ["a"], owner: 2, width: nil),
      writing: #"{"new": 1, "tags": ["a"], "owner": {"id": 2}}"#)
  }

  @Test func usedAliasesMustHaveTheTypeOfTheProperty() {
    for members in [#""old": "x""#, #""old": "x", "older": 1"#, #""older": 1, "old": null"#, #""old": {]"#] {
      expectFailure(Aliased.self, "{\(members), \"owner\": {\"id\": 2}}")
    }
    expectFailure(Aliased.self, #"{"new": 1, "owner": {"number": "x"}}"#)
    #expect(throws: JSON.ReadingError.self) {
      try JSON.read(Aliased.self, from: #"{"new": 1, "old": 01, "owner": {"id": 2}}"#)
    }
    do {
      _ = try JSON.read(Aliased.self, from: #"{"old": "x", "owner": {"id": 2}}"#)
    } catch {
      #expect("\(error)".contains("at object.old") && "\(error)".contains("column 9"), "\(error)")
    }
  }

  /// Texts and containers that are read at their aliases, after the members behind them.
  @Test func valuesAreReadAtAliases() throws {
    expectAgreement(
      #"{"nick": "\n\u00e9x", "labels": ["a", "b"], "old": 1, "owner": {"number": 3}, "size": {"width": 2.5}}"#,
      Aliased(new: 1, name: "\n\u{e9}x", tags: ["a", "b"], owner: 3, width: 2.5),
      writing: #"{"new": 1, "name": "\n\u00e9x", "tags": ["a", "b"], "owner": {"id": 3}, "size": {"w": 2.5}}"#)
  }

  @Test func defaultsStandForMissingValues() {
    let value = Defaulted(
      count: 3, text: "none", list: [1, 2], map: ["a": 1], empty: [:], optional: 5, sort: .byName, initial: 9,
      member: .bySize, set: [], negative: -1)
    let written =
      #"{"count": 3, "text": "none", "list": [1, 2], "map": {"a": 1}, "empty": {}, "optional": 5, "sort": "byName", "initial": 9, "member": "bySize", "set": [], "negative": -1}"#
    expectAgreement("{}", value, writing: written)
    expectAgreement(written, value)
  }

  @Test func nullIsMissingUnlessThePropertyIsOptional() {
    let members = ["count", "text", "list", "map", "empty", "optional", "sort", "initial", "member", "set", "negative"]
      .map { #""\#($0)": null"# }
    let value = Defaulted(
      count: 3, text: "none", list: [1, 2], map: ["a": 1], empty: [:], optional: nil, sort: .byName, initial: 9,
      member: .bySize, set: [], negative: -1)
    let written =
      #"{"count": 3, "text": "none", "list": [1, 2], "map": {"a": 1}, "empty": {}, "optional": null, "sort": "byName", "initial": 9, "member": "bySize", "set": [], "negative": -1}"#
    expectAgreement("{\(members.joined(separator: ","))}", value, writing: written)
    expectAgreement(written, value)
    expectFailure(Defaulted.self, #"{"count": "3"}"#)
    expectFailure(Defaulted.self, #"{"optional": "3"}"#)
  }

  @Test func ignoredPropertiesKeepTheirInitialValues() throws {
    var value = Partly(id: 1)
    expectAgreement(
      #"{"id": 1, "version": 7, "cache": [], "note": "x", "kind": 4, "observed": 0}"#, value,
      writing: #"{"id": 1, "version": 2, "kind": "partly", "observed": 0}"#)
    value.note = "x"
    #expect(try JSON(parsing: JSON.write(value)) == ["id": 1, "version": 2, "kind": "partly", "observed": 0])
    expectFailure(Partly.self, #"{"id": 1}"#)
  }

  @Test func genericTypesCodeTheirParameters() {
    expectAgreement(#"{"items": [1, 2], "next": 3, "meta": {"total": 4}}"#, Page(items: [1, 2], next: 3, total: 4))
    expectAgreement(#"{"items": []}"#, Page<String>(items: [], next: nil, total: nil))
    expectAgreement(
      #"{"items": [{"first": 1, "second": "a"}]}"#,
      Page(items: [Pair(first: 1, second: "a")], next: nil, total: nil))
    expectAgreement(
      #"{"first": {"items": []}, "two": [null]}"#,
      Pair(first: Page<Int>(items: [], next: nil, total: nil), second: [Int?.none]),
      writing: #"{"first": {"items": []}, "second": [null]}"#, by: .foundation)
    expectAgreement(#"{"first": 1, "second": null}"#, Pair<Int, Int?>(first: 1, second: nil), by: .foundation)
    expectAgreement(
      #"{"id": {"rawValue": 1}, "others": [{"rawValue": 2}]}"#,
      Identified(id: Identifier(rawValue: 1), others: [Identifier(rawValue: 2)]))
    expectAgreement(#"{"id": {"_0": 1}}"#, Lookup<any Error>.id(1))
    expectAgreement(#"{"elements": [1], "last": 2}"#, Batch<AnySequence<Int>>(elements: [1], last: 2))
    expectAgreement(
      #"{"entries": [{"value": 1}], "values": [2]}"#, Listing(entries: [Listing.Entry(value: 1)], values: [2]))
    // The declaration does not show that the parameter is optional.
    expectFailure(Pair<Int, Int?>.self, #"{"first": 1}"#)
  }

  @Test func publicModelsHaveAnInitializerForOtherModules() throws {
    let created = Created(id: 1, side: .right, default: 2)
    #expect(created.count == 3 && created.level == 7 && created.numbers == [] && created.cache == [1, -2])
    #expect(created.date == Date(timeIntervalSince1970: 1) && created.other == [:])
    #expect(Created(id: 1, date: Date(timeIntervalSince1970: 5)).date == Date(timeIntervalSince1970: 5))
    #expect(Recorded.both(1).map(\.date) == [Date.distantPast, nil])
    expectAgreement(
      #"{"id": 1, "name": "a", "count": 2, "level": 4, "side": "left", "date": "2026-01-02T03:04:05Z", "numbers": [5], "version": 1, "x": "y"}"#,
      as: Created.self)
  }

  #if os(Linux)
  @Test(.enabled(if: Compiler.isAvailable))
  func otherModulesCreatePublicModels() async throws {
    let program = """
      import AnvilCodableTests
      import Foundation
      _ = Created(id: 1)
      _ = Created(
        id: 1, name: "a", nickname: nil, note: "b", count: 2, level: 3, side: .right, date: Date(), numbers: [4], cache: [],
        default: 5, let: 6, var: 7, `inout`: 8, other: [:])
      _ = CreatedEmpty()
      _ = CreatedRequest(value: 1)
      _ = CreatedRequest(value: "a", optional: "b")
      _ = PublicModel.Part(id: 1, side: .left)
      _ = PublicModel.Extended(id: 1)
      _ = CreatedByHand(positive: 1)
      """
    #expect(try await Compiler.diagnostics(in: program, phase: "-typecheck") == [])
    for hidden in ["PublicModel(id: 1, tags: [])", "CreatedByHand(number: 1)", "Created(id: 1, hidden: 2)"] {
      let errors = try await Compiler.diagnostics(in: "import AnvilCodableTests\n_ = \(hidden)", phase: "-typecheck")
      #expect(!errors.isEmpty)
    }
  }
  #endif
}

import AnvilBase
import AnvilCodable
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

/// Models that macros code are updated with the default of `DecoderUpdatable`, with the same results for every format.
@Suite struct UpdatingTests {
  /// A model with a text of a whole value.
  struct Subject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Updates the value from an object without members by each format. Returns the results that are not the value.
    let changes: @Sendable () throws -> [String]

    init<T: JSONReadable & DecoderUpdatable & Equatable & SendableMetatype>(_ type: T.Type, _ text: String) {
      testDescription = "\(type)"
      changes = {
        let value = try JSON.read(type, from: text)
        let results = [
          try JSON.Decoder().update(value, from: Data("{}".utf8)),
          try JSON.Decoder().withoutDirectPath.update(value, from: Data("{}".utf8)),
          try JSONDecoder().update(value, from: Data("{}".utf8)),
          try PropertyListDecoder().update(value, from: PropertyListEncoder().encode([String: Int]())),
        ]
        return results.filter { $0 != value }.map { "\($0)" }
      }
    }
  }

  static let member =
    #"{"id": 1, "name": "a", "street": {"name": "s", "number": 1}, "second": {"name": "t"}, "third": {"name": "u", "number": 3}, "count": 2, "text": "x", "kind": "user", "filter": {"named": "x"}, "document": {"a": 1}, "plain": {"x": 1, "y": 2}, "list": [{"name": "l", "number": 9}], "map": {"k": 1}, "set": [1], "date": "2026-01-02T03:04:05Z", "joined": 5, "left": 6}"#
  static let grouped =
    #"{"a": {"b": 1, "c": 2, "street": {"name": "s", "number": 1}}, "o": {"x": 3, "y": 4, "p": {"z": {"name": "z"}, "q": 8}}, "d": {"n": 6}, "reader": 7, "updating": true}"#

  static let subjects = [
    Subject(Member.self, member),
    Subject(
      AliasedAccount.self, #"{"old": 1, "size": 2, "nickname": "n", "total": 3, "street": {"name": "s", "number": 1}}"#),
    Subject(AliasedContact.self, AliasedContact.text),
    Subject(GroupedAccount.self, grouped),
    Subject(
      WrappedAccount.self,
      #"{"list": [{"name": "s"}, 1], "zero": 1, "number": "2", "optional": 3, "text": " t ", "a": {"b": " d"}, "state": "user"}"#
    ),
    Subject(
      WrappedPathAccount.self,
      #"{"id": 1, "a": {"zero": 2, "list": [3], "number": "4", "text": "x"}, "o": {"p": {"list": [5]}}}"#),
    Subject(
      RawNames.self,
      #"{"self": 1, "1h": 2, "in progress": "x", "a": {"b c": 4, "d": 5}, "the date": 6, "qualified": 7, "parenthesized": {"name": "s"}}"#
    ),
    Subject(OptionalStrategies.self, #"{"date": 1, "a": {"b": 2}, "aliased": 3}"#),
    Subject(InitializedAccount.self, #"{"old": 1, "street": {"name": "s", "number": 1}}"#),
    Subject(UpdateScope.Nested.self, #"{"level": "low", "other": "high", "inner": {"a": 1, "b": "low"}}"#),
    Subject(
      UpdatedModes.self, #"{"mode": {"off": {}}, "other": {"timer": {"minutes": 3}}, "count": 1}"#),
    Subject(OtherEncoding.self, #"{"a": 1, "b": 2}"#),
  ]

  @Test(arguments: subjects)
  func anEmptyObjectChangesNothing(_ subject: Subject) throws {
    #expect(try subject.changes() == [])
  }

  // MARK: - Results

  @Test func absentMembersKeepTheirValuesAtAnyDepth() throws {
    let old = try JSON.read(GroupedAccount.self, from: Self.grouped)
    let new = try JSON.Decoder().update(
      old, from: Data(#"{"a": {"street": {"number": 5}}, "o": {"p": {"z": null}}}"#.utf8))
    var expected = old
    expected.street.number = 5
    expected.z = nil
    #expect(new == expected)
  }

  struct AliasCase: Sendable, CustomTestStringConvertible {
    let text: String
    let change: @Sendable (inout AliasedContact) -> Void
    var testDescription: String { text }

    init(_ text: String, _ change: @escaping @Sendable (inout AliasedContact) -> Void) {
      self.text = text
      self.change = change
    }
  }

  static let aliasCases = [
    AliasCase(#"{"mail": "b"}"#) { $0.email = "b" },
    AliasCase(#"{"e_mail": "b"}"#) { $0.email = "b" },
    AliasCase(#"{"e_mail": "b", "mail": "c"}"#) { $0.email = "c" },
    AliasCase(#"{"mail": "b", "email": "c"}"#) { $0.email = "c" },
    AliasCase(#"{"nick": "m", "sum": 5}"#) {
      $0.nickname = "m"
      $0.total = 5
    },
    AliasCase(#"{"nick": null, "sum": null}"#) {
      $0.nickname = nil
      $0.total = 1
    },
    AliasCase(#"{"nickname": null, "nick": "m"}"#) { $0.nickname = nil },
    AliasCase(#"{"alias": null}"#) { $0.other = nil },
    AliasCase(#"{"alias": "b"}"#) { $0.other = "b" },
    AliasCase(#"{"since": 7, "until": 8}"#) {
      $0.joined = Date(timeIntervalSince1970: 7)
      $0.left = Date(timeIntervalSince1970: 8)
    },
    AliasCase(#"{"until": null}"#) { $0.left = nil },
    AliasCase(#"{"a": {"c": 9}, "o": {"q": {"number": 9}}}"#) {
      $0.deep = 9
      $0.deepOptional?.number = 9
    },
    AliasCase(#"{"o": {"q": null}}"#) { $0.deepOptional = nil },
    AliasCase(#"{"home": {"number": 9}}"#) { $0.street.number = 9 },
    AliasCase(#"{"homes": [], "names": {}, "type": {"off": {}}}"#) {
      $0.streets = []
      $0.map = [:]
      $0.kind = .off
    },
    AliasCase(#"{"names": null}"#) { $0.map = nil },
    AliasCase(#"{"values": [7, "x"], "amount": "9"}"#) {
      $0.list = [7]
      $0.number = 9
    },
    AliasCase(#"{"amount": null}"#) { $0.number = nil },
    AliasCase("{}") { _ in },
  ]

  @Test(arguments: aliasCases)
  func aliasInTheTextPrecedesTheOldValue(_ sample: AliasCase) throws {
    let old = try JSON.read(AliasedContact.self, from: AliasedContact.text)
    var expected = old
    sample.change(&expected)
    let data = Data(sample.text.utf8)
    #expect(try JSON.Decoder().update(old, from: data) == expected)
    #expect(try JSON.Decoder().withoutDirectPath.update(old, from: data) == expected)
    #expect(try JSONDecoder().update(old, from: data) == expected)
    // Within another model.
    let page = UpdatedPage(item: old, total: 1)
    let inner = Data(#"{"item": \#(sample.text), "total": 2}"#.utf8)
    #expect(try JSON.Decoder().update(page, from: inner) == UpdatedPage(item: expected, total: 2))
  }

  @Test func nullUnderAnAliasOfARequiredPropertyIsAnError() throws {
    let old = try JSON.read(AliasedContact.self, from: AliasedContact.text)
    for text in [#"{"mail": null}"#, #"{"home": null}"#, #"{"a": {"c": null}}"#] {
      let error = #expect(throws: DecodingError.self) { try JSON.Decoder().update(old, from: Data(text.utf8)) }
      guard case .valueNotFound = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func aFailedUpdateLeavesTheValueAndHasTheErrorOfContainers() throws {
    let street = Street(name: "s", number: 1)
    let error = try #require(throws: DecodingError.self) {
      try JSON.Decoder().update(street, from: Data(#"{"number": 2, "name": null}"#.utf8))
    }
    guard case .valueNotFound(_, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["name"])
  }

  @Test func aPropertyWithAStrategyIsCopiedUnlessItIsInTheInput() throws {
    let fraction = Date(timeIntervalSince1970: 0.1 + 0.2)
    let old = LossyDates(
      date: fraction, optional: fraction, aliased: fraction, deep: fraction,
      inner: LossyDates.Inner(date: fraction, constant: fraction))
    let whole = Date(timeIntervalSince1970: 0)
    let text = #""1970-01-01T00:00:00Z""#
    var changes: [(text: String, expected: LossyDates)] = [("{}", old), (#"{"inner": {}}"#, old)]
    func add(_ text: String, _ change: (inout LossyDates) -> Void) {
      var expected = old
      change(&expected)
      changes.append((text, expected))
    }
    // The input replaces a value whose coded form is the same.
    add(#"{"date": \#(text)}"#) { $0.date = whole }
    add(#"{"optional": \#(text)}"#) { $0.optional = whole }
    add(#"{"optional": null}"#) { $0.optional = nil }
    add(#"{"other": \#(text)}"#) { $0.aliased = whole }
    add(#"{"a": {"b": \#(text)}}"#) { $0.deep = whole }
    add(#"{"inner": {"constant": \#(text)}}"#) { $0.inner = LossyDates.Inner(date: fraction, constant: whole) }
    for (text, expected) in changes {
      let data = Data(text.utf8)
      #expect(try JSON.Decoder().update(old, from: data) == expected, "\(text)")
      #expect(try JSONDecoder().update(old, from: data) == expected, "\(text)")
    }
  }

  @Test func anInvalidValueOfAStrategyIsAnErrorWithItsPath() throws {
    let old = LossyDates.Inner(date: Date(timeIntervalSince1970: 0.5), constant: Date(timeIntervalSince1970: 0.5))
    for decoder: any DecodingFormat in [JSON.Decoder(), JSONDecoder()] {
      for text in [#"{"date": "x"}"#, #"{"date": 1}"#, #"{"date": null}"#] {
        let error = #expect(throws: DecodingError.self) { try decoder.update(old, from: Data(text.utf8)) }
        let context: DecodingError.Context? =
          switch error {
          case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context): context
          default: nil
          }
        #expect(context?.codingPath.map(\.stringValue) == ["date"], "\(text): \(String(describing: error))")
      }
    }
  }

  @Test func customUpdateFunctionsAreCalled() throws {
    let old = Revisions(count: 1, first: Revised(text: "a"), second: ExtensionRevised(text: "b"))
    let new = try JSON.Decoder().update(
      old, from: Data(#"{"first": {"text": "c"}, "second": {"text": "d"}}"#.utf8))
    #expect(
      new
        == Revisions(
          count: 1, first: Revised(text: "c", revision: 1), second: ExtensionRevised(text: "d", revision: 1)))
    let first = try JSON.Decoder().update(Revised(text: "a"), from: Data("{}".utf8))
    #expect(first == Revised(text: "a", revision: 1))
    let second = try JSON.Decoder().update(ExtensionRevised(text: "a"), from: Data("{}".utf8))
    #expect(second == ExtensionRevised(text: "a", revision: 1))
  }

  @Test func objectsInsideAreUpdatedInPlace() throws {
    let counter = SharedCounter(count: 1)
    let holder = CounterHolder(name: "a", counter: counter)
    let new = try JSON.Decoder().update(holder, from: Data(#"{"counter": {"count": 2}}"#.utf8))
    #expect(new.counter === counter)
    #expect(counter.count == 2)
    #expect(counter.updates == 1)
    #expect(new.name == "a")
  }

  @Test func genericModelsUpdateNestedValues() throws {
    let old = UpdatedPage(item: Street(name: "s", number: 1), total: 2)
    let new = try JSON.Decoder().update(old, from: Data(#"{"item": {"name": "t"}}"#.utf8))
    #expect(new == UpdatedPage(item: Street(name: "t", number: 1), total: 2))
  }

  @Test func propertiesThatAreNotCodedKeepTheirValues() throws {
    var old = AnnotatedStreet(name: "s")
    (old.note, old.count, old.notCoded) = ("kept", 7, "kept too")
    let text = Data(#"{"name": "t", "note": "x", "notCoded": "y"}"#.utf8)
    let direct = try JSON.Decoder().update(old, from: text)
    #expect(direct.name == "t" && direct.note == "kept" && direct.count == 7 && direct.notCoded == "kept too")
    #expect(try JSON.Decoder().withoutDirectPath.update(old, from: text) == direct)
    #expect(try JSONDecoder().update(old, from: text) == direct)
  }

  @Test func ignoredVariablesInAPatternAreKept() throws {
    expectAgreement(#"{"name": "a", "width": 7}"#, Paired(name: "a", width: 1, height: 2), writing: #"{"name": "a"}"#)
    let old = Paired(name: "a", width: 3, height: 4)
    #expect(
      try JSON.Decoder().update(old, from: Data(#"{"name": "b"}"#.utf8)) == Paired(name: "b", width: 3, height: 4))
  }

  @Test func ignoredVariablesAreKeptInGenericTypes() throws {
    let old = UpdatedScope<Int>.Noted(value: 1, note: "n")
    #expect(try JSON.Decoder().update(old, from: Data(#"{"value": 2}"#.utf8)) == .init(value: 2, note: "n"))
  }

  @Test func modelsAreUpdatedFromAnyDecoder() throws {
    let old = Street(name: "s", number: 1)
    #expect(try JSONDecoder().update(old, from: Data(#"{"name": "t"}"#.utf8)) == Street(name: "t", number: 1))
  }
}

extension AliasedContact {
  static let text =
    #"{"id": 1, "email": "a", "nickname": "n", "total": 2, "other": "o", "joined": 5, "left": 6, "a": {"b": 1}, "o": {"p": {"name": "p", "number": 1}}, "street": {"name": "s", "number": 1}, "streets": [{"name": "t", "number": 2}], "map": {"k": 1}, "kind": {"timer": {"minutes": 3}}, "list": [1, 2], "number": 4}"#
}

import AnvilBase
import AnvilCodable
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

/// Models that macros code are updated on the direct path as with containers: with the same results and the same errors.
@Suite struct UpdatingTests {
  /// A model with texts of whole values, from which old values and updates are made.
  struct Subject: Sendable, CustomTestStringConvertible {
    let name: String
    let texts: [String]
    /// Returns the difference between the ways to update the value of the first text from the second; `nil` if they
    /// agree.
    let difference: @Sendable (_ old: Data, _ new: Data, JSON.Decoder) -> String?
    /// Returns whether each way can update the value of the first text from the second.
    let success: @Sendable (_ old: Data, _ new: Data, JSON.Decoder) -> (direct: Bool, containers: Bool)

    var testDescription: String { name }

    init<T: Encodable & Equatable & DecoderUpdatable & JSONDirectlyUpdatable>(
      _ type: T.Type, _ texts: String...
    ) {
      name = "\(type)"
      self.texts = texts
      difference = { old, new, decoder in
        guard let old = try? JSON.read(type, from: old) else { return nil }
        let direct = Outcome { try updateUnknown(old, from: new, with: decoder) }
        let containers = Outcome { try decoder.withoutDirectPath.update(old, from: new) }
        return direct == containers ? nil : "of \(old): \(direct), containers: \(containers)"
      }
      success = { old, new, decoder in
        guard let old = try? JSON.read(type, from: old) else { return (false, false) }
        let containers = try? decoder.withoutDirectPath.update(old, from: new)
        return (decoder.updatedDirectly(old, from: new) != nil, containers != nil)
      }
    }
  }

  /// Updates in a generic context, where only the format's protocol is known.
  static func updateUnknown<T: DecoderUpdatable>(
    _ value: T, from data: Data, with format: some DecodingFormat
  ) throws -> T { try format.update(value, from: data) }

  static let subjects = [
    Subject(
      Member.self,
      #"{"id": 1, "name": "a", "street": {"name": "s", "number": 1}, "second": {"name": "t"}, "third": {"name": "u", "number": 3}, "count": 2, "text": "x", "kind": "user", "filter": {"named": "x"}, "document": {"a": 1}, "plain": {"x": 1, "y": 2}, "list": [{"name": "l", "number": 9}], "map": {"k": 1}, "set": [1], "date": "2026-01-02T03:04:05Z", "joined": 5, "left": 6}"#,
      #"{"id": 2, "street": {"name": "v"}, "kind": "user", "plain": {"x": 3}, "list": [], "map": {}, "date": "2025-01-02T03:04:05Z", "joined": 1.5, "constant": 9, "note": "y"}"#
    ),
    Subject(
      AliasedAccount.self,
      #"{"old": 1, "size": 2, "nickname": "n", "total": 3, "street": {"name": "s", "number": 1}}"#,
      #"{"older": 4, "length": 5, "nick": "m", "sum": 6, "home": {"name": "t", "number": 2}}"#,
      #"{"oldest": 7, "size": 8, "nickname": null, "street": null}"#),
    Subject(
      AliasedContact.self, AliasedContact.text,
      #"{"id": 2, "mail": "b", "nick": "m", "sum": 3, "alias": "o", "since": 9, "until": 8, "a": {"c": 7}, "o": {"q": {"name": "q", "number": 6}}, "home": {"name": "h", "number": 5}, "homes": [{"name": "g"}], "names": {"n": 4}, "type": {"off": {}}, "values": [3], "amount": "2"}"#,
      #"{"id": 3, "e_mail": "c", "nick": null, "joined": 1, "a": {"b": 1}, "street": {"name": "s"}, "streets": [], "kind": {"off": {}}, "list": []}"#
    ),
    Subject(
      GroupedAccount.self,
      #"{"a": {"b": 1, "c": 2, "street": {"name": "s", "number": 1}}, "o": {"x": 3, "y": 4, "p": {"z": {"name": "z"}, "q": 8}}, "d": {"n": 6}, "reader": 7, "updating": true}"#,
      #"{"a": {"b": 1, "street": {"name": "t"}}, "o": {"p": {"r": 2}}, "d": null, "updating": false}"#,
      #"{"a": {"b": 1, "street": {"name": "t"}}, "updating": false}"#),
    Subject(
      WrappedAccount.self,
      #"{"list": [{"name": "s"}, 1], "zero": 1, "number": "2", "optional": 3, "text": " t ", "a": {"b": " d"}, "state": "user"}"#,
      #"{"list": [], "zero": null, "number": 4, "text": "u", "a": {"b": "e"}, "state": "other"}"#),
    Subject(
      WrappedPathAccount.self,
      #"{"id": 1, "a": {"zero": 2, "list": [3], "number": "4", "text": "x"}, "o": {"p": {"list": [5]}}}"#,
      #"{"id": 2, "a": {"zero": null, "count": 7}, "o": {"p": {"list": [6, "x"]}}}"#,
      #"{"id": 3, "a": null, "o": {"p": null}}"#),
    Subject(
      RawNames.self,
      #"{"self": 1, "1h": 2, "in progress": "x", "a": {"b c": 4, "d": 5}, "the date": 6, "qualified": 7, "parenthesized": {"name": "s"}}"#,
      #"{"self": 8, "hour": 9, "in progress": null, "a": null, "the date": null, "qualified": null}"#),
    Subject(
      OptionalStrategies.self, #"{"date": 1, "a": {"b": 2}, "aliased": 3}"#, #"{"a": {}, "old": 4}"#, #"{"date": 5}"#),
    Subject(InitializedAccount.self, #"{"old": 1, "street": {"name": "s", "number": 1}}"#, #"{"old": 2}"#),
    Subject(
      UpdateScope.Nested.self, #"{"level": "low", "other": "high", "inner": {"a": 1, "b": "low"}}"#,
      #"{"level": "high"}"#),
    Subject(UpdatedMode.self, #"{"off": {}}"#, #"{"timer": {"minutes": 3}}"#),
    Subject(
      UpdatedModes.self, #"{"mode": {"off": {}}, "other": {"timer": {"minutes": 3}}, "count": 1}"#,
      #"{"mode": {"timer": {"minutes": 3}}, "count": 2}"#),
    Subject(OtherEncoding.self, #"{"a": 1, "b": 2}"#, #"{"a": 3}"#),
  ]

  private static let rounds = 1500
  private static let aliasedSubjects = ["\(AliasedAccount.self)", "\(AliasedContact.self)", "\(RawNames.self)"]

  @Test(arguments: Array(subjects.enumerated()))
  func damagedUpdatesAreTheSameAsWithContainers(_ index: Int, _ subject: Subject) throws {
    var documents = try DamagedDocuments(of: subject.texts, seed: UInt64(index))
    let settings = Setting<JSON.Decoder>.all.map { setting in
      let decoder = JSON.Decoder()
      setting.apply(decoder)
      return (setting.name, decoder)
    }
    let iso8601 = try #require(settings.first { $0.0 == "iso8601" })
    for round in 0..<Self.rounds {
      let old = Data(subject.texts[round % subject.texts.count].utf8)
      let new = round < 16 ? Data(subject.texts[round / 4 % subject.texts.count].utf8) : documents.next()
      let (name, decoder) = round.isMultiple(of: 2) ? iso8601 : settings[round / 2 % settings.count]
      if let difference = subject.difference(old, new, decoder) {
        Issue.record("\(name): \(String(decoding: new, as: UTF8.self)): \(difference)")
      }
    }
  }

  /// Parts of documents: each member is absent, null, or that of another document.
  @Test(arguments: Array(subjects.enumerated()))
  func partialDocumentsGiveTheSameUpdateOnBothPaths(_ index: Int, _ subject: Subject) throws {
    var generator = SeededGenerator(seed: UInt64(index))
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .iso8601
    let documents = try subject.texts.map { text in DocumentNode(try JSON(parsing: text)) }
    var directCount = 0
    for round in 0..<Self.rounds {
      let old = Data(subject.texts[round % subject.texts.count].utf8)
      let members = documents.flatMap { document in
        if case .object(let members) = document { return members.shuffled(using: &generator) }
        return []
      }
      var chosen: [(key: String, value: DocumentNode)] = []
      for (key, value) in members {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: chosen.append((key, .scalar("null")))
        case 1, 2: chosen.append((key, Self.part(of: value, &generator)))
        default: break
        }
      }
      let new = Data(Self.text(of: .object(chosen)).utf8)
      let success = subject.success(old, new, decoder)
      if success.direct { directCount += 1 }
      // Unused aliases are read too. An invalid value of one makes the decoder use the containers.
      if !Self.aliasedSubjects.contains(subject.name) {
        #expect(success.direct == success.containers, "\(String(decoding: new, as: UTF8.self))")
      }
      if let difference = subject.difference(old, new, decoder) {
        Issue.record("\(String(decoding: new, as: UTF8.self)): \(difference)")
      }
    }
    #expect(directCount > Self.rounds / 150)
  }

  private static func part(of node: DocumentNode, _ generator: inout SeededGenerator) -> DocumentNode {
    guard case .object(let members) = node else { return node }
    return .object(
      members.compactMap { key, value in
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: nil
        case 1: (key, .scalar("null"))
        default: (key, part(of: value, &generator))
        }
      })
  }

  private static func text(of node: DocumentNode) -> String {
    switch node {
    case .scalar(let text): text
    case .array(let elements): "[\(elements.map(text).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\"\($0.key)\":\(text(of: $0.value))" }.joined(separator: ","))}"
    }
  }

  // MARK: - Results

  @Test func absentMembersKeepTheirValuesAtAnyDepth() throws {
    let old = try JSON.read(GroupedAccount.self, from: Self.subjects[3].texts[0])
    let new = try #require(
      JSON.Decoder().updatedDirectly(
        old, from: Data(#"{"a": {"street": {"number": 5}}, "o": {"p": {"z": null}}}"#.utf8)))
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
    #expect(JSON.Decoder().updatedDirectly(old, from: data) == expected)
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

  /// The encoding strategy for the old value has no effect.
  @Test func datesAreKeptExactly() throws {
    var account = try JSON.read(Member.self, from: Self.subjects[0].texts[0])
    account.joined = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    let new = try #require(JSON.Decoder().updatedDirectly(account, from: Data("{}".utf8)))
    #expect(new == account)
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

  @Test func modelsAreUpdatedFromAnyDecoder() throws {
    let old = Street(name: "s", number: 1)
    #expect(try JSONDecoder().update(old, from: Data(#"{"name": "t"}"#.utf8)) == Street(name: "t", number: 1))
  }
}

extension AliasedContact {
  static let text =
    #"{"id": 1, "email": "a", "nickname": "n", "total": 2, "other": "o", "joined": 5, "left": 6, "a": {"b": 1}, "o": {"p": {"name": "p", "number": 1}}, "street": {"name": "s", "number": 1}, "streets": [{"name": "t", "number": 2}], "map": {"k": 1}, "kind": {"timer": {"minutes": 3}}, "list": [1, 2], "number": 4}"#
}

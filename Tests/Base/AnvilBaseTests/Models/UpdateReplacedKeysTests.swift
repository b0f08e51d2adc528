import AnvilBase
import AnvilBodies
import AnvilJSON
import Foundation
import Testing

/// Models of which one key of the input replaces several keys of the old value, or that read all keys before they choose a value.
@Suite struct UpdateReplacedKeysTests {
  typealias Key = UpdateContainerTests.Key

  // MARK: One key for several keys

  /// Has a name in one piece or in two, and writes one of the forms.
  struct Person: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case form, name, first, last, note }
    enum Form: String, Codable, CaseIterable {
      case bothElseName, eitherElseName, eachElseName, nameElseBoth, attempts, eager
    }

    var form: Form, isSplit: Bool
    var first: String, last: String, note: String?

    init(_ form: Form, isSplit: Bool, _ first: String, _ last: String, note: String? = "n") {
      (self.form, self.isSplit, self.first, self.last, self.note) = (form, isSplit, first, last, note)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let written = try container.decode(String.self, forKey: .form).split(separator: " ")
      form = Form(rawValue: String(written[0])) ?? .bothElseName
      isSplit = written[1] == "split"
      func name() throws -> (String, String) {
        let words = try container.decode(String.self, forKey: .name).split(separator: " ").map(String.init)
        return (words[0], words[1])
      }
      func both() throws -> (String, String) {
        try (container.decode(String.self, forKey: .first), container.decode(String.self, forKey: .last))
      }
      switch form {
      case .bothElseName: (first, last) = try container.contains(.first) && container.contains(.last) ? both() : name()
      case .eitherElseName:
        (first, last) = try container.contains(.first) || container.contains(.last) ? both() : name()
      case .eachElseName:
        first = try container.decodeIfPresent(String.self, forKey: .first) ?? name().0
        last = try container.decodeIfPresent(String.self, forKey: .last) ?? name().1
      case .nameElseBoth: (first, last) = try container.contains(.name) ? name() : both()
      case .attempts: (first, last) = try (try? both()) ?? name()
      case .eager:
        let whole = try container.decodeIfPresent(String.self, forKey: .name)
        let parts = try (
          container.decodeIfPresent(String.self, forKey: .first), container.decodeIfPresent(String.self, forKey: .last)
        )
        if let first = parts.0, let last = parts.1 {
          (self.first, self.last) = (first, last)
        } else {
          let words = (whole ?? "").split(separator: " ").map(String.init)
          guard words.count == 2 else {
            throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "No name.")
          }
          (first, last) = (words[0], words[1])
        }
      }
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("\(form.rawValue) \(isSplit ? "split" : "whole")", forKey: .form)
      if isSplit {
        try container.encode(first, forKey: .first)
        try container.encode(last, forKey: .last)
      } else {
        try container.encode("\(first) \(last)", forKey: .name)
      }
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  @Test(arguments: SampleFormat.allCases, Person.Form.allCases)
  func oneKeyReplacesTwoAndTwoReplaceOne(format: SampleFormat, form: Person.Form) throws {
    guard form != .eager else { return }
    let split = Person(form, isSplit: true, "A", "B")
    #expect(try format.update(split, #"{"name": "C D"}"#) == Person(form, isSplit: true, "C", "D"))
    #expect(
      try format.update(split, #"{"name": "C D", "note": "m"}"#) == Person(form, isSplit: true, "C", "D", note: "m"))
    #expect(try format.update(split, #"{"first": "C"}"#) == Person(form, isSplit: true, "C", "B"))
    #expect(try format.update(split, #"{"note": "m"}"#) == Person(form, isSplit: true, "A", "B", note: "m"))
    let whole = Person(form, isSplit: false, "A", "B")
    #expect(try format.update(whole, #"{"first": "C", "last": "D"}"#) == Person(form, isSplit: false, "C", "D"))
    #expect(try format.update(whole, #"{"name": "C D"}"#) == Person(form, isSplit: false, "C", "D"))
    #expect(try format.update(whole, #"{"note": "m"}"#) == Person(form, isSplit: false, "A", "B", note: "m"))
  }

  /// Has an amount and a currency, in an object or beside other values.
  struct Price: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case form, price, amount, currency, note, tax }
    enum Parts: String, CodingKey { case value, code }
    enum Form: String, Codable, CaseIterable { case objectFirst, keysFirst, each, eager, attempts }
    struct Pair: Decodable { var value: Int, code: String }

    var form: Form, isObject: Bool, amount: Int, currency: String, note: String?, tax = 1

    init(_ form: Form, isObject: Bool, _ amount: Int, _ currency: String, note: String? = "n", tax: Int = 7) {
      (self.form, self.isObject, self.amount, self.currency) = (form, isObject, amount, currency)
      (self.note, self.tax) = (note, tax)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let written = try container.decode(String.self, forKey: .form).split(separator: " ")
      form = Form(rawValue: String(written[0])) ?? .each
      isObject = written[1] == "object"
      tax = try container.decodeIfPresent(Int.self, forKey: .tax) ?? 1
      func object() throws -> (Int, String) {
        let price = try container.nestedContainer(keyedBy: Parts.self, forKey: .price)
        return try (price.decode(Int.self, forKey: .value), price.decode(String.self, forKey: .code))
      }
      func keys() throws -> (Int, String) {
        try (container.decode(Int.self, forKey: .amount), container.decode(String.self, forKey: .currency))
      }
      switch form {
      case .objectFirst: (amount, currency) = try container.contains(.price) ? object() : keys()
      case .keysFirst: (amount, currency) = try container.contains(.amount) ? keys() : object()
      case .each:
        amount = try container.decodeIfPresent(Int.self, forKey: .amount) ?? object().0
        currency = try container.decodeIfPresent(String.self, forKey: .currency) ?? object().1
      case .eager:
        let pair = try container.decodeIfPresent(Pair.self, forKey: .price)
        let amount = try container.decodeIfPresent(Int.self, forKey: .amount) ?? pair?.value
        let currency = try container.decodeIfPresent(String.self, forKey: .currency) ?? pair?.code
        (self.amount, self.currency) = (amount ?? 0, currency ?? "EUR")
      case .attempts: (amount, currency) = try (try? object()) ?? keys()
      }
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("\(form.rawValue) \(isObject ? "object" : "keys")", forKey: .form)
      try container.encode(tax, forKey: .tax)
      if isObject {
        var price = container.nestedContainer(keyedBy: Parts.self, forKey: .price)
        try price.encode(amount, forKey: .value)
        try price.encode(currency, forKey: .code)
      } else {
        try container.encode(amount, forKey: .amount)
        try container.encode(currency, forKey: .currency)
      }
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  @Test(arguments: SampleFormat.allCases, Price.Form.allCases)
  func anObjectReplacesKeysAndKeysReplaceAnObject(format: SampleFormat, form: Price.Form) throws {
    let keys = Price(form, isObject: false, 5, "SEK")
    #expect(
      try format.update(keys, #"{"price": {"value": 6, "code": "NOK"}}"#) == Price(form, isObject: false, 6, "NOK"))
    #expect(try format.update(keys, #"{"amount": 6}"#) == Price(form, isObject: false, 6, "SEK"))
    #expect(try format.update(keys, #"{"tax": 8}"#) == Price(form, isObject: false, 5, "SEK", tax: 8))
    let object = Price(form, isObject: true, 5, "SEK")
    // The values of both objects are read one by one, so that the rest of the old object stays.
    #expect(
      try format.update(object, #"{"amount": 6, "currency": "NOK", "note": "m"}"#)
        == Price(form, isObject: true, 6, "NOK", note: "m"))
    if form != .eager {
      #expect(try format.update(object, #"{"price": {"value": 6}}"#) == Price(form, isObject: true, 6, "SEK"))
    }
    #expect(try format.update(object, #"{"note": "m"}"#) == Price(form, isObject: true, 5, "SEK", note: "m"))
  }

  // MARK: All keys are read

  /// Reads its keys in a loop, or as a dictionary, and writes one of two keys.
  struct Looped: Codable, Equatable, DecoderUpdatable {
    enum Reading: String, CaseIterable { case lastWins, firstWins, firstWinsAfterReading, dictionary, reversed }
    @TaskLocal static var reading = Reading.lastWins
    @TaskLocal static var writtenKey = "email"
    var email: String?, name: String?, state = "open"

    init(email: String?, name: String?, state: String = "open") {
      (self.email, self.name, self.state) = (email, name, state)
    }

    init(from decoder: any Decoder) throws {
      if Self.reading == .dictionary || Self.reading == .reversed {
        let values = try [String: String](from: decoder)
        let (email, mail) = (values["email"], values["mail"])
        self.email = Self.reading == .reversed ? mail ?? email : email ?? mail
        name = values["name"]
        state = values["state"] ?? "open"
        return
      }
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        switch key.stringValue {
        case "email", "mail":
          if Self.reading == .firstWins, email != nil { continue }
          let value = try container.decodeIfPresent(String.self, forKey: key)
          if Self.reading == .lastWins || email == nil { email = value }
        case "name": name = try container.decode(String.self, forKey: key)
        case "state": state = try container.decode(String.self, forKey: key)
        default: break
        }
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      if let email { try container.encode(email, forKey: Key(stringLiteral: Self.writtenKey)) }
      if let name { try container.encode(name, forKey: "name") }
      try container.encode(state, forKey: "state")
    }
  }

  @Test(arguments: Looped.Reading.allCases, ["email", "mail"])
  func keysThatAreAllReadPrecedeThoseOfTheOldValue(reading: Looped.Reading, written: String) throws {
    try Looped.$reading.withValue(reading) {
      try Looped.$writtenKey.withValue(written) {
        let other = written == "email" ? "mail" : "email"
        let old = Looped(email: "a", name: "n", state: "closed")
        for format in SampleFormat.allCases {
          func updated(_ text: String) throws -> Looped { try format.update(old, text) }
          #expect(try updated(#"{"\#(other)": "b"}"#) == Looped(email: "b", name: "n", state: "closed"))
          #expect(try updated(#"{"\#(other)": "b", "name": "m"}"#) == Looped(email: "b", name: "m", state: "closed"))
          #expect(try updated(#"{"\#(written)": "b"}"#) == Looped(email: "b", name: "n", state: "closed"))
          #expect(try updated(#"{"kind": "x"}"#) == old)
          #expect(try updated(#"{"kind": "x", "name": "m"}"#) == Looped(email: "a", name: "m", state: "closed"))
        }
        let form = try URLForm.Decoder().update(old, from: Data("\(other)=b".utf8))
        #expect(form == Looped(email: "b", name: "n", state: "closed"))
      }
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func inALoopTheKeysOfTheInputAreTheLast(format: SampleFormat) throws {
    guard format != .propertyList else { return }
    let old = Looped(email: "a", name: "n")
    #expect(try format.update(old, #"{"mail": null}"#) == Looped(email: nil, name: "n"))
    #expect(try format.update(old, #"{"mail": ""}"#) == Looped(email: "", name: "n"))
  }

  // MARK: What cannot be known

  /// Reads both keys always. The two kinds of models make the same requests to the decoder.
  struct Undecided: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case isAlias, done, finished }
    var isAlias: Bool, done: Bool

    init(isAlias: Bool, done: Bool) { (self.isAlias, self.done) = (isAlias, done) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      isAlias = try container.decode(Bool.self, forKey: .isAlias)
      let (done, finished) = try (
        container.decodeIfPresent(Bool.self, forKey: .done), container.decodeIfPresent(Bool.self, forKey: .finished)
      )
      self.done = done ?? (isAlias ? finished : nil) ?? false
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(isAlias, forKey: .isAlias)
      try container.encode(done, forKey: .done)
    }
  }

  /// The guide says so: a Boolean value is no evidence, because it is equal to a default too often. The old value stays.
  @Test(arguments: SampleFormat.allCases, [true, false])
  func aBooleanOfAModelThatReadsBothKeysIsKept(format: SampleFormat, isAlias: Bool) throws {
    let old = Undecided(isAlias: isAlias, done: true)
    #expect(try format.update(old, #"{"finished": false}"#) == old)
  }

  /// The guide says so: a part of a text is no evidence.
  @Test(arguments: SampleFormat.allCases)
  func aPartOfAValueOfAModelThatReadsAllKeysIsKept(format: SampleFormat) throws {
    let split = Person(.eager, isSplit: true, "A", "B")
    #expect(try format.update(split, #"{"name": "C D"}"#) == split)
    let whole = Person(.eager, isSplit: false, "A", "B")
    #expect(try format.update(whole, #"{"first": "C", "last": "D"}"#) == Person(.eager, isSplit: false, "C", "D"))
  }

  /// Reads a legacy key if the version is the default. Both `1` with the new name and `2` with the old name would be right.
  struct Legacy: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case version, fullName, name }
    var version: Int, fullName: String?

    init(version: Int, fullName: String?) { (self.version, self.fullName) = (version, fullName) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
      fullName = try container.decodeIfPresent(String.self, forKey: version >= 2 ? .fullName : .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(version, forKey: .version)
      try container.encodeIfPresent(fullName, forKey: .fullName)
    }
  }

  /// The guide says so: an old value that decides whether a key of the input is read for another property stays.
  @Test(arguments: SampleFormat.allCases)
  func anOldValueThatDecidesWhichKeysAreReadStays(format: SampleFormat) throws {
    let old = Legacy(version: 2, fullName: "A")
    #expect(try format.update(old, #"{"name": "b"}"#) == old)
    #expect(try format.update(old, #"{"name": "b", "version": 2}"#) == old)
    #expect(try format.update(old, #"{"name": "b", "version": 1}"#) == Legacy(version: 1, fullName: "b"))
    #expect(
      try format.update(Legacy(version: 1, fullName: "A"), #"{"name": "b"}"#) == Legacy(version: 1, fullName: "b"))
  }

  /// A type decides which keys are read, and one of them is never written.
  @Test(arguments: SampleFormat.allCases) func aTypeIsNotResetByALegacyKey(format: SampleFormat) throws {
    struct Plan: Codable, Equatable, DecoderUpdatable {
      enum Keys: String, CodingKey { case kind, limit, legacyLimit, name }
      var kind: String, limit: Int, name: String?
      init(kind: String, limit: Int, name: String?) { (self.kind, self.limit, self.name) = (kind, limit, name) }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        kind = try container.decodeIfPresent(String.self, forKey: .kind) ?? "basic"
        limit =
          kind == "basic"
          ? try container.decodeIfPresent(Int.self, forKey: .legacyLimit) ?? 10
          : try container.decode(Int.self, forKey: .limit)
        name = try container.decodeIfPresent(String.self, forKey: .name)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(limit, forKey: .limit)
        try container.encodeIfPresent(name, forKey: .name)
      }
    }
    let old = Plan(kind: "pro", limit: 50, name: "n")
    #expect(try format.update(old, #"{"legacyLimit": 5}"#) == old)
    #expect(try format.update(old, #"{"legacyLimit": 5, "name": "m"}"#) == Plan(kind: "pro", limit: 50, name: "m"))
    // The value is already that of another property.
    #expect(try format.update(old, #"{"legacyLimit": 50}"#) == old)
    let basic = Plan(kind: "basic", limit: 5, name: "n")
    #expect(try format.update(old, #"{"legacyLimit": 5, "kind": "basic"}"#) == basic)
  }

  /// Two properties with the same default, of which one has another key.
  @Test(arguments: SampleFormat.allCases)
  func aDefaultThatEqualsAReplacedValueIsNoEvidence(format: SampleFormat) throws {
    struct Invoice: Codable, Equatable, DecoderUpdatable {
      enum Keys: String, CodingKey { case currency, cur, billing }
      var currency: String, billing: String
      init(currency: String, billing: String) { (self.currency, self.billing) = (currency, billing) }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        currency =
          try container.decodeIfPresent(String.self, forKey: .currency)
          ?? container.decodeIfPresent(String.self, forKey: .cur) ?? "EUR"
        billing = try container.decodeIfPresent(String.self, forKey: .billing) ?? "EUR"
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(currency, forKey: .currency)
        try container.encode(billing, forKey: .billing)
      }
    }
    let old = Invoice(currency: "USD", billing: "USD")
    #expect(try format.update(old, #"{"cur": "EUR"}"#) == Invoice(currency: "EUR", billing: "USD"))
    #expect(try format.update(old, #"{"cur": "CHF"}"#) == Invoice(currency: "CHF", billing: "USD"))
  }

  /// A Boolean of the input, which another property has by default.
  @Test(arguments: SampleFormat.allCases)
  func aNegatedBooleanReplacesTheOldOne(format: SampleFormat) throws {
    struct Door: Codable, Equatable, DecoderUpdatable {
      enum Keys: String, CodingKey { case open, closed, notify }
      var open: Bool, notify: Bool
      init(open: Bool, notify: Bool) { (self.open, self.notify) = (open, notify) }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        open =
          try container.decodeIfPresent(Bool.self, forKey: .open) ?? !container.decode(Bool.self, forKey: .closed)
        notify = try container.decodeIfPresent(Bool.self, forKey: .notify) ?? true
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(open, forKey: .open)
        try container.encode(notify, forKey: .notify)
      }
    }
    let old = Door(open: true, notify: false)
    #expect(try format.update(old, #"{"closed": true}"#) == Door(open: false, notify: false))
  }

  // MARK: What a trial shows

  /// Traps on documents that neither the model nor the server writes, and decodes well from each of both.
  struct Trusting: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case id, email, mail, kind, link }
    enum Kind: String, Codable { case one, two }
    var id: Int, email: String, kind: Kind, link: URL?

    init(id: Int, email: String) { (self.id, self.email, kind) = (id, email, .one) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      guard let id = try? container.decode(Int.self, forKey: .id) else { fatalError("no id") }
      self.id = id
      let email = try? container.decode(String.self, forKey: .email)
      let mail = try? container.decode(String.self, forKey: .mail)
      guard let email = email ?? mail else { fatalError("no address") }
      self.email = email
      kind = .one
      if let text = try container.decodeIfPresent(String.self, forKey: .kind) {
        guard let kind = Kind(rawValue: text) else { fatalError("unknown kind") }
        self.kind = kind
      }
      if let text = try container.decodeIfPresent(String.self, forKey: .link) {
        guard text.hasPrefix("https:"), let url = URL(string: text) else { fatalError("no link") }
        link = url
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      try container.encode(email, forKey: .email)
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func noTrialShowsADocumentThatNeitherSideWrote(format: SampleFormat) throws {
    let old = Trusting(id: 1, email: "a b")
    #expect(try format.update(old, #"{"id": 1, "mail": "b"}"#).email == "b")
    #expect(try format.update(old, #"{"id": 1, "mail": "b", "kind": "two", "link": "https:x"}"#).kind == .two)
    #expect(try format.update(old, #"{"id": 2, "email": "c", "kind": "two"}"#).id == 2)
  }

  /// Requires that of two names both or none are present.
  struct Coupled: Codable, Equatable, DecoderUpdatable {
    enum Keys: String, CodingKey { case first, last, name, note }
    var first: String, last: String, note: String?

    init(_ first: String, _ last: String, note: String?) { (self.first, self.last, self.note) = (first, last, note) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      if let first = try container.decodeIfPresent(String.self, forKey: .first) {
        guard let last = try container.decodeIfPresent(String.self, forKey: .last) else { fatalError("no last name") }
        (self.first, self.last) = (first, last)
      } else {
        guard let name = try container.decodeIfPresent(String.self, forKey: .name) else { fatalError("no name") }
        let words = name.split(separator: " ").map(String.init)
        (first, last) = (words[0], words[1])
      }
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(first, forKey: .first)
      try container.encode(last, forKey: .last)
      try container.encodeIfPresent(note, forKey: .note)
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func keysThatBelongTogetherAreShownTogether(format: SampleFormat) throws {
    let old = Coupled("A", "B", note: "n")
    #expect(try format.update(old, #"{"name": "C D"}"#) == Coupled("C", "D", note: "n"))
    #expect(try format.update(old, #"{"name": "C D", "note": null}"#) == Coupled("C", "D", note: nil))
  }

  /// What the input contains for a key that is read instead of an old one must be right.
  @Test(arguments: SampleFormat.allCases)
  func aWrongValueUnderAnotherKeyIsAnError(format: SampleFormat) throws {
    let split = Person(.eitherElseName, isSplit: true, "A", "B")
    let error = #expect(throws: DecodingError.self) { try format.update(split, #"{"name": [1]}"#) }
    #expect(error?.place == "name")
  }

  // MARK: Neighbours

  /// Models in an object, in an array and in an enumeration.
  struct Team: Codable, Equatable, DecoderUpdatable {
    struct Lead: Codable, Equatable, DecoderUpdatable {
      var person: Person
      var since: Int?
    }
    enum Place: Codable, Equatable {
      case at(Person), away
    }
    var lead: Lead, people: [Person], place: Place
  }

  @Test(arguments: SampleFormat.allCases, Person.Form.allCases)
  func modelsInObjectsAreUpdatedAndThoseInArraysReplaced(format: SampleFormat, form: Person.Form) throws {
    guard form != .eager else { return }
    let person = Person(form, isSplit: true, "A", "B")
    let old = Team(lead: .init(person: person, since: 1), people: [person, person], place: .at(person))
    let updated = Person(form, isSplit: true, "C", "D")
    #expect(
      try format.update(old, #"{"lead": {"person": {"name": "C D"}}}"#)
        == Team(lead: .init(person: updated, since: 1), people: [person, person], place: .at(person)))
    let fields = #"{"form": "\#(form.rawValue) split", "name": "C D", "note": "n"}"#
    #expect(
      try format.update(old, #"{"people": [\#(fields)], "place": {"at": {"_0": \#(fields)}}}"#)
        == Team(lead: .init(person: person, since: 1), people: [updated], place: .at(updated)))
  }

  @Test(arguments: SampleFormat.allCases) func aDefaultDoesNotReplaceAnOldValue(format: SampleFormat) throws {
    struct Order: Codable, Equatable, DecoderUpdatable {
      enum Keys: String, CodingKey { case total, email, mail, kind, isOpen, status }
      var total: Int, email: String, isOpen: Bool, status: String
      init(total: Int, email: String, isOpen: Bool, status: String) {
        (self.total, self.email, self.isOpen, self.status) = (total, email, isOpen, status)
      }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        total = try container.decodeIfPresent(Int.self, forKey: .total) ?? 1
        isOpen = try container.decodeIfPresent(Bool.self, forKey: .isOpen) ?? false
        email =
          try container.decodeIfPresent(String.self, forKey: .email) ?? container.decode(String.self, forKey: .mail)
        status = try container.decodeIfPresent(String.self, forKey: .status) ?? "open"
        _ = try container.decodeIfPresent(Int.self, forKey: .kind)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(total, forKey: .total)
        try container.encode(isOpen, forKey: .isOpen)
        try container.encode(email, forKey: .email)
        try container.encode(status, forKey: .status)
      }
    }
    let old = Order(total: 3, email: "a", isOpen: true, status: "closed")
    let expected = Order(total: 3, email: "b", isOpen: true, status: "closed")
    #expect(try format.update(old, #"{"mail": "b"}"#) == expected)
    #expect(try format.update(old, #"{"mail": "b", "kind": 1}"#) == expected)
    #expect(try format.update(old, #"{"kind": 1}"#) == old)
    #expect(try format.update(old, #"{"kind": 1, "total": 4}"#).total == 4)
  }
}

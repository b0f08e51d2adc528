internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

/// Models whose attributes have several keys in payloads.
extension StoreContract {
  @JSONCodable
  struct Contact: Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    @CodableAlias("identifier", "uid") var id: Int
    @CodableAlias("mail") var email: String
    @CodableAlias("nick") var nickname: String?
    @CodableAlias("sum") @CodableDefault(1) var total: Int
    @CodableAlias("group") var team: ContactTeam?
  }

  @JSONCodable
  struct ContactTeam: Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    @CodableAlias("number") var id: Int
    @CodableAlias("title") var name: String
  }

  @JSONCodable @StoredModel
  struct StoredContact: Equatable {
    @MatchKey @Column("contact") @CodableAlias("identifier", "uid") var id: Int
    @CodableAlias("mail") var email: String
    @CodableAlias("nick") var nickname: String?
    @CodableAlias("sum") @CodableDefault(1) var total: Int
  }

  /// Tries the key of its attribute before the alias.
  struct HandwrittenContact: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(Keys.id)]
    enum Keys: String, CodingKey { case id, uid, email, mail }

    var id: Int
    var email: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      id = try container.decodeIfPresent(Int.self, forKey: .id) ?? container.decode(Int.self, forKey: .uid)
      email =
        try container.decodeIfPresent(String.self, forKey: .email)
        ?? container.decodeIfPresent(String.self, forKey: .mail)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      try container.encodeIfPresent(email, forKey: .email)
    }
  }

  /// Requires its key, of which it tries two forms, and other attributes.
  struct HandwrittenMember: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(Keys.id)]
    enum Keys: String, CodingKey { case id, upper = "ID", email, mail, name, isChecked }

    var id: Int
    var email: String
    var name: String
    /// Whether the alias of the key is read after an error.
    var isChecked = false

    init(id: Int, email: String, name: String, isChecked: Bool) {
      (self.id, self.email, self.name, self.isChecked) = (id, email, name, isChecked)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      isChecked = try container.decode(Bool.self, forKey: .isChecked)
      id =
        isChecked
        ? try (try? container.decode(Int.self, forKey: .id)) ?? container.decode(Int.self, forKey: .upper)
        : try container.decodeIfPresent(Int.self, forKey: .upper) ?? container.decode(Int.self, forKey: .id)
      email = try container.decode(String.self, forKey: container.contains(.mail) ? .mail : .email)
      name = try container.decode(String.self, forKey: .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      try container.encode(email, forKey: .email)
      try container.encode(name, forKey: .name)
      try container.encode(isChecked, forKey: .isChecked)
    }
  }

  /// Reads all keys of its payload before it chooses values, and writes a name in two pieces.
  struct HandwrittenPerson: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(Keys.id)]
    enum Keys: String, CodingKey, CaseIterable { case id, uid, first, last, name, state }

    var id: String
    var first: String
    var last: String
    var state: String

    init(_ id: String, _ first: String, _ last: String, state: String) {
      (self.id, self.first, self.last, self.state) = (id, first, last, state)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      var values: [Keys: String] = [:]
      for key in container.allKeys where key != .name { values[key] = try container.decode(String.self, forKey: key) }
      guard let id = values[.id] ?? values[.uid] else {
        throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "No identifier.")
      }
      self.id = id
      state = values[.state] ?? "new"
      if let first = values[.first], let last = values[.last] {
        (self.first, self.last) = (first, last)
      } else {
        let words = try container.decode(String.self, forKey: .name).split(separator: " ").map(String.init)
        (first, last) = (words.first ?? "", words.last ?? "")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      try container.encode(first, forKey: .first)
      try container.encode(last, forKey: .last)
      try container.encode(state, forKey: .state)
    }
  }

  private static func contact<Model: ManagedDecodable & Codable & Sendable & Equatable>(
    _ id: Int, _ email: String, as type: Model.Type, _ others: String = ""
  ) throws -> Model { try Model(from: decoder(#"{"id": \#(id), "email": "\#(email)"\#(others)}"#)) }

  static let aliasCases: [Case] = [
    Case("a key of the payload precedes the stored value under another key") { location in
      let context = try await Store(location).context
      try await context.decode(Contact.self, #"{"id": 1, "email": "a", "nickname": "n", "total": 3}"#)
      let new = try await context.decode(Contact.self, #"{"id": 1, "mail": "b", "nick": null, "sum": 4}"#)
      let expected = Contact(id: 1, email: "b", nickname: nil, total: 4, team: nil)
      try expect(new, is: expected)
      try expect(try await context.fetch(Contact.self), is: [expected])
      try await context.decode(StoredContact.self, #"{"id": 1, "email": "a", "nickname": "n", "total": 3}"#)
      let stored = try await context.decode(StoredContact.self, #"{"id": 1, "mail": "b", "nick": "m"}"#)
      try expect(stored, is: StoredContact(id: 1, email: "b", nickname: "m", total: 3))
      try expect(try await context.fetch(StoredContact.self), is: [stored])
      try await context.decode(HandwrittenContact.self, #"{"id": 1, "email": "a"}"#)
      let own = try await context.decode(HandwrittenContact.self, #"{"id": 1, "mail": "b"}"#)
      try expect(own, is: contact(1, "b", as: HandwrittenContact.self))
      try expect(try await context.fetch(HandwrittenContact.self), is: [own])
    },
    Case("a match key under an alias finds its row, also for a part of a model") { location in
      let context = try await Store(location).context
      try await context.decode(Contact.self, #"{"id": 1, "email": "a"}"#)
      try await context.decode(StoredContact.self, #"{"id": 1, "email": "a"}"#)
      try await context.decode(HandwrittenContact.self, #"{"id": 1, "email": "a"}"#)
      try await context.decode(Contact.self, #"{"uid": 1, "nick": "n"}"#)
      try await context.decode(StoredContact.self, #"{"identifier": 1, "nick": "n"}"#)
      try await context.decode(HandwrittenContact.self, #"{"uid": 1}"#)
      try expect(
        try await context.fetch(Contact.self),
        is: [Contact(id: 1, email: "a", nickname: "n", total: 1, team: nil)])
      try expect(
        try await context.fetch(StoredContact.self),
        is: [StoredContact(id: 1, email: "a", nickname: "n", total: 1)])
      try expect(try await context.fetch(HandwrittenContact.self), is: [contact(1, "a", as: HandwrittenContact.self)])
    },
    Case("a match key that only init(from:) tries finds its row with a part of a model") { location in
      let context = try await Store(location).context
      func member(_ id: Int, _ email: String, _ name: String) -> HandwrittenMember {
        HandwrittenMember(id: id, email: email, name: name, isChecked: id > 1)
      }
      try await context.save([member(1, "a", "n"), member(2, "a", "n"), member(3, "a", "n")])
      try expect(try await context.decode(HandwrittenMember.self, #"{"ID": 1, "mail": "b"}"#), is: member(1, "b", "n"))
      try expect(try await context.decode(HandwrittenMember.self, #"{"name": "m", "ID": 2}"#), is: member(2, "a", "m"))
      let list = try await context.decode(
        [HandwrittenMember].self, #"[{"ID": 3, "name": "l"}, {"ID": 1, "name": "k"}, {"id": 2, "mail": "c"}]"#)
      try expect(list.models, is: [member(3, "a", "l"), member(1, "b", "k"), member(2, "c", "m")])
      try expect(
        try await context.fetch(HandwrittenMember.self),
        is: [member(1, "b", "k"), member(2, "c", "m"), member(3, "a", "l")])
      // A part of a model without a key, or with an unknown one, is not that of a stored row.
      for text in [#"{"name": "x"}"#, #"{"ID": 4, "name": "x"}"#, #"{"ID": "1", "name": "x"}"#] {
        do {
          try await context.decode(HandwrittenMember.self, text)
          throw Violation(description: "\(text) was stored")
        } catch is DecodingError {}
      }
      try expect(try await context.count(HandwrittenMember.self), is: 3)
    },
    Case("one key of the payload replaces two attributes, and all keys may be read before one is chosen") { location in
      let context = try await Store(location).context
      try await context.save([
        HandwrittenPerson("a", "A", "B", state: "old"), HandwrittenPerson("b", "A", "B", state: "old"),
      ])
      try await context.decode(HandwrittenPerson.self, #"{"id": "a", "name": "C D"}"#)
      try await context.decode(HandwrittenPerson.self, #"{"uid": "b", "name": "E F"}"#)
      let list = try await context.decode(
        [HandwrittenPerson].self, #"[{"uid": "c", "name": "G H", "state": "x"}, {"uid": "b", "first": "I"}]"#)
      try expect(list.changes, is: .init(inserted: 1, updated: 1, deleted: 0))
      try expect(
        try await context.fetch(HandwrittenPerson.self).sorted { $0.id < $1.id },
        is: [
          HandwrittenPerson("a", "C", "D", state: "old"), HandwrittenPerson("b", "I", "F", state: "old"),
          HandwrittenPerson("c", "G", "H", state: "x"),
        ])
    },
    Case("a key of the payload precedes another key of the payload as in the model") { location in
      let context = try await Store(location).context
      try await context.decode(Contact.self, #"{"uid": 2, "id": 1, "mail": "b", "email": "a"}"#)
      try await context.decode(Contact.self, #"{"uid": 2, "identifier": 1, "mail": "d", "email": "c"}"#)
      try expect(
        try await context.fetch(Contact.self), is: [Contact(id: 1, email: "c", nickname: nil, total: 1, team: nil)])
    },
    Case("lists update and delete rows by keys under an alias") { location in
      let context = try await Store(location).context
      func check<Model: ManagedDecodable & Codable & Sendable & Equatable>(_ type: Model.Type) async throws
      where Model.Context == StoreTransaction {
        let rows = try (1...3).map { try contact($0, "a", as: type) }
        try await context.save(rows)
        let list = try await context.decode(
          [Model].self, #"[{"uid": 1, "mail": "b"}, {"uid": 3, "email": "c"}, {"id": 4, "mail": "d"}]"#,
          missing: .deleted)
        try expect(list.changes, is: .init(inserted: 1, updated: 2, deleted: 1))
        let expected = try [contact(1, "b", as: type), contact(3, "c", as: type), contact(4, "d", as: type)]
        try expect(list.models, is: expected)
        try expect(try await context.fetch(type), is: expected)
      }
      try await check(Contact.self)
      try await check(StoredContact.self)
      try await check(HandwrittenContact.self)
    },
    Case("rows are deleted, and their keys are read, under an alias") { location in
      let context = try await Store(location).context
      try await context.save([StoredContact(id: 1, email: "a", nickname: nil, total: 1)])
      try await context.save([Contact(id: 1, email: "a", nickname: nil, total: 1, team: nil)])
      try await context.perform { transaction in
        for type in [#"{"uid": 1}"#, #"{"identifier": 1, "uid": 2}"#] {
          guard case .text(let key) = try transaction.payloadKey(of: StoredContact.self, in: decoder(type)) else {
            throw Violation(description: "no key in \(type)")
          }
          guard case .text(let other) = try transaction.payloadKey(of: Contact.self, in: decoder(type)) else {
            throw Violation(description: "no key in \(type)")
          }
          try expect(key, is: other)
        }
        try expect(try transaction.deleteRow(of: StoredContact.self, describedBy: decoder(#"{"uid": 1}"#)), is: true)
        try expect(try transaction.deleteRow(of: Contact.self, describedBy: decoder(#"{"uid": 1}"#)), is: true)
      }
      try expect(try await context.count(Contact.self) + context.count(StoredContact.self), is: 0)
    },
    Case("models with separate rows are stored and updated under an alias") { location in
      let context = try await Store(location).context
      try await context.decode(
        Contact.self, #"{"id": 1, "email": "a", "team": {"id": 7, "name": "red"}}"#)
      let other = try await context.decode(Contact.self, #"{"uid": 1, "group": {"number": 8, "title": "blue"}}"#)
      try expect(other.team, is: ContactTeam(id: 8, name: "blue"))
      let same = try await context.decode(Contact.self, #"{"uid": 1, "group": {"number": 8, "title": "green"}}"#)
      try expect(same.team, is: ContactTeam(id: 8, name: "green"))
      try expect(
        try await context.fetch(ContactTeam.self),
        is: [ContactTeam(id: 7, name: "red"), ContactTeam(id: 8, name: "green")])
      try expect(try await context.decode(Contact.self, #"{"uid": 1, "group": null}"#).team, is: nil)
      try expect(try await context.fetch(Contact.self).map(\.team), is: [nil])
    },
  ]
}

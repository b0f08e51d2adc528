internal import AnvilBase
internal import AnvilJSON
internal import AnvilStore

extension StoreContract {
  struct User: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: String
    var age: Int?
    var tags: [String]?

    enum Columns {
      static let id = StoredColumn<User, Int>("id")
      static let login = StoredColumn<User, String>("login")
      static let age = StoredColumn<User, Int?>("age")
    }
  }

  /// A model without match keys.
  struct Note: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = nil
    var text: String
  }

  struct Place: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.country), .key(CodingKeys.number, attribute: "house")]
    var country: String
    var number: Int
    var name: String?
  }

  /// A model that converts its key to lower case.
  struct Word: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.spelling)]
    var spelling: String
    var count: Int

    enum CodingKeys: String, CodingKey { case spelling, count }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      spelling = try container.decode(String.self, forKey: .spelling).lowercased()
      count = try container.decode(Int.self, forKey: .count)
    }
  }

  static let modelCases: [Case] = [
    Case("a model without match keys is inserted each time") { location in
      let context = try await Store(location).context
      for text in ["b", "a", "b"] { try await context.decode(Note.self, #"{"text": "\#(text)"}"#) }
      try expect(try await context.fetch(Note.self).map(\.text), is: ["b", "a", "b"])
    },
    Case("a model with a match key is inserted once and updated in place") { location in
      let context = try await Store(location).context
      try await context.decode(User.self, #"{"id": 1, "login": "ada", "age": 36, "tags": ["x"]}"#)
      let updated = try await context.decode(User.self, #"{"id": 1, "login": "eve"}"#)
      let expected = User(id: 1, login: "eve", age: 36, tags: ["x"])
      try expect(updated, is: expected)
      try expect(try await context.fetch(User.self), is: [expected])
    },
    Case("an absent key keeps the stored value, and null clears it") { location in
      let context = try await Store(location).context
      try await context.decode(User.self, #"{"id": 1, "login": "ada", "age": 36, "tags": ["x"]}"#)
      try await context.decode(User.self, #"{"id": 1, "age": null}"#)
      try expect(try await context.fetch(User.self), is: [User(id: 1, login: "ada", age: nil, tags: ["x"])])
    },
    Case("an update needs only the match keys, but a new model needs all its attributes") { location in
      let context = try await Store(location).context
      try await context.decode(User.self, #"{"id": 1, "login": "ada"}"#)
      try expect(try await context.decode(User.self, #"{"id": 1}"#).login, is: "ada")
      do {
        try await context.decode(User.self, #"{"id": 2}"#)
        throw Violation(description: "a user without a login was created")
      } catch let DecodingError.keyNotFound(key, _) {
        try expect(key.stringValue, is: "login")
      }
      try expect(try await context.count(User.self), is: 1)
    },
    Case("compound keys match as a whole, even if a key has the name of another attribute") { location in
      let context = try await Store(location).context
      let inputs = [
        #"{"country": "de", "number": 1, "name": "a"}"#, #"{"country": "de", "number": 2}"#,
        #"{"country": "at", "number": 1}"#, #"{"country": "de", "number": 1, "name": "b"}"#,
      ]
      for input in inputs { try await context.decode(Place.self, input) }
      let places = try await context.fetch(Place.self)
      try expect(
        places,
        is: [
          Place(country: "at", number: 1), Place(country: "de", number: 1, name: "b"), Place(country: "de", number: 2),
        ])
      try expect(try await context.fetch(Place.self, key: "de", 1)?.name, is: "b")
      try expect(try await context.fetch(Place.self, where: StoredColumn<Place, Int>("house") == 2).count, is: 1)
      try expect(try await context.fetch(Place.self, where: StoredColumn<Place, Int>("number") == 2).count, is: 1)
    },
    Case("a key of another type is an error that names both types, also before the first row") { location in
      let store = try await Store(location)
      for isEmpty in [true, false] {
        if !isEmpty { try await store.save(Club(name: "red")) }
        try await expectError(.invalidValue, naming: "Club.name", "text", "integer") {
          _ = try await store.fetch(Club.self, key: 3)
        }
        try expect(try await store.fetch(Club.self, key: "red"), is: isEmpty ? nil : Club(name: "red"))
        if !isEmpty { try await store.save(Issue(1, author: 1)) }
        try expect(try await store.fetch(Issue.self, key: Int8(1))?.id, is: isEmpty ? nil : 1)
        try expect(try await store.fetch(Issue.self, key: 1.0)?.id, is: isEmpty ? nil : 1)
      }
    },
    Case("a key that the model normalizes still finds its row") { location in
      let context = try await Store(location).context
      try await context.decode(Word.self, #"{"spelling": "Ada", "count": 1}"#)
      try await context.decode(Word.self, #"{"spelling": "ADA", "count": 2}"#)
      let words = try await context.fetch(Word.self)
      try expect(words.map(\.spelling), is: ["ada"])
      try expect(words.map(\.count), is: [2])
    },
    Case("a match key that is null is an error that names it") { location in
      struct Draft: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.number)]
        var number: Int?
        var title: String
      }
      let context = try await Store(location).context
      try await expectError(.invalidValue, naming: "number", "Draft") {
        try await context.decode(Draft.self, #"{"title": "x"}"#)
      }
      try await context.save(Draft(number: 1, title: "y"))
      try await expectError(.invalidValue, naming: "number", "Draft") {
        try await context.save(Draft(number: nil, title: "x"))
      }
      try expect(try await context.count(Draft.self), is: 1)
    },
    Case("either all models of a call are stored or none, and the last one with a key is stored") { location in
      struct Measurement: Codable, Sendable, Equatable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
        var value: Double
      }
      let context = try await Store(location).context
      let models = (0..<1_200).map { Measurement(id: $0, value: 0.5) }
      let unstorable = models + [Measurement(id: 1_200, value: .nan)]
      do {
        try await context.save(unstorable)
        throw Violation(description: "NaN was stored")
      } catch is EncodingError {}
      try expect(try await context.count(Measurement.self), is: 0)
      try await context.perform { transaction in
        do { try transaction.save(unstorable) } catch is EncodingError {}
        try transaction.save(models[0])
      }
      try expect(try await context.count(Measurement.self), is: 1)
      let last = [Measurement(id: 700, value: 1.5), Measurement(id: 0, value: 2.5), Measurement(id: 1_200, value: 1)]
      let counts = try await context.save(models + last)
      try expect(counts, is: .init(inserted: 1_200, updated: 1))
      try expect(
        try await context.fetch(Measurement.self, where: StoredColumn<Measurement, Double>("value") > 0.5).map(\.id),
        is: [0, 700, 1_200])
    },
    Case("a factory creates single models and lists within perform") { location in
      let context = try await Store(location).context
      let users = try await context.perform { context in
        let factory = ManagedDecodingFactory<User>(context: context)
        let one = try factory.create(from: decoder(#"{"id": 7, "login": "g"}"#))
        return try [one] + factory.array.create(from: decoder(#"[{"id": 8, "login": "h"}, {"id": 7, "login": "i"}]"#))
      }
      try expect(users.map(\.login), is: ["g", "h", "i"])
      try expect(try await context.fetch(User.self).map(\.login), is: ["i", "h"])
    },
    Case("a transaction can only be used on its thread and until it ends") { location in
      let context = try await Store(location).context
      let (escape, gate) = (Escape(), Gate())
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let running = Task {
        try await context.perform { transaction in
          escape.transaction = transaction
          start.finish()
          gate.wait()
        }
      }
      for await _ in started {}
      func save() throws { try escape.transaction?.save(User(id: 1, login: "a")) }
      func decode() throws {
        _ = try escape.transaction.map { try User.createOrUpdate(in: $0, from: decoder(#"{"id": 1, "login": "a"}"#)) }
      }
      func list() throws {
        _ = try escape.transaction.map {
          try $0.createOrUpdate([User].self, from: decoder("[]"), in: StoreListing("users"))
        }
      }
      for use in [save, decode, list] { try await expectError(.outsideTransaction) { try use() } }
      gate.open()
      try await running.value
      for use in [save, decode, list] { try await expectError(.outsideTransaction) { try use() } }
      try expect(try await context.count(User.self), is: 0)
    },
    Case("a factory of a store cannot decode synchronously outside of a transaction") { location in
      let context = try await Store(location).context
      let factory = ManagedDecodingFactory<User>(context: context)
      try await expectError(.outsideTransaction) { _ = try factory.create(from: decoder(#"{"id": 1, "login": "a"}"#)) }
      try expect(try await context.count(User.self), is: 0)
    },
    Case("a read transaction cannot make changes") { location in
      let context = try await Store(location).context
      try await expectError(.outsideTransaction) { _ = try await context.read { try $0.save(Note(text: "a")) } }
      try expect(try await context.count(Note.self), is: 0)
      try await context.save([User(id: 1, login: "a")])
      try await expectError(.outsideTransaction) {
        _ = try await context.read { try $0.deleteRow(of: User.self, describedBy: decoder(#"{"id": 1}"#)) }
      }
      try await expectError(.outsideTransaction) {
        _ = try await context.read { try $0.deleteRow(describedBy: ["id": 1], as: User.entityName, keys: ["id"]) }
      }
      try expect(try await context.count(User.self), is: 1)
    },
  ]

  /// Passes a transaction out of the closure in which it is valid, which the compiler would otherwise prevent.
  ///
  /// Safety: the transaction is set before the streams publish it to other tasks, and is only used to check that it is
  /// rejected.
  private final class Escape: @unchecked Sendable {
    var transaction: StoreTransaction?
  }
}

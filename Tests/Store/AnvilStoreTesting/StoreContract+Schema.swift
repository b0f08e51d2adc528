internal import AnvilBase
internal import AnvilJSON
internal import AnvilStore

extension StoreContract {
  // Several versions of one model.

  struct Item: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String
  }

  struct LargerItem: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String
    var color: Color?
    var made: Date?
  }

  /// A different model for each nesting depth.
  struct Numbered<Inner>: Codable, Sendable, ManagedDecodable {
    static var entityName: String { "Numbered\((Inner.self as? any Nested.Type)?.depth ?? 0)" }
    static var matchKeys: [MatchKey]? { nil }
    var name: String

    /// Saves one instance of each of `tables` models. The first model is this one; each further model is nested one level deeper.
    static func save(tables: Int, in transaction: StoreTransaction) throws {
      try transaction.save(Self(name: "a"))
      if tables > 1 { try Numbered<Self>.save(tables: tables - 1, in: transaction) }
    }
  }

  struct SmallerItem: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
  }

  /// An item. `createOrUpdate` stores it as the version of the model that matches the payload.
  struct MixedItem: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var color: Color?

    static func createOrUpdate(in context: StoreTransaction, from decoder: any Decoder) throws -> MixedItem {
      let item = try MixedItem(from: decoder)
      if item.color != nil {
        _ = try LargerItem.createOrUpdate(in: context, from: decoder)
      } else {
        _ = try Item.createOrUpdate(in: context, from: decoder)
      }
      return item
    }
  }

  struct OtherItem: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: Int
  }

  struct RekeyedItem: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var id: Int
    var name: String
  }

  /// A number or a list of numbers.
  struct Loose: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var value: Numbers
  }

  enum Numbers: Codable, Sendable, Equatable {
    case one(Int)
    case many([Int])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .one(try container.decode(Int.self)) } catch { self = .many(try container.decode([Int].self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .one(let number): try container.encode(number)
      case .many(let numbers): try container.encode(numbers)
      }
    }
  }

  enum Shape: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = nil
    case circle(radius: Int)
    case square(side: Int)
  }

  /// A model that does not encode values that are nil.
  struct TerseItem: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Item"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String?

    enum CodingKeys: String, CodingKey { case id, name }

    init(id: Int, name: String?) { (self.id, self.name) = (id, name) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      name = try container.decodeIfPresent(String.self, forKey: .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      if let name { try container.encode(name, forKey: .name) }
    }
  }

  static let schemaCases: [Case] = [
    Case("additional attributes of a model become columns") { location in
      let context = try await Store(location).context
      try await context.save(Item(id: 1, name: "a"))
      let larger = LargerItem(id: 2, name: "b", color: .blue, made: Date(timeIntervalSinceReferenceDate: 5))
      try await context.save(larger)
      try expect(try await context.fetch(LargerItem.self), is: [LargerItem(id: 1, name: "a"), larger])
      try await context.decode(LargerItem.self, #"{"id": 1, "color": "red"}"#)
      try expect(try await context.fetch(LargerItem.self, key: 1)?.color, is: .red)
    },
    Case("an attribute of unknown type becomes a column with its first value") { location in
      let context = try await Store(location).context
      try await context.save([LargerItem(id: 1, name: "a"), LargerItem(id: 2, name: "b")])
      try await context.save([LargerItem(id: 2, name: "b"), LargerItem(id: 3, name: "c", color: .red)])
      try expect(try await context.fetch(LargerItem.self).map(\.color), is: [nil, nil, .red])
      try expect(
        try await context.fetch(LargerItem.self, where: StoredColumn<LargerItem, Color?>("color") == .red).count, is: 1)
    },
    Case("conditions may use an attribute that has been null so far") { location in
      let context = try await Store(location).context
      try await context.save([LargerItem(id: 1, name: "a"), LargerItem(id: 2, name: "b")])
      let color = StoredColumn<LargerItem, Color?>("color")
      func ids(_ condition: StoreCondition<LargerItem>) async throws -> [Int] {
        try await context.fetch(LargerItem.self, where: condition, orderedBy: [.ascending(color)]).map(\.id)
      }
      try expect(try await ids(color == nil), is: [1, 2])
      try expect(try await ids(color == .red), is: [])
      try expect(try await ids(color != .red), is: [1, 2])
      try await context.save(LargerItem(id: 1, name: "a", color: .red))
      try expect(try await ids(color == .red), is: [1])
      try expect(try await ids(color == nil), is: [2])
    },
    Case(
      "an attribute that is sometimes a list is always stored as JSON, by later stores too", needs: [.sharing]
    ) { location in
      let first = try await Store(location)
      let values = [Loose(id: 1, value: .many([1, 2])), Loose(id: 2, value: .one(3))]
      try await first.context.save(values)
      await first.close()
      let second = try await Store(location)
      try await second.context.save(Loose(id: 3, value: .one(4)))
      try expect(try await second.context.save(values[1]), is: .init(unchanged: 1))
      try expect(try await second.context.fetch(Loose.self), is: values + [Loose(id: 3, value: .one(4))])
      await second.close()
    },
    Case("an attribute that is a list after a single value is an error with advice") { location in
      let context = try await Store(location).context
      try await context.save(Loose(id: 1, value: .one(3)))
      try await expectError(.schemaMismatch, naming: "value", "integer", "json", "a struct around it") {
        try await context.save(Loose(id: 2, value: .many([1, 2])))
      }
    },
    Case("an enumeration with associated values is restored") { location in
      let context = try await Store(location).context
      let shapes = [Shape.circle(radius: 1), .square(side: 2)]
      for shape in shapes { try await context.save(shape) }
      try expect(try await context.fetch(Shape.self), is: shapes)
    },
    Case("columns that are unknown to a model keep their values") { location in
      let context = try await Store(location).context
      let made = Date(timeIntervalSinceReferenceDate: 5)
      try await context.save(LargerItem(id: 1, name: "a", color: .red, made: made))
      try expect(try await context.save(SmallerItem(id: 1)), is: .init(unchanged: 1))
      try expect(
        try await context.save([Item(id: 1, name: "b"), Item(id: 2, name: "c")]), is: .init(inserted: 1, updated: 1))
      try await context.decode(Item.self, #"{"id": 1, "name": "d"}"#)
      let items = [LargerItem(id: 1, name: "d", color: .red, made: made), LargerItem(id: 2, name: "c")]
      try expect(try await context.fetch(LargerItem.self), is: items)
    },
    Case("two versions of a model in a transaction keep each other's values") { location in
      let context = try await Store(location).context
      try await context.save([LargerItem(id: 1, name: "a", color: .red), LargerItem(id: 2, name: "b", color: .red)])
      try await context.perform { transaction in
        try transaction.save(LargerItem(id: 1, name: "a", color: .blue))
        _ = try Item.createOrUpdate(in: transaction, from: decoder(#"{"id": 1, "name": "c"}"#))
        let larger = try LargerItem.createOrUpdate(in: transaction, from: decoder(#"{"id": 1, "name": "d"}"#))
        try expect(larger.color, is: .blue)
        let list = #"[{"id": 2, "name": "e", "color": "blue"}, {"id": 2, "name": "f"}]"#
        _ = try transaction.createOrUpdate([MixedItem].self, from: decoder(list))
      }
      let items = [LargerItem(id: 1, name: "d", color: .blue), LargerItem(id: 2, name: "f", color: .blue)]
      try expect(try await context.fetch(LargerItem.self), is: items)
    },
    Case("a column of a different type is an error that names it and both types") { location in
      let context = try await Store(location).context
      try await context.save(Item(id: 1, name: "a"))
      try await expectError(.schemaMismatch, naming: "name", "text", "integer", "Item") {
        try await context.save(OtherItem(id: 1, name: 2))
      }
      try await expectError(.schemaMismatch, naming: "name", "id", "Item") {
        try await context.save(RekeyedItem(id: 1, name: "b"))
      }
      try expect(try await context.fetch(Item.self), is: [Item(id: 1, name: "a")])
    },
    Case("an attribute that is not encoded when it is nil is stored as null") { location in
      let context = try await Store(location).context
      try await context.save(Item(id: 1, name: "a"))
      try await context.save(TerseItem(id: 2, name: nil))
      try expect(try await context.fetch(TerseItem.self).map(\.name), is: ["a", nil])
      try await context.save([TerseItem(id: 1, name: nil), TerseItem(id: 2, name: "b")])
      try expect(try await context.fetch(TerseItem.self).map(\.name), is: [nil, "b"])
    },
    Case("queries before the first value are empty and create no table") { location in
      let context = try await Store(location).context
      try expect(try await context.fetch(Item.self), is: [])
      try expect(try await context.fetch(Item.self, key: 1), is: nil)
      try expect(try await context.count(Item.self), is: 0)
      try expect(try await context.delete(Item.self, where: .all), is: 0)
      for try await _ in context.stream(Item.self) { throw Violation(description: "an item was returned") }
      try expect(try await context.save([Item]()), is: .init())
    },
    Case("columns that another store added are known immediately", needs: [.sharing]) { location in
      let first = try await Store(location)
      let second = try await Store(location)
      try await first.context.save(LargerItem(id: 1, name: "a"))
      try expect(try await second.context.fetch(LargerItem.self).count, is: 1)
      try await first.context.save(LargerItem(id: 2, name: "b", color: .blue))
      try expect(try await second.context.fetch(LargerItem.self).map(\.color), is: [nil, .blue])
      try await second.context.save(LargerItem(id: 3, name: "c", color: .red))
      try expect(try await first.context.fetch(LargerItem.self).map(\.color), is: [nil, .blue, .red])
      await first.close()
      await second.close()
    },
    Case("stores that create the same table at the same time create it once", needs: [.sharing]) { location in
      var stores: [Store] = []
      for _ in 0..<4 { stores.append(try await Store(location)) }
      try await withThrowingTaskGroup { group in
        for (index, store) in stores.enumerated() {
          group.addTask { _ = try await store.context.save(LargerItem(id: index, name: "n", color: .red)) }
        }
        try await group.waitForAll()
      }
      try expect(try await stores[0].context.count(LargerItem.self), is: 4)
      for store in stores { await store.close() }
    },
    Case("a transaction can create many tables") { location in
      let context = try await Store(location).context
      try await context.perform { transaction in try Numbered<Never>.save(tables: 102, in: transaction) }
      try expect(try await context.count(Numbered<Never>.self), is: 1)
      try expect(try await context.count(Numbered<Numbered<Never>>.self), is: 1)
    },
    Case("the keys of objects may be spelled otherwise than their members") { location in
      struct Row: Decodable, Equatable {
        var id: Int
        var v: Int
      }
      let store = try await Store(location)
      func save(_ json: String, keys: String...) async throws -> StoreChanges.Counts {
        let json = try JSON(parsing: json)
        return try await store.perform { transaction in
          for element in json.elements {
            if case .unknown = try transaction.payloadKey(of: element, as: "T", keys: keys) {
              throw Violation(description: "the key of \(element) is not found")
            }
          }
          return try transaction.store(Array(json.elements), as: "T", keys: keys, rules: [.newest(by: StoreKey("v"))])
            .counts
        }
      }
      try expect(try await save(#"[{"Id": 1, "V": 1}, {"ID": 2, "V": 1}]"#, keys: "id"), is: .init(inserted: 2))
      try expect(try await save(#"[{"Id": 1, "V": 1}, {"id": 2, "V": 0}]"#, keys: "id"), is: .init(unchanged: 2))
      try expect(try await save(#"[{"id": 1, "v": 2}]"#, keys: "ID"), is: .init(updated: 1))
      let rows = try await store.read { transaction in
        try transaction.fetch(Row.self, sql: #"SELECT "Id" AS id, "V" AS v FROM "T" ORDER BY 1"#)
      }
      try expect(rows, is: [Row(id: 1, v: 2), Row(id: 2, v: 1)])
      let isDeleted = try await store.perform { transaction in
        try transaction.deleteRow(describedBy: JSON(parsing: #"{"iD": 2}"#), as: "T", keys: ["id"])
      }
      try expect(isDeleted, is: true)
      try await expectError(.schemaMismatch, naming: "key") {
        _ = try await store.store(try JSON(parsing: #"{"id": 1, "v": 2}"#), as: "T", keys: ["v"])
      }
    },
    Case("a name that is too long for a column may be a key") { location in
      let name = String(repeating: "key", count: 30)
      let store = try await Store(location)
      for isNew in [true, false] {
        let counts = try await store.store(try JSON(parsing: #"[{"\#(name)": 1}]"#), as: "T", keys: [name]).counts
        try expect(counts, is: isNew ? .init(inserted: 1) : .init(unchanged: 1))
      }
    },
    Case("names that are reserved by the store are rejected") { location in
      struct Reserved: Codable, Sendable, ManagedDecodable {
        static let entityName = "anvil_things"
        static let matchKeys: [MatchKey]? = nil
        var name: String
      }
      struct Column: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = nil
        var anvil_id: Int
      }
      let context = try await Store(location).context
      try await expectError(.invalidStatement, naming: "anvil_things") { try await context.save(Reserved(name: "a")) }
      try await expectError(.invalidStatement, naming: "anvil_id") { try await context.save(Column(anvil_id: 1)) }
    },
  ]
}

private protocol Nested {
  static var depth: Int { get }
}

extension StoreContract.Numbered: Nested {
  static var depth: Int { 1 + ((Inner.self as? any Nested.Type)?.depth ?? 0) }
}

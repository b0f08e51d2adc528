internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

/// A model with declared columns and a conflict rule of each kind.
@StoredModel
struct Ticket: Equatable {
  struct Origin: Codable, Equatable {
    var host: String?
    var path: [String]?
    var line: Int?
  }

  static let conflictRules: [ConflictRule] = [
    .keep(CodingKeys.firstSeen), .merge(CodingKeys.labels, CodingKeys.origin),
    .newest(CodingKeys.title, CodingKeys.price, by: CodingKeys.updated),
  ]

  @MatchKey var id: Int
  var title: String?
  @Column("cost") var price: Decimal?
  @Column("seen") var firstSeen: Date?
  var labels: [String]
  var origin: Origin?
  var updated: Int?
  var note: String?
}

extension StoreContract {
  /// The same model as ``Ticket``, but stored with `Codable`.
  struct PlainTicket: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Ticket"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    static let conflictRules: [ConflictRule] = [
      .keep(CodingKeys.seen), .merge(CodingKeys.labels, CodingKeys.origin),
      .newest(CodingKeys.title, CodingKeys.cost, by: CodingKeys.updated),
    ]

    var id: Int
    var title: String?
    var cost: Decimal?
    var seen: Date?
    var labels: [String]
    var origin: Ticket.Origin?
    var updated: Int?
    var note: String?

    init(_ ticket: Ticket) {
      (id, title, cost, seen) = (ticket.id, ticket.title, ticket.price, ticket.firstSeen)
      (labels, origin, updated, note) = (ticket.labels, ticket.origin, ticket.updated, ticket.note)
    }
  }

  /// A model without conflict rules. It contains a model with conflict rules.
  struct Board: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    static let conflictRules: [ConflictRule] = [.newest(by: CodingKeys.changed)]
    var name: String
    var changed: String?
    var top: Ticket?
    var size: Int?
  }

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  /// A stored ticket, an incoming ticket, and the ticket that is stored as a result.
  private static let steps: [(stored: Ticket, incoming: Ticket, result: Ticket)] = [
    (
      Ticket(
        id: 1, title: "old", price: 1.5, firstSeen: date(1), labels: ["a", "b"],
        origin: .init(host: "h", path: ["x"], line: 1), updated: 5, note: "n"),
      Ticket(
        id: 1, title: "older", price: 9, firstSeen: date(2), labels: ["b", "c"],
        origin: .init(path: ["y", "x"], line: 2), updated: 4, note: nil),
      Ticket(
        id: 1, title: "old", price: 1.5, firstSeen: date(1), labels: ["a", "b", "c"],
        origin: .init(host: "h", path: ["x", "y"], line: 2), updated: 5, note: nil)
    ),
    (
      Ticket(id: 2, title: nil, price: 2, labels: [], updated: 5),
      Ticket(id: 2, title: "same version", price: nil, firstSeen: date(3), labels: ["z"], origin: .init(), updated: 5),
      Ticket(id: 2, title: "same version", price: nil, firstSeen: date(3), labels: ["z"], origin: .init(), updated: 5)
    ),
    (
      Ticket(id: 3, title: "a", labels: ["q"], origin: .init(host: "h"), updated: nil),
      Ticket(id: 3, title: "newer", labels: [], origin: nil, updated: 1),
      Ticket(id: 3, title: "newer", labels: ["q"], origin: nil, updated: 1)
    ),
    (
      Ticket(id: 4, title: "a", labels: ["q"], updated: 7),
      Ticket(id: 4, title: "of unknown age", labels: ["q"], updated: nil, note: "set"),
      Ticket(id: 4, title: "a", labels: ["q"], updated: 7, note: "set")
    ),
  ]

  private static let unchanged = Ticket(
    id: 1, title: "x", price: 7, firstSeen: date(9), labels: ["c"], origin: .init(host: "h", line: 2), updated: 1)

  static let conflictCases: [Case] = [
    Case("conflict rules decide which attributes of a saved model replace stored values") { location in
      let context = try await Store(location).context
      try expect(try await context.save(steps.map(\.stored)), is: .init(inserted: 4))
      try expect(try await context.save(steps.map(\.incoming)), is: .init(updated: 4))
      try expect(try await context.fetch(Ticket.self), is: steps.map(\.result))
      // Saving the results again changes nothing.
      try expect(try await context.save(steps.map(\.result) + [unchanged]), is: .init(unchanged: 4))
      try expect(try await context.save(unchanged), is: .init(unchanged: 1))
      try expect(try await context.fetch(Ticket.self), is: steps.map(\.result))
    },
    Case("conflict rules apply in the same way to Codable models") { location in
      let context = try await Store(location).context
      try await context.save(steps.map { PlainTicket($0.stored) })
      try expect(try await context.save(steps.map { PlainTicket($0.incoming) }), is: .init(updated: 4))
      try expect(try await context.fetch(PlainTicket.self), is: steps.map { PlainTicket($0.result) })
      try expect(try await context.save(PlainTicket(unchanged)), is: .init(unchanged: 1))
    },
    Case("conflict rules apply to payloads, and the returned models equal the stored rows") { location in
      let context = try await Store(location).context
      try await context.save(steps[0].stored)
      let older = #"""
        {"id": 1, "title": "older", "firstSeen": null, "labels": ["c", "a"], "updated": 4, "origin": {"line": 9}}
        """#
      let result = Ticket(
        id: 1, title: "old", price: 1.5, firstSeen: date(1), labels: ["a", "b", "c"],
        origin: .init(host: "h", path: ["x"], line: 9), updated: 5, note: "n")
      try expect(try await context.decode(Ticket.self, older), is: result)
      try expect(try await context.fetch(Ticket.self), is: [result])
      let list = try await context.decode([Ticket].self, "[\(older), \(older)]")
      try expect(list.changes, is: .init(unchanged: 1))
      try expect(list.models, is: [result, result])
      // An input without a version counts as old as the row. Absent values are kept, null clears them.
      let partial = try await context.decode(Ticket.self, #"{"id": 1, "title": "partial", "price": null}"#)
      var expected = result
      (expected.title, expected.price) = ("partial", nil)
      try expect(partial, is: expected)
      try expect(
        try await context.decode([Ticket].self, #"[{"id": 1, "title": "b", "updated": 6}, {"id": 2, "labels": []}]"#)
          .changes, is: .init(inserted: 1, updated: 1))
      try expect(try await context.fetch(Ticket.self, key: 1)?.title, is: "b")
    },
    Case("conflict rules apply between several rows with the same key in one call") { location in
      let context = try await Store(location).context
      let versions = ([3, 1, 5, 2] as [Int]).map { Ticket(id: 1, title: "\($0)", labels: ["\($0)"], updated: $0) }
      try expect(try await context.save(versions), is: .init(inserted: 1))
      let expected = Ticket(id: 1, title: "5", labels: ["3", "1", "5", "2"], updated: 5)
      try expect(try await context.fetch(Ticket.self), is: [expected])
      try expect(try await context.save(versions), is: .init(unchanged: 1))
      let inputs = ([6, 4] as [Int]).map { #"{"id": 1, "title": "\#($0)", "labels": ["1"], "updated": \#($0)}"# }
      let list = try await context.decode([Ticket].self, "[\(inputs.joined(separator: ","))]")
      try expect(list.changes, is: .init(updated: 1))
      try expect(list.models.map(\.title), is: ["6", "6"])
      let many = (0..<1_000).map { Ticket(id: $0 % 500, title: "\($0)", labels: [], updated: 1_000 - $0) }
      try expect(try await context.save(many), is: .init(inserted: 499, updated: 1))
      try expect(try await context.fetch(Ticket.self, key: 7)?.title, is: "7")
    },
    Case("conflict rules of nested models apply to them, and a rule can cover all other attributes") { location in
      let context = try await Store(location).context
      try await context.save(
        Board(name: "b", changed: "2026-02", top: Ticket(id: 1, title: "t", labels: ["a"], updated: 2), size: 1))
      let input = #"""
        {"name": "b", "changed": "2026-01", "size": 9, "top": {"id": 1, "title": "x", "labels": ["b"], "updated": 1}}
        """#
      let expected = Board(
        name: "b", changed: "2026-02", top: Ticket(id: 1, title: "t", labels: ["a", "b"], updated: 2), size: 1)
      try expect(try await context.decode(Board.self, input), is: expected)
      try expect(try await context.fetch(Board.self), is: [expected])
      try await context.save(Board(name: "b", changed: "2026-03", top: Ticket(id: 1, labels: ["c"], updated: 3)))
      try expect(
        try await context.fetch(Board.self),
        is: [Board(name: "b", changed: "2026-03", top: Ticket(id: 1, labels: ["a", "b", "c"], updated: 3))])
    },
    Case("conflict rules of a call take precedence over those of the model") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a", age: 1, tags: ["x"]))
      let users = [User(id: 1, login: "b", age: 2, tags: ["y"])]
      let rules: [ConflictRule] = [.keep(StoreKey("login")), .merge(StoreKey("tags"))]
      try expect(try await context.save(users, rules: rules), is: .init(updated: 1))
      let expected = User(id: 1, login: "a", age: 2, tags: ["x", "y"])
      try expect(try await context.fetch(User.self), is: [expected])
      try await context.perform { transaction in
        let list = try transaction.createOrUpdate(
          [User].self, from: decoder(#"[{"id": 1, "login": "c", "age": 3}]"#), rules: [.newest(by: StoreKey("age"))])
        try expect(list.models, is: [User(id: 1, login: "c", age: 3, tags: ["x", "y"])])
        try transaction.save([User(id: 1, login: "d", age: 2)], rules: [.newest(by: StoreKey("age"))])
      }
      try expect(try await context.fetch(User.self).map(\.login), is: ["c"])
      let ticket = Ticket(id: 1, title: "a", labels: ["x"], updated: 5)
      try await context.save(ticket)
      let other = Ticket(id: 1, title: "b", labels: ["y"], updated: 4)
      try await context.save([other], rules: [.replace(StoreKey("labels"))])
      try expect(
        try await context.fetch(Ticket.self), is: [Ticket(id: 1, title: "a", labels: ["y"], updated: 5)])
      try await context.save([other], rules: [.replace(StoreKey("title"), StoreKey("updated"))])
      try expect(try await context.fetch(Ticket.self), is: [other])
    },
    Case("a conflict rule that is invalid for its attribute is an error that names it") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a", age: 1, tags: ["x"]))
      let users = [User(id: 1, login: "b", age: 2, tags: ["y"])]
      for (rule, name) in [
        (ConflictRule.merge(StoreKey("login")), "login"), (.newest(by: StoreKey("tags")), "tags"),
      ] {
        try await expectError(.schemaMismatch, naming: "User", name) { try await context.save(users, rules: [rule]) }
      }
      try await context.save(Entry(text: "a"))
      try await context.save(Club(name: "a"))
      try await expectError(.schemaMismatch, naming: "Club", "colour") {
        try await context.save([Club(name: "a", budget: 1)], rules: [.keep(StoreKey("colour"))])
      }
      try expect(try await context.fetch(User.self).map(\.login), is: ["a"])
    },
    Case("conflict rules apply when stores write the same rows at the same time", needs: [.sharing]) { location in
      let stores = try await [Store(location), Store(location)]
      try await withThrowingTaskGroup { group in
        for (index, store) in stores.enumerated() {
          group.addTask {
            for number in 0..<20 {
              let version = number * 2 + index
              try await store.context.save([
                Ticket(id: 1, title: "\(version)", labels: ["\(version)"], updated: version)
              ])
            }
          }
        }
        try await group.waitForAll()
      }
      let ticket = try await stores[0].context.fetch(Ticket.self, key: 1)
      try expect(ticket?.title, is: "39")
      try expect(Set(ticket?.labels ?? []), is: Set((0..<40).map { "\($0)" }))
    },
  ]
}

/// A coding key with any text.
struct StoreKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

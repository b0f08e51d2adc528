internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

/// A model that others refer to, and that refers to models of the same type.
@StoredModel
struct Person: Equatable, Identifiable {
  @MatchKey var id: Int
  var login: String
  var nick: String?
  var boss: Reference<Person>?
}

@StoredModel
struct Label: Equatable, Identifiable {
  @MatchKey var id: Int
  var name: String
  var owner: Reference<Person>?
}

/// A model with references of each kind: required and optional, to one row and to many, by key and as whole models.
@StoredModel
struct Issue: Equatable, Identifiable {
  enum State: String, StoredValue { case open, closed }
  enum Priority: Int, StoredValue { case low, high }

  @MatchKey var id: Int
  var state: State
  var priority: Priority?
  var author: Reference<Person>
  var assignee: Reference<Person>?
  var labels: [Reference<Label>]
  var hidden: [Reference<Label>]?
  var club: Club?
  var formerClubs: [Club]

  init(
    _ id: Int, _ state: State = .open, priority: Priority? = nil, author: Int, assignee: Int? = nil, labels: [Int] = [],
    hidden: [Int]? = nil, club: Club? = nil, formerClubs: [Club] = []
  ) {
    (self.id, self.state, self.priority, self.author) = (id, state, priority, Reference(id: author))
    self.assignee = assignee.map { Reference(id: $0) }
    self.labels = labels.map { Reference(id: $0) }
    self.hidden = hidden?.map { Reference(id: $0) }
    (self.club, self.formerClubs) = (club, formerClubs)
  }
}

/// The same rows as ``Issue``, without columns that key paths can name.
struct PlainIssue: Codable, Sendable, ManagedDecodable {
  static let entityName = "Issue"
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var assignee: Reference<Person>?
  var labels: [Reference<Label>]

  enum CodingKeys: String, CodingKey { case id, assignee, labels }
}

/// The rows of the cases, and what conditions mean in Swift.
private struct Tracker {
  let people = [
    Person(id: 1, login: "ada", nick: "x", boss: nil), Person(id: 2, login: "bob", nick: nil, boss: Reference(id: 1)),
    Person(id: 3, login: "eve", nick: "x", boss: Reference(id: 2)),
    Person(id: 4, login: "dan", nick: nil, boss: Reference(id: 99)),
  ]
  let labels = [
    Label(id: 1, name: "bug", owner: Reference(id: 1)), Label(id: 2, name: "easy", owner: nil),
    Label(id: 3, name: "bug", owner: Reference(id: 3)),
  ]
  let issues: [Issue]

  init() {
    let (red, blue) = (Club(name: "red", budget: 5), Club(name: "blue"))
    issues = [
      Issue(1, author: 1, assignee: 2, labels: [1, 2], club: red, formerClubs: [blue, red]),
      Issue(2, .closed, priority: .high, author: 2, labels: [2], hidden: [1]),
      // Label 9 and the people 98 and 99 do not exist.
      Issue(3, priority: .low, author: 3, assignee: 99, labels: [9, 3], hidden: [], club: blue),
      Issue(4, .closed, author: 98, assignee: 4, labels: [], hidden: [9, 2], formerClubs: [blue]),
      Issue(5, author: 4, assignee: 1, labels: [3, 3, 1]), Issue(6, author: 1, assignee: 3, labels: [9]),
    ]
  }

  func save(to store: Store) async throws {
    try await store.context.save(people)
    try await store.context.save(labels)
    try await store.context.save(issues)
  }

  func person(_ reference: Reference<Person>?) -> Person? { people.first { $0.id == reference?.id } }

  func rows(_ references: [Reference<Label>]?) -> [Label] {
    (references ?? []).compactMap { reference in labels.first { $0.id == reference.id } }
  }
}

extension StoreContract {
  static let relationCases: [Case] = [
    Case("conditions on a referenced model have the same results as in Swift") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      let person = tracker.person
      let conditions: [(StoreCondition<Issue>, (Issue) -> Bool)] = [
        (\.author.login == "ada", { person($0.author)?.login == "ada" }),
        (\.author.login != "ada", { person($0.author)?.login != "ada" }),
        (\.author.nick == nil, { person($0.author)?.nick == nil }),
        (\.assignee.login == "bob", { person($0.assignee)?.login == "bob" }),
        (\.assignee.login == nil, { person($0.assignee)?.login == nil }),
        (\.assignee.login != nil, { person($0.assignee)?.login != nil }),
        (\.assignee.nick == "x", { person($0.assignee)?.nick == "x" }),
        (\.assignee.id == 2, { $0.assignee?.id == 2 }), (\.assignee.id == 99, { $0.assignee?.id == 99 }),
        (\.assignee.id == nil, { $0.assignee?.id == nil }), (\.assignee == nil, { $0.assignee == nil }),
        (\.assignee != nil, { $0.assignee != nil }), (\.author.id > 2, { $0.author.id > 2 }),
        (.isAmong(\.assignee.id, [1, 99]), { [1, 99].contains($0.assignee?.id) }),
        (.isAmong(\.assignee.login, ["ada", "dan"]), { ["ada", "dan"].contains(person($0.assignee)?.login) }),
        (\.assignee.boss.login == "ada", { person(person($0.assignee)?.boss)?.login == "ada" }),
        (\.assignee.boss.login == nil, { person(person($0.assignee)?.boss)?.login == nil }),
        (\.author.boss.boss.nick == "x", { person(person(person($0.author)?.boss)?.boss)?.nick == "x" }),
        (\.assignee.boss.id == 2, { person($0.assignee)?.boss?.id == 2 }),
        (.hasPrefix(\.author.login, "a"), { person($0.author)?.login.hasPrefix("a") == true }),
        (.contains(\.assignee.login, "a"), { person($0.assignee)?.login.contains("a") == true }),
        (\.assignee.login < "c", { (person($0.assignee)?.login).map { $0 < "c" } ?? false }),
        (
          \.author.login == "ada" && \.assignee.login == "bob" || \.assignee.login == "ada",
          {
            person($0.author)?.login == "ada" && person($0.assignee)?.login == "bob"
              || person($0.assignee)?.login == "ada"
          }
        ),
        (\.state == .closed && \.assignee.login == nil, { $0.state == .closed && person($0.assignee) == nil }),
        (\.priority == .high, { $0.priority == .high }), (\.priority == nil, { $0.priority == nil }),
        (\.club.name == "red", { $0.club?.name == "red" }), (\.club.budget > 4, { ($0.club?.budget ?? 0) > 4 }),
        (\.club.budget == nil, { $0.club?.budget == nil }), (\.club == nil, { $0.club == nil }),
        (
          StoredColumn<Issue, Reference<Person>?>("assignee").login == "bob" && \.state == .open,
          { person($0.assignee)?.login == "bob" && $0.state == .open }
        ),
      ]
      try await check(conditions, of: tracker.issues, in: store)
    },
    Case("conditions on arrays of references have the same results as in Swift") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      let (person, labels) = (tracker.person, tracker.rows)
      let conditions: [(StoreCondition<Issue>, (Issue) -> Bool)] = [
        (.contains(\.labels, 3), { $0.labels.map(\.id).contains(3) }),
        (.contains(\.labels, 9), { $0.labels.map(\.id).contains(9) }),
        (.contains(\.hidden, 1), { $0.hidden?.map(\.id).contains(1) == true }),
        (.any(\.labels, where: \.name == "bug"), { labels($0.labels).contains { $0.name == "bug" } }),
        (.any(\.hidden, where: \.name == "bug"), { labels($0.hidden).contains { $0.name == "bug" } }),
        (.noneOf(\.labels, where: \.name == "bug"), { !labels($0.labels).contains { $0.name == "bug" } }),
        (.noneOf(\.labels, where: \.id > 2), { !labels($0.labels).contains { $0.id > 2 } }),
        (.any(\.labels, where: .all), { !labels($0.labels).isEmpty }),
        (.noneOf(\.hidden, where: .all), { labels($0.hidden).isEmpty }),
        (
          .any(\.labels, where: \.owner.login == "ada"),
          { labels($0.labels).contains { person($0.owner)?.login == "ada" } }
        ),
        (.any(\.labels, where: \.owner.nick == nil), { labels($0.labels).contains { person($0.owner)?.nick == nil } }),
        (
          .any(\.labels, where: \.owner.boss.login == "bob" && \.name == "bug"),
          { labels($0.labels).contains { person(person($0.owner)?.boss)?.login == "bob" && $0.name == "bug" } }
        ),
        (
          .any(\.labels, where: \.name == "bug") && \.assignee.login == "ada" && !.contains(\.labels, 9),
          {
            labels($0.labels).contains { $0.name == "bug" } && person($0.assignee)?.login == "ada"
              && !$0.labels.map(\.id).contains(9)
          }
        ),
        (
          .any(\.formerClubs, where: \.budget == nil), { $0.formerClubs.contains { $0.budget == nil } }
        ),
        (.noneOf(\.formerClubs, where: \.name == "red"), { !$0.formerClubs.contains { $0.name == "red" } }),
      ]
      try await check(conditions, of: tracker.issues, in: store)
    },
    Case("orders, limits and streams use the columns of referenced models") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      let orders: [([StoreOrder<Issue>], [Int])] = [
        ([.ascending(\.assignee.login)], [2, 3, 5, 1, 4, 6]), ([.descending(\.assignee.login)], [6, 4, 1, 5, 2, 3]),
        ([.ascending(\.assignee.boss.login), .descending(\.id)], [5, 4, 3, 2, 1, 6]),
        ([.descending(\.state), .ascending(\.author.id)], [1, 6, 3, 5, 2, 4]),
        ([.ascending(\.priority), .descending(\.club.name)], [1, 4, 5, 6, 3, 2]),
      ]
      for (index, (order, expected)) in orders.enumerated() {
        try expect(try await store.context.fetch(Issue.self, orderedBy: order).map(\.id) == expected, "order \(index)")
        for size in 1...3 {
          var found: [Int] = []
          for try await issue in store.context.stream(Issue.self, orderedBy: order, pageSize: size) {
            found.append(issue.id)
          }
          try expect(found == expected, "order \(index) in pages of \(size): \(found)")
        }
      }
      let page = try await store.context.fetch(
        Issue.self, where: \.assignee.login != nil, orderedBy: [.ascending(\.assignee.login)], limit: 2, offset: 1)
      try expect(page.map(\.id), is: [1, 4])
      // Within a transaction that writes, the rows are locked.
      let locked = try await store.context.perform { transaction in
        try transaction.fetch(
          Issue.self, where: \.assignee.login != nil && .any(\.labels, where: .all),
          orderedBy: [.ascending(\.assignee.login)], limit: 2
        ).map(\.id)
      }
      try expect(locked, is: [5, 1])
    },
    Case("rows can be deleted by conditions on referenced models") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      try expect(try await store.context.delete(Issue.self, where: \.assignee.login == "bob"), is: 1)
      try expect(try await store.context.delete(Issue.self, where: .any(\.labels, where: \.name == "easy")), is: 1)
      let list = try await store.context.decode(
        [Issue].self, #"[{"id": 5}]"#, missing: .deleted(Issue.self, where: \.author.login >= ""))
      try expect(list.changes.deleted, is: 2)
      try expect(try await store.context.fetch(Issue.self).map(\.id), is: [4, 5])
      // A key of two columns.
      try await store.context.save([
        Athlete(country: "at", number: 7, team: Club(name: "red"), formerTeams: [], goals: 3),
        Athlete(country: "de", number: 7, team: Club(name: "blue"), formerTeams: [], goals: 3),
      ])
      try expect(try await store.context.delete(Athlete.self, where: \.team.name == "red"), is: 1)
      try expect(try await store.context.fetch(Athlete.self).map(\.country), is: ["de"])
      try await expectError(.invalidStatement, naming: "Person", "Issue") {
        _ = try await store.context.decode([Issue].self, "[]", missing: .deleted(Person.self, where: \.login == "ada"))
      }
    },
    Case("a referenced model without a table has no values") { location in
      let store = try await Store(location)
      let issues = [Issue(1, author: 1, labels: [1]), Issue(2, author: 1, assignee: 7)]
      try await store.context.save(issues)
      let conditions: [(StoreCondition<Issue>, (Issue) -> Bool)] = [
        (\.author.login == "ada", { _ in false }), (\.assignee.login == nil, { _ in true }),
        (\.assignee.boss.login == nil, { _ in true }), (\.assignee.id == 7, { $0.id == 2 }),
        (.any(\.labels, where: .all), { _ in false }), (.contains(\.labels, 1), { $0.id == 1 }),
        (\.club.name == nil, { _ in true }), (.any(\.hidden, where: \.name == "bug"), { _ in false }),
      ]
      try await check(conditions, of: issues, in: store)
      try expect(
        try await store.context.fetch(Issue.self, orderedBy: [.descending(\.assignee.login)]).map(\.id), is: [1, 2])
    },
    Case("relations of models without columns are named by text") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      let assignee = StoredColumn<PlainIssue, Reference<Person>?>("assignee")
      let labels = StoredColumn<PlainIssue, [Reference<Label>]>("labels")
      let found = try await store.context.fetch(
        PlainIssue.self, where: assignee.boss.login == "ada" && .any(labels, where: \.name == "bug"))
      try expect(found.map(\.id), is: [1])
      let sorted = try await store.context.fetch(
        PlainIssue.self, where: .contains(labels, 3) || .noneOf(labels, where: .all),
        orderedBy: [.descending(assignee.login)]
      )
      try expect(sorted.map(\.id), is: [6, 4, 5, 3])
    },
    Case("conditions on a model that refers to itself name each row apart") { location in
      let store = try await Store(location)
      try await store.save([
        Genre(1, "root", related: [2, 3]), Genre(2, "novel", parent: 1, related: [4]), Genre(3, "essay", parent: 1),
        Genre(4, "root", parent: 2, related: [1]),
      ])
      func ids(_ condition: StoreCondition<Genre>) async throws -> [Int] {
        try await store.fetch(Genre.self, where: condition).map(\.id)
      }
      try expect(try await ids(\.parent.name == "root" && \.name != "root"), is: [2, 3])
      try expect(try await ids(.any(\.related, where: \.name == "root") && \.name == "root"), is: [4])
      try expect(try await ids(.any(\.related, where: .any(\.related, where: \.name == "root"))), is: [1, 2])
      try expect(
        try await ids(.any(\.related, where: \.parent.name == "novel" && .any(\.related, where: \.parent == nil))),
        is: [2])
      try expect(try await ids(.noneOf(\.related, where: .noneOf(\.related, where: .all))), is: [2, 3, 4])
      try expect(try await store.delete(Genre.self, where: \.parent.parent.name == "root"), is: 1)
    },
    Case("a referenced table with other match keys than the model is an error that names both") { location in
      // The tables of the models Label and Person, without a key and with another one.
      struct NoKey: Codable, Sendable, ManagedDecodable {
        static let entityName = "Label"
        static let matchKeys: [MatchKey]? = nil
        var id: Int
      }
      struct OtherKey: Codable, Sendable, ManagedDecodable {
        static let entityName = "Person"
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.login)]
        var login: String
      }
      let store = try await Store(location)
      try await store.save(NoKey(id: 1))
      try await store.save(OtherKey(login: "ada"))
      try await store.save(Issue(1, author: 1, labels: [1]))
      for condition: StoreCondition<Issue> in [
        .any(\.labels, where: \.name == "bug"), .count(\.labels, where: .all) > 0, !.any(\.labels, where: .all),
      ] {
        try await expectError(.schemaMismatch, naming: "Label", "none", "id") {
          _ = try await store.fetch(Issue.self, where: condition)
        }
      }
      try await expectError(.schemaMismatch, naming: "Person", "login", "id") {
        _ = try await store.fetch(Issue.self, where: \.author.nick == "x")
      }
      try expect(try await store.count(Issue.self, where: .count(\.labels) == 1 && .contains(\.labels, 1)), is: 1)
    },
    Case("numbers of references have the same results as in Swift") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      // Without any table, and without the column.
      try expect(try await store.count(Issue.self, where: .count(\.labels) == 0), is: 0)
      try await tracker.save(to: store)
      let (person, labels) = (tracker.person, tracker.rows)
      let bugs = { (issue: Issue) -> Int in labels(issue.labels).count { $0.name == "bug" } }
      let isOfAda = { (label: Label) -> Bool in person(label.owner)?.login == "ada" }
      let unpaid = { (issue: Issue) -> Int in issue.formerClubs.count { $0.budget == nil } }
      let conditions: [(StoreCondition<Issue>, (Issue) -> Bool)] = [
        (.count(\.labels) == 0, { $0.labels.isEmpty }), (.count(\.labels) > 1, { $0.labels.count > 1 }),
        (.count(\.labels) >= 1, { $0.labels.count >= 1 }), (.count(\.labels) != 2, { $0.labels.count != 2 }),
        (.count(\.hidden) < 1, { ($0.hidden ?? []).count < 1 }),
        (.count(\.hidden) <= 1, { ($0.hidden ?? []).count <= 1 }),
        (.isAmong(.count(\.labels), [0, 3]), { [0, 3].contains($0.labels.count) }),
        (.count(\.formerClubs) == 2, { $0.formerClubs.count == 2 }),
        (.count(\.labels, where: \.name == "bug") == 2, { bugs($0) == 2 }),
        (.count(\.labels, where: \.name == "bug") > 0, { bugs($0) > 0 }),
        (.count(\.labels, where: \.name == "bug") < 1, { bugs($0) < 1 }),
        (.count(\.labels, where: .all) == 2, { labels($0.labels).count == 2 }),
        (.count(\.hidden, where: .all) == 1, { labels($0.hidden).count == 1 }),
        (
          .count(\.labels, where: \.owner.login == "ada") >= 1 && .count(\.labels) > 1 && \.assignee.login != nil,
          { labels($0.labels).contains(where: isOfAda) && $0.labels.count > 1 && person($0.assignee) != nil }
        ),
        (
          .count(\.formerClubs, where: \.budget == nil) == 1 || .count(\.labels) == 3,
          { unpaid($0) == 1 || $0.labels.count == 3 }
        ),
        (.contains(\.formerClubs, "red"), { $0.formerClubs.contains { $0.name == "red" } }),
      ]
      try await check(conditions, of: tracker.issues, in: store)
      let orders: [([StoreOrder<Issue>], [Int])] = [
        ([.descending(.count(\.labels))], [5, 1, 3, 2, 6, 4]),
        ([.ascending(.count(\.labels, where: \.name == "bug")), .descending(\.id)], [6, 4, 2, 3, 1, 5]),
        ([.ascending(.count(\.hidden)), .descending(.count(\.formerClubs))], [1, 3, 5, 6, 2, 4]),
      ]
      for (index, (order, expected)) in orders.enumerated() {
        try expect(try await store.fetch(Issue.self, orderedBy: order).map(\.id) == expected, "order \(index)")
        var found: [Int] = []
        for try await issue in store.stream(Issue.self, orderedBy: order, pageSize: 2) { found.append(issue.id) }
        try expect(found == expected, "order \(index) in pages: \(found)")
      }
      let plain = try await store.fetch(
        PlainIssue.self, where: .count(StoredColumn<PlainIssue, [Reference<Label>]>("labels")) > 2)
      try expect(plain.map(\.id), is: [5])
      try expect(try await store.delete(Issue.self, where: .count(\.labels, where: \.name == "bug") > 1), is: 1)
      try expect(try await store.delete(Issue.self, where: .count(\.labels) == 0), is: 1)
    },
    Case("models read the default of an array in place of NULL and of a missing column, and so do conditions") {
      location in
      let store = try await Store(location)
      try await store.save([Label(id: 1, name: "bug", owner: nil), Label(id: 2, name: "easy", owner: nil)])
      try await store.save(OldTopic(id: 1))
      let conditions: [(StoreCondition<Topic>, [Int])] = [
        (.count(\.labels) == 2, [1]), (.count(\.labels) == 0, [2]), (.contains(\.labels, 2), [1]),
        (.any(\.labels, where: \.name == "bug"), [1]), (.noneOf(\.labels, where: \.name == "bug"), [2]),
        (.count(\.labels, where: \.name == "easy") > 0, [1]), (!.contains(\.labels, 2), [2]),
        (.count(\.labels, where: \.name == "easy") == 1 && \.id < 9, [1]),
        (.isAmong(.count(\.labels, where: \.name == "easy"), []), []),
      ]
      func check(_ ids: [Int]) async throws {
        for (index, (condition, expected)) in conditions.enumerated() {
          let found = try await store.fetch(Topic.self, where: condition).map(\.id)
          try expect(found == expected.filter(ids.contains), "condition \(index): \(found)")
        }
        try expect(try await store.fetch(Topic.self, orderedBy: [.descending(.count(\.labels))]).map(\.id), is: ids)
      }
      try await check([1])
      try await store.save([Topic(id: 1), Topic(id: 2, labels: [])])
      _ = try await store.perform { try $0.execute(#"UPDATE "Topic" SET "labels" = NULL WHERE "id" = 1"#) }
      try expect(try await store.fetch(Topic.self).map(\.labels.count), is: [2, 0])
      try await check([1, 2])
    },
    Case("models are fetched together with the models that they refer to") { location in
      let (store, tracker) = (try await Store(location), Tracker())
      let none = try await store.fetch(Issue.self, with: \.assignee, \.labels)
      try expect(none.count, is: 0)
      try await tracker.save(to: store)
      let (person, labels) = (tracker.person, tracker.rows)
      let found = try await store.fetch(Issue.self, with: \.author, \.assignee, \.labels, \.hidden)
      try expect(found.map(\.0), is: tracker.issues)
      for (issue, author, assignee, ownLabels, hidden) in found {
        try expect(author, is: person(issue.author))
        try expect(assignee, is: person(issue.assignee))
        try expect(ownLabels, is: labels(issue.labels))
        try expect(hidden, is: labels(issue.hidden))
      }
      // Conditions, orders, limits and offsets apply to the issues.
      let some = try await store.fetch(
        Issue.self, with: \.assignee.boss, \.labels, where: \.assignee.login != nil && .any(\.labels, where: .all),
        orderedBy: [.ascending(\.assignee.login)], limit: 1, offset: 1)
      try expect(some.map(\.0.id), is: [1])
      try expect(some.first?.1?.login, is: "ada")
      try expect(some.first?.2.map(\.id), is: [1, 2])
      // Whole models, and models without columns that key paths name.
      let clubs = try await store.fetch(Issue.self, with: \.club, \.formerClubs)
      try expect(clubs.map(\.1), is: tracker.issues.map(\.club))
      try expect(clubs.map(\.2), is: tracker.issues.map(\.formerClubs))
      let plain = try await store.fetch(
        PlainIssue.self, with: StoredColumn<PlainIssue, Reference<Person>?>("assignee"),
        StoredColumn<PlainIssue, [Reference<Label>]>("labels"), where: StoredColumn<PlainIssue, Int>("id") < 3)
      try expect(plain.map(\.1), is: tracker.issues.prefix(2).map { person($0.assignee) })
      try expect(plain.map(\.2), is: tracker.issues.prefix(2).map { labels($0.labels) })
      // Rows that the transaction has written are found, and are locked.
      let written = try await store.perform { transaction in
        try transaction.save(Person(id: 99, login: "zoe", nick: nil, boss: nil))
        try transaction.delete(Label.self, where: \.id == 3)
        return try transaction.fetch(Issue.self, with: \.assignee, \.labels, where: \.assignee.id == 99)
      }
      try expect(written.map { $0.1?.login }, is: ["zoe"])
      try expect(written.map { $0.2 }, is: [[]])
      try await store.save(
        Medal(id: 1, winner: Athlete(country: "at", number: 1, team: nil, formerTeams: [], goals: 7)))
      try expect(try await store.fetch(Medal.self, with: \.winner).first?.1?.goals, is: 7)
      try await expectError(.invalidValue, naming: "Issue.state") {
        _ = try await store.fetch(Issue.self, with: StoredColumn<Issue, [Reference<Label>]>("state"))
      }
      try await expectError(.schemaMismatch, naming: "Issue.state", "Label") {
        _ = try await store.fetch(Issue.self, with: StoredColumn<Issue, Reference<Label>>("state"))
      }
    },
    Case("referenced models of any type of id are fetched together") { location in
      let store = try await Store(location)
      let ids = (0..<3).map { _ in UUID() }
      let books = ["a", "b", "é\""].map { id in Book(id: id, reviews: ids.reversed().map { Reference(id: $0) }) }
      try await store.save(books)
      try await store.save(ids.prefix(2).map { Review(id: $0, books: [Reference(id: "é\""), Reference(id: "a")]) })
      let reviews = StoredColumn<Book, [Reference<Review>]?>("reviews")
      let found = try await store.fetch(Book.self, with: reviews)
      try expect(found.map { $0.1.map(\.id) }, is: books.map { _ in [ids[1], ids[0]] })
      let others = try await store.fetch(Review.self, with: StoredColumn<Review, [Reference<Book>]>("books"))
      try expect(others.map { $0.1.map(\.id) }, is: [["é\"", "a"], ["é\"", "a"]])
    },
    Case("one statement reads the models, and one for each property reads the referenced models") { location in
      let log = QueryLog()
      let store = try await Store(location.logged(in: log))
      try await store.save((0..<700).map { Person(id: $0, login: "user \($0)", nick: nil, boss: nil) })
      try await store.save((0..<300).map { Label(id: $0, name: "label \($0)", owner: nil) })
      let issues = (0..<1_000).map { id in
        Issue(id, author: id % 700, assignee: id % 3, labels: [id % 300, (id + 1) % 300])
      }
      try await store.save(issues)
      _ = log.takeQueries()
      let found = try await store.fetch(Issue.self, with: \.author, \.labels, orderedBy: [.descending(\.id)])
      try expect(found.map(\.0.id), is: (0..<1_000).reversed())
      try expect(found.allSatisfy { $0.1?.id == $0.0.id % 700 }, is: true)
      try expect(found.allSatisfy { $0.2.map(\.id) == $0.0.labels.map(\.id) }, is: true)
      let queries = log.takeQueries(of: "Issue", "Person", "Label")
      try expect(queries.count == 3, "\(queries)")
      // A property without references needs no statement.
      try expect(try await store.fetch(Issue.self, with: \.hidden, limit: 5).count, is: 5)
      try expect(log.takeQueries(of: "Issue", "Person", "Label").count, is: 1)
      let inside = try await store.perform { transaction in
        try transaction.fetch(Issue.self, with: \.assignee, where: \.id < 500)
      }
      try expect(inside.map { $0.1?.id }, is: (0..<500).map { $0 % 3 })
      try expect(log.takeQueries(of: "Issue", "Person", "Label").count, is: 2)
    },
    Case("observed models follow the tables of their condition", needs: [.observation]) { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      var values = store.context.values(
        of: Issue.self, where: \.assignee.boss.login == "root" || .any(\.labels, where: \.name == "new"),
        orderedBy: [.descending(\.author.login)]
      ).makeAsyncIterator()
      try expect(try await values.next()?.map(\.id), is: [])
      try await store.context.save(Person(id: 1, login: "root", nick: nil, boss: nil))
      try expect(try await values.next()?.map(\.id), is: [1])
      try await store.context.save(Label(id: 3, name: "new", owner: nil))
      try expect(try await values.next()?.map(\.id), is: [1, 3, 5])
      try await store.context.save(Person(id: 4, login: "zoe", nick: nil, boss: nil))
      try expect(try await values.next()?.map(\.id), is: [5, 1, 3])
    },
    Case("observed numbers of references follow the rows that are counted", needs: [.observation]) { location in
      let (store, tracker) = (try await Store(location), Tracker())
      try await tracker.save(to: store)
      var values = store.values(of: Issue.self, where: .count(\.labels, where: \.owner.login == "zoe") > 1)
        .makeAsyncIterator()
      try expect(try await values.next()?.map(\.id), is: [])
      try await store.save(Person(id: 3, login: "zoe", nick: nil, boss: nil))
      try expect(try await values.next()?.map(\.id), is: [5])
      try await store.save(Label(id: 2, name: "easy", owner: Reference(id: 3)))
      try expect(try await values.next()?.map(\.id), is: [5])
      try await store.save(Label(id: 1, name: "bug", owner: Reference(id: 3)))
      try expect(try await values.next()?.map(\.id), is: [1, 5])
    },
  ]

  /// Compares the rows that match each condition, and its negation, with those for which the function returns `true`.
  private static func check(
    _ conditions: [(StoreCondition<Issue>, (Issue) -> Bool)], of issues: [Issue], in store: Store
  ) async throws {
    for (index, (condition, matches)) in conditions.enumerated() {
      for (condition, isNegated) in [(condition, false), (!condition, true)] {
        let expected = issues.filter { matches($0) != isNegated }.map(\.id)
        let found = try await store.context.fetch(Issue.self, where: condition).map(\.id)
        try expect(found == expected, "condition \(index)\(isNegated ? ", negated" : ""): \(found) is not \(expected)")
        try expect(try await store.context.count(Issue.self, where: condition), is: expected.count)
      }
    }
  }
}

/// A model with a default for an array of references.
@StoredModel
struct Topic: Identifiable {
  @MatchKey var id: Int
  var labels: [Reference<Label>] = [Reference(id: 1), Reference(id: 2)]
}

@StoredModel
private struct OldTopic {
  static let entityName = "Topic"
  @MatchKey var id: Int
}

/// A model that refers to a model with two match keys.
@StoredModel
struct Medal {
  @MatchKey var id: Int
  var winner: Athlete
}

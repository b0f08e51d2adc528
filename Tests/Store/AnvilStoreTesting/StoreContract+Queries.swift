internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  private static let people = [
    User(id: 1, login: "ada", age: 36), User(id: 2, login: "Bob"), User(id: 3, login: "eve", age: 7),
    User(id: 4, login: "adam", age: 36, tags: ["x"]), User(id: 5, login: "Éva", age: nil),
  ]

  struct Price: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var amount: Decimal
    var day: Date?
  }

  struct Device: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: UUID
    var price: Decimal
  }

  private static func ids(
    _ context: Store, _ condition: StoreCondition<User> = .all, _ orders: [StoreOrder<User>] = []
  ) async throws -> [Int] {
    try await context.fetch(User.self, where: condition, orderedBy: orders).map(\.id)
  }

  static let queryCases: [Case] = [
    Case("conditions have the same results as in Swift, including null") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let (age, login, real) = (User.Columns.age, User.Columns.login, StoredColumn<User, Double?>("age"))
      let conditions: [(StoreCondition<User>, [Int])] = [
        (age == 36, [1, 4]), (age != 36, [2, 3, 5]), (age == nil, [2, 5]), (age != nil, [1, 3, 4]),
        (age == Int?.none, [2, 5]), (!(age == 36), [2, 3, 5]), (age < 36, [3]), (age <= 36, [1, 3, 4]),
        (!(age < 36), [1, 2, 4, 5]), (age > 7, [1, 4]), (real >= 7.0, [1, 3, 4]), (real > 6.0, [1, 3, 4]),
        (age == 36 && login == "ada", [1]), (age == 7 || login == "Bob", [2, 3]),
        (.isAmong(login, ["eve", "Bob", "nobody"]), [2, 3]), (.isAmong(login, []), []),
        (.contains(login, "d"), [1, 4]), (.contains(login, "D"), []), (.contains(login, "%"), []),
        (.contains(login, "_"), []), (.contains(login, ""), [1, 2, 3, 4, 5]), (.hasPrefix(login, "ada"), [1, 4]),
        (.hasPrefix(login, "É"), [5]), (.hasPrefix(login, "da"), []), (login == "' OR 1=1 --", []),
        (StoredColumn<User, [String]?>("tags") != nil, [4]), (login > "a", [1, 3, 4, 5]), (.all, [1, 2, 3, 4, 5]),
        (!.all, []), (.all && age == 7, [3]), (age == 7 || .all, [1, 2, 3, 4, 5]), (!(.all && !(age == 7)), [3]),
      ]
      for (index, (condition, expected)) in conditions.enumerated() {
        let found = try await ids(context, condition)
        try expect(found == expected, "condition \(index): \(found) is not \(expected)")
        try expect(try await context.count(User.self, where: condition), is: expected.count)
      }
    },
    Case("invalid conditions are errors that name the attribute") { location in
      let context = try await Store(location).context
      func column<Value>(_ name: String, _ type: Value.Type) -> StoredColumn<User, Value> { StoredColumn(name) }
      try expect(try await ids(context, column("nothing", Int.self) == 1), is: [])
      try await context.save(people)
      let conditions: [(StoreCondition<User>, StoreError.Code, String)] = [
        (column("nothing", Int.self) == 1, .invalidStatement, "nothing"),
        (column("age\" = 36 --", Int.self) == 1, .invalidStatement, "age"),
        (column("age", String.self) == "36", .invalidValue, "age"),
        (column("login", Int.self) < 5, .invalidValue, "login"),
        (column("age", Double.self) == 0.5, .invalidValue, "age"),
        (.contains(column("age", String.self), "3"), .invalidValue, "age"),
        (column("tags", String.self) == "x", .invalidValue, "tags"),
      ]
      for (condition, code, name) in conditions {
        try await expectError(code, naming: name, "User") { _ = try await ids(context, condition) }
      }
      try await expectError(.invalidValue, naming: "tags") {
        _ = try await ids(context, .all, [.ascending(column("tags", String.self))])
      }
    },
    Case("chains of conditions can be long") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let id = User.Columns.id
      try expect(try await ids(context, (4..<2_003).reduce(id == 3) { $0 || id == $1 }), is: [3, 4, 5])
      try expect(try await ids(context, (4..<2_003).reduce(id == 3) { id == $1 || $0 }), is: [3, 4, 5])
      try expect(try await ids(context, (4..<2_003).reduce(id != 3) { $0 && id != $1 }), is: [1, 2])
      try expect(try await ids(context, (4..<2_003).reduce(id != 3) { id != $1 && $0 }), is: [1, 2])
      let nulls = User.Columns.age == nil
      try expect(try await ids(context, (0..<5_000).reduce(nulls) { chain, _ in chain && nulls }), is: [2, 5])
      let halves = ((0..<1_000).map { id == $0 }, (0..<1_000).map { id == -$0 })
      let both = halves.0.dropFirst(2).reduce(halves.0[1], ||) || halves.1.dropFirst().reduce(halves.1[0], ||)
      try expect(try await ids(context, !both || id == 2), is: [2])
    },
    Case("any number of nested negations is supported") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let isOld = User.Columns.age == 36
      let even = (0..<3_000).reduce(isOld) { condition, _ in !condition }
      try expect(try await ids(context, even), is: [1, 4])
      try expect(try await ids(context, !even), is: [2, 3, 5])
    },
    Case("conditions can be nested 50 levels deep, and deeper nesting is an error") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let id = User.Columns.id
      let isAtLeast3 = id >= 3
      let is4 = id == 4
      let isSmall = id < 3
      let steps: [(String, (StoreCondition<User>, Int) -> StoreCondition<User>)] = [
        ("to the left", { $1.isMultiple(of: 2) ? $0 || is4 : $0 && isAtLeast3 }),
        ("to the right", { $1.isMultiple(of: 2) ? is4 || $0 : isAtLeast3 && $0 }),
        ("among chains", { $1.isMultiple(of: 2) ? is4 || is4 || is4 || is4 || $0 : (isAtLeast3 || is4) && $0 }),
        ("in negations", { condition, _ in !(!(condition || is4) || isSmall) }),
      ]
      for (name, step) in steps {
        // Each step of negations adds four levels.
        let depth = name == "in negations" ? 12 : 48
        let found = try await ids(context, (0..<depth).reduce(id == 3, step))
        try expect(found == [3, 4], "\(name): \(found)")
        for depth in [60, 50_000] {
          let tooDeep = (0..<depth).reduce(id == 3, step)
          try await expectError(.tooLarge, naming: "50") { _ = try await ids(context, !tooDeep) }
        }
      }
    },
    Case("conditions with too many values for a statement are errors that name the attribute") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let id = User.Columns.id
      let login = User.Columns.login
      try expect(try await ids(context, .isAmong(id, 2...4_001)), is: [2, 3, 4, 5])
      try expect(try await context.fetch(User.self, where: .isAmong(id, 2...4_001), limit: 2, offset: 1).count, is: 2)
      var streamed: [Int] = []
      let orders: [StoreOrder<User>] = [.descending(User.Columns.age), .ascending(User.Columns.login)]
      for try await user in context.stream(User.self, where: .isAmong(id, 2...4_001), orderedBy: orders, pageSize: 1) {
        streamed.append(user.id)
      }
      try expect(streamed, is: [4, 3, 2, 5])
      let tooMany: [(StoreCondition<User>, String)] = [
        ((2...4_001).reduce(id == 1) { $0 || id == $1 }, "User.id"),
        ((2...4_000).reduce(id == 1) { $0 || id == $1 } && .contains(login, "a"), "User.login"),
      ]
      for (condition, name) in tooMany {
        try await expectError(.tooLarge, naming: name, "4000") { _ = try await ids(context, condition) }
        try await expectError(.tooLarge, naming: name) { _ = try await context.count(User.self, where: condition) }
        try await expectError(.tooLarge, naming: name) { try await context.delete(User.self, where: condition) }
      }
      try expect(try await context.count(User.self), is: 5)
    },
    Case("a condition may have any number of values among which a column is") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let (id, login) = (User.Columns.id, User.Columns.login)
      let logins = ["\u{c9}va", "\"", "ADA"] + (0..<100_000).map(String.init)
      let conditions: [(StoreCondition<User>, [Int])] = [
        (.isAmong(id, 2...100_000), [2, 3, 4, 5]), (!.isAmong(id, 2...100_000), [1]),
        (.isAmong(login, logins), [5]),
        (.isAmong(id, 1...2_000) && .isAmong(login, logins[2...] + ["Bob"]) && id < 9, [2]),
        (.isAmong(User.Columns.age, 7...7_000), [1, 3, 4]),
      ]
      for (index, (condition, expected)) in conditions.enumerated() {
        let found = try await ids(context, condition)
        try expect(found == expected, "condition \(index): \(found) is not \(expected)")
        try expect(try await context.count(User.self, where: condition), is: expected.count)
      }
      let devices = try (0..<300).map { number in
        guard let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6\(number + 100)") else {
          throw Violation(description: "the UUID of the test is invalid")
        }
        return Device(id: id, price: 1)
      }
      try await context.save(devices)
      let isKnown = StoreCondition<Device>.isAmong(StoredColumn<Device, UUID>("id"), devices.dropLast(3).map(\.id))
      try expect(try await context.count(Device.self, where: isKnown), is: 297)
      try expect(try await context.delete(User.self, where: .isAmong(id, 3...9_999)), is: 3)
      let amounts = try ["12345678901234567.25", "0.00001", "7"].map { text in
        guard let amount = Decimal(string: text) else { throw Violation(description: text) }
        return amount
      }
      let days = (0..<5_000).map { Date(timeIntervalSinceReferenceDate: Double($0 - 9) * 8_000_000.25) }
      try await context.save(amounts.enumerated().map { Price(id: $0, amount: $1, day: days[$0 * 2_000]) })
      let others = (8...5_000).map { Decimal($0) }
      for (condition, expected) in [
        (StoreCondition.isAmong(StoredColumn<Price, Decimal>("amount"), others + amounts.dropFirst()), [1, 2]),
        (.isAmong(StoredColumn<Price, Decimal>("amount"), others + amounts.prefix(1)), [0]),
        (.isAmong(StoredColumn<Price, Date?>("day"), days.dropFirst()), [1, 2]),
      ] {
        try expect(try await context.fetch(Price.self, where: condition).map(\.id), is: expected)
      }
      let rows = try (1...5).map { id in
        var row = try types(id, hasAll: false)
        (row.double, row.float) = (id == 5 ? -.infinity : 0.1 + 0.2 * Double(id), 0.1 * Float(id))
        row.data = Data([0, UInt8(id)])
        return row
      }
      try await context.save(rows)
      let numbers = (0..<5_000).map { Double($0) + 0.75 }
      for (condition, expected) in [
        (StoreCondition<AllTypes>.isAmong(\.double, numbers + rows.dropFirst().map(\.double)), [2, 3, 4, 5]),
        (.isAmong(\.float, numbers.map { Float($0) } + rows.prefix(3).map(\.float)), [1, 2, 3]),
        (.isAmong(\.data, numbers.map { Data("\($0)".utf8) } + [rows[2].data, Data([0])]), [3]),
        (.isAmong(\.flag, numbers.map { _ in false }), [1, 3, 5]),
      ] {
        try expect(try await context.fetch(AllTypes.self, where: condition).map(\.id), is: expected)
      }
    },
    Case("a long list uses the index of the column") { location in
      let store = try await Store(location, migrations: [.unique("login", in: "User"), .index("amount", in: "Price")])
      try await store.save(User(id: 0, login: "user 0"))
      try await store.save(Price(id: 0, amount: 0))
      let prices = StoreCondition.isAmong(
        StoredColumn<Price, Decimal>("amount"), (99_999...100_500).map { Decimal($0) })
      let lists: [StoreCondition<User>] = [
        .isAmong(User.Columns.id, 99_999...100_500),
        .isAmong(User.Columns.login, (99_999...100_500).map { "user \($0)" }),
      ]
      let (counts, plans) = try await store.perform { transaction in
        _ = try transaction.execute(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
          INSERT INTO "User" (id, login) SELECT i, 'user ' || i FROM n
          """)
        _ = try transaction.execute(#"INSERT INTO "Price" (id, amount) SELECT id, id FROM "User" WHERE id > 0"#)
        _ = try transaction.execute("ANALYZE")
        return (
          try lists.map { try transaction.count(User.self, where: $0) } + [
            transaction.count(Price.self, where: prices)
          ],
          try lists.map { try transaction.explain(User.self, where: $0) }
            + [transaction.explain(Price.self, where: prices)]
        )
      }
      try expect(counts, is: [2, 2, 2])
      for plan in plans {
        try expect(!plan.contains("SCAN User") && !plan.contains("SCAN Price") && !plan.contains("Seq Scan"), plan)
      }
    },
    Case("text is compared with UUIDs and decimals by value") { location in
      let context = try await Store(location).context
      let text = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
      guard let uuid = UUID(uuidString: text), let price = Decimal(string: "1.5") else {
        throw Violation(description: "the UUID or the decimal of the test is invalid")
      }
      let device = Device(id: uuid, price: price)
      try await context.save(device)
      let (id, amount) = (StoredColumn<Device, String>("id"), StoredColumn<Device, String>("price"))
      let matching: [StoreCondition<Device>] = [
        id == text, id == text.uppercased(), StoredColumn<Device, UUID>("id") == uuid, .isAmong(id, [text]), id <= text,
        amount == "1.50", amount == "+1.5", amount == "15e-1", amount == "01.5E+0",
        StoredColumn<Device, Decimal>("price") == price, .isAmong(amount, ["2", "1.500"]), amount < "1.60",
        amount >= "1.50", id != "00000000-0000-0000-0000-000000000000", amount != "-1.5",
      ]
      for (index, condition) in matching.enumerated() {
        let found = try await context.fetch(Device.self, where: condition)
        try expect(found == [device], "condition \(index): \(found)")
      }
      try expect(try await context.fetch(Device.self, key: text), is: device)
      for bad in ["", "e621e1f8", text + "0", "{\(text)}", "é"] {
        try await expectError(.invalidValue, naming: "Device.id") {
          _ = try await context.fetch(Device.self, where: id == bad)
        }
      }
      for bad in [
        "", ".", "-", "1.5x", "1,5", " 1.5", "1.5 ", "e1", "1e", "NaN", "0x1", "1e400", "1.5.0", "1.5\0", "١",
      ] {
        try await expectError(.invalidValue, naming: "Device.price") {
          _ = try await context.fetch(Device.self, where: .isAmong(amount, [bad]))
        }
      }
    },
    Case("rows are sorted by the requested order, then by their keys") { location in
      let context = try await Store(location).context
      try await context.save(people.reversed())
      try expect(try await ids(context), is: [1, 2, 3, 4, 5])
      try expect(try await ids(context, .all, [.ascending(User.Columns.age)]), is: [2, 5, 3, 1, 4])
      try expect(try await ids(context, .all, [.descending(User.Columns.age)]), is: [1, 4, 3, 2, 5])
      try expect(
        try await ids(context, .all, [.descending(User.Columns.age), .descending(User.Columns.id)]),
        is: [4, 1, 3, 5, 2])
      try expect(try await ids(context, .all, [.ascending(User.Columns.login)]), is: [2, 1, 4, 3, 5])
    },
    Case("limits and offsets select pages") { location in
      let context = try await Store(location).context
      try await context.save((0..<10).map { User(id: $0, login: "u") })
      func page(_ limit: Int?, _ offset: Int) async throws -> [Int] {
        try await context.fetch(User.self, limit: limit, offset: offset).map(\.id)
      }
      try expect(try await page(3, 0), is: [0, 1, 2])
      try expect(try await page(3, 9), is: [9])
      try expect(try await page(nil, 8), is: [8, 9])
      try expect(try await page(0, 0), is: [])
      try expect(try await page(-1, -5), is: [])
      try expect(try await page(.max, .max), is: [])
    },
    Case("a stream returns every row once and in order, for any page size") { location in
      let context = try await Store(location).context
      try await context.save((0..<25).map { User(id: $0, login: "u\($0 % 3)", age: $0 % 4 == 0 ? nil : $0 % 4) })
      let orders: [StoreOrder<User>] = [.descending(User.Columns.age), .ascending(User.Columns.login)]
      let expected = try await ids(context, User.Columns.id < 23, orders)
      try expect(expected.count, is: 23)
      for size in [1, 2, 7, 23, 24, 500] {
        var found: [Int] = []
        for try await user in context.stream(
          User.self, where: User.Columns.id < 23, orderedBy: orders, pageSize: size)
        {
          found.append(user.id)
        }
        try expect(found, is: expected)
      }
      for _ in 0..<3 { try await context.save(Note(text: "n")) }
      var notes = 0
      for try await _ in context.stream(Note.self, pageSize: 1) { notes += 1 }
      try expect(notes, is: 3)
    },
    Case("a stream has the order of a fetch, with nil and for any page size") { location in
      let store = try await Store(location)
      try await store.save((0..<12).map { User(id: $0, login: "u\($0 % 4)", age: $0 % 3 == 0 ? nil : $0 % 2) })
      let (id, login, age) = (User.Columns.id, User.Columns.login, User.Columns.age)
      let orders: [[StoreOrder<User>]] = [
        [.ascending(age)], [.descending(age)], [.descending(id)], [.ascending(login), .ascending(age)],
        [.ascending(age), .descending(login)], [.descending(age), .descending(id)],
        [.descending(login), .ascending(age)], [.ascending(login), .ascending(id), .descending(age)],
      ]
      for order in orders {
        let expected = try await store.fetch(User.self, orderedBy: order).map(\.id)
        for size in [1, 2, 3, 4, 12] {
          var found: [Int] = []
          for try await user in store.stream(User.self, orderedBy: order, pageSize: size) { found.append(user.id) }
          try expect(found, is: expected)
        }
      }
    },
    Case("a stream continues while other tasks write") { location in
      let context = try await Store(location).context
      try await context.save((0..<10).map { User(id: $0, login: "u") })
      var found: [Int] = []
      for try await user in context.stream(User.self, pageSize: 2) {
        found.append(user.id)
        if user.id == 3 {
          try await context.delete(User.self, where: User.Columns.id <= 5)
          try await context.save(User(id: 100, login: "new"))
        }
      }
      try expect(found, is: [0, 1, 2, 3, 6, 7, 8, 9, 100])
    },
    Case("decimals and dates are compared by value") { location in
      let context = try await Store(location).context
      let prices = [("10", 3), ("9.5", 1), ("-2", 2)].enumerated().map { index, price in
        Price(
          id: index, amount: Decimal(string: price.0) ?? 0,
          day: Date(timeIntervalSinceReferenceDate: Double(price.1) + 0.5))
      }
      try await context.save(prices)
      let (amount, day) = (StoredColumn<Price, Decimal>("amount"), StoredColumn<Price, Date?>("day"))
      func ids(_ condition: StoreCondition<Price>, _ orders: [StoreOrder<Price>] = []) async throws -> [Int] {
        try await context.fetch(Price.self, where: condition, orderedBy: orders).map(\.id)
      }
      try expect(try await ids(.all, [.ascending(amount)]), is: [2, 1, 0])
      try expect(try await ids(.all, [.ascending(day)]), is: [1, 2, 0])
      try expect(try await ids(amount < (Decimal(string: "9.50") ?? 0)), is: [2])
      try expect(try await ids(amount == Decimal(10)), is: [0])
      try expect(try await ids(day >= Date(timeIntervalSinceReferenceDate: 2.5)), is: [0, 2])
      var streamed: [Int] = []
      for try await price in context.stream(Price.self, orderedBy: [.descending(amount)], pageSize: 1) {
        streamed.append(price.id)
      }
      try expect(streamed, is: [0, 1, 2])
    },
    Case("models can be deleted by key and by condition") { location in
      let context = try await Store(location).context
      try expect(try await context.delete(User(id: 1, login: "x")), is: false)
      try await context.save(people)
      try expect(try await context.delete(User(id: 1, login: "whatever")), is: true)
      try expect(try await context.delete(User(id: 1, login: "whatever")), is: false)
      try expect(try await context.delete(User.self, where: User.Columns.age == nil), is: 2)
      try expect(try await ids(context), is: [3, 4])
      try expect(try await context.delete(User.self, where: .all), is: 2)
      try await context.save(Note(text: "n"))
      try await expectError(.invalidStatement, naming: "Note") { try await context.delete(Note(text: "n")) }
      try await expectError(.invalidStatement, naming: "User", "2") {
        _ = try await context.fetch(User.self, key: 1, 2)
      }
    },
  ]
}

internal import AnvilModel
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

  private static func ids(
    _ context: StoreContext, _ predicate: StorePredicate?, _ orders: [StoreOrder] = []
  ) async throws -> [Int] {
    try await context.fetch(User.self, where: predicate, orderedBy: orders).map(\.id)
  }

  static let queryCases: [Case] = [
    Case("conditions are true or false as in Swift, null included") { location in
      let context = try await Store(location).context
      try await context.save(people)
      let age = StoreAttribute("age")
      let login = StoreAttribute("login")
      let conditions: [(StorePredicate, [Int])] = [
        (age == 36, [1, 4]), (age != 36, [2, 3, 5]), (age == nil, [2, 5]), (age != nil, [1, 3, 4]),
        (age == Int?.none, [2, 5]), (!(age == 36), [2, 3, 5]), (age < 36, [3]), (age <= 36, [1, 3, 4]),
        (!(age < 36), [1, 2, 4, 5]), (age > 7, [1, 4]), (age >= 7.0, [1, 3, 4]), (age > 6.0, [1, 3, 4]),
        (age == 36 && login == "ada", [1]), (age == 7 || login == "Bob", [2, 3]),
        (login.isAmong(["eve", "Bob", "nobody"]), [2, 3]), (login.isAmong([String]()), []),
        (login.contains("d"), [1, 4]), (login.contains("D"), []), (login.contains("%"), []), (login.contains("_"), []),
        (login.contains(""), [1, 2, 3, 4, 5]), (login.hasPrefix("ada"), [1, 4]), (login.hasPrefix("É"), [5]),
        (login.hasPrefix("da"), []), (login == "' OR 1=1 --", []), (StoreAttribute("tags") != nil, [4]),
        (login > "a", [1, 3, 4, 5]),
      ]
      for (index, (condition, expected)) in conditions.enumerated() {
        let found = try await ids(context, condition)
        try expect(found == expected, "condition \(index): \(found) is not \(expected)")
        try expect(try await context.count(User.self, where: condition), is: expected.count)
      }
    },
    Case("conditions that make no sense are errors that name the attribute") { location in
      let context = try await Store(location).context
      try expect(try await ids(context, StoreAttribute("nothing") == 1), is: [])
      try await context.save(people)
      let conditions: [(StorePredicate, StoreError.Code, String)] = [
        (StoreAttribute("nothing") == 1, .invalidStatement, "nothing"),
        (StoreAttribute("age\" = 36 --") == 1, .invalidStatement, "age"),
        (StoreAttribute("age") == "36", .invalidValue, "age"), (StoreAttribute("login") < 5, .invalidValue, "login"),
        (StoreAttribute("age") == 0.5, .invalidValue, "age"),
        (StoreAttribute("age").contains("3"), .invalidValue, "age"),
        (StoreAttribute("tags") == ["x"], .invalidValue, "tags"),
      ]
      for (condition, code, name) in conditions {
        try await expectError(code, naming: name, "User") { _ = try await ids(context, condition) }
      }
      try await expectError(.invalidValue, naming: "tags") { _ = try await ids(context, nil, [.ascending("tags")]) }
    },
    Case("rows come in the order that is asked for, then in that of their keys") { location in
      let context = try await Store(location).context
      try await context.save(people.reversed())
      try expect(try await ids(context, nil), is: [1, 2, 3, 4, 5])
      try expect(try await ids(context, nil, [.ascending("age")]), is: [2, 5, 3, 1, 4])
      try expect(try await ids(context, nil, [.descending("age")]), is: [1, 4, 3, 2, 5])
      try expect(try await ids(context, nil, [.descending("age"), .descending("id")]), is: [4, 1, 3, 5, 2])
      try expect(try await ids(context, nil, [.ascending("login")]), is: [2, 1, 4, 3, 5])
    },
    Case("limits and offsets make pages") { location in
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
    Case("a stream gives every row once, in order, whatever the size of its pages") { location in
      let context = try await Store(location).context
      try await context.save((0..<25).map { User(id: $0, login: "u\($0 % 3)", age: $0 % 4 == 0 ? nil : $0 % 4) })
      let orders: [StoreOrder] = [.descending("age"), .ascending("login")]
      let expected = try await ids(context, StoreAttribute("id") < 23, orders)
      try expect(expected.count, is: 23)
      for size in [1, 2, 7, 23, 24, 500] {
        var found: [Int] = []
        for try await user in context.stream(
          User.self, where: StoreAttribute("id") < 23, orderedBy: orders, pageSize: size)
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
    Case("a stream goes on while others write") { location in
      let context = try await Store(location).context
      try await context.save((0..<10).map { User(id: $0, login: "u") })
      var found: [Int] = []
      for try await user in context.stream(User.self, pageSize: 2) {
        found.append(user.id)
        if user.id == 3 {
          try await context.delete(User.self, where: StoreAttribute("id") <= 5)
          try await context.save(User(id: 100, login: "new"))
        }
      }
      try expect(found, is: [0, 1, 2, 3, 6, 7, 8, 9, 100])
    },
    Case("decimals and dates are compared as what they mean") { location in
      let context = try await Store(location).context
      let prices = [("10", 3), ("9.5", 1), ("-2", 2)].enumerated().map { index, price in
        Price(
          id: index, amount: Decimal(string: price.0) ?? 0,
          day: Date(timeIntervalSinceReferenceDate: Double(price.1) + 0.5))
      }
      try await context.save(prices)
      func ids(_ predicate: StorePredicate?, _ orders: [StoreOrder]) async throws -> [Int] {
        try await context.fetch(Price.self, where: predicate, orderedBy: orders).map(\.id)
      }
      try expect(try await ids(nil, [.ascending("amount")]), is: [2, 1, 0])
      try expect(try await ids(nil, [.ascending("day")]), is: [1, 2, 0])
      try expect(try await ids(StoreAttribute("amount") < (Decimal(string: "9.50") ?? 0), []), is: [2])
      try expect(try await ids(StoreAttribute("amount") == Decimal(10), []), is: [0])
      try expect(try await ids(StoreAttribute("day") >= Date(timeIntervalSinceReferenceDate: 2.5), []), is: [0, 2])
      var streamed: [Int] = []
      for try await price in context.stream(Price.self, orderedBy: [.descending("amount")], pageSize: 1) {
        streamed.append(price.id)
      }
      try expect(streamed, is: [0, 1, 2])
    },
    Case("models are deleted by their keys and by conditions") { location in
      let context = try await Store(location).context
      try expect(try await context.delete(User(id: 1, login: "x")), is: false)
      try await context.save(people)
      try expect(try await context.delete(User(id: 1, login: "whatever")), is: true)
      try expect(try await context.delete(User(id: 1, login: "whatever")), is: false)
      try expect(try await context.delete(User.self, where: StoreAttribute("age") == nil), is: 2)
      try expect(try await ids(context, nil), is: [3, 4])
      try expect(try await context.delete(User.self, where: nil), is: 2)
      try await context.save(Note(text: "n"))
      try await expectError(.invalidStatement, naming: "Note") { try await context.delete(Note(text: "n")) }
      try await expectError(.invalidStatement, naming: "User", "2") {
        _ = try await context.fetch(User.self, key: 1, 2)
      }
    },
  ]
}

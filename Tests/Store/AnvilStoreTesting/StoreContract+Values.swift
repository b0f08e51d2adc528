internal import AnvilBase
internal import AnvilJSON
internal import AnvilStore

@StoredModel
private struct Fee: Equatable, Identifiable {
  @MatchKey var amount: Decimal
  var label: String
  var id: Decimal { amount }
}

@StoredModel
private struct Elevation: Equatable, Identifiable {
  @MatchKey var height: Double
  var id: Double { height }
}

@StoredModel
private struct LevelSet: Identifiable {
  @MatchKey var id: Int
  var levels: [Reference<Elevation>]
}

@StoredModel
private struct FeeList: Identifiable {
  @MatchKey var id: Int
  var prices: [Reference<Fee>]
  var best: Reference<Fee>?
}

@StoredModel
private struct Zoom: Equatable, Identifiable {
  @MatchKey var factor: Float
  var name: String?
  var id: Float { factor }
}

@StoredModel
private struct Answer: Equatable, Identifiable {
  @MatchKey var id: Bool
  var text: String
}

/// A model with references to models whose ids JSON has in another form than columns.
@StoredModel
private struct Sampler: Identifiable {
  @MatchKey var id: Int
  var zooms: [Reference<Zoom>]
  var zoom: Reference<Zoom>?
  var answers: [Reference<Answer>]
  var answer: Reference<Answer>?
}

@StoredModel
private struct OldPreference {
  static let entityName = "Preference"
  @MatchKey var id: Int
}

@StoredModel
private struct Preference: Equatable {
  @MatchKey var id: Int
  var theme: JSON = "dark"
  var isShown: JSON = true
  var parts: JSON = ["k": 1]
}

/// A new table begins with the defaults.
@StoredModel
private struct NewPreference: Equatable {
  @MatchKey var id: Int
  var theme: JSON = "dark"
  var isOn: JSON = true
}

extension StoreContract {
  enum Color: String, StoredValue { case red, blue }
  enum Level: Int, Codable, Sendable { case low = 1, high = 9 }
  struct Part: Codable, Sendable, Equatable { var name: String, weight: Double? }

  struct Everything: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: UUID
    var flag = true
    var least = Int.min
    var small: Int8 = -128
    var large = UInt64(Int64.max)
    var double = 0.1
    var tiny = Double.leastNonzeroMagnitude
    var huge = -Double.greatestFiniteMagnitude
    var infinite = Double.infinity
    var float: Float = 1.5
    var text = "line\n\t\"quoted\" 'single' \\ ; -- /* */ %_ e\u{301} 👩‍🚀 \u{10FFFF}"
    var empty = ""
    var date = Date(timeIntervalSinceReferenceDate: 812_345_678.125)
    var ancient = Date.distantPast
    var data = Data([0, 255, 10])
    var noBytes = Data()
    var url = URL(string: "https://example.com/a?b=c#d")
    var decimal = Decimal(string: "-12345678901234567890.0123456789") ?? 0
    var cents = Decimal(string: "10.50") ?? 0
    var color = Color.blue
    var level = Level.high
    var part = Part(name: "x", weight: nil)
    var parts = [Part(name: "y", weight: 2)]
    var map = ["k": 1, "a": 2]
    var dates = [Date(timeIntervalSinceReferenceDate: 812_345_678.25)]
    var none: String?
    var noDate: Date?
    var noPart: Part?
    var noColor: Color?
    var some: Int? = 3
  }

  struct Text: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.key)]
    var key: String
    var value: String
  }

  struct Number: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int64
    var real: Double
  }

  /// A model with names that are SQL keywords or hard to quote.
  struct Select: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = #"select "from"; DROP TABLE "User" --"#
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.order)]
    var order: Int
    var group: String?
    var quoted: String?
    var spaced: String?
    var accented: String?

    enum CodingKeys: String, CodingKey {
      case order = "ORDER"
      case group
      case quoted = #"a"b'c`d[e]"#
      case spaced = "two words; --"
      case accented = "nâme 👩‍🚀"
    }
  }

  struct Deep: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var tree: Tree
  }

  indirect enum Tree: Codable, Sendable, Equatable {
    case leaf
    case node(Tree)

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      self = container.isAtEnd ? .leaf : .node(try container.decode(Tree.self))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if case .node(let tree) = self { try container.encode(tree) }
    }

    init(depth: Int) {
      self = (0..<depth).reduce(.leaf) { tree, _ in .node(tree) }
    }
  }

  static let valueCases: [Case] = [
    Case("JSON of any kind is stored in one column") { location in
      struct Setting: Codable, Sendable, Equatable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
        var name: String
        var value: JSON
      }
      let store = try await Store(location)
      let settings = [
        Setting(name: "a", value: "dark"), Setting(name: "b", value: 5), Setting(name: "c", value: ["w": 1]),
        Setting(name: "d", value: true), Setting(name: "e", value: [1, "x"]),
      ]
      for setting in settings { try await store.save(setting) }
      try expect(try await store.fetch(Setting.self), is: settings)
      try expect(try await store.save(settings), is: StoreChanges.Counts(unchanged: settings.count))
    },
    Case("equal sets and dictionaries are unchanged, whatever their order in memory") { location in
      enum Slot: String, Codable, Sendable, CaseIterable { case a, b, c, d, e, f }
      struct Sets: Codable, Sendable, Equatable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id = 1
        var labels: Set<String>
        var slots: [Slot: Int]
        var ages: [String: Int]
      }
      let words = (0..<40).map { "word \($0)" }
      func value(_ words: [String], _ slots: [Slot]) -> Sets {
        var value = Sets(labels: [], slots: [:], ages: [:])
        for word in words { value.labels.insert(word) }
        for slot in slots { value.slots[slot] = slot.rawValue.count }
        for word in words { value.ages[word] = 1 }
        return value
      }
      let store = try await Store(location)
      try await store.save(value(words, Slot.allCases))
      // More capacity changes the order.
      var other = value(words.reversed(), Slot.allCases.reversed())
      other.labels.reserveCapacity(10_000)
      other.slots.reserveCapacity(10_000)
      try expect(try await store.save([other]), is: StoreChanges.Counts(unchanged: 1))
      try expect(try await store.fetch(Sets.self), is: [other])
    },
    Case("JSON is stored in a column of scalars that exists") { location in
      struct Before: Codable, Sendable, ManagedDecodable {
        static let entityName = "Setting"
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
        var name: String
        var value: String
        var count: Int
      }
      struct Setting: Codable, Sendable, Equatable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
        var name: String
        var value: JSON
        var count: JSON?
      }
      let store = try await Store(location)
      try await store.save(Before(name: "a", value: "dark", count: 1))
      let settings = [Setting(name: "a", value: "light", count: 2), Setting(name: "b", value: "x")]
      try expect(try await store.save(settings), is: StoreChanges.Counts(inserted: 1, updated: 1))
      try expect(try await store.fetch(Setting.self), is: settings)
      try await expectError(.schemaMismatch) { try await store.save(Setting(name: "c", value: 5)) }
    },
    Case("the default of a property of type JSON is JSON in its column") { location in
      let store = try await Store(location)
      try await store.save(OldPreference(id: 1))
      try await store.save(Preference(id: 2, theme: "light"))
      let all = [Preference(id: 1), Preference(id: 2, theme: "light")]
      try expect(try await store.fetch(Preference.self), is: all)
      try expect(try await store.save(all), is: StoreChanges.Counts(unchanged: 2))
      try await store.save(NewPreference(id: 1, isOn: false))
      try expect(try await store.fetch(NewPreference.self, key: 1), is: NewPreference(id: 1, isOn: false))
    },
    Case("values of every kind are restored unchanged and compare equal to the stored ones") { location in
      let context = try await Store(location).context
      let value = Everything(id: UUID())
      try expect(try await context.save(value), is: .init(inserted: 1))
      try expect(try await context.fetch(Everything.self), is: [value])
      try expect(try await context.fetch(Everything.self, key: value.id), is: value)
      try expect(try await context.save(value), is: .init(unchanged: 1))
    },
    Case("text from every plane of Unicode can be a value and a key") { location in
      let context = try await Store(location).context
      let scalars = (0...16).compactMap { plane in
        Unicode.Scalar(UInt32(plane) << 16 | 0x41).map { String(Character($0)) }
      }
      let texts =
        scalars + [
          "'; DROP TABLE \"Text\"; --", "\"", "''", "\\", "%", "_", "?", "?1", "$1", ":a", "@a", "\u{FEFF}", "\u{FFFD}",
          "e\u{301}", "\u{E9}", "\u{202E}abc", "\r\n", " ", "NULL", "\u{1}\u{7F}\u{85}",
        ]
      for text in texts { try await context.save(Text(key: text, value: text + text)) }
      try expect(try await context.count(Text.self), is: texts.count)
      for text in texts {
        try expect(try await context.fetch(Text.self, key: text)?.value, is: text + text)
        try expect(
          try await context.fetch(Text.self, where: StoredColumn<Text, String>("value") == text + text).count, is: 1)
      }
    },
    Case("text with NUL characters is restored", needs: [.nulInText]) { location in
      let context = try await Store(location).context
      try await context.save(Text(key: "a\0b", value: "\0"))
      try await context.save(Text(key: "a\0c", value: "x"))
      try expect(try await context.fetch(Text.self, key: "a\0b")?.value, is: "\0")
      try expect(try await context.count(Text.self), is: 2)
      let many = (0..<300).map { Text(key: "k\0\($0)", value: "v") }
      try expect(try await context.save(many), is: StoreChanges.Counts(inserted: 300))
      try expect(try await context.save(many), is: StoreChanges.Counts(unchanged: 300))
      let keys = StoredColumn<Text, String>("key")
      try expect(try await context.count(Text.self, where: .isAmong(keys, many.map(\.key))), is: 300)
      try expect(try await context.count(Text.self, where: .isAmong(keys, many.map { "\($0.key)\0" })), is: 0)
    },
    Case("text with NUL characters is restored or rejected, but never truncated") { location in
      let context = try await Store(location).context
      do {
        try await context.save(Text(key: "a\0b", value: "x"))
        try expect(try await context.fetch(Text.self).map(\.key), is: ["a\0b"])
      } catch let error as StoreError {
        try expect(error.code == .invalidValue, "\(error)")
        try expect(try await context.count(Text.self), is: 0)
      }
    },
    Case("a string of 10 MB is restored") { location in
      let context = try await Store(location).context
      let text = String(repeating: "0123456789abcde\u{e9}", count: 6600)
      try await context.save(Text(key: "long", value: text))
      let found = try await context.fetch(Text.self, key: "long")
      try expect(found?.value == text, "\(found?.value.utf8.count ?? 0) bytes instead of \(text.utf8.count)")
    },
    Case("NaN and integers of more than 64 bits are errors that name the attribute") { location in
      struct Wide: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = nil
        var wide: UInt64
      }
      let context = try await Store(location).context
      func key(_ body: () async throws -> Void) async throws -> String? {
        do { try await body() } catch let EncodingError.invalidValue(_, context) {
          return context.codingPath.last?.stringValue
        }
        return nil
      }
      try expect(try await key { try await context.save(Number(id: 1, real: .nan)) }, is: "real")
      try expect(try await key { try await context.save(Wide(wide: .max)) }, is: "wide")
      try expect(try await context.count(Number.self), is: 0)
    },
    Case("extreme numbers can be values and keys") { location in
      let context = try await Store(location).context
      let numbers = [
        Number(id: .min, real: -.infinity), Number(id: -1, real: -0.0), Number(id: 0, real: .leastNonzeroMagnitude),
        Number(id: 1, real: 0.1 + 0.2), Number(id: .max, real: .infinity),
      ]
      try expect(try await context.save(numbers), is: .init(inserted: 5))
      try expect(try await context.save(numbers), is: .init(unchanged: 5))
      try expect(try await context.fetch(Number.self), is: numbers)
      for number in numbers { try expect(try await context.fetch(Number.self, key: number.id), is: number) }
    },
    Case("the sign of zero is not stored") { location in
      struct Zero: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Double
        var float: Float
        var date: Date
        var list: [Double]
      }
      func zero(_ zero: Double) -> Zero {
        Zero(id: zero, float: Float(zero), date: Date(timeIntervalSinceReferenceDate: zero), list: [zero])
      }
      let context = try await Store(location).context
      let counts = try await context.save(zero(-0.0))
      try expect(counts, is: .init(inserted: 1))
      // The value is the same, also for the part that is stored as JSON.
      try expect(
        try await context.save(Zero(id: 0, float: 0, date: zero(0).date, list: [-0.0])), is: .init(unchanged: 1))
      let found = try await context.fetch(Zero.self)
      try expect(found.count, is: 1)
      for number in found {
        let signs = [number.id.sign, number.date.timeIntervalSinceReferenceDate.sign, Double(number.float).sign]
        try expect(signs, is: [.plus, .plus, .plus])
      }
      for key in [0.0, -0.0] {
        try expect(try await context.fetch(Zero.self, key: key) != nil, "the key \(key) is not found")
        let (id, float) = (StoredColumn<Zero, Double>("id"), StoredColumn<Zero, Double>("float"))
        for condition in [id == key, float == key, .isAmong(id, [key])] {
          try expect(try await context.count(Zero.self, where: condition), is: 1)
        }
        try expect(try await context.count(Zero.self, where: id < key), is: 0)
        let sign = try await context.read { transaction in
          try transaction.fetch(Double.self, sql: "SELECT \(key) + 0").first?.sign
        }
        try expect(sign, is: .plus)
      }
      let input = Data(#"[{"id": -0.0, "float": -0e0, "date": -0.0, "list": [-0.0]}]"#.utf8)
      let changes = try await context.perform { transaction in
        try transaction.createOrUpdate([Zero].self, from: JSON.Decoder().decoder(for: input)).changes
      }
      try expect(changes, is: .init(unchanged: 1))
    },
    Case("text is compared by its Unicode scalars") { location in
      let context = try await Store(location).context
      let (composed, decomposed) = ("\u{E9}t\u{E9}", "e\u{301}te\u{301}")
      try await context.save([Text(key: composed, value: composed), Text(key: decomposed, value: decomposed)])
      func keys(_ condition: StoreCondition<Text>) async throws -> [String] {
        try await context.fetch(Text.self, where: condition).map {
          $0.key.unicodeScalars.count == 3 ? "composed" : "decomposed"
        }
      }
      let value = StoredColumn<Text, String>("value")
      try expect(try await keys(value == composed), is: ["composed"])
      try expect(try await keys(value == decomposed), is: ["decomposed"])
      try expect(try await keys(.hasPrefix(value, "\u{E9}")), is: ["composed"])
      try expect(try await keys(.hasPrefix(value, "e\u{301}")), is: ["decomposed"])
      // In Swift, the letter with its accent is one character.
      try expect(try await keys(.hasPrefix(value, "e")), is: ["decomposed"])
      try expect(try await keys(.contains(value, "\u{301}t")), is: ["decomposed"])
      try expect(try await keys(.isAmong(value, [composed])), is: ["composed"])
      try expect(try await context.fetch(Text.self, key: decomposed)?.value.unicodeScalars.count, is: 5)
    },
    Case("entities and attributes can have keywords and special characters as names") { location in
      let context = try await Store(location).context
      let row = Select(order: 1, group: "g", quoted: "q", spaced: "s", accented: "a")
      try await context.save(User(id: 1, login: "a"))
      try await context.save(row)
      try await context.save(Select(order: 2))
      try expect(try await context.fetch(Select.self, key: 1), is: row)
      let found = try await context.fetch(
        Select.self, where: StoredColumn<Select, String?>(Select.CodingKeys.quoted) == "q",
        orderedBy: [.descending(StoredColumn<Select, String?>(Select.CodingKeys.spaced))])
      try expect(found, is: [row])
      try expect(try await context.count(User.self), is: 1)
    },
    Case("deeply nested values are restored or rejected") { location in
      let context = try await Store(location).context
      let deep = Deep(id: 1, tree: Tree(depth: 300))
      try await context.save(deep)
      try expect(try await context.fetch(Deep.self), is: [deep])
      // The value is nested too deeply to be read again, so saving it must fail.
      do {
        try await context.save(Deep(id: 2, tree: Tree(depth: 600)))
        let found = try await context.fetch(Deep.self, key: 2)
        try expect(found?.tree == Tree(depth: 600), "the restored tree differs")
      } catch is StoreError {
      } catch is EncodingError {}
    },
    Case("a decimal key identifies its row, however its digits are written") { location in
      let store = try await Store(location)
      let prices = ["1.5", "20", "0.001"].compactMap { Decimal(string: $0) }
      try await store.save(prices.map { Fee(amount: $0, label: "old") })
      try await store.save(FeeList(id: 1, prices: prices.map(Reference.init(id:)), best: Reference(id: prices[0])))
      try await store.perform { transaction in
        for (table, column) in [("Fee", "amount"), ("FeeList", "best")] {
          _ = try transaction.execute(
            """
            UPDATE \(identifier: table) SET \(identifier: column) = CAST('1.50' AS NUMERIC) \
            WHERE \(identifier: column) = \(prices[0])
            """)
        }
      }
      let list = try await store.decode([Fee].self, #"[{"amount": 1.5}, {"amount": 20.0}, {"amount": 0.001}]"#)
      try expect(list.models.map(\.label), is: ["old", "old", "old"])
      let (_, found, best) = try require(
        try await store.fetch(FeeList.self, with: \.prices, \.best).first, "the list")
      try expect(found.map(\.amount), is: prices)
      try expect(best?.amount, is: prices[0])
      for price in prices {
        let condition: StoreCondition<FeeList> = .any(\.prices, where: \.amount == price)
        try expect(try await store.fetch(FeeList.self, where: condition).count, is: 1)
        try expect(try await store.fetch(FeeList.self, where: .contains(\.prices, price)).count, is: 1)
      }
      try expect(try await store.fetch(FeeList.self, where: .contains(\.prices, 7)).count, is: 0)
    },
    Case("references by ids of all types are found") { location in
      let store = try await Store(location)
      let levels = [0.5, 1, 1e300, -0.1].map { Elevation(height: $0) }
      let levelSet = LevelSet(id: 1, levels: levels.map { Reference(id: $0.height) })
      try await store.save(levels)
      try await store.save([levelSet, LevelSet(id: 2, levels: [])])
      for level in levels {
        let height = level.height
        try expect(try await store.fetch(LevelSet.self, where: .contains(\.levels, height)).map(\.id), is: [1])
        try expect(
          try await store.fetch(LevelSet.self, where: .any(\.levels, where: \.height == height)).map(\.id), is: [1])
        try expect(try await store.fetch(LevelSet.self, where: !.contains(\.levels, height)).map(\.id), is: [2])
      }
    },
    Case("models are found by ids of the types Float and Bool, and by references to them") { location in
      let store = try await Store(location)
      let factors: [Float] = [0.1, 1, 3.4e38, -1.1e-7, 16_777_216, 0.3333333]
      let sampler = Sampler(
        id: 1, zooms: factors.map { Reference(id: $0) }, zoom: Reference(id: factors[0]),
        answers: [Reference(id: true), Reference(id: false)], answer: Reference(id: false))
      try await store.save(factors.map { Zoom(factor: $0, name: "zoom \($0)") })
      try await store.save([Answer(id: true, text: "yes"), Answer(id: false, text: "no")])
      try await store.save([sampler, Sampler(id: 2, zooms: [], zoom: nil, answers: [], answer: nil)])
      let found = try await store.fetch(Sampler.self, with: \.zooms, \.zoom, \.answers, \.answer).first
      try expect(found?.1.map(\.factor), is: factors)
      try expect(found?.2?.name, is: "zoom 0.1")
      try expect(found?.3.map(\.text), is: ["yes", "no"])
      try expect(found?.4?.text, is: "no")
      for factor in factors {
        let conditions: [StoreCondition<Sampler>] = [
          .contains(\.zooms, factor), .any(\.zooms, where: \.factor == factor),
          .count(\.zooms, where: \.factor == factor) == 1,
        ]
        for condition in conditions {
          try expect(try await store.fetch(Sampler.self, where: condition).map(\.id), is: [1])
          try expect(try await store.fetch(Sampler.self, where: !condition).map(\.id), is: [2])
        }
        try expect(try await store.fetch(Zoom.self, key: factor)?.factor, is: factor)
        // A payload with a part of the model, in a list and alone.
        let list = try await store.decode([Zoom].self, #"[{"factor": \#(factor)}, {"factor": 7, "name": null}]"#)
        try expect(list.models.first?.name, is: "zoom \(factor)")
        try expect(try await store.decode(Zoom.self, #"{"factor": \#(factor)}"#).name, is: "zoom \(factor)")
      }
      try expect(try await store.fetch(Sampler.self, where: .contains(\.answers, false)).map(\.id), is: [1])
      try expect(try await store.fetch(Sampler.self, where: .any(\.answers, where: \.text == "no")).map(\.id), is: [1])
      try expect(
        try await store.fetch(Sampler.self, where: \.answer.text == "no" && \.zoom.name == "zoom 0.1").count, is: 1)
    },
  ]
}

#if os(Linux) || os(macOS)
import AnvilTestSupport
import Testing

/// Code with a store's context and its transactions that the compiler accepts or rejects.
@Suite(.enabled(if: Compiler.isAvailable, "swiftc is not in the search path"), .timeLimit(.minutes(15)))
struct MisuseTests {
  private static let beginning = """
    import AnvilBase
    import AnvilStore

    struct User: Codable, Sendable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
      var id: Int
    }

    """

  @Test func asynchronousContextAndSynchronousTransactionCompile() async throws {
    // Top-level code, where a synchronous function of the context would be taken for the asynchronous one.
    let errors = try await Compiler.diagnostics(
      in: Self.beginning + """
        func open() async throws -> (Store, any Decoder) { fatalError() }
        let (context, decoder) = try await open()
        try await context.save(User(id: 1))
        try await context.save([User(id: 1)])
        try await context.delete(User(id: 1))
        let users = try await context.fetch(User.self)
        let count = try await context.count(User.self)
        let factory = ManagedDecodingFactory<User>(context: context)

        func use(_ context: Store, _ users: [User], _ decoder: sending any Decoder) async throws {
          _ = try await context.fetch(User.self, key: 1)
          _ = try await context.read { transaction in try transaction.count(User.self) }
          try await context.perform { transaction in try transaction.perform { try $0.save(users) } }
          try await context.perform { try User.createOrUpdate(in: $0, from: decoder) }
        }
        """, phase: "-emit-sil")
    #expect(errors == [])
  }

  @Test func contextHasNoSynchronousMethods() async throws {
    let misuses = [
      "func a(_ context: Store) throws { try context.save(User(id: 1)) }",
      "func b(_ context: Store) throws { _ = try context.fetch(User.self) }",
      "func c(_ context: Store) async throws { try await context.perform { _ in try context.save(User(id: 1)) } }",
      "func d(_ context: Store, _ d: any Decoder) throws { _ = try User.createOrUpdate(in: context, from: d) }",
    ]
    try await expectErrors(of: misuses, phase: "-typecheck")
  }

  @Test func transactionsCannotEscapeTheirBody() async throws {
    let misuses = ["Task", "Task.detached"].map { task in
      """
      func use\(task.count)(_ context: Store) async throws { \
      _ = try await context.perform { transaction in \(task) { try transaction.save(User(id: 1)) } } }
      """
    }
    try await expectErrors(of: misuses, phase: "-emit-sil")
  }

  @Test func factoriesOfATransactionAndOfAContextCompile() async throws {
    let errors = try await Compiler.diagnostics(
      in: "import AnvilClient\nimport AnvilHTTP\nimport AnvilSync\n" + Self.beginning + """
        func use(
          _ context: Store, _ body: HTTP.Body, _ response: Promise<HTTP.Response>, _ request: Promise<HTTP.Request>
        ) async throws {
          let one = try await body.decode(using: ManagedDecodingFactory<User>(context: context))
          let inferred: User = try await body.decode(using: ManagedDecodingFactory(context: context))
          let many: [User] = try await body.decode(using: ManagedDecodingFactory<User>(context: context).array)
          let promised: User = try await response.decode(using: ManagedDecodingFactory(context: context)).value
          let requested = try await request.decode(using: ManagedDecodingFactory<User>(context: context).array).value
          let task = Task { try await body.decode(using: ManagedDecodingFactory<User>(context: context)) }
          try await context.perform { transaction in
            let one = try body.decode(using: ManagedDecodingFactory<User>(context: transaction))
            let inferred: User = try body.decode(using: ManagedDecodingFactory(context: transaction))
            let many: [User] = try body.decode(using: ManagedDecodingFactory<User>(context: transaction).array)
            print(one, inferred, many)
          }
          let result = try await context.perform {
            try body.decode(using: ManagedDecodingFactory<User>(context: $0))
          }
          print(one, inferred, many, promised, requested, result, try await task.value)
        }
        """, phase: "-emit-sil")
    #expect(errors == [])
  }

  @Test func decodableModelsMustBeCodable() async throws {
    let errors = try await Compiler.diagnostics(
      in: Self.beginning + """
        struct Patch: Decodable, DecoderUpdatable { var id: Int }
        final class Session: Decodable, DecoderUpdatable { var id = 1 }
        struct Row: Decodable, Sendable, ManagedDecodable {
          static let matchKeys: [MatchKey]? = nil
          var id: Int
          mutating func update(from decoder: any Decoder) throws {}
        }
        """, phase: "-typecheck")
    let advice = ["adopt Codable", "implement update(from:)", "a stored model has to be Codable"]
    for text in advice { #expect(errors.contains { $0.contains(text) }, "\(text) in \(errors)") }
  }

  private static let tracker = """
    import AnvilStore

    enum State: String, StoredValue { case open, closed }
    enum Kind: String, StoredValue { case bug, task }
    enum Size: String, Codable { case small, large }
    struct Part: Codable, Equatable { var x: Int }
    @StoredModel struct Person: Identifiable {
      @MatchKey var id: Int
      var login: String
      var nick: String?
      var boss: Reference<Person>?
    }
    @StoredModel struct Seat: Identifiable {
      @MatchKey var id: Int
      @MatchKey var row: Int
    }
    @StoredModel struct Note: Identifiable { var id: Int }
    @StoredModel struct Repo: Identifiable {
      var id: Int
      @MatchKey var name: String
    }
    @StoredModel struct Issue: Identifiable {
      @MatchKey var id: Int
      var state: State
      var kind: Kind?
      var author: Reference<Person>
      var assignee: Reference<Person>?
      var watchers: [Reference<Person>]
      var tags: [String]
      var part: Part
      var size: Size
      var owner: Person?
      var seat: Seat?
      var seats: [Seat]
      var place: Reference<Seat>
      var places: [Reference<Seat>]
      var note: Note
      var comment: Reference<Note>
      var repo: Reference<Repo>
      var forks: [Repo]
      var members: [Reference<Fan>]
      var member: Reference<Plain>?
    }
    struct Fan: Codable, Sendable, Identifiable, ReferencedModel {
      static let matchKey = MatchKey.key(CodingKeys.id)
      var id: Int
    }
    struct Plain: Codable, Sendable, Identifiable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
      var id: Int
    }
    struct Member: Codable, Sendable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = nil
      var age: Int
    }

    """

  @Test func conditionsThatCanRunCompile() async throws {
    let conditions = [
      #"\.state == .open && \.author.login == "ada" || \.assignee.login == nil"#,
      #"\.assignee.id == 2 && .any(\.watchers, where: \.login == "eve")"#,
      #"\.assignee.nick == "x" && \.assignee.boss.login == "tom" && \.author.boss.nick == nil"#,
      #".contains(\.watchers, 3) && .hasPrefix(\.author.login, "a") && .noneOf(\.watchers, where: \.id > 7)"#,
      #"\.kind == .bug || \.kind != nil && \.kind < .task && !.isAmong(\.kind, [.bug]) && \.state >= .open"#,
      #"\.owner.nick == nil && \.owner == nil && \.assignee != nil"#,
      #"StoredColumn<Issue, Int>("number") > 3 && \.state == .open"#,
      #"StoredColumn<Issue, Reference<Person>?>("assignee").boss.login == "ada""#, ".all", "!.all",
      #".count(\.watchers) > 2 && .count(\.watchers, where: \.login == "eve") == 1 || .isAmong(.count(\.seats), [1])"#,
      #".contains(\.forks, "a") && .contains(\.members, 1) && .any(\.members, where: StoredColumn<Fan, Int>("id") > 1)"#,
    ]
    let lines = conditions.map { "  _ = try await store.fetch(Issue.self, where: \($0))" }
    let errors = try await Compiler.diagnostics(
      in: Self.tracker + """
        func use(_ store: Store) async throws {
        \(lines.joined(separator: "\n"))
          _ = try await store.fetch(Member.self, where: StoredColumn<Member, Int>("age") > 30)
          _ = try await store.fetch(Issue.self, orderedBy: [.ascending(\\.author.login), .descending(\\.kind)])
          _ = try await store.fetch(Issue.self, orderedBy: [.ascending(.count(\\.watchers)), .ascending(\\.id)])
          _ = try await store.fetch(Issue.self, with: \\.author, \\.watchers, \\.seat, \\.seats, \\.members, \\.forks)
        }
        """, phase: "-typecheck", macros: ["AnvilMacros"])
    #expect(errors == [])
  }

  @Test func conditionsThatCannotRunDoNotCompile() async throws {
    let misuses = [
      (#"\.tags == ["a"]"#, "requires that 'Array<String>' conform to 'StoredOperand'"),
      (#"\.author == Reference<Person>(id: 1)"#, "requires that 'Reference<Person>' conform to 'StoredOperand'"),
      (#"\.assignee == Reference<Person>(id: 1)"#, "requires that 'Reference<Person>' conform to 'StoredValue'"),
      (#"\.part == Part(x: 1)"#, "requires that 'Part' conform to 'StoredOperand'"),
      (#"\.size == Size.small"#, "requires that 'Size' conform to 'StoredOperand'"),
      (#"\.owner == Person(id: 1, login: "")"#, "requires that 'Person' conform to 'StoredValue'"),
      (#"\.watchers > 3"#, "requires that 'Array<Reference<Person>>' conform to 'StoredOperand'"),
      (#".hasPrefix(\.id, "1")"#, "requires that 'Int' conform to 'StoredText'"),
      (".none", "has no member 'none'"), (#"\.id == nil"#, "'nil' is not compatible with expected argument type 'Int'"),
      (#"\.id == "1""#, "cannot convert value of type 'String' to expected argument type 'Int'"),
      (#"\.assignee.nick < nil"#, "'nil' is not compatible with expected argument type"),
      (#"\.nothing == 1"#, "cannot infer key path type"),
      (#".contains(\.tags, "a")"#, "requires that 'Array<String>' conform to 'StoredOperand'"),
      (#"\.state == .other"#, "type 'State' has no member 'other'"),
      (#"\.seat.row == 1"#, "(aka 'Seat') conform to 'ReferencedModel'"),
      (#"\.place.row == 1"#, "(aka 'Seat') conform to 'ReferencedModel'"),
      (#".any(\.seats, where: \.row == 1)"#, "(aka 'Seat') conform to 'ReferencedModel'"),
      (#".any(\.places, where: \.row == 1)"#, "'Seat' conform to 'ReferencedModel'"),
      (#".contains(\.places, 1)"#, "'Seat' conform to 'ReferencedModel'"),
      (#".count(\.places) > 1"#, "'Seat' conform to 'ReferencedModel'"),
      (#".count(\.seats, where: \.row == 1) > 1"#, "'ReferencedModel'"),
      (#".count(\.tags) > 1"#, "conform to '_StoredRelation'"),
      (#"\.note.id == 1"#, "'Note' conform to '_StoredRelation'"),
      (#"\.comment.id == 1"#, "'Note') conform to 'ReferencedModel'"),
      (#"\.repo.name == "a""#, "the types 'Int' and 'Repo._MatchKeyType' (aka 'String') be equivalent"),
      (#".contains(\.forks, 1)"#, "'Repo._MatchKeyType' (aka 'String')"),
      (#".contains(\.watchers, "a")"#, "(aka 'Int')"),
    ]
    let program =
      Self.tracker
      + misuses.enumerated().map { index, misuse in
        "func use\(index)(_ store: Store) async throws { _ = try await store.fetch(Issue.self, where: \(misuse.0)) }"
      }.joined(separator: "\n")
    let errors = try await Compiler.diagnostics(in: program, phase: "-typecheck", macros: ["AnvilMacros"])
    try check(errors, of: misuses)
  }

  @Test func modelsThatCannotBeFetchedTogetherDoNotCompile() async throws {
    let misuses = [
      (#"\.place"#, "'Seat' conform to 'ReferencedModel'"), (#"\.note"#, "'Note' conform to '_StoredRelated'"),
      (#"\.comment"#, "'Note' conform to 'ReferencedModel'"), (#"\.repo"#, "'Repo._MatchKeyType' (aka 'String')"),
      (#"\.member"#, "'Plain' conform to 'ReferencedModel'"), (#"\.tags"#, "conform to '_StoredRelat"),
    ]
    let program =
      Self.tracker
      + misuses.enumerated().map { index, misuse in
        "func use\(index)(_ store: Store) async throws { _ = try await store.fetch(Issue.self, with: \(misuse.0)) }\n"
      }.joined()
    let errors = try await Compiler.diagnostics(in: program, phase: "-typecheck", macros: ["AnvilMacros"])
    try check(errors, of: misuses)
  }

  /// What macros write cannot be silenced by the authors of the model.
  @Test func deprecatedMembersCauseNoWarningsInExpansions() async throws {
    let program = """
      import Anvil
      import AnvilStore
      @JSONCodable @StoredModel struct Item {
        @MatchKey var id: Int
        @available(*, deprecated, message: "use name") @CodableAlias("label") var title: String?
        @CodableIgnored @available(*, deprecated) var cache = 0
      }
      @JSONCodable struct Wrapping { var id: Int; @available(*, deprecated) @LossyArray var tags: [Int] }
      @JSONCodable final class Account { var id: Int = 0; @available(*, deprecated) var old: Int = 1; init() {} }
      @JSONCodable enum Level: String { @available(*, deprecated) case low; case high; @CodableUnknown case other }
      @JSONCodable @JSONTagged(by: "kind") enum Event { @available(*, deprecated, renamed: "stop") case end(x: Int), stop }
      _ = try JSON.read(Item.self, from: JSON.write(try JSON.Decoder().decode(Item.self, from: Data())))
      _ = try JSON.Encoder().encode([Account()])
      """
    let warnings = try await Compiler.diagnostics("warning", in: program, phase: "-typecheck", macros: ["AnvilMacros"])
    #expect(warnings == [])
  }

  @Test func keysThatCannotRunDoNotCompile() async throws {
    let misuses = [
      ("[1, 2]", "'[Int]' conform to 'StoredValue'"), ("Part(x: 1)", "'Part' conform to 'StoredValue'"),
      (#"Person(id: 1, login: "")"#, "'Person' conform to 'StoredValue'"),
      ("nil", "generic parameter 'some StoredValue' could not be inferred"),
      (#"1, ["a"]"#, "'[String]' does not conform to expected type 'StoredValue'"),
      ("1, Part(x: 1)", "'Part' does not conform to expected type 'StoredValue'"),
    ]
    let keys = ["1", #""a""#, "State.open", #"1, "a", true"#, "UUID(), Date(), 1.5"]
    let program =
      Self.tracker
      + misuses.enumerated().map { index, misuse in
        "func use\(index)(_ store: Store) async throws { _ = try await store.fetch(Issue.self, key: \(misuse.0)) }\n"
      }.joined()
      + keys.enumerated().map { index, key in
        "func run\(index)(_ store: Store) async throws { _ = try await store.fetch(Issue.self, key: \(key)) }\n"
          + "func read\(index)(_ t: StoreTransaction) throws { _ = try t.fetch(Issue.self, key: \(key)) }\n"
      }.joined()
    let errors = try await Compiler.diagnostics(
      in: "import AnvilBase\n" + program, phase: "-typecheck", macros: ["AnvilMacros"])
    try check(errors, of: misuses, after: 1)
  }

  /// Expects the text of each misuse in an error of its line, and no other errors.
  private func check(_ errors: [String], of misuses: [(String, String)], after line: Int = 0) throws {
    let first = line + Self.tracker.count { $0 == "\n" } + 1
    for (index, (condition, text)) in misuses.enumerated() {
      let found = errors.filter { Compiler.line(of: $0) == first + index }
      #expect(found.contains { $0.contains(text) }, "\(condition): \(found)")
    }
    let lines = first..<first + misuses.count
    #expect(errors.allSatisfy { Compiler.line(of: $0).map(lines.contains) ?? false }, "\(errors)")
  }

  /// Expects an error in each of the lines, and nowhere else.
  private func expectErrors(of misuses: [String], phase: String) async throws {
    let errors = try await Compiler.diagnostics(in: Self.beginning + misuses.joined(separator: "\n"), phase: phase)
    let first = Self.beginning.count { $0 == "\n" } + 1
    let lines = errors.compactMap { Compiler.line(of: $0) }
    #expect(Set(lines) == Set(first..<first + misuses.count), "\(errors)")
  }
}
#endif

internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  struct Team: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
    var motto: String?
  }

  struct Player: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var team: Team
    var former: Team?
    var homes: [Place]
    var summer: Place?
  }

  struct Branch: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
    var children: [Branch]
    var size: Int?
  }

  /// A generic model. It encodes and decodes an optional value as an optional, without `encodeIfPresent`.
  struct Holder<Held: Codable & Sendable & Equatable>: Codable, Sendable, Equatable, ManagedDecodable {
    static var entityName: String { "Holder" }
    static var matchKeys: [MatchKey]? { [.key(CodingKeys.id)] }
    var id: Int
    var held: Held?

    enum CodingKeys: String, CodingKey { case id, held }

    init(id: Int, held: Held?) { (self.id, self.held) = (id, held) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      held = try container.decode(Held?.self, forKey: .held)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(held, forKey: .held)
    }
  }

  /// A model that contains a model without match keys, and models nested in other values. All of them are stored in the row of the album.
  struct Album: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.title)]
    var title: String
    var note: Note
    var byYear: [String: Team]
  }

  private static let red = Team(name: "red", motto: "go")
  private static let blue = Team(name: "blue")
  private static let house = Place(country: "de", number: 1, name: "h")
  private static let flat = Place(country: "de", number: 2)

  static let referenceCases: [Case] = [
    Case("nested models of one type are created and updated as a whole") { location in
      struct Folder: Codable, Sendable, Equatable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
        var folders: [Folder]
      }
      func payload(_ count: Int) -> String {
        (1...count).reversed().reduce("") { #"{"id": \#($1), "folders": [\#($0)]}"# }
      }
      let store = try await Store(location)
      for _ in 1...2 {
        let folder = try await store.decode(Folder.self, payload(30))
        try expect(folder.folders.first?.folders.first?.id, is: 3)
        try expect(try await store.count(Folder.self), is: 30)
        try expect(try await store.fetch(Folder.self, key: 1), is: folder)
      }
      var changes = store.changes(of: Folder.self).makeAsyncIterator()
      try await store.decode(Folder.self, payload(31))
      let counts = await changes.next()
      try expect([counts?.inserted, counts?.updated], is: [1, 1])
    },
    Case("referenced models have their own rows and are restored in the model that refers to them") { location in
      let context = try await Store(location).context
      let players = [
        Player(id: 1, team: red, former: nil, homes: [flat, house], summer: house),
        Player(id: 2, team: red, former: blue, homes: [], summer: nil),
      ]
      try expect(try await context.save(players), is: .init(inserted: 2))
      try expect(try await context.fetch(Player.self), is: players)
      try expect(try await context.fetch(Player.self, key: 2), is: players[1])
      try expect(try await context.fetch(Team.self), is: [blue, red])
      try expect(try await context.fetch(Place.self), is: [house, flat])
      try expect(try await context.save(players), is: .init(unchanged: 2))
      var streamed: [Player] = []
      for try await player in context.stream(Player.self, pageSize: 1) { streamed.append(player) }
      try expect(streamed, is: players)
      // The key identifies the row.
      try expect(
        try await context.fetch(Player.self, where: StoredColumn<Player, String?>("former") == "blue").map(\.id),
        is: [2])
      try expect(
        try await context.fetch(Player.self, where: StoredColumn<Player, Place?>("summer") == nil).map(\.id), is: [2])
    },
    Case("nested payloads find, update and create the referenced models") { location in
      let context = try await Store(location).context
      try await context.save(red)
      let player = try await context.decode(
        Player.self, #"{"id": 1, "team": {"name": "red"}, "homes": [{"country": "de", "number": 1, "name": "h"}]}"#)
      try expect(player, is: Player(id: 1, team: red, former: nil, homes: [house], summer: nil))
      // This is another team, not a new name for the same team.
      try await context.decode(
        Player.self, #"{"id": 1, "team": {"name": "blue"}, "former": {"name": "red", "motto": "gone"}}"#)
      let moved = Player(id: 1, team: blue, former: Team(name: "red", motto: "gone"), homes: [house], summer: nil)
      try expect(try await context.fetch(Player.self), is: [moved])
      try expect(try await context.fetch(Team.self), is: [blue, Team(name: "red", motto: "gone")])
      // The list is replaced, and the models in it are updated. null removes the reference, while the referenced row is kept.
      try await context.decode(
        Player.self,
        #"{"id": 1, "former": null, "homes": [{"country": "de", "number": 2}, {"country": "de", "number": 1, "name": null}]}"#
      )
      let last = Player(id: 1, team: blue, former: nil, homes: [flat, Place(country: "de", number: 1)], summer: nil)
      try expect(try await context.fetch(Player.self), is: [last])
      try expect(try await context.count(Team.self), is: 2)
    },
    Case("the payloads of a list share referenced models, and only the rows of the list are counted") { location in
      let context = try await Store(location).context
      let inputs = (0..<600).map { id in
        #"{"id": \#(id), "team": {"name": "t\#(id % 3)", "motto": "\#(id)"}, "homes": [{"country": "x", "number": \#(id % 2)}]}"#
      }
      let list = try await context.decode([Player].self, "[\(inputs.joined(separator: ","))]")
      try expect(list.changes, is: .init(inserted: 600))
      try expect(try await context.fetch(Team.self).map(\.motto), is: ["597", "598", "599"])
      try expect(try await context.count(Place.self), is: 2)
      let players = try await context.fetch(Player.self)
      try expect(players.count, is: 600)
      try expect(Set(players.map(\.team.motto)), is: ["597", "598", "599"])
      let again = try await context.decode([Player].self, "[\(inputs.joined(separator: ","))]")
      try expect(again.changes, is: .init(unchanged: 600))
    },
    Case("a change of a referenced model is visible in all models that refer to it") { location in
      let context = try await Store(location).context
      try await context.save([1, 2].map { Player(id: $0, team: red, former: nil, homes: [], summer: nil) })
      try await context.decode(Team.self, #"{"name": "red", "motto": "new"}"#)
      try expect(try await context.fetch(Player.self).map(\.team.motto), is: ["new", "new"])
    },
    Case("models can refer to models of the same type") { location in
      let context = try await Store(location).context
      let leaf = Branch(name: "leaf", children: [], size: 1)
      let tree = Branch(
        name: "root", children: [Branch(name: "a", children: [leaf]), Branch(name: "b", children: [leaf])])
      try await context.save(tree)
      try expect(try await context.fetch(Branch.self, key: "root"), is: tree)
      try expect(try await context.count(Branch.self), is: 4)
      try await context.decode(Branch.self, #"{"name": "root", "children": [{"name": "leaf", "size": 2}]}"#)
      try expect(
        try await context.fetch(Branch.self, key: "root")?.children, is: [Branch(name: "leaf", children: [], size: 2)])
    },
    Case("a cycle of references is an error and does not hang") { location in
      let context = try await Store(location).context
      let tree = Branch(name: "a", children: [Branch(name: "b", children: [])])
      try await context.save(tree)
      for json in [#"{"name": "b", "children": [{"name": "a"}]}"#, #"{"name": "b", "children": [{"name": "b"}]}"#] {
        try await expectError(.invalidValue, naming: "Branch") { try await context.decode(Branch.self, json) }
        try await expectError(.invalidValue, naming: "Branch") {
          _ = try await context.decode([Branch].self, "[\(json)]")
        }
      }
      let back = Branch(name: "b", children: [tree])
      try await expectError(.invalidValue, naming: "Branch") { try await context.save(back) }
      // None of the changes was stored.
      try expect(try await context.fetch(Branch.self, key: "a"), is: tree)
      try expect(try await context.count(Branch.self), is: 2)
    },
    Case("a payload that refers to itself is rejected, whether or not its row exists") { location in
      let context = try await Store(location).context
      for _ in 0..<2 {
        try await expectError(.invalidValue, naming: "Branch") {
          try await context.decode(Branch.self, #"{"name": "x", "children": [{"name": "x", "children": []}]}"#)
        }
        try await context.save(Branch(name: "y", children: []))
      }
      try expect(try await context.fetch(Branch.self).map(\.name), is: ["y"])
    },
    Case("too long a chain of references is an error and does not overflow the stack") { location in
      let context = try await Store(location).context
      try await context.perform { context in
        for number in 0..<1_200 {
          let json = #"{"name": "\#(number)", "children": [{"name": "\#(number + 1)", "children": []}]}"#
          try Branch.createOrUpdate(in: context, from: decoder(json))
        }
      }
      try await expectError(.invalidValue, naming: "Branch") { _ = try await context.fetch(Branch.self, key: "0") }
      try expect(try await context.fetch(Branch.self, key: "1100")?.children.first?.name, is: "1101")
    },
    Case("references may be in optionals that are encoded explicitly") { location in
      let context = try await Store(location).context
      try await context.save([Holder(id: 1, held: red), Holder(id: 2, held: nil)])
      try expect(try await context.fetch(Holder<Team>.self), is: [Holder(id: 1, held: red), Holder(id: 2, held: nil)])
      try expect(try await context.fetch(Team.self), is: [red])
      try await context.decode(Holder<Team>.self, #"{"id": 2, "held": {"name": "red", "motto": "new"}}"#)
      try expect(try await context.fetch(Holder<Team>.self).map(\.held?.motto), is: ["new", "new"])
    },
    Case("a referenced row cannot be deleted, but deleted rows are removed from lists") { location in
      let context = try await Store(location).context
      try await context.save(Player(id: 1, team: red, former: nil, homes: [house, flat], summer: house))
      try await expectError(.constraint(.foreignKey), naming: "Player", "Team") { try await context.delete(red) }
      try await context.perform { context in
        // Only the final state counts.
        try context.delete(red)
        try context.save(red)
      }
      try await context.delete(house)
      try expect(
        try await context.fetch(Player.self), is: [Player(id: 1, team: red, former: nil, homes: [flat], summer: nil)])
      try await context.delete(Player.self, where: .all)
      try expect(try await context.delete(red), is: true)
    },
    Case(
      "models without match keys, and models in other values, are stored in the model that contains them"
    ) { location in
      let context = try await Store(location).context
      let album = Album(title: "t", note: Note(text: "n"), byYear: ["1999": red])
      try await context.save(album)
      try expect(try await context.fetch(Album.self), is: [album])
      try await context.decode(Album.self, #"{"title": "t", "note": {"text": "m"}}"#)
      try expect(try await context.fetch(Album.self, key: "t")?.note.text, is: "m")
      try expect(try await context.count(Note.self), is: 0)
      try expect(try await context.count(Team.self), is: 0)
    },
  ]
}

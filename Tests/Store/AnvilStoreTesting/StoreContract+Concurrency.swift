internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  struct Counter: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var total: Int
    var parts: [String: Int]?
  }

  /// A row that other rows contain.
  struct Squad: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
    var points: Int
  }

  struct Rower: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var squad: Squad
    var former: [Squad]
    var nick: String?
  }

  static let concurrencyCases: [Case] = [
    Case("tasks that update models contained in other models lose no updates") { location in
      let context = try await Store(location).context
      func squad(_ name: String) -> Squad { Squad(name: name, points: 0) }
      try await context.save((0..<8).map { Rower(id: $0, squad: squad("a"), former: [squad("b"), squad("c")]) })
      try await withThrowingTaskGroup { group in
        for task in 0..<200 {
          group.addTask {
            try await context.perform { context in
              let id = task % 8
              switch task % 4 {
              case 0:
                guard var squad = try context.fetch(Rower.self, key: id)?.squad else { return }
                squad.points += 1
                try context.save(squad)
              case 1:
                guard var squads = try context.fetch(Rower.self).first(where: { $0.id == id })?.former else { return }
                for index in squads.indices { squads[index].points += 1 }
                try context.save(squads)
              case 2:
                guard var rower = try context.fetch(Rower.self, key: id) else { return }
                rower.squad.points += 1
                for index in rower.former.indices { rower.former[index].points += 1 }
                try context.save(rower)
              default:
                // The payload has no squads, so their rows keep their values.
                let payloads = (0..<8).map { #"{"id": \#($0), "nick": "\#(task)"}"# }.joined(separator: ",")
                _ = try context.createOrUpdate([Rower].self, from: decoder("[\(payloads)]"))
                try Rower.createOrUpdate(in: context, from: decoder(#"{"id": \#(id), "nick": "-\#(task)"}"#))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      try expect(
        try await context.fetch(Squad.self),
        is: [Squad(name: "a", points: 100), Squad(name: "b", points: 100), Squad(name: "c", points: 100)])
    },
    Case("200 tasks that update the same keys lose no updates and create no duplicates") { location in
      let context = try await Store(location).context
      try await withThrowingTaskGroup { group in
        for task in 0..<200 {
          group.addTask {
            try await context.perform { context in
              for key in [task % 7, 100 + task % 3] {
                let known = try context.fetch(Counter.self, key: key)?.total ?? 0
                try Counter.createOrUpdate(in: context, from: decoder(#"{"id": \#(key), "total": \#(known + 1)}"#))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let counters = try await context.fetch(Counter.self)
      try expect(counters.map(\.id), is: [0, 1, 2, 3, 4, 5, 6, 100, 101, 102])
      try expect(counters.map(\.total), is: [29, 29, 29, 29, 28, 28, 28, 67, 67, 66])
    },
    Case("tasks that use new entities concurrently create their tables and rows once") { location in
      let context = try await Store(location).context
      try await context.save(Team(name: "t0"))
      try await withThrowingTaskGroup { group in
        for task in 0..<40 {
          group.addTask {
            try await context.perform { context in
              let team = Team(name: "t\(task % 4)")
              try context.save(Player(id: task, team: team, former: nil, homes: [], summer: nil))
              try context.save(Album(title: "\(task)", note: Note(text: "n"), byYear: [:]))
            }
          }
        }
        try await group.waitForAll()
      }
      try expect(try await context.fetch(Player.self).map(\.team.name), is: (0..<40).map { "t\($0 % 4)" })
      try expect(try await context.count(Team.self), is: 4)
      try expect(try await context.count(Album.self), is: 40)
    },
    Case("stores that insert the same keys at the same time create each row once", needs: [.sharing]) { location in
      var stores: [Store] = []
      for _ in 0..<4 { stores.append(try await Store(location)) }
      try await withThrowingTaskGroup { group in
        for (index, store) in stores.enumerated() {
          for round in 0..<5 {
            group.addTask {
              // Each input has a different order. Some keys are decoded as lists and some as single values.
              let ids = (0..<60).map { ($0 * 7 + index * 13 + round * 29) % 60 }
              let inputs = ids.map { #"{"id": \#($0), "total": \#($0)}"# }.joined(separator: ",")
              _ = try await store.context.decode([Counter].self, "[\(inputs)]")
              _ = try await store.context.save(ids.map { User(id: $0, login: "u\($0)") })
            }
          }
        }
        try await group.waitForAll()
      }
      let counters = try await stores[0].context.fetch(Counter.self)
      try expect(counters, is: (0..<60).map { Counter(id: $0, total: $0) })
      try expect(try await stores[1].context.fetch(User.self), is: (0..<60).map { User(id: $0, login: "u\($0)") })
      for store in stores { await store.close() }
    },
    Case("concurrent payloads with different attributes of a new row are both stored", needs: [.sharing]) { location in
      let first = try await Store(location)
      let second = try await Store(location)
      for id in 0..<20 {
        async let one = first.context.decode([User].self, #"[{"id": \#(id), "login": "a", "age": 5}]"#)
        async let other = second.context.decode([User].self, #"[{"id": \#(id), "login": "a", "tags": ["x"]}]"#)
        _ = try await (one, other)
      }
      try expect(
        try await first.context.fetch(User.self), is: (0..<20).map { User(id: $0, login: "a", age: 5, tags: ["x"]) })
      await first.close()
      await second.close()
    },
    Case("reading does not wait for writing", needs: [.sharing]) { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      let gate = Gate()
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let writer = Task {
        try await context.perform { context in
          try context.save(User(id: 2, login: "b"))
          start.finish()
          gate.wait()
        }
      }
      for await _ in started {}
      for _ in 0..<10 { try expect(try await context.count(User.self), is: 1) }
      gate.open()
      try await writer.value
      try expect(try await context.count(User.self), is: 2)
    },
  ]
}

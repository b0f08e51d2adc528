internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  struct Counter: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var total: Int
    var parts: [String: Int]?
  }

  static let concurrencyCases: [Case] = [
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

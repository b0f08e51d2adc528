internal import AnvilBase
package import AnvilClient
internal import AnvilHTTP

/// The requirements on every `CacheStorage`, as test cases that run against an implementation.
///
///     @Test(arguments: CacheStorageContract.cases)
///     func holds(_ contractCase: CacheStorageContract.Case) async throws {
///       try await contractCase.run { limit in MemoryCacheStorage(sizeLimit: limit) }
///     }
package enum CacheStorageContract {
  package struct Case: Sendable, CustomStringConvertible {
    /// The requirement, in words.
    package let description: String
    let limit: Int
    let body: @Sendable (any CacheStorage) async throws -> Void

    init(
      _ description: String, limit: Int = 1 << 20, _ body: @escaping @Sendable (any CacheStorage) async throws -> Void
    ) {
      (self.description, self.limit, self.body) = (description, limit, body)
    }

    /// Runs the case on a storage that `make` creates. The storage is empty and has a limit of `limit` bytes.
    package func run(_ make: @Sendable (_ limit: Int) async throws -> any CacheStorage) async throws {
      try await body(try await make(limit))
    }
  }

  package static let cases: [Case] = [
    Case("a stored entry can be found and its body read") { storage in
      let (key, entry) = (try makeKey("/a"), entry("1"))
      try await storage.store(entry, body: body("one"), for: key)
      try expect(try await storage.entries(for: key), is: [entry])
      try expect(try await storage.body(of: entry, for: key), is: body("one"))
      try expect(try await storage.entries(for: try makeKey("/b")), is: [])
    },
    Case("bodies may be empty or long") { storage in
      let (key, empty, long) = (try makeKey("/a"), entry("1", length: 0), entry("2", length: 300_000))
      let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try await storage.store(empty, body: Data(), for: key)
      try await storage.store(long, body: bytes, for: key)
      try expect(try await storage.body(of: empty, for: key), is: Data())
      try expect(try await storage.body(of: long, for: key), is: bytes)
    },
    Case("a URL can have an entry for each variant") { storage in
      let (key, one, two) = (try makeKey("/a"), entry("1"), entry("2"))
      try await storage.store(one, body: body("one"), for: key)
      try await storage.store(two, body: body("two"), for: key)
      try expect(Set(try await storage.entries(for: key)), is: [one, two])
      try expect(try await storage.body(of: two, for: key), is: body("two"))
    },
    Case("an entry replaces the entry of the same variant") { storage in
      let (key, old, new) = (try makeKey("/a"), entry("1"), entry("1"))
      try await storage.store(old, body: body("old"), for: key)
      try await storage.store(new, body: body("new"), for: key)
      try expect(try await storage.entries(for: key), is: [new])
      try expect(try await storage.body(of: new, for: key), is: body("new"))
      try expect(try await storage.body(of: old, for: key), is: nil)
    },
    Case("an update changes the fields and keeps the body") { storage in
      let (key, old) = (try makeKey("/a"), entry("1"))
      try await storage.store(old, body: body("one"), for: key)
      let new = old.updated(
        with: ["X-A": "b"], requestTime: Date(timeIntervalSince1970: 5), responseTime: Date(timeIntervalSince1970: 6.5))
      try await storage.update(new, for: key)
      try expect(try await storage.entries(for: key), is: [new])
      try expect(try await storage.body(of: new, for: key), is: body("one"))
    },
    Case("updating or removing an entry that does not exist has no effect") { storage in
      let (key, old, new) = (try makeKey("/a"), entry("1"), entry("1"))
      try await storage.update(old, for: key)
      try await storage.remove(old, for: key)
      try expect(try await storage.entries(for: key), is: [])
      try await storage.store(new, body: body("new"), for: key)
      try await storage.update(old, for: key)
      try await storage.remove(old, for: key)
      try expect(try await storage.entries(for: key), is: [new])
    },
    Case("removing an entry removes only that entry") { storage in
      let (key, one, two) = (try makeKey("/a"), entry("1"), entry("2"))
      try await storage.store(one, body: body("one"), for: key)
      try await storage.store(two, body: body("two"), for: key)
      try await storage.remove(one, for: key)
      try expect(try await storage.entries(for: key), is: [two])
      try expect(try await storage.body(of: one, for: key), is: nil)
    },
    Case("all entries for a URL are removed together") { storage in
      let (key, other) = (try makeKey("/a"), try makeKey("/b"))
      for variant in ["1", "2"] {
        try await storage.store(entry(variant), body: body("one"), for: key)
        try await storage.store(entry(variant), body: body("one"), for: other)
      }
      try await storage.removeAll(for: key)
      try expect(try await storage.entries(for: key), is: [])
      try expect(try await storage.entries(for: other).count, is: 2)
      try await storage.removeAll()
      try expect(try await storage.entries(for: other), is: [])
    },
    Case("the least recently used entry is evicted first", limit: 4_000) { storage in
      let keys = try (0..<4).map { try makeKey("/\($0)") }
      let entries = (0..<4).map { entry("\($0)", length: 1_000) }
      for index in 0..<3 {
        try await storage.store(entries[index], body: Data(count: 1_000), for: keys[index])
      }
      _ = try await storage.body(of: entries[0], for: keys[0])
      try await storage.store(entries[3], body: Data(count: 1_000), for: keys[3])
      for (index, isThere) in [true, false, true, true].enumerated() {
        try expect(try await storage.body(of: entries[index], for: keys[index]) != nil, is: isThere)
        try expect(try await storage.entries(for: keys[index]).count, is: isThere ? 1 : 0)
      }
    },
    Case("an entry larger than the storage is not stored, but removes the entry that it replaces", limit: 4_000) {
      storage in
      let (key, other) = (try makeKey("/a"), try makeKey("/b"))
      try await storage.store(entry("1"), body: body("one"), for: key)
      try await storage.store(entry("1"), body: body("one"), for: other)
      try await storage.store(entry("1", length: 4_000), body: Data(count: 4_000), for: key)
      try expect(try await storage.entries(for: key), is: [])
      try expect(try await storage.entries(for: other).count, is: 1)
    },
    Case("replacing and removing entries frees their space", limit: 4_000) { storage in
      let key = try makeKey("/a")
      for _ in 0..<100 { try await storage.store(entry("1", length: 3_000), body: Data(count: 3_000), for: key) }
      let last = entry("1", length: 3_000)
      try await storage.store(last, body: Data(count: 3_000), for: key)
      try await storage.removeAll(for: key)
      let others = try (0..<3).map { (try makeKey("/\($0)"), entry("1", length: 1_000)) }
      for (key, entry) in others { try await storage.store(entry, body: Data(count: 1_000), for: key) }
      for (key, entry) in others { try expect(try await storage.entries(for: key), is: [entry]) }
    },
    Case("concurrent tasks never read the body of another entry", limit: 20_000) { storage in
      let keys = try (0..<4).map { try makeKey("/\($0)") }
      try await TransportContract.concurrently(8) { task in
        for round in 0..<20 {
          let key = keys[(task + round) % keys.count]
          let text = "\(task).\(round)"
          try await storage.store(entry("1", length: text.utf8.count), body: body(text), for: key)
          for entry in try await storage.entries(for: key) {
            let found = try await storage.body(of: entry, for: key)
            try expect(found == nil || found?.count == entry.bodyLength, "\(entry) has the body of another entry")
          }
        }
      }
      for key in keys { try expect(try await storage.entries(for: key).count, is: 1) }
    },
  ]

  private static func makeKey(_ path: String) throws -> CacheKey {
    try require(URL(string: "https://api.example.com\(path)").flatMap(CacheKey.init), "key")
  }

  private static func body(_ text: String) -> Data { Data(text.utf8) }

  private static func entry(_ variant: String, length: Int = 3) -> CacheEntry {
    CacheEntry(
      variant: variant, varyingFields: ["accept", "x-a"], status: 203,
      headers: [.contentType: "text/plain", .setCookie: "a=1", .setCookie: "b=é \"2\"", "X-A": ""],
      requestTime: Date(timeIntervalSince1970: 1.25), responseTime: Date(timeIntervalSince1970: 2.5),
      bodyLength: length)
  }
}

import AnvilBase
import AnvilSQLite
import AnvilStore
import AnvilTestSupport
import Foundation
import Testing

/// Copies of databases that are in use.
@Suite(.timeLimit(.minutes(15))) struct BackupTests {
  struct Entry: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-backup-\(UUID().uuidString)")

  private func withFolder(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  @Test func theCopyIsADatabaseOfItsOwn() async throws {
    try await withFolder {
      for location in [Store.Location.inMemory, .sqlite(path: path("original.db"))] {
        let copied = path("it's a copy \(UUID().uuidString).db")
        let store = try await Store(location)
        try await store.save([Entry(id: 1, text: "a"), Entry(id: 2, text: "b")])
        try await store.backUp(to: copied)
        try await store.save(Entry(id: 1, text: "changed"))
        let copy = try await Store(.sqlite(path: copied))
        #expect(try await copy.fetch(Entry.self) == [Entry(id: 1, text: "a"), Entry(id: 2, text: "b")])
        try await copy.save(Entry(id: 3, text: "c"))
        #expect(try await store.count(Entry.self) == 2)
        await copy.close()
        await store.close()
      }
    }
  }

  @Test func anOpenTransactionIsNotInTheCopy() async throws {
    try await withFolder {
      let store = try await Store(.sqlite(path: path("original.db")))
      try await store.save(Entry(id: 1, text: "a"))
      let copied = path("copy.db")
      let other = try await Store(.sqlite(path: path("original.db")))
      let written = AsyncStream.makeStream(of: Void.self)
      let mayCommit = DispatchSemaphore(value: 0)  // the thread belongs to the store
      async let writing: Void = other.perform { transaction in
        try transaction.save(Entry(id: 2, text: "b"))
        written.continuation.finish()
        mayCommit.wait()
      }
      for await _ in written.stream {}
      try await store.backUp(to: copied)
      mayCommit.signal()
      try await writing
      let copy = try await Store(.sqlite(path: copied))
      #expect(try await copy.fetch(Entry.self) == [Entry(id: 1, text: "a")])
      #expect(try await store.count(Entry.self) == 2)
      for each in [copy, other, store] { await each.close() }
    }
  }

  @Test func anExistingFileIsNotReplaced() async throws {
    try await withFolder {
      let store = try await Store(.sqlite(path: path("original.db")))
      try await store.save(Entry(id: 1, text: "a"))
      try Data("something else".utf8).write(to: folder.appending(path: "notes.txt"))
      for taken in ["notes.txt", "original.db", "missing/copy.db", ""] {
        let error = await #expect(throws: StoreError.self, "\(taken)") {
          try await store.backUp(to: taken.isEmpty ? "" : path(taken))
        }
        #expect(!taken.contains("o") || error?.code == .cannotOpen)
      }
      #expect(try String(contentsOf: folder.appending(path: "notes.txt"), encoding: .utf8) == "something else")
      #expect(try await store.fetch(Entry.self) == [Entry(id: 1, text: "a")])
      await store.close()
    }
  }

  @Test func aCancelledTaskWritesNoCopy() async throws {
    try await withFolder {
      let store = try await Store(.sqlite(path: path("original.db")))
      try await store.save(Entry(id: 1, text: "a"))
      let copied = path("copy.db")
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await store.backUp(to: copied)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(!FileManager.default.fileExists(atPath: copied))
      await store.close()
    }
  }
}

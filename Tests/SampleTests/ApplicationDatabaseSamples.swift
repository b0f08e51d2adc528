import AnvilSQLite
import AnvilTestSupport
import Foundation
import Testing

/// The samples of the guide "An application's database".
@Suite(.timeLimit(.minutes(15))) struct ApplicationDatabaseSamples {
  // sample: models
  @StoredModel
  struct Note: Identifiable, Hashable {
    @MatchKey var id: UUID = UUID()
    var title: String
    var text: String = ""
    var isPinned: Bool = false
    var changedAt: Date = Date()
    var notebook: Reference<Notebook>?
    var tags: [Reference<Tag>] = []
  }

  @StoredModel
  struct Notebook: Identifiable, Hashable {
    @MatchKey var id: UUID = UUID()
    var name: String
  }

  @StoredModel
  struct Tag: Identifiable, Hashable {
    @MatchKey var id: String
    var color: String = "gray"
  }
  // end sample

  // sample: migrations
  let migrations: [StoreMigration] = [
    .rename("heading", to: "title", in: "Note"),  // 2.0
    .drop("folder", in: "Note"),
    .index("changedAt", in: "Note"),  // 3.0
    .sql("CREATE VIRTUAL TABLE note_search USING fts5(title, text, id UNINDEXED)"),
  ]
  // end sample

  // sample: view model
  @MainActor
  final class NoteList {
    private(set) var notes: [Note] = []
    private var task: Task<Void, any Error>?

    func follow(_ store: Store, matching text: String = "") {
      task?.cancel()
      task = Task {
        let values = store.values(
          of: Note.self, where: text.isEmpty ? .all : .contains(\.title, text), orderedBy: [.descending(\.changedAt)])
        for try await notes in values { self.notes = notes }
      }
    }

    func stop() { task?.cancel() }
  }
  // end sample

  // sample: search
  func save(_ note: Note, in store: Store) async throws {
    try await store.perform { transaction in
      try transaction.save(note)
      try transaction.execute("DELETE FROM note_search WHERE id = \(note.id)")
      try transaction.execute(
        "INSERT INTO note_search (title, text, id) VALUES (\(note.title), \(note.text), \(note.id))")
    }
  }

  struct Hit: Decodable { var id: UUID }

  func search(_ words: String, in store: Store) async throws -> [Note] {
    try await store.read { transaction in
      let hits = try transaction.fetch(
        Hit.self, sql: "SELECT id FROM note_search WHERE note_search MATCH \(words) ORDER BY rank LIMIT 20")
      return try hits.compactMap { try transaction.fetch(Note.self, key: $0.id) }
    }
  }
  // end sample

  // sample: test
  @Test func searchFindsWords() async throws {
    let store = try await Store(.inMemory, migrations: migrations)
    try await save(Note(title: "Plan", text: "ship the release"), in: store)
    try await save(Note(title: "Lunch", text: "noodles"), in: store)
    #expect(try await search("release", in: store).map(\.title) == ["Plan"])
  }
  // end sample

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func notesAreKept() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "notes.db").path()
      // sample: open
      let store = try await Store(.sqlite(path: path), migrations: migrations)

      let work = Notebook(name: "Work")
      let urgent = Tag(id: "urgent", color: "red")
      try await store.perform { transaction in  // all of it or nothing
        try transaction.save(work)
        try transaction.save(urgent)
        try transaction.save([
          Note(title: "Plan", text: "ship the release", notebook: Reference(to: work), tags: [Reference(to: urgent)]),
          Note(title: "Lunch", text: "noodles"),
        ])
      }

      let notes = try await store.fetch(
        Note.self, where: \.notebook.name == "Work" || .any(\.tags, where: \.color == "red"),
        orderedBy: [.descending(\.isPinned), .descending(\.changedAt)], limit: 50)
      // end sample
      #expect(notes.map(\.title) == ["Plan"])
      // sample: with
      for (note, notebook) in try await store.fetch(Note.self, with: \.notebook) {
        print(note.title, notebook?.name ?? "no notebook")
      }
      // end sample
      let list = NoteList()
      await list.follow(store, matching: "an")
      await waitUntil { await list.notes.map(\.title) == ["Plan"] }
      try await save(Note(title: "Another plan"), in: store)
      await waitUntil { await Set(list.notes.map(\.title)) == ["Plan", "Another plan"] }
      await list.stop()

      let backup = folder.appending(path: "backup.db").path()
      // sample: backup
      try await store.backUp(to: backup)
      // end sample
      let copy = try await Store(.sqlite(path: backup), migrations: migrations)
      #expect(try await copy.count(Note.self) == 3)
      #expect(try await search("another", in: copy).map(\.title) == ["Another plan"])
      await copy.close()
      await store.close()
    }
  }

  @StoredModel
  struct FirstNote {
    static let entityName = "Note"
    @MatchKey var id: UUID
    var heading: String
    var folder: String?
  }

  @StoredModel
  struct SecondNote {
    static let entityName = "Note"
    @MatchKey var id: UUID
    var title: String
  }

  /// Files of the versions 1.0 and 2.0 are brought up to date.
  @Test(arguments: [0, 2]) func filesOfEarlierVersionsAreOpened(applied: Int) async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "notes.db").path()
      let old = try await Store(.sqlite(path: path), migrations: Array(migrations.prefix(applied)))
      if applied == 0 {
        try await old.save(FirstNote(id: UUID(), heading: "Old", folder: "In"))
      } else {
        try await old.save(SecondNote(id: UUID(), title: "Old"))
      }
      await old.close()
      let store = try await Store(.sqlite(path: path), migrations: migrations)
      #expect(try await store.fetch(Note.self).map(\.title) == ["Old"])
      #expect(try await search("anything", in: store) == [])
      await store.close()
    }
  }
}

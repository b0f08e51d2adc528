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
    .add("text", default: "", in: "Note"),
    .sql("CREATE VIRTUAL TABLE note_search USING fts5(id, title, text)"),
    .sql(#"INSERT INTO note_search SELECT id, title, text FROM "Note""#, in: "Note"),  // not in a new file
  ]
  // end sample

  // sample: view model
  @MainActor
  final class NoteList {
    private(set) var notes: [Note] = []
    private(set) var error: (any Error)?
    private var task: Task<Void, Never>?

    func follow(_ store: Store, matching text: String = "") {
      task?.cancel()
      let values = store.values(
        of: Note.self, where: text.isEmpty ? .all : .contains(\.title, text), orderedBy: [.descending(\.changedAt)])
      task = Task { [weak self] in
        do {
          for try await notes in values { self?.notes = notes }
        } catch {
          self?.error = error
        }
      }
    }

    deinit { task?.cancel() }
  }
  // end sample

  // sample: search
  func save(_ note: Note, in store: Store) async throws {
    try await store.perform { transaction in
      try transaction.save(note)
      try removeFromSearch(note, transaction)
      try transaction.execute(
        "INSERT INTO note_search (id, title, text) VALUES (\(note.id), \(note.title), \(note.text))")
    }
  }

  func delete(_ note: Note, in store: Store) async throws {
    try await store.perform { transaction in
      try transaction.delete(note)
      try removeFromSearch(note, transaction)
    }
  }

  func removeFromSearch(_ note: Note, _ transaction: StoreTransaction) throws {
    let entry = "id : \"\(note.id)\""  // for ids of one length; id = … would read all entries
    try transaction.execute("DELETE FROM note_search WHERE note_search MATCH \(entry)")
  }

  func search(_ words: String, in store: Store) async throws -> [Note] {
    // In quotation marks, signs such as ' and + have no special meaning.
    let query = words.split(separator: " ").map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: " ")
    guard !query.isEmpty else { return [] }
    return try await store.read { transaction in
      let ids = try transaction.fetch(
        UUID.self,
        sql: "SELECT id FROM note_search WHERE note_search MATCH \("{title text} : (\(query))") ORDER BY rank LIMIT 20")
      let notes = try transaction.fetch(Note.self, where: .isAmong(\.id, ids))
      return ids.compactMap { id in notes.first { $0.id == id } }
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

  /// Follows the notes until a list is released.
  @MainActor
  private func follow(_ store: Store) async throws {
    var list: NoteList? = NoteList()
    list?.follow(store, matching: "an")
    await waitUntil { list?.notes.map(\.title) == ["Plan"] }
    try await save(Note(title: "Another plan"), in: store)
    await waitUntil { Set(list?.notes.map(\.title) ?? []) == ["Plan", "Another plan"] }
    #expect(list?.error == nil)
    weak let released = list
    list = nil
    await waitUntil { released == nil }
  }

  @Test func searchFollowsTheNotes() async throws {
    let store = try await Store(.inMemory, migrations: migrations)
    var plan = Note(title: "Plan", text: "ship the release")
    try await save(plan, in: store)
    try await save(Note(title: "Release"), in: store)
    plan.text = "ship the fix"
    try await save(plan, in: store)
    #expect(try await search("release", in: store).map(\.title) == ["Release"])
    #expect(try await search("ship plan", in: store) == [plan])
    for words in ["don't", "C++", "a-b", "", " ", "\"", "ship OR", "NEAR(", "*", "title:", "ship\u{1F600}"] {
      _ = try await search(words, in: store)
    }
    #expect(try await search("ship-the", in: store) == [plan])
    #expect(try await search("\(plan.id.uuidString.prefix(8))", in: store) == [])
    try await delete(plan, in: store)
    #expect(try await search("ship", in: store) == [])
    let entries = try await store.read { try $0.fetch(Int.self, sql: "SELECT count(*) FROM note_search") }
    #expect(entries == [1])
  }

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
      try await follow(store)

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
      #expect(try await search("old", in: store).map(\.title) == ["Old"])
      await store.close()
    }
  }
}

import AnvilSQLite
import AnvilStore
import Foundation
import Testing

@StoredModel
private struct Notebook: Equatable, Identifiable {
  @MatchKey var id: UUID
  var name: String
}

@StoredModel
private struct Tag: Equatable, Identifiable {
  @MatchKey var id: Int
  var name: String
}

@StoredModel
private struct OldNote {
  static let entityName = "Note"
  @MatchKey var id: Int
}

@StoredModel
private struct Note: Equatable {
  @MatchKey var id: Int
  var notebook: Reference<Notebook>?
  var tags: [Reference<Tag>]?
}

/// Columns with references that SQL has added, whose declaration only says that they contain text.
@Suite struct AddedReferenceTests {
  @Test func referencesInAddedColumnsAreFollowed() async throws {
    let store = try await Store(.inMemory)
    let work = Notebook(id: UUID(), name: "Work")
    try await store.save(work)
    try await store.save([Tag(id: 1, name: "red"), Tag(id: 2, name: "blue")])
    try await store.save([OldNote(id: 1), OldNote(id: 2)])
    try await store.perform { transaction in
      _ = try transaction.execute("ALTER TABLE Note ADD COLUMN notebook TEXT")
      _ = try transaction.execute("ALTER TABLE Note ADD COLUMN tags TEXT")
      _ = try transaction.execute("UPDATE Note SET notebook = \(work.id), tags = '[2, 1]' WHERE id = 1")
    }
    #expect(try await store.fetch(Note.self, where: \.notebook.name == "Work").map(\.id) == [1])
    #expect(try await store.fetch(Note.self, where: \.notebook.id == work.id).map(\.id) == [1])
    #expect(try await store.fetch(Note.self, where: .any(\.tags, where: \.name == "red")).map(\.id) == [1])
    let books = try await store.fetch(Note.self, with: \.notebook)
    #expect(books.map(\.1) == [work, nil])
    let tags = try await store.fetch(Note.self, with: \.tags)
    #expect(tags.map { $0.1.map(\.id) } == [[2, 1], []])
    #expect(try await store.fetch(Note.self, orderedBy: [.descending(\.notebook.name)]).map(\.id) == [1, 2])
  }
}

/// How rows are written: into which columns of which table, and what becomes of a row that is there under the same key.
///
/// One is made for many writes; a connection may keep what it makes of it for as long as it likes.
package final class RowWriting: Sendable {
  /// What becomes of a row that has the key of one that is written.
  package enum ExistingRow: Sendable {
    /// It takes over the values, unless it has all of them already; its other columns stay.
    case updated
    /// It stays, and the write fails with ``StoreError/Code/conflict``: it was not there a moment ago.
    case isConflict
  }

  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: StoredType

    package init(_ name: String, _ type: StoredType) {
      self.name = name
      self.type = type
    }
  }

  package let table: String
  /// The columns in the order of the values.
  package let columns: [Column]
  /// The names of those columns that are the table's primary key; none when each row is a new one.
  package let keyNames: [String]
  package let existingRow: ExistingRow

  package init(table: String, columns: [Column], keyNames: [String], existingRow: ExistingRow) {
    self.table = table
    self.columns = columns
    self.keyNames = keyNames
    self.existingRow = existingRow
  }

  /// How many rows came to be, and how many of those that were there changed. All others were equal to what was written.
  package struct Outcome: Hashable, Sendable {
    package var inserted: Int
    package var updated: Int

    package init(inserted: Int = 0, updated: Int = 0) {
      self.inserted = inserted
      self.updated = updated
    }
  }
}

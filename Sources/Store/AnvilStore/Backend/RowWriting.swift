/// The table and the columns that rows are written to, and the treatment of existing rows with the same key.
///
/// One instance is used for many writes. A connection may cache data that it derives from the instance.
package final class RowWriting: Sendable {
  /// The treatment of an existing row with the same key.
  package enum ExistingRow: Sendable {
    /// The row is updated unless it already has all the values. Columns that are not written keep their values.
    case updated
    /// The write fails with ``StoreError/Code/conflict``. Used if the row did not exist when it was looked up.
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
  /// The names of the columns that form the table's primary key. Empty if each row is inserted as a new one.
  package let keyNames: [String]
  package let existingRow: ExistingRow

  package init(table: String, columns: [Column], keyNames: [String], existingRow: ExistingRow) {
    self.table = table
    self.columns = columns
    self.keyNames = keyNames
    self.existingRow = existingRow
  }

  /// The numbers of inserted and updated rows. All other rows already had the written values.
  package struct Outcome: Hashable, Sendable {
    package var inserted: Int
    package var updated: Int

    package init(inserted: Int = 0, updated: Int = 0) {
      self.inserted = inserted
      self.updated = updated
    }
  }
}

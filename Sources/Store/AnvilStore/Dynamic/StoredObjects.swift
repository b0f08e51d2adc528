/// The result of storing objects: the changes to the rows and to their table.
package struct StoredObjects: Hashable, Sendable {
  /// A column whose type changed.
  package struct Widening: Hashable, Sendable {
    package let name: String
    package let from: StoredType
    package let to: StoredType

    package init(name: String, from: StoredType, to: StoredType) {
      self.name = name
      self.from = from
      self.to = to
    }
  }

  /// The changes to the rows. Each row is counted once.
  package var counts = StoreChanges.Counts()
  /// The names of the columns that were added to the table. For a new table, these are all of its columns.
  package var newColumns: [String] = []
  package var widenings: [Widening] = []

  package init() {}
}

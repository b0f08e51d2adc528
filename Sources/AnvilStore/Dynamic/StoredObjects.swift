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
  /// The columns added to the table; for a new table all of them.
  package var newColumns: [String] = []
  package var widenings: [Widening] = []

  package init() {}
}

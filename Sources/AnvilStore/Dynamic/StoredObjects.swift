/// What became of objects that were stored, and of the table that keeps them.
package struct StoredObjects: Hashable, Sendable {
  /// A column that has another type than before.
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

  /// What happened to the rows, each counted once.
  package var counts = StoreChanges.Counts()
  /// The columns that the table did not have before, all of a new one's.
  package var newColumns: [String] = []
  package var widenings: [Widening] = []

  package init() {}
}

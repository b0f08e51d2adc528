/// The changes that a transaction made to rows, by entity.
public struct StoreChanges: Hashable, Sendable {
  /// The number of inserted, updated, unchanged and deleted rows of one entity.
  public struct Counts: Hashable, Sendable {
    /// The number of rows that were added.
    public var inserted = 0
    /// The number of existing rows that have other values now.
    public var updated = 0
    /// The number of existing rows that already had all values and were not written.
    public var unchanged = 0
    /// The number of rows that were removed.
    public var deleted = 0

    /// Creates counts, each 0 by default.
    package init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
      self.inserted = inserted
      self.updated = updated
      self.unchanged = unchanged
      self.deleted = deleted
    }

    /// A Boolean value that indicates whether no row was inserted, updated or deleted.
    public var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

    /// Returns the sum of both counts.
    package static func + (lhs: Counts, rhs: Counts) -> Counts {
      Counts(
        inserted: lhs.inserted + rhs.inserted, updated: lhs.updated + rhs.updated,
        unchanged: lhs.unchanged + rhs.unchanged, deleted: lhs.deleted + rhs.deleted)
    }

    /// Adds the counts of `rhs`.
    package static func += (lhs: inout Counts, rhs: Counts) { lhs = lhs + rhs }
  }

  /// The counts of the entities whose rows changed, by entity name.
  package let entities: [String: Counts]

  init(_ entities: [String: Counts]) {
    self.entities = entities.filter { !$0.value.isEmpty }
  }

  /// Returns the counts of a model's entity; all are 0 if its rows did not change.
  package func counts<Model: ManagedDecodable>(of type: Model.Type) -> Counts { entities[Model.entityName] ?? Counts() }
}

extension StoreChanges.Counts: CustomStringConvertible {
  /// The counts as text, such as `2 inserted, 1 updated, 7 unchanged, 0 deleted`.
  public var description: String {
    "\(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(deleted) deleted"
  }
}

/// What a transaction did to the rows of entities.
public struct StoreChanges: Hashable, Sendable {
  /// How many rows of one entity changed, and how.
  public struct Counts: Hashable, Sendable {
    /// Rows that were not there before.
    public var inserted = 0
    /// Rows that were there and have other values now.
    public var updated = 0
    /// Rows that were there and had all values already: nothing was written.
    public var unchanged = 0
    /// Rows that are not there any more.
    public var deleted = 0

    /// Counts of nothing, or of so many rows.
    public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
      self.inserted = inserted
      self.updated = updated
      self.unchanged = unchanged
      self.deleted = deleted
    }

    /// Whether nothing is other than it was.
    public var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

    /// Both together.
    public static func + (lhs: Counts, rhs: Counts) -> Counts {
      Counts(
        inserted: lhs.inserted + rhs.inserted, updated: lhs.updated + rhs.updated,
        unchanged: lhs.unchanged + rhs.unchanged, deleted: lhs.deleted + rhs.deleted)
    }

    /// Adds the other's.
    public static func += (lhs: inout Counts, rhs: Counts) { lhs = lhs + rhs }
  }

  /// The counts of the entities that have other rows than before, by name.
  public let entities: [String: Counts]

  init(_ entities: [String: Counts]) {
    self.entities = entities.filter { !$0.value.isEmpty }
  }

  /// The counts of a model's entity.
  public func counts<Model: ManagedDecodable>(of type: Model.Type) -> Counts { entities[Model.entityName] ?? Counts() }
}

extension StoreChanges.Counts: CustomStringConvertible {
  /// `2 inserted, 1 updated, 7 unchanged, 0 deleted`.
  public var description: String {
    "\(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(deleted) deleted"
  }
}

/// The schema changes that a transaction makes at its beginning; see ``StoreConnection/changesSchemaFirst``.
///
/// The changes are found while the transaction runs. It is then rolled back and run again with a plan that contains them.
struct SchemaPlan: Sendable {
  /// The current and the required state of a table.
  struct Change: Sendable {
    /// The table before the change; `nil` if it does not exist.
    let current: EntitySchema?
    let wanted: EntitySchema
    /// The names of columns that are created with an index.
    let indexedNames: Set<String>
    /// True if a nested transaction needs the change.
    let isNested: Bool
  }

  /// The reason for which a transaction was rolled back, to be run again.
  enum Restart: Error {
    /// The transaction needs a change that is not in the plan.
    case needs(Change)
    /// Another transaction has changed a table. The plan may be wrong, and no locks may be held while it is revised.
    case stale
    /// The nested transaction for which a change was made was rolled back.
    case undone
  }

  /// The changes to make at the beginning.
  private(set) var changes: [Change] = []
  /// True if nested transactions change the schema themselves, so that the change is rolled back with them. This may deadlock with other
  /// transactions, in which case one of them fails as a conflict.
  private(set) var changesWithinNested = false

  /// Updates the plan. Returns `true` if it has a new change; the number of possible changes is limited, so that restarts end.
  mutating func revise(for restart: Restart) -> Bool {
    switch restart {
    case .needs(let change):
      let isNew = !changes.contains { $0.wanted == change.wanted }
      changes.append(change)
      return isNew
    case .stale: changes = []
    case .undone:
      changes.removeAll(where: \.isNested)
      changesWithinNested = true
    }
    return false
  }
}

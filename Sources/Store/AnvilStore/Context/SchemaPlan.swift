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
    /// The default values of columns, by name.
    let defaults: [String: StoreValue]
    /// True if a nested transaction needs the change.
    let isNested: Bool
  }

  /// The reason why a transaction was rolled back and has to be run again.
  enum Restart: Error {
    /// The transaction needs a change that is not in the plan.
    case needs(Change)
    /// Another transaction has changed a table, so the plan may be wrong. It is discarded, and the transaction finds the changes again.
    case stale
    /// A nested transaction was rolled back, but a change that it needed was made at the beginning of the outer transaction and was not
    /// undone with it.
    case undone
  }

  /// The changes to make at the beginning.
  private(set) var changes: [Change] = []
  /// True if each nested transaction changes the schema itself, so that the change is rolled back with it. This may deadlock with other
  /// transactions, in which case one of them fails as a conflict.
  private(set) var changesWithinNested = false

  /// Updates the plan, and returns `true` if it contains a new change. The number of possible changes is limited, so that restarts end.
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

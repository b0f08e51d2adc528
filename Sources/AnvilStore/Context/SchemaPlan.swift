/// How a transaction changes the schema where that is done at its beginning; see ``StoreConnection/changesSchemaFirst``.
///
/// What a transaction needs shows as it runs: it is rolled back then, and run again by a plan that has it.
struct SchemaPlan: Sendable {
  /// A table as a transaction found it, and as it needs it.
  struct Change: Sendable {
    /// `nil` where there was no table.
    let current: EntitySchema?
    let wanted: EntitySchema
    /// Whether it is a transaction within another one that needs it.
    let isNested: Bool
  }

  /// Why a transaction was rolled back, to be run again.
  enum Restart: Error {
    /// It needs a change that the plan does not have.
    case needs(Change)
    /// Others have changed a table before it: it may need something else, or nothing, and nobody is to wait for it meanwhile.
    case stale
    /// The transaction within it was undone that a change had been made for.
    case undone
  }

  /// The changes that are made at the beginning.
  private(set) var changes: [Change] = []
  /// Whether transactions within another one change the schema themselves, so that it is undone with them. Others may have to be
  /// waited for then that wait for this one, which fails one of them as a conflict.
  private(set) var changesWithinNested = false

  /// Whether it has a change now that it did not have. There are only so many, so that this ends by itself.
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

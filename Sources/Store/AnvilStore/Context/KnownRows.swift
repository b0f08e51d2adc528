struct RowChanges {
  private(set) var counts: [String: StoreChanges.Counts] = [:]
  /// True if a statement of the caller may have changed rows of any entity.
  var mayBeAny = false

  subscript(entity: String) -> StoreChanges.Counts {
    get { counts[entity] ?? StoreChanges.Counts() }
    set { counts[entity] = newValue }
  }

  var entities: [String] { counts.filter { !$0.value.isEmpty }.map(\.key) }
}

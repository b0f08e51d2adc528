/// The known rows and pending writes while many models are created or updated.
struct BulkState {
  /// The result of storing a row.
  enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  /// A row with values that are not written yet.
  private struct Pending {
    var values: [StoreValue]
    /// The row in the table; `nil` if it does not exist.
    let base: StoredRow?
  }

  /// Rows by entity and key, including pending writes; `nil` for rows that do not exist.
  private var rows: [String: [RowKey: StoredRow?]] = [:]
  private var pending: [String: [RowKey: Pending]] = [:]
  /// The entities and keys of pending rows, in the order in which they were added.
  private var order: [(entity: String, key: RowKey)] = []
  private var writings: [String: (new: RowWriting, changed: RowWriting)] = [:]

  /// The entity whose rows are counted. Each row is counted once.
  let countedEntity: String
  private var outcomes: [RowKey: Outcome] = [:]

  /// Creates an empty state.
  init(counting entity: String) {
    countedEntity = entity
  }

  func row(_ key: RowKey, of entity: String) -> StoredRow?? { rows[entity]?[key] }

  mutating func note(_ row: StoredRow?, _ key: RowKey, of entity: String) {
    rows[entity, default: [:]][key] = .some(row)
  }

  /// Returns the row in the table if a write to it is pending, and otherwise `nil`. The inner optional is `nil` if the row does not exist
  /// yet.
  func base(of key: RowKey, _ entity: String) -> StoredRow?? {
    guard let waiting = pending[entity]?[key] else { return nil }
    return .some(waiting.base)
  }

  /// Returns `true` if rows of the entity are pending whose columns differ from the binding's columns.
  func hasRows(writtenUnlike binding: EntityBinding) throws(StoreError) -> Bool {
    guard pending[binding.entity]?.isEmpty == false, let writing = writings[binding.entity]?.changed else {
      return false
    }
    let other = try binding.writing(.updated)
    return writing !== other && writing.columns != other.columns
  }

  mutating func forgetRow(_ key: RowKey, of entity: String) {
    rows[entity]?[key] = nil
  }

  /// Adds the values to the pending writes. `base` is the row in the table.
  mutating func put(
    _ values: [StoreValue], _ key: RowKey, base: StoredRow?, _ binding: EntityBinding
  ) throws(StoreError) {
    let entity = binding.entity
    writings[entity] = (try binding.writing(.isConflict), try binding.writing(.updated))
    if let former = pending[entity]?[key] {
      pending[entity]?[key] = Pending(values: values, base: former.base)
    } else {
      pending[entity, default: [:]][key] = Pending(values: values, base: base)
      order.append((entity, key))
    }
  }

  /// Removes the pending write of a row, because its values are again equal to those in the table.
  mutating func revert(_ key: RowKey, of entity: String) {
    pending[entity]?[key] = nil
    order.removeAll { $0.entity == entity && $0.key == key }
    if entity == countedEntity { outcomes[key] = .unchanged }
  }

  mutating func count(_ outcome: Outcome, _ key: RowKey, of entity: String) {
    guard entity == countedEntity else { return }
    switch (outcomes[key], outcome) {
    case (nil, _), (.unchanged, .updated): outcomes[key] = outcome
    default: break
    }
  }

  /// Removes and returns the pending rows, grouped by statement. Each group keeps the order in which the rows were added.
  mutating func takePending() -> [(writing: RowWriting, rows: [[StoreValue]])] {
    var groups: [(writing: RowWriting, rows: [[StoreValue]])] = []
    var groupIndices: [ObjectIdentifier: Int] = [:]
    for (entity, key) in order {
      guard let row = pending[entity]?[key], let writings = writings[entity] else { continue }
      let writing = row.base == nil ? writings.new : writings.changed
      if let index = groupIndices[ObjectIdentifier(writing)] {
        groups[index].rows.append(row.values)
      } else {
        groupIndices[ObjectIdentifier(writing)] = groups.count
        groups.append((writing, [row.values]))
      }
    }
    pending.removeAll()
    order.removeAll()
    return groups
  }

  /// Discards the cached rows, because other code may change them from now on.
  mutating func forgetRows() {
    rows.removeAll()
  }

  var counts: StoreChanges.Counts {
    outcomes.values.reduce(into: StoreChanges.Counts()) { counts, outcome in
      switch outcome {
      case .inserted: counts.inserted += 1
      case .updated: counts.updated += 1
      case .unchanged: counts.unchanged += 1
      }
    }
  }

  /// The keys of rows that are in the payload, but were not created or updated through this state.
  private var otherPayloadKeys: Set<RowKey> = []

  /// Records the key of a row in the payload that custom code of the model has stored or left unchanged.
  mutating func notePayloadKey(_ key: RowKey) {
    otherPayloadKeys.insert(key)
  }

  /// The keys of all rows in the payload.
  var keys: Set<RowKey> { otherPayloadKeys.union(outcomes.keys) }
}

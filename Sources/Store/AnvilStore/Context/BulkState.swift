/// The state of an operation that creates or updates many models.
struct BulkState {
  enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  /// The entity whose rows are counted. Each row is counted once.
  let countedEntity: String
  /// The rules of the operation for existing rows, by entity. They take precedence over those of the models.
  var rules: [String: ConflictRules]
  private(set) var pending = PendingRows()
  /// Rows by entity and key, including pending writes; `nil` for rows that do not exist.
  private var rows: [String: [RowKey: StoredRow?]] = [:]
  private var outcomes: [RowKey: Outcome] = [:]
  /// The key of the counted row that was created or updated last.
  var lastKey: RowKey?
  /// The keys of rows that are in the payload, but were not created or updated through this state.
  private var otherPayloadKeys: Set<RowKey> = []
  /// The counts of rows without keys, and of those that custom code of models has stored.
  private var otherCounts = StoreChanges.Counts()

  init(counting entity: String, rules: [String: ConflictRules]) {
    countedEntity = entity
    self.rules = rules
  }
}

/// Known rows.
extension BulkState {
  func row(_ key: RowKey, of entity: String) -> StoredRow?? { rows[entity]?[key] }

  mutating func note(_ row: StoredRow?, _ key: RowKey, of entity: String) {
    rows[entity, default: [:]][key] = .some(row)
  }

  mutating func forgetRow(_ key: RowKey, of entity: String) {
    rows[entity]?[key] = nil
  }

  /// Discards the cached rows, because other code may change them from now on.
  mutating func forgetRows() {
    rows.removeAll()
  }
}

/// Pending rows.
extension BulkState {
  /// Adds the value that `binding` encoded last to the pending rows. `base` is the row in the table.
  mutating func put(_ key: RowKey, base: StoredRow?, _ binding: EntityBinding) throws(StoreError) {
    try pending.put(key, base: base, binding)
    note(binding.row(over: base), key, of: binding.entity)
  }

  /// Removes the pending write of a row if the value that `binding` encoded last equals the row in the table. Returns `true` if it does.
  mutating func revert(_ key: RowKey, _ binding: EntityBinding) -> Bool {
    let entity = binding.entity
    guard let base = pending.base(of: key, entity), binding.isStored(in: base) else { return false }
    pending.remove(key, of: entity)
    note(base, key, of: entity)
    if entity == countedEntity { (outcomes[key], lastKey) = (.unchanged, key) }
    return true
  }

  mutating func takePending() -> [PendingRows.Group] { pending.take() }
}

/// Counts.
extension BulkState {
  mutating func count(_ outcome: Outcome, _ key: RowKey, of entity: String) {
    guard entity == countedEntity else { return }
    lastKey = key
    switch (outcomes[key], outcome) {
    case (nil, _), (.unchanged, .updated): outcomes[key] = outcome
    default: break
    }
  }

  mutating func add(_ counts: StoreChanges.Counts, of entity: String) {
    if entity == countedEntity { otherCounts += counts }
  }

  var counts: StoreChanges.Counts {
    outcomes.values.reduce(into: otherCounts) { counts, outcome in
      switch outcome {
      case .inserted: counts.inserted += 1
      case .updated: counts.updated += 1
      case .unchanged: counts.unchanged += 1
      }
    }
  }

  /// Records the key of a row in the payload that custom code of the model has stored or left unchanged.
  mutating func notePayloadKey(_ key: RowKey) {
    otherPayloadKeys.insert(key)
  }

  /// The keys of all rows in the payload.
  var keys: Set<RowKey> { otherPayloadKeys.union(outcomes.keys) }
}

/// Rows with values that are not written yet.
struct PendingRows {
  /// Rows that one statement writes.
  typealias Group = (writing: RowWriting, rows: [[StoreValue]])

  private struct Row {
    var values: [StoreValue]
    /// The row in the table; `nil` if it does not exist.
    let base: StoredRow?
  }

  private var rows: [String: [RowKey: Row]] = [:]
  /// The entities and keys of the rows, in the order in which they were added.
  private var order: [(entity: String, key: RowKey)] = []
  private var writings: [String: (new: RowWriting, changed: RowWriting)] = [:]

  /// Returns the row in the table if a write to it is pending. Returns `nil` for other rows, and if the row does not exist.
  func base(of key: RowKey, _ entity: String) -> StoredRow? { rows[entity]?[key]?.base }

  func hasRows(writtenUnlike binding: EntityBinding) throws(StoreError) -> Bool {
    guard rows[binding.entity]?.isEmpty == false, let writing = writings[binding.entity]?.changed else {
      return false
    }
    let other = try binding.writing(.updated)
    return writing !== other && writing.columns != other.columns
  }

  mutating func put(_ key: RowKey, base: StoredRow?, _ binding: EntityBinding) throws(StoreError) {
    let entity = binding.entity
    writings[entity] = (try binding.writing(.isConflict), try binding.writing(.updated))
    if let former = rows[entity]?[key] {
      rows[entity]?[key] = Row(values: binding.values, base: former.base)
    } else {
      rows[entity, default: [:]][key] = Row(values: binding.values, base: base)
      order.append((entity, key))
    }
  }

  mutating func remove(_ key: RowKey, of entity: String) {
    rows[entity]?[key] = nil
    order.removeAll { $0.entity == entity && $0.key == key }
  }

  /// Removes and returns the rows, grouped by statement. Each group keeps the order in which the rows were added.
  mutating func take() -> [Group] {
    var groups: [Group] = []
    var groupIndices: [ObjectIdentifier: Int] = [:]
    for (entity, key) in order {
      guard let row = rows[entity]?[key], let writings = writings[entity] else { continue }
      let writing = row.base == nil ? writings.new : writings.changed
      if let index = groupIndices[ObjectIdentifier(writing)] {
        groups[index].rows.append(row.values)
      } else {
        groupIndices[ObjectIdentifier(writing)] = groups.count
        groups.append((writing, [row.values]))
      }
    }
    rows.removeAll()
    order.removeAll()
    return groups
  }
}

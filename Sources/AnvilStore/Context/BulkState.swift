/// What is known and what waits to be written while many models are created or updated.
struct BulkState {
  /// What became of a row.
  enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  /// A row that waits to be written.
  private struct Pending {
    var values: [StoreValue]
    /// The row as it is in the table; `nil` when there is none.
    let base: StoredRow?
  }

  /// Rows by entity and key as they are or are going to be; `nil` for those that are not there.
  private var rows: [String: [RowKey: StoredRow?]] = [:]
  private var pending: [String: [RowKey: Pending]] = [:]
  /// The entities of what waits, and their keys, in the order in which they came.
  private var order: [(entity: String, key: RowKey)] = []
  private var writings: [String: (new: RowWriting, changed: RowWriting)] = [:]

  /// The entity whose rows are counted, each once.
  let countedEntity: String
  private var outcomes: [RowKey: Outcome] = [:]

  /// Knows nothing yet.
  init(counting entity: String) {
    countedEntity = entity
  }

  func row(_ key: RowKey, of entity: String) -> StoredRow?? { rows[entity]?[key] }

  mutating func note(_ row: StoredRow?, _ key: RowKey, of entity: String) {
    rows[entity, default: [:]][key] = .some(row)
  }

  /// The row as it is in the table, where another state of it waits to be written; the inner `nil` when there is none.
  func base(of key: RowKey, _ entity: String) -> StoredRow?? {
    guard let waiting = pending[entity]?[key] else { return nil }
    return .some(waiting.base)
  }

  /// Puts the values in the row's place, which is `base` now, with the next that are written.
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

  /// Takes back what waits for the row, which is as it was in the table again.
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

  /// What waits, in groups that one statement writes, the rows of a group in the order in which they came.
  mutating func takePending() -> [(writing: RowWriting, rows: [[StoreValue]])] {
    var groups: [(writing: RowWriting, rows: [[StoreValue]])] = []
    var places: [ObjectIdentifier: Int] = [:]
    for (entity, key) in order {
      guard let row = pending[entity]?[key], let writings = writings[entity] else { continue }
      let writing = row.base == nil ? writings.new : writings.changed
      if let place = places[ObjectIdentifier(writing)] {
        groups[place].rows.append(row.values)
      } else {
        places[ObjectIdentifier(writing)] = groups.count
        groups.append((writing, [row.values]))
      }
    }
    pending.removeAll()
    order.removeAll()
    return groups
  }

  /// Forgets the rows, which others may change from now on.
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

  /// The keys of rows that an input speaks of, and that were not created or updated by this.
  private var spokenKeys: Set<RowKey> = []

  /// Notes that an input speaks of the row, which the model's own code has stored, or left as it was.
  mutating func noteSpoken(_ key: RowKey) {
    spokenKeys.insert(key)
  }

  /// The keys of all rows that inputs spoke of.
  var keys: Set<RowKey> { spokenKeys.union(outcomes.keys) }
}

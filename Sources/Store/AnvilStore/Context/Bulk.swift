/// The rows that are known and not yet written while many models are created or updated.
///
/// Outside of such an operation it knows no rows, and has nothing to write.
final class Bulk {
  enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  private struct Operation {
    /// The entity whose rows are counted. Each row is counted once.
    let countedEntity: String
    /// The rules of the operation for existing rows, by entity. They take precedence over those of the models.
    var rules: [String: ConflictRules]
    var pending = PendingRows()
    /// Rows by entity and key, including pending writes; `nil` for rows that do not exist.
    var rows: [String: [RowKey: StoredRow?]] = [:]
    var outcomes: [RowKey: Outcome] = [:]
    /// The key of the counted row that was created or updated last.
    var lastKey: RowKey?
    /// The keys of rows that are in the payload, but were not created or updated through this operation.
    var otherPayloadKeys: Set<RowKey> = []
    /// The counts of rows without keys, and of those that custom code of models has stored.
    var otherCounts = StoreChanges.Counts()
  }

  private let statements: Statements
  private var operation: Operation?

  init(_ statements: Statements) { self.statements = statements }

  /// Returns a function that restores the state as it is now.
  func checkpoint() -> () -> Void {
    let operation = operation
    return { self.operation = operation }
  }

  var isRunning: Bool { operation != nil }

  /// Runs an operation that counts the rows of an entity. The rules apply to these rows.
  func run<Result>(counting entity: String, _ rules: ConflictRules?, _ body: () throws -> Result) throws -> Result {
    let outer = operation
    operation = Operation(countedEntity: entity, rules: outer?.rules ?? [:])
    if let rules { operation?.rules[entity] = rules }
    defer {
      operation = outer
      forgetRows()
    }
    let result = try body()
    try flush()
    return result
  }

  /// Returns the rules of the operation for rows of an entity; `nil` without such rules.
  func rules(of entity: String) -> ConflictRules? { operation?.rules[entity] }

  /// Returns a row; the outer optional is `nil` for one that is not known, the inner one for one that does not exist.
  func row(_ key: RowKey, of entity: String) -> StoredRow?? {
    let rows = operation?.rows[entity]
    return rows?[key]
  }

  func note(_ row: StoredRow?, _ key: RowKey, of entity: String) {
    operation?.rows[entity, default: [:]][key] = .some(row)
  }

  func forgetRow(_ key: RowKey, of entity: String) { operation?.rows[entity]?[key] = nil }

  /// Discards the cached rows, because other code may change them from now on.
  func forgetRows() { operation?.rows.removeAll() }

  /// Adds the value that `binding` encoded last to the pending rows. `base` is the row in the table.
  func put(_ key: RowKey, base: StoredRow?, _ binding: EntityBinding) throws {
    try flushOtherVersions(than: binding)
    try operation?.pending.put(key, base: base, binding)
    note(binding.row(over: base), key, of: binding.entity)
  }

  /// Removes the pending write of a row if the value that `binding` encoded last equals the row in the table. Returns `true` if it does.
  func revert(_ key: RowKey, _ binding: EntityBinding) throws -> Bool {
    try flushOtherVersions(than: binding)
    let entity = binding.entity
    guard let base = operation?.pending.base(of: key, entity), binding.isStored(in: base) else { return false }
    operation?.pending.remove(key, of: entity)
    note(base, key, of: entity)
    if entity == operation?.countedEntity {
      operation?.outcomes[key] = .unchanged
      operation?.lastKey = key
    }
    return true
  }

  /// Writes the pending rows if they belong to a version of the model with other columns.
  private func flushOtherVersions(than binding: EntityBinding) throws {
    if try operation?.pending.hasRows(writtenUnlike: binding) == true { try flush() }
  }

  func flush() throws {
    guard let groups = operation?.pending.take() else { return }
    for (writing, rows) in groups {
      let count = statements.connection.rowsPerWrite(ofColumns: writing.columns.count)
      for start in stride(from: 0, to: rows.count, by: count) {
        _ = try statements.write(Array(rows[start..<min(start + count, rows.count)].joined()), as: writing)
      }
    }
  }

  /// Writes the pending rows, and discards the cached rows.
  func end() throws {
    try flush()
    forgetRows()
  }

  func count(_ outcome: Outcome, _ key: RowKey, of entity: String) {
    guard entity == operation?.countedEntity else { return }
    operation?.lastKey = key
    switch (operation?.outcomes[key], outcome) {
    case (nil, _), (.unchanged, .updated): operation?.outcomes[key] = outcome
    default: break
    }
  }

  func add(_ counts: StoreChanges.Counts, of entity: String) {
    if entity == operation?.countedEntity { operation?.otherCounts += counts }
  }

  var counts: StoreChanges.Counts {
    guard let operation else { return StoreChanges.Counts() }
    return operation.outcomes.values.reduce(into: operation.otherCounts) { counts, outcome in counts.add(outcome) }
  }

  /// Runs `body`, and returns its result with the key of the counted row that it has created or updated last.
  func lastKey<Result>(of body: () throws -> Result) rethrows -> (Result, RowKey?) {
    operation?.lastKey = nil
    let result = try body()
    return (result, operation?.lastKey)
  }

  /// Records the key of a row in the payload that custom code of the model has stored or left unchanged.
  func notePayloadKey(_ key: RowKey) { operation?.otherPayloadKeys.insert(key) }

  /// The keys of all rows in the payload.
  var keys: Set<RowKey> { operation.map { $0.otherPayloadKeys.union($0.outcomes.keys) } ?? [] }
}

extension StoreChanges.Counts {
  var outcome: Bulk.Outcome { inserted > 0 ? .inserted : updated > 0 ? .updated : .unchanged }

  mutating func add(_ outcome: Bulk.Outcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
  }
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

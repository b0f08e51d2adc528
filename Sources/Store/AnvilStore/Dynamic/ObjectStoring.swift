internal import AnvilJSON

/// Stores JSON objects as rows, in columns that are created for their values.
///
/// The objects are processed twice. The first pass creates and widens all columns, and the second pass writes the rows. Only the keys of
/// the rows are kept in memory.
struct ObjectStoring {
  private let transaction: StoreTransaction
  private let entity: String
  private let keys: [String]
  private let rules: ConflictRules
  private var report = StoredObjects()
  /// The results of the written rows.
  private var outcomes: [RowKey: Outcome] = [:]

  private enum Outcome {
    case inserted, updated, unchanged
  }

  /// - Parameter rules: The rules for rows that exist.
  init(of entity: String, keys: [String], rules: [ConflictRule] = [], in transaction: StoreTransaction) {
    self.entity = entity
    self.keys = keys
    self.rules = ConflictRules([], rules)
    self.transaction = transaction
  }

  /// Stores the object, or the objects of the array.
  mutating func store(_ json: JSON) throws -> StoredObjects {
    try transaction.requireWriting()
    try transaction.flush()
    if json.kind == .array {
      try store(json.elements) { $0 }
    } else {
      try store(CollectionOfOne(json)) { _ in nil }
    }
    transaction.changes[entity, default: .init()] += report.counts
    return report
  }

  private mutating func store(_ objects: some Sequence<JSON>, index: (Int) -> Int?) throws {
    let table = ObjectTable(of: entity, keys: keys, in: transaction)
    let connection = transaction.connection
    var attributes = ObjectAttributes(
      columns: try table.schema()?.columns ?? [], maximumNameLength: connection.maximumNameLength,
      reservedNames: connection.reservedColumnNames)
    var isEmpty = true
    for (number, object) in objects.enumerated() {
      if number.isMultiple(of: 1024) { try Task.checkCancellation() }
      do throws(UnstorableObject.Reason) {
        try check(object)
        try attributes.note(object)
      } catch {
        throw UnstorableObject(index: index(number), error)
      }
      isEmpty = false
    }
    guard !isEmpty else { return }
    let schema = try table.prepare(for: &attributes, &report)
    var rows = ObjectRows(attributes, schema)
    let conflicts = rules.isEmpty ? nil : try ObjectConflicts(rules, schema, in: transaction)
    for (number, object) in objects.enumerated() {
      do throws(UnstorableObject.Reason) {
        try rows.read(object)
      } catch {
        throw UnstorableObject(index: index(number), error)
      }
      let resolved = try rows.key.flatMap { try conflicts?.write(rows, $0) }
      count(try resolved ?? transaction.write(rows.values, as: rows.writing), rows.key)
    }
  }

  private func check(_ object: JSON) throws(UnstorableObject.Reason) {
    guard object.kind == .object else { throw UnstorableObject.Reason("expected an object, found \(object.kind)") }
    for key in keys {
      switch object.member(forColumn: key)?.kind {
      case nil: throw UnstorableObject.Reason("no key \(key); keys here: \(Self.list(object.keys))")
      case .null: throw UnstorableObject.Reason("the key \(key) is null, so it cannot identify a row")
      case .array, .object: throw UnstorableObject.Reason("the key \(key) is an array or an object")
      case .bool, .number, .string: break
      }
    }
  }

  private static func list(_ names: JSON.Keys) -> String {
    let rest = names.count - 10
    return names.prefix(10).map(\.shortName).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : names.isEmpty ? "none" : "")
  }

  /// Counts a row once, regardless of the number of objects with its key.
  private mutating func count(_ written: RowWriting.Outcome, _ key: RowKey?) {
    let outcome: Outcome = written.inserted > 0 ? .inserted : written.updated > 0 ? .updated : .unchanged
    if let key {
      if let former = outcomes[key] {
        guard former == .unchanged, outcome == .updated else { return }
        report.counts.unchanged -= 1
      }
      outcomes[key] = outcome
    }
    switch outcome {
    case .inserted: report.counts.inserted += 1
    case .updated: report.counts.updated += 1
    case .unchanged: report.counts.unchanged += 1
    }
  }
}

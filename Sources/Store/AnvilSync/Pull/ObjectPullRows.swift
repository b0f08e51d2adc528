package import AnvilBase
package import AnvilJSON
package import AnvilStore

/// Rows without a model: objects in a table whose columns are created for their values; see `Store.store(_:as:keys:)`.
package struct ObjectPullRows: PullRows {
  package let entity: String
  private let keys: [String]
  private let rules: [ConflictRule]

  /// Creates rows of the table `entity`. `keys` are the members that identify a row; without keys, each object is a new row. `rules` are those
  /// for rows that exist.
  package init(entity: String, keys: [String], rules: [ConflictRule] = []) {
    self.entity = entity
    self.keys = keys
    self.rules = rules
  }

  package func check(_ missing: MissingRows, isListed: Bool, in transaction: StoreTransaction) throws {
    try transaction.check(isListed ? [] : rules, missing, of: entity)
  }

  package var haveKeys: Bool { !keys.isEmpty }

  package func store(
    _ items: [JSON], as format: any DecodingFormat, in transaction: StoreTransaction, didStore: ((String) -> Void)?
  ) throws -> StoredItems {
    guard let first = items.first else { return StoredItems(counts: .init()) }
    let isNewTable =
      if case .noTable = try transaction.payloadKey(of: first, as: entity, keys: keys) { true } else { false }
    let stored = try transaction.store(JSON(items), as: entity, keys: keys, rules: rules)
    if let didStore {
      for item in items {
        if case .text(let key) = try transaction.payloadKey(of: item, as: entity, keys: keys) { didStore(key) }
      }
    }
    let changed = (isNewTable ? [] : stored.newColumns) + stored.widenings.map(\.name)
    let drift = changed.map { PullReport.Drift(path: $0.printable, kind: .columnChange, rowCount: 1) }
    return StoredItems(counts: stored.counts, drift: drift)
  }

  package func payloadKey(
    of item: JSON, as format: any DecodingFormat, in transaction: StoreTransaction
  ) throws -> PayloadKey {
    try transaction.payloadKey(of: item, as: entity, keys: keys)
  }

  package func delete(
    _ item: JSON, as format: any DecodingFormat, in transaction: StoreTransaction
  ) throws -> Bool {
    guard let isDeleted = try transaction.deleteRow(describedBy: item, as: entity, keys: keys) else {
      throw UnreadableKey(keys: keys)
    }
    return isDeleted
  }

  package func deleteRows(
    _ missing: MissingRows, notIn listings: [StoreListing], in transaction: StoreTransaction
  ) throws -> Int {
    try transaction.deleteRows(ofEntity: entity, missing, notIn: listings)
  }

  /// Returns no keys, because all keys become columns.
  package func unknownKeys(in item: JSON, as format: any DecodingFormat) -> [String]? { [] }
}

/// The error for an object that is marked as deleted but whose key cannot be read.
private struct UnreadableKey: Error, CustomStringConvertible {
  let keys: [String]

  var description: String { "the key \(keys.joined(separator: ", ")) cannot be read" }
}

package import AnvilBase
package import AnvilJSON
package import AnvilStore

/// The rows of a pull: models, or objects without a model.
package protocol PullRows: Sendable {
  var entity: String { get }
  /// A Boolean value that indicates whether keys identify the rows.
  var haveKeys: Bool { get }

  /// Checks that the settings of the rows match their table, if it exists.
  ///
  /// - Parameter isListed: True after the last page, when only `missing` is still used.
  /// - Throws: `StoreError` if the settings do not match.
  func check(_ missing: MissingRows, isListed: Bool, in transaction: StoreTransaction) throws

  /// Stores the items and returns the changes to rows. `didStore` receives the key of each row.
  ///
  /// - Throws: The error of the first item that cannot be stored. Some of the other items may already have been stored.
  func store(
    _ items: [JSON], as format: any DecodingFormat, in transaction: StoreTransaction, didStore: ((ListedKey) -> Void)?
  ) throws -> StoredItems

  func payloadKey(of item: JSON, as format: any DecodingFormat, in transaction: StoreTransaction) throws -> PayloadKey

  /// Removes the row that has the item's key. Returns `true` if it existed.
  func delete(_ item: JSON, as format: any DecodingFormat, in transaction: StoreTransaction) throws -> Bool

  /// Removes the rows that are missing from the listings. Returns their number. `didSkip` receives the error for each row that cannot be
  /// removed; if it is `nil`, the commit fails.
  func deleteRows(
    _ missing: MissingRows, notIn listings: [StoreListing], in transaction: StoreTransaction,
    didSkip: ((any Error) -> Void)?
  ) throws -> Int

  /// A Boolean value that indicates whether the rows store all keys of each item.
  var storeAllKeys: Bool { get }

  /// Returns the paths of the keys that the rows do not store; `nil` if that cannot be determined.
  func unknownKeys(in item: JSON, as format: any DecodingFormat) -> [String]?
}

extension PullRows {
  /// Does nothing: the settings of a model are checked when it is stored.
  package func check(_ missing: MissingRows, isListed: Bool, in transaction: StoreTransaction) throws {}

  package var storeAllKeys: Bool { false }
}

package struct StoredItems {
  package var counts: StoreChanges.Counts
  package var drift: [PullReport.Drift] = []
}

struct ModelRows<Model: ManagedDecodable & Codable & Sendable>: PullRows where Model.Context == StoreTransaction {
  let rules: [ConflictRule]
  var entity: String { Model.entityName }
  var haveKeys: Bool { Model.matchKeys?.isEmpty == false }

  func store(
    _ items: [JSON], as format: any DecodingFormat, in transaction: StoreTransaction, didStore: ((ListedKey) -> Void)?
  ) throws -> StoredItems {
    var rest = items[...]
    let changes = try transaction.createOrUpdate(
      Model.self, rules: rules,
      next: { size in
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).map { format.decoder(at: $0) }
      }, didStore: didStore
    ).changes
    return StoredItems(counts: changes)
  }

  func payloadKey(of item: JSON, as format: any DecodingFormat, in transaction: StoreTransaction) throws -> PayloadKey {
    try transaction.payloadKey(of: Model.self, in: format.decoder(at: item))
  }

  func delete(_ item: JSON, as format: any DecodingFormat, in transaction: StoreTransaction) throws -> Bool {
    try transaction.deleteRow(of: Model.self, describedBy: format.decoder(at: item))
  }

  func deleteRows(
    _ missing: MissingRows, notIn listings: [StoreListing], in transaction: StoreTransaction,
    didSkip: ((any Error) -> Void)?
  ) throws -> Int {
    try transaction.deleteRows(of: Model.entityName, as: Model.self, missing, notIn: listings, didSkip: didSkip)
  }

  func unknownKeys(in item: JSON, as format: any DecodingFormat) -> [String]? {
    KeyRecorder.unknownKeys(of: Model.self, in: format.decoder(at: item))
  }
}

extension DecodingFormat {
  /// Returns a decoder for an item of a page. Formats other than Anvil's JSON read the item as a separate document.
  fileprivate func decoder(at item: JSON) -> any Decoder {
    (self as? JSON.Decoder)?.decoder(at: item) ?? decoder(for: item.serializedData())
  }
}

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
    _ items: [JSON], as format: any DecodingFormat, in transaction: StoreTransaction, didStore: ((ListedKey) -> Void)?
  ) throws -> StoredItems {
    guard let first = items.first else { return StoredItems(counts: .init()) }
    let isNewTable =
      if case .noTable = try transaction.payloadKey(of: first, as: entity, keys: keys) { true } else { false }
    let stored = try transaction.store(items, as: entity, keys: keys, rules: rules, notingKeys: didStore != nil)
    if let didStore { stored.keys.forEach(didStore) }
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
    _ missing: MissingRows, notIn listings: [StoreListing], in transaction: StoreTransaction,
    didSkip: ((any Error) -> Void)?
  ) throws -> Int {
    try transaction.deleteRows(of: entity, missing, notIn: listings, didSkip: didSkip)
  }

  /// True, because all keys become columns.
  package var storeAllKeys: Bool { true }

  package func unknownKeys(in item: JSON, as format: any DecodingFormat) -> [String]? { [] }
}

/// The error for an object that is marked as deleted but whose key cannot be read.
private struct UnreadableKey: Error, CustomStringConvertible {
  let keys: [String]

  var description: String { "the key \(keys.joined(separator: ", ")) cannot be read" }
}

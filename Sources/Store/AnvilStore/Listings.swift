internal import AnvilBase

/// Listings that take several transactions.
extension StoreTransaction {
  /// Begins a listing of the model's rows. If it is already open, it is restarted, and its recorded rows are discarded.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for a model without match keys; ``StoreError``.
  package func begin<Model: ManagedDecodable>(
    _ listing: StoreListing, of type: Model.Type
  ) throws where Model.Context == StoreTransaction {
    try requireUsable()
    guard Model.matchKeys?.isEmpty == false else { throw StoreError.missingRows(of: Model.entityName) }
    try listings.begin(listing, of: Model.entityName)
  }

  /// Ends a listing. Deletes the rows that `missing` selects, also those that other code has stored since the listing began, unless they were
  /// listed. Returns the number of deleted rows.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for a listing that was not begun.
  @discardableResult
  package func end<Model: ManagedDecodable>(
    _ listing: StoreListing, of type: Model.Type, missing: MissingRows = .deleted
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    try statements.requireWriting()
    _ = try listings.number(of: listing, Model.entityName)
    let count = try deleteRows(of: Model.entityName, as: type, missing, notIn: [listing])
    try listings.remove(listing, of: Model.entityName)
    return count
  }

  /// Begins a listing with a random name, and removes abandoned temporary listings.
  package func beginTemporaryListing<Model: ManagedDecodable>(
    of type: Model.Type
  ) throws -> StoreListing where Model.Context == StoreTransaction {
    let listing = StoreListing(
      Listings.temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 16))
    try begin(listing, of: type)
    try listings.removeAbandoned()
    return listing
  }

  /// Removes the rows that `missing` covers and that none of the open listings contains. Returns the number of removed rows.
  ///
  /// - Parameters:
  ///   - type: The model whose attributes `missing` names; `nil` if it names columns.
  ///   - didSkip: Receives the error for each row that cannot be removed, because another row refers to it. If it is `nil`, the commit
  ///     fails. Otherwise, it takes more statements.
  package func deleteRows(
    of entity: String, as type: (any ManagedDecodable.Type)? = nil, _ missing: MissingRows,
    notIn listings: [StoreListing], didSkip: ((any Error) -> Void)? = nil
  ) throws -> Int {
    let names = type.map { AttributeNames(of: $0) } ?? AttributeNames()
    guard let scope = try missing.scope(of: entity), try tables.schema(of: entity) != nil else { return 0 }
    let numbers = try Set(listings.map { try self.listings.number(of: $0, entity) })
    let listed = try statements.attempt { try self.listings.keys(of: numbers) }
    var count = 0
    var doubtful: [(keys: [RowKey], schema: EntitySchema)] = []
    try rows.forEachBatchToDelete(from: entity, names, scope) { keys, schema in
      let missing = try keys.filter { try !listed.contains($0) }
      guard !missing.isEmpty else { return }
      // A nested transaction cannot be undone while the query of the keys runs.
      if didSkip == nil { count += try rows.delete(missing, schema) } else { doubtful.append((missing, schema)) }
    }
    guard let didSkip else { return count }
    for (keys, schema) in doubtful { count += try deleteApart(keys[...], schema, didSkip) }
    return count
  }

  /// Removes the rows that no other row refers to. Keys that contain such a row are split in halves until it is alone.
  private func deleteApart(
    _ keys: ArraySlice<RowKey>, _ schema: EntitySchema, _ didSkip: (any Error) -> Void
  ) throws -> Int {
    guard !keys.isEmpty else { return 0 }
    do {
      return try perform { transaction in
        let count = try transaction.rows.delete(Array(keys), schema)
        try transaction.checkReferences()
        return count
      }
    } catch let error as StoreError where error.code == .constraint(.foreignKey) {
      guard keys.count > 1 else {
        didSkip(error)
        return 0
      }
      let middle = keys.startIndex + keys.count / 2
      let count = try deleteApart(keys[..<middle], schema, didSkip)
      return try count + deleteApart(keys[middle...], schema, didSkip)
    }
  }

  /// Checks that each row that another row contains exists, which is otherwise checked at the commit.
  ///
  /// - Throws: ``StoreError/Code/constraint(_:)``.
  package func checkReferences() throws {
    try requireUsable()
    try bulk.end()
    try statements.attempt { try statements.connection.checkReferences() }
  }

  package var listings: Listings { Listings(statements: statements, bulk: bulk) }
}

/// The open listings and the keys of their rows, stored in two tables of the database.
///
/// Keys are stored as hashes of 64 bits, those of a page together: with a row for each key, a listing would take longer to keep than its
/// rows take to store. If the hash of a missing row is that of a listed row, which is unlikely up to billions of rows, the row is kept.
package struct Listings {
  /// The table of the open listings. Each listing has an entity, a name and a random number.
  static let listings = "anvil_row_listings"
  /// The table of the keys of listed rows. Each row has keys of one transaction and the number of their listing.
  static let keys = "anvil_row_keys"

  /// The beginning of the name of a temporary listing, which cannot be continued by another process.
  static let temporaryPrefix = "anvil stream "
  /// The age in seconds after which a temporary listing counts as abandoned and is removed. If its process is still running, its next batch
  /// fails.
  private static let longestLife: Double = 7 * 86_400

  let statements: Statements
  let bulk: Bulk

  private var connection: any StoreConnection { statements.connection }

  /// Begins a listing. If it is already open, it is restarted, and its recorded rows are discarded.
  package func begin(_ listing: StoreListing, of entity: String) throws {
    try change {
      if try !exists() {
        try connection.lockTable(Self.keys)
        try create()
      }
      try removeRows(of: listing, entity)
      try connection.execute(
        """
        INSERT INTO \(identifier: Self.listings) (entity, name, number, begun) \
        VALUES (\(entity), \(listing.name), \(Int64.random(in: 0 ... .max)), \(Date().timeIntervalSinceReferenceDate))
        """)
    }
  }

  /// Removes a listing if it is open. The rows of the entity are not deleted.
  package func remove(_ listing: StoreListing, of entity: String) throws {
    try change { try removeRows(of: listing, entity) }
  }

  private func change(_ body: () throws -> Void) throws {
    try statements.requireWriting()
    try bulk.flush()
    try statements.attempt(body)
  }

  /// Creates the tables if they do not exist. The caller has to hold their lock.
  private func create() throws {
    let (text, integer) = (connection.columnType(for: .text), connection.columnType(for: .integer))
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(Self.listings) (\
      entity \(text) NOT NULL, name \(text) NOT NULL, number \(integer) NOT NULL, \
      begun \(connection.columnType(for: .date)) NOT NULL, PRIMARY KEY (entity, name))
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(Self.keys) (\
      \(connection.rowNumberColumn(named: "number")), listing \(integer) NOT NULL, \
      keys \(connection.columnType(for: .data)) NOT NULL)
      """)
    try connection.run("CREATE INDEX IF NOT EXISTS \(Self.keys)_listing ON \(Self.keys) (listing)")
  }

  func exists() throws -> Bool {
    try connection.tableExists(Self.listings) && connection.tableExists(Self.keys)
  }

  private func number(_ listing: StoreListing, _ entity: String) throws -> Int64? {
    guard try exists() else { return nil }
    return try connection.first(
      "SELECT number FROM \(identifier: Self.listings) WHERE entity = \(entity) AND name = \(listing.name)"
    ) { row in try row.integer(at: 0) }
  }

  /// Returns the number of an open listing.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for a listing that was not begun.
  func number(of listing: StoreListing, _ entity: String) throws -> Int64 {
    if let number = try statements.attempt({ try number(listing, entity) }) { return number }
    throw StoreError(
      code: .invalidStatement, reason: "the listing “\(listing.name)” of \(entity) was not started, or has ended")
  }

  /// Returns the open listings of the entity.
  package func all(of entity: String) throws -> Set<StoreListing> {
    try statements.attempt {
      guard try exists() else { return [] }
      let names = try connection.all("SELECT name FROM \(identifier: Self.listings) WHERE entity = \(entity)") { row in
        try row.text(at: 0)
      }
      return Set(names.map { StoreListing($0) })
    }
  }

  private func removeRows(of listing: StoreListing, _ entity: String) throws {
    guard let number = try number(listing, entity) else { return }
    try connection.execute("DELETE FROM \(identifier: Self.keys) WHERE listing = \(number)")
    try connection.execute("DELETE FROM \(identifier: Self.listings) WHERE number = \(number)")
  }

  func removeAbandoned() throws { try change { try removeOld() } }

  private func removeOld() throws {
    let oldest = Date().timeIntervalSinceReferenceDate - Self.longestLife
    let old = try connection.all(
      "SELECT name, entity FROM \(identifier: Self.listings) WHERE begun < \(oldest)"
    ) { row in (name: try row.text(at: 0) ?? "", entity: try row.text(at: 1) ?? "") }
    for listing in old where listing.name.hasPrefix(Self.temporaryPrefix) {
      try removeRows(of: StoreListing(listing.name), listing.entity)
    }
  }

  func note(_ keys: Set<RowKey>, in listing: StoreListing, of entity: String) throws {
    try note(keys.map { try ListedKey($0) }, in: listing, of: entity)
  }

  package func note(_ keys: [ListedKey], in listing: StoreListing, of entity: String) throws {
    let number = try number(of: listing, entity)
    guard !keys.isEmpty else { return }
    try statements.attempt {
      let keys = ListedKeys(keys).data
      try connection.execute("INSERT INTO \(identifier: Self.keys) (listing, keys) VALUES (\(number), \(keys))")
    }
  }

  func keys(of numbers: Set<Int64>) throws -> ListedKeys {
    var keys = ListedKeys()
    for number in numbers {
      try connection.query("SELECT keys FROM \(identifier: Self.keys) WHERE listing = \(number)") { row in
        if case .blob(let data)? = try row.values().first { keys.add(data) }
        return .goOn
      }
    }
    keys.sort()
    return keys
  }
}

/// The key of a listed row, as the hash of its text.
package struct ListedKey: Hashable, Sendable {
  fileprivate let hash: UInt64

  /// - Parameter text: The text of ``PayloadKey/text(_:)``.
  package init(text: String) { hash = FNV1a(text.utf8).value }

  init(_ key: RowKey) throws {
    // The most common keys, whose text has no escapes.
    if case .one(.integer(let integer)) = key {
      self.init(text: "[\"\(integer)\"]")
    } else {
      self.init(text: try KeyText.plainText(of: key))
    }
  }
}

/// The keys of listed rows. Takes at most ten bytes for each.
struct ListedKeys {
  private var hashes: [UInt64] = []
  /// The indices at which the hashes with the same first bits begin, and the number of hashes. A search in all hashes would wait for
  /// memory at each of its steps: it took 8 % of the time of a pull of 1,000,000 rows.
  private var starts: [Int] = []
  private var shift = 64

  init() {}

  init(_ keys: [ListedKey]) { hashes = keys.map(\.hash) }

  var data: Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(hashes.count * 8)
    for hash in hashes {
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: hash >> UInt64(shift))) }
    }
    return Data(bytes)
  }

  mutating func add(_ data: Data) {
    let bytes = [UInt8](data)
    for start in stride(from: 0, to: bytes.count - bytes.count % 8, by: 8) {
      hashes.append((0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) })
    }
  }

  mutating func sort() {
    hashes.sort()
    // Eight hashes for each beginning.
    let bits = max(Int.bitWidth - (hashes.count / 8).leadingZeroBitCount, 1)
    shift = 64 - bits
    starts = []
    starts.reserveCapacity(1 << bits + 1)
    for (index, hash) in hashes.enumerated() {
      while starts.count <= Int(hash >> UInt64(shift)) { starts.append(index) }
    }
    while starts.count <= 1 << bits { starts.append(hashes.count) }
  }

  /// Returns `true` if the key, or another one with the same hash, was listed. The keys have to be sorted.
  func contains(_ key: RowKey) throws -> Bool {
    let hash = try ListedKey(key).hash
    let beginning = Int(hash >> UInt64(shift))
    var (low, high) = (starts[beginning], starts[beginning + 1])
    while low < high {
      let middle = low + (high - low) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash
  }
}

/// A complete list of rows that is stored in several transactions, for example page by page from an API. Rows that are not in the list are
/// deleted at its end.
///
/// The database keeps the keys of the listed rows, and commits them with their page. A listing therefore needs no memory before its end,
/// which takes at most ten bytes for each row, and can be continued after the process has ended. A listing that is begun and never ended deletes nothing.
package struct StoreListing: Hashable, Sendable {
  /// The name, which identifies the listing among all listings of the same entity.
  package let name: String

  /// Creates a listing with a name that stays the same when the program runs again.
  package init(_ name: String) {
    self.name = name
  }
}

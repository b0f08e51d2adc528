/// Listings that take several transactions.
extension StoreTransaction {
  /// Begins a listing of the model's rows. If it is already open, it is restarted, and its recorded rows are discarded.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` for a model without match keys; ``StoreError``.
  public func begin<Model: ManagedDecodable>(
    _ listing: StoreListing, of type: Model.Type
  ) throws where Model.Context == StoreTransaction {
    try requireUsable()
    try requireWriting()
    guard Model.matchKeys?.isEmpty == false else { throw noKeys(of: Model.entityName) }
    try begin(listing, of: Model.entityName)
  }

  /// Begins a listing of an entity's rows.
  package func begin(_ listing: StoreListing, of entity: String) throws {
    try requireWriting()
    try flush()
    try attempt {
      if try !log.exists() {
        try connection.lockTable(ListingLog.keys)
        try log.create()
      }
      try log.remove(listing, entity)
      try log.append(listing, entity)
    }
  }

  /// Removes a listing if it is open. The rows of the entity are not deleted.
  package func forget(_ listing: StoreListing, of entity: String) throws {
    try requireWriting()
    try flush()
    try attempt { try log.remove(listing, entity) }
  }

  /// Creates or updates a model for each element of the list that `decoder` decodes. The list is a part of a listing.
  ///
  /// - Returns: The models and the changes to their rows.
  /// - Throws: The same errors as ``ManagedDecodable/createOrUpdate(in:from:)``; ``StoreError/Code/invalidStatement`` for a listing that
  ///   was not begun.
  @discardableResult
  public func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: [Model].Type, from decoder: any Decoder, in listing: StoreListing, rules: [ConflictRule] = []
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireUsable()
    return try createOrUpdateList(of: Model.self, from: decoder, missing: .kept, in: listing, rules: rules)
  }

  /// Ends a listing. Deletes the rows that `missing` selects, unless they were listed since the listing began.
  ///
  /// Rows that other code has stored since then are deleted as well if they were not listed.
  ///
  /// - Parameters:
  ///   - listing: The listing.
  ///   - type: The model that the listing was begun with.
  ///   - missing: The rows to delete if the listing did not contain them. `.kept` deletes none.
  /// - Returns: The number of deleted rows.
  /// - Throws: ``StoreError/Code/invalidStatement`` for a listing that was not begun.
  @discardableResult
  public func end<Model: ManagedDecodable>(
    _ listing: StoreListing, of type: Model.Type, missing: MissingRows = .deleted
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    try requireWriting()
    try flush()
    bulk?.forgetRows()
    let (entity, log) = (Model.entityName, log)
    let number = try number(of: listing, entity)
    var count = 0
    if let scope = try missing.scope(of: entity), let schema = try schema(of: entity) {
      count = try deleteRows(of: schema, scope, AttributeNames(of: type), notIn: [number])
    }
    try attempt { try log.remove(listing, entity) }
    return count
  }

  /// Begins a listing with a random name, and removes abandoned temporary listings.
  package func beginTemporaryListing<Model: ManagedDecodable>(
    of type: Model.Type
  ) throws -> StoreListing where Model.Context == StoreTransaction {
    let listing = StoreListing(
      ListingLog.temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 16))
    try begin(listing, of: type)
    try attempt { try log.removeAbandoned() }
    return listing
  }

  private var log: ListingLog { ListingLog(connection: connection) }

  private func number(of listing: StoreListing, _ entity: String) throws -> Int64 {
    if let number = try attempt({ try log.number(of: listing, entity) }) { return number }
    throw StoreError(
      code: .invalidStatement, reason: "the listing “\(listing.name)” of \(entity) was not started, or has ended")
  }

  /// Adds the rows with these keys to a listing.
  func note(_ keys: Set<RowKey>, in listing: StoreListing, of entity: String) throws {
    try note(keys.map { try KeyText.plainText(of: $0) }, in: listing, of: entity)
  }

  /// Adds the rows with these keys, as text, to a listing.
  package func note(_ keys: [String], in listing: StoreListing, of entity: String) throws {
    let number = try number(of: listing, entity)
    var values: [StoreValue] = []
    let limit = connection.rowsPerWrite(ofColumns: 2) * 2
    // Duplicates are removed from values, because values are compared by their bytes, as in the database.
    for key in Set(keys.map(StoreValue.text)) {
      values += [.integer(number), key]
      guard values.count >= limit else { continue }
      _ = try write(values, as: ListingLog.writing)
      values.removeAll(keepingCapacity: true)
    }
    if !values.isEmpty { _ = try write(values, as: ListingLog.writing) }
  }

  /// Removes the rows that `missing` covers and that none of the open listings contains. Returns the number of removed rows.
  package func deleteRows<Model: StorableModel>(
    of type: Model.Type, _ missing: MissingRows, notIn listings: [StoreListing]
  ) throws -> Int {
    try deleteRows(ofEntity: Model.entityName, AttributeNames(of: type), missing, notIn: listings)
  }

  /// Removes rows of an entity without a model; see ``deleteRows(of:_:notIn:)``.
  package func deleteRows(
    ofEntity entity: String, _ missing: MissingRows, notIn listings: [StoreListing]
  ) throws -> Int {
    try deleteRows(ofEntity: entity, AttributeNames(), missing, notIn: listings)
  }

  private func deleteRows(
    ofEntity entity: String, _ names: AttributeNames, _ missing: MissingRows, notIn listings: [StoreListing]
  ) throws -> Int {
    guard let scope = try missing.scope(of: entity) else { return 0 }
    try requireWriting()
    try flush()
    bulk?.forgetRows()
    guard let schema = try schema(of: entity) else { return 0 }
    return try deleteRows(of: schema, scope, names, notIn: Set(listings.map { try number(of: $0, entity) }))
  }

  /// Removes the rows that match the condition and that none of the listings contains.
  private func deleteRows(
    of schema: EntitySchema, _ condition: ConditionNode, _ names: AttributeNames, notIn numbers: Set<Int64>
  ) throws -> Int {
    try deleteRows(of: schema, condition, names) { keys in
      let texts = try keys.map { StoreValue.text(try KeyText.plainText(of: $0)) }
      let listed = try log.listed(texts, in: numbers)
      return zip(keys, texts).filter { !listed.contains($0.1) }.map(\.0)
    }
  }

  /// Removes rows that match the condition. `missing` is called with batches of their keys, and returns the keys of the rows to remove.
  func deleteRows(
    of schema: EntitySchema, _ condition: ConditionNode, _ names: AttributeNames,
    _ missing: ([RowKey]) throws -> [RowKey]
  ) throws -> Int {
    guard !schema.keyNames.isEmpty else { throw noKeys(of: schema.entity) }
    var writer = writer(schema, names, condition)
    let sql = try writer.keys(condition)
    var count = 0
    var keys: [RowKey] = []
    try query(sql, writer.values) { row in
      keys.append(RowKey(try row.values()))
      guard keys.count == Self.batchSize else { return .goOn }
      count += try delete(try missing(keys), schema)
      keys.removeAll(keepingCapacity: true)
      return .goOn
    }
    return try count + delete(try missing(keys), schema)
  }

  func noKeys(of entity: String) -> StoreError {
    StoreError(
      code: .invalidStatement, reason: "\(entity) has no match keys, so missing rows cannot be identified")
  }
}

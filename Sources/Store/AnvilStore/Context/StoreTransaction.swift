package import AnvilJSON

/// A transaction, passed by `perform` and `read` of a ``Store`` to their body.
///
///     try await store.perform { transaction in
///       let user = try User.createOrUpdate(in: transaction, from: decoder)
///       try transaction.save(Visit(user: user.id))
///     }
///
/// Only the body may use it, on the thread that runs the body and until the body returns; it cannot be passed to a task. Where the compiler
/// cannot enforce this, as in Swift 5 mode, its functions throw ``StoreError/Code/outsideTransaction``. Changes within a read-only
/// transaction throw the same error.
public final class StoreTransaction: ManagedContext {
  enum Kind: Sendable {
    /// A read-only transaction. All statements see the database as it was at one moment.
    case reading
    case writing
  }

  /// The connection was lost during the commit, so that it is unknown whether the transaction was committed.
  struct UncertainCommit: Error {
    let error: StoreError
  }

  let statements: Statements
  let tables: Tables
  let bulk: Bulk
  let rows: Rows
  let bindings: EntityBindings
  private let store: Store
  private let executor: StoreExecutor
  private var isOpen = false

  init(
    _ kind: Kind, on connection: any StoreConnection, executor: StoreExecutor, bindings: EntityBindings,
    store: Store, plan: SchemaPlan
  ) {
    self.executor = executor
    self.bindings = bindings
    self.store = store
    statements = Statements(kind, on: connection)
    tables = Tables(statements, store.migrations, bindings, plan: plan)
    bulk = Bulk(statements)
    rows = Rows(statements, tables, bulk, bindings)
  }

  /// Checks that the transaction is still running and is used on its thread.
  func requireUsable() throws(StoreError) {
    // The thread is checked first: other threads may not read the other properties.
    guard executor.isIsolatingCurrentContext() == true, isOpen else {
      throw StoreError(
        code: .outsideTransaction, reason: "a transaction can only be used within the body of perform or read")
    }
  }

  /// Runs `body` in the transaction and returns its result. The transaction is committed when `body` returns and rolled back when it
  /// throws.
  ///
  /// - Throws: ``SchemaPlan/Restart`` when it has to be run again with another plan; the error that `body` throws; ``StoreError``.
  func run<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try statements.begin()
    // Those of a transaction that was rolled back.
    if statements.kind == .writing { _ = statements.connection.takeChangedTables() }
    isOpen = true
    bindings.rows = rows
    defer {
      isOpen = false
      bindings.rows = nil
    }
    let result: Result
    do {
      try tables.begin()
      result = try body(self)
      try bulk.flush()
      try statements.requireCommittable()
      if statements.kind == .writing { try announceChanges() }
      try Task.checkCancellation()
    } catch {
      bindings.forget()
      statements.rollBack()
      throw statements.restart ?? statements.cause(of: error)
    }
    do {
      try statements.commit()
    } catch {
      bindings.forget()
      if error is UncertainCommit { store.observers.signal(nil) }
      throw error
    }
    tables.keep()
    if statements.kind == .writing {
      store.observers.notify(rows.changes, in: statements.connection.takeChangedTables())
    }
    return result
  }

  private func announceChanges() throws(StoreError) {
    let changes = rows.changes
    // No other store observes the library's own rows, and each announcement costs the server a lock at the commit.
    let changed = changes.entities.filter { !SchemaCatalog.ownEntities.contains($0) }.sorted()
    if changes.mayBeAny {
      try statements.connection.announce(nil, by: store.identifier)
    } else if !changed.isEmpty {
      try statements.connection.announce(changed, by: store.identifier)
    }
  }

  /// Runs `body` in a nested transaction. If `body` throws, its changes are undone and the outer transaction continues.
  ///
  /// - Throws: The error that `body` throws; ``StoreError``.
  @discardableResult
  public func perform<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try requireUsable()
    try bulk.flush()
    let undo = [tables.checkpoint(), bulk.checkpoint(), rows.checkpoint()]
    do {
      return try statements.nest {
        let result = try body(self)
        try bulk.flush()
        return result
      }
    } catch {
      bindings.forget()
      // Some failures end the whole transaction.
      if statements.connection.isInTransaction { for undo in undo { undo() } }
      throw error
    }
  }
}

/// Reading and writing models in the transaction. The functions of ``Store`` with the same names describe the parameters and the errors.
extension StoreTransaction {
  /// Returns the models that match `condition`, sorted by `orders`.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] where Model.Context == StoreTransaction {
    try requireUsable()
    return try rows.page(type, StoreQuery(condition, orders, limit: limit, offset: offset)).models
  }

  /// Returns the model whose match keys have these values; `nil` if it is not stored.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, key: some StoredValue, _ others: any StoredValue...
  ) throws -> Model? where Model.Context == StoreTransaction {
    try requireUsable()
    return try rows.fetch(type, keys: [key] + others)
  }

  /// Returns the number of rows that match `condition`.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try rows.count(type, condition.node)
  }

  /// Stores the model: updates the row that has its match keys, or inserts a new row.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try save(CollectionOfOne(model))
  }

  /// Stores the models: updates the rows that have their match keys, and inserts the others.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ models: some Sequence<Model>, rules: [ConflictRule] = []
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try requireUsable()
    return try rows.store(Array(models), rules: rules)
  }

  /// Removes the row that has the model's match keys. Returns `true` if there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> Bool where Model.Context == StoreTransaction {
    try requireUsable()
    return try rows.delete(model)
  }

  /// Removes the rows that match `condition`. Returns their number.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model>
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try rows.delete(type, condition.node)
  }

  /// Creates or updates a model for each element of the list that `decoder` decodes. `listing` is an open listing that the list is a part of.
  ///
  /// - Throws: The same errors as ``ManagedDecodable/createOrUpdate(in:from:)``.
  @discardableResult
  package func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: [Model].Type, from decoder: any Decoder, missing: MissingRows = .kept, in listing: StoreListing? = nil,
    rules: [ConflictRule] = []
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireUsable()
    var elements = try decoder.unkeyedContainer()
    return try createOrUpdate(
      Model.self, missing: missing, in: listing, rules: rules, next: { try elements.decoders(atMost: $0) })
  }
}

extension UnkeyedDecodingContainer {
  mutating func decoders(atMost count: Int) throws -> [any Decoder] {
    var decoders: [any Decoder] = []
    while !isAtEnd, decoders.count < count { decoders.append(try superDecoder()) }
    return decoders
  }
}

package enum PayloadKey: Sendable {
  /// The key as text. Rows with the same key have the same text.
  case text(String)
  /// The payload has no key, or the key cannot be read.
  case unknown
  /// The entity has no table yet, and therefore no rows.
  case noTable

  fileprivate init(_ key: RowKey?) throws { self = try key.map { .text(try KeyText.plainText(of: $0)) } ?? .unknown }
}

/// Functions for pulls and listings that are stored page by page.
extension StoreTransaction {
  /// Creates or updates a model for each decoder. `next` returns at most the requested number of decoders, and none at the end.
  ///
  /// `didStore` receives the key of each model's row. It requires a model with match keys.
  package func createOrUpdate<Model: StorableModel>(
    _ type: Model.Type, missing: MissingRows = .kept, in listing: StoreListing? = nil, rules: [ConflictRule] = [],
    next: (Int) throws -> [any Decoder], willCreate: (Int) -> Void = { _ in }, didStore: ((ListedKey) -> Void)? = nil
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try rows.createOrUpdate(
      type, missing: missing, rules: rules, in: self, next: next, willCreate: willCreate, didStore: didStore
    ) { keys in
      if let listing { try listings.note(keys, in: listing, of: Model.entityName) }
    }
  }

  /// Returns the key in the payload of `decoder`, without decoding the model.
  package func payloadKey<Model: StorableModel>(of type: Model.Type, in decoder: any Decoder) throws -> PayloadKey {
    guard try tables.schema(of: Model.entityName) != nil else { return .noTable }
    return try PayloadKey(
      bindings.with(type) { try rows.payloadKey(in: decoder, $0) ?? rows.foundKey(of: type, in: decoder, $0) })
  }

  /// Removes the row with the key in the payload of `decoder`. Returns `true` if there was one.
  ///
  /// - Throws: `DecodingError` when the payload has no key, and cannot be decoded as a model either; ``StoreError``.
  package func deleteRow<Model: StorableModel>(of type: Model.Type, describedBy decoder: any Decoder) throws -> Bool {
    try rows.delete(type, describedBy: decoder)
  }

  /// Waits until no other open transaction holds this lock of the model's entity, and holds the lock until this transaction ends.
  package func lock<Model: StorableModel>(_ type: Model.Type) throws {
    try statements.requireWriting()
    try statements.connection.lockTable(Model.entityName)
  }

  /// Returns the part of an entity's table that another program has removed; `nil` if nothing is lost.
  package func loss(of entity: String) throws -> TableLoss? { try tables.catalog.loss(of: entity) }

  /// Removes the lost part of the entity's table from the catalog, and returns it. The next transaction that needs the part creates it
  /// again. The remaining rows are kept.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` for a lost column of the key.
  package func restore(_ entity: String) throws -> TableLoss? { try tables.restore(entity) }

  /// Returns the database's plan for a query, without running it.
  package func explain<Model: StorableModel>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil
  ) throws -> String {
    try rows.explain(type, StoreQuery(condition, orders, limit: limit))
  }
}

/// Storing JSON objects without a model.
extension StoreTransaction {
  /// Stores objects as rows of an entity; see ``Store/store(_:as:keys:)``. Returns the keys of the rows if `notesKeys` is true.
  package func store(
    _ objects: [JSON], as entity: String, keys: [String], rules: [ConflictRule] = [], notingKeys notesKeys: Bool = false
  ) throws -> StoredObjects {
    var storing = ObjectStoring(of: entity, keys: keys, rules: rules, in: self)
    return try storing.store(objects, notingKeys: notesKeys)
  }

  package func payloadKey(of json: JSON, as entity: String, keys: [String]) throws -> PayloadKey {
    guard let schema = try tables.schema(of: entity) else { return .noTable }
    return try PayloadKey(key(of: json, schema, keys))
  }

  /// Removes the row that has the object's key. Returns `true` if there was one, `false` if there was none, and `nil` if the key cannot be
  /// read from the object.
  package func deleteRow(describedBy json: JSON, as entity: String, keys: [String]) throws -> Bool? {
    try statements.requireWriting()
    guard let schema = try tables.schema(of: entity) else { return false }
    guard let key = key(of: json, schema, keys) else { return nil }
    return try rows.delete([key], schema) > 0
  }

  private func key(of json: JSON, _ schema: EntitySchema, _ keys: [String]) -> RowKey? {
    ObjectKeys(schema, keys, statements.connection).key(of: json)
  }
}

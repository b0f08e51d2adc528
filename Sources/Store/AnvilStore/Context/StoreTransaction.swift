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

  let kind: Kind
  let connection: any StoreConnection
  let store: Store
  let bindings: EntityBindings
  private let executor: StoreExecutor

  var progress = Progress()
  var tables: KnownTables {
    didSet { bindings.schemaGeneration &+= 1 }
  }
  var changes = RowChanges()
  var known = KnownRows()
  var reading = RowReading()

  struct Progress {
    fileprivate(set) var isOpen = false
    /// The number of nested transactions that are open.
    fileprivate(set) var depth = 0
    /// The failure of a statement. After it, the transaction or the nested transaction cannot be committed.
    fileprivate(set) var failure: (any Error)?
    /// The reason to run the transaction again with another plan. When set, the transaction cannot be committed.
    fileprivate(set) var restart: SchemaPlan.Restart?

    mutating func requireRestart(_ restart: SchemaPlan.Restart) { self.restart = self.restart ?? restart }
  }

  init(
    _ kind: Kind, on connection: any StoreConnection, executor: StoreExecutor, bindings: EntityBindings,
    store: Store, plan: SchemaPlan
  ) {
    self.kind = kind
    self.connection = connection
    self.executor = executor
    self.bindings = bindings
    self.store = store
    tables = KnownTables(after: bindings.tables, plan: plan)
    bindings.schemaGeneration &+= 1
  }

  /// Checks that the transaction is still running and is used on its thread.
  func requireUsable() throws(StoreError) {
    // The thread is checked first: other threads may not read the other properties.
    guard executor.isIsolatingCurrentContext() == true, progress.isOpen else {
      throw StoreError(
        code: .outsideTransaction, reason: "a transaction can only be used within the body of perform or read")
    }
  }

  /// Runs `body` in the transaction and returns its result. The transaction is committed when `body` returns and rolled back when it
  /// throws.
  ///
  /// - Throws: ``SchemaPlan/Restart`` when it has to be run again with another plan; the error that `body` throws; ``StoreError``.
  func run<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try connection.run(kind == .writing ? connection.beginWriting : connection.beginReading)
    progress.isOpen = true
    bindings.transaction = self
    defer {
      progress.isOpen = false
      bindings.transaction = nil
    }
    let result: Result
    do {
      try beginSchema()
      result = try body(self)
      try flush()
      if let failure = progress.failure { throw failure }
      if let restart = progress.restart { throw restart }
      try announceChanges()
      try Task.checkCancellation()
    } catch {
      rollBack()
      throw progress.restart ?? error
    }
    try commit()
    if tables.version != nil { bindings.tables = tables }
    store.observers.notify(changes)
    return result
  }

  /// Runs `body` in a nested transaction and returns its result. Its changes are undone when it throws.
  func nest<Result>(_ body: () throws -> Result) throws -> Result {
    try flush()
    progress.depth += 1
    defer { progress.depth -= 1 }
    let name = "anvil_\(progress.depth)"
    let before = (tables, changes, known, progress.failure)
    try run("SAVEPOINT \(name)")
    do {
      let result = try body()
      try flush()
      if let failure = progress.failure { throw failure }
      try run("RELEASE \(name)")
      return result
    } catch {
      bindings.forget()
      // Some failures end the whole transaction.
      guard connection.isInTransaction else { throw error }
      try connection.run("ROLLBACK TO \(name)")
      try connection.run("RELEASE \(name)")
      (tables, changes, known, progress.failure) = before
      // Changes made for it at the beginning of the transaction would remain.
      if tables.plan.changes.contains(where: \.isNested) { progress.requireRestart(.undone) }
      throw error
    }
  }

  private func commit() throws {
    do throws(StoreError) {
      try connection.run("COMMIT")
    } catch {
      let violation =
        error.code == .constraint(.foreignKey) && connection.isInTransaction
        ? try? connection.foreignKeyViolation() : nil
      rollBack()
      if let violation {
        throw StoreError(
          code: error.code, sql: error.sql, backendMessage: error.backendMessage, backendCode: error.backendCode,
          reason: violation)
      }
      if error.code == .connectionLost {
        store.observers.signal(nil)
        throw UncertainCommit(error: error)
      }
      throw error
    }
  }

  private func announceChanges() throws(StoreError) {
    // No other store observes the library's own rows, and each announcement costs the server a lock at the commit.
    let changed = changes.entities.filter { !SchemaCatalog.ownEntities.contains($0) }.sorted()
    if changes.mayBeAny {
      try connection.announce(nil, by: store.identifier)
    } else if !changed.isEmpty {
      try connection.announce(changed, by: store.identifier)
    }
  }

  private func rollBack() {
    bindings.forget()
    // If there is no open transaction, it was already rolled back or the connection was lost.
    if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
  }
}

/// Statements.
extension StoreTransaction {
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue] = []) throws -> Int {
    try attempt { try connection.run(sql, values) }
  }

  func query(
    _ sql: String, _ values: [StoreValue], _ body: (borrowing StoreRow) throws -> StoreRow.Next
  ) throws {
    // An error that `body` throws is not a failure of the statement.
    var thrown: (any Error)?
    try attempt {
      try connection.query(sql, values) { row in
        do {
          return try body(row)
        } catch {
          thrown = error
          return .stop
        }
      }
    }
    if let thrown { throw thrown }
  }

  func write(_ rows: [StoreValue], as writing: RowWriting) throws -> RowWriting.Outcome {
    try attempt { try connection.write(rows, as: writing) }
  }

  func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    // Interrupting does nothing between statements.
    try Task.checkCancellation()
    do {
      return try body()
    } catch {
      progress.failure = error
      throw error
    }
  }

  func requireWriting() throws(StoreError) {
    guard kind == .writing else {
      throw StoreError(code: .outsideTransaction, reason: "this transaction is read-only; use perform to make changes")
    }
  }
}

/// Reading and writing models in the transaction.
extension StoreTransaction {
  /// Returns the models that match `condition`.
  ///
  /// They are sorted by `orders`, or by their match keys if there are no orders. Models without match keys keep the order in which they
  /// were inserted.
  ///
  /// - Throws: `DecodingError` when a row cannot be decoded as the model; ``StoreError``.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] where Model.Context == StoreTransaction {
    try requireUsable()
    return try fetch(type, StoreQuery(condition, orders, limit: limit, offset: offset))
  }

  /// Returns the model whose match keys have these values, which are in the order of the keys. Returns `nil` if the model is not stored.
  public func fetch<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, key: any Encodable & Sendable, _ others: any Encodable & Sendable...
  ) throws -> Model? where Model.Context == StoreTransaction {
    try requireUsable()
    return try fetch(type, keys: [key] + others)
  }

  /// Returns the number of rows that match `condition`.
  public func count<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try count(type, condition.node)
  }

  /// Stores the model: updates the row that has its match keys, or inserts a new row.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try save(CollectionOfOne(model))
  }

  /// Stores the models. Rows with the same match keys are updated; the other models are inserted.
  ///
  /// Rows that already have the same values are not written. Of several models with the same match keys, the last one is stored. If there
  /// are rules, all of them are stored, one after the other.
  ///
  /// - Parameters:
  ///   - models: The models, of one type.
  ///   - rules: Rules for rows that exist. They take precedence over those of the model.
  @discardableResult
  public func save<Model: ManagedDecodable & Codable>(
    _ models: some Sequence<Model>, rules: [ConflictRule] = []
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    try requireUsable()
    return try store(Array(models), rules: rules)
  }

  /// Removes the row that has the model's match keys.
  ///
  /// - Returns: `true` if there was one.
  @discardableResult
  public func delete<Model: ManagedDecodable & Codable>(
    _ model: Model
  ) throws -> Bool where Model.Context == StoreTransaction {
    try requireUsable()
    return try deleteRow(of: model)
  }

  /// Removes the rows that match `condition`; with ``StoreCondition/all``, all rows of the model.
  ///
  /// - Returns: The number of removed rows.
  @discardableResult
  public func delete<Model: ManagedDecodable>(
    _ type: Model.Type, where condition: StoreCondition<Model>
  ) throws -> Int where Model.Context == StoreTransaction {
    try requireUsable()
    return try deleteRows(of: type, condition.node)
  }

  /// Creates or updates a model for each element of the list that `decoder` decodes.
  ///
  /// - Parameters:
  ///   - type: The type of the models.
  ///   - decoder: A decoder of a list.
  ///   - missing: The treatment of rows that are not in the list.
  ///   - rules: Rules for rows that exist. They take precedence over the model's own.
  /// - Returns: The models and the changes to their rows.
  /// - Throws: The same errors as ``ManagedDecodable/createOrUpdate(in:from:)``.
  public func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: [Model].Type, from decoder: any Decoder, missing: MissingRows = .kept,
    rules: [ConflictRule] = []
  ) throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try requireUsable()
    return try createOrUpdateList(of: Model.self, from: decoder, missing: missing, rules: rules)
  }

  /// Runs `body` in a nested transaction. If `body` throws, its changes are undone and the outer transaction continues.
  ///
  /// - Throws: The error that `body` throws; ``StoreError``.
  @discardableResult
  public func perform<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try requireUsable()
    return try nest { try body(self) }
  }
}

package enum PayloadKey: Sendable {
  /// The key as text. Rows with the same key have the same text.
  case text(String)
  /// The payload has no key, or the key cannot be read.
  case unknown
  /// The entity has no table yet, and therefore no rows.
  case noTable
}

/// Access to rows by the keys in payloads, for listings that are stored page by page.
extension StoreTransaction {
  /// Returns the key in the payload of `decoder`, without decoding the model.
  package func payloadKey<Model: StorableModel>(of type: Model.Type, in decoder: any Decoder) throws -> PayloadKey {
    try bindings.with(type) { binding in
      guard try schema(of: binding.entity) != nil else { return .noTable }
      let key = try payloadKey(in: decoder, binding) ?? foundKey(of: type, in: decoder, binding)
      return try key.map { .text(try KeyText.plainText(of: $0)) } ?? .unknown
    }
  }

  /// Removes the row with the key in the payload of `decoder`. Returns `true` if there was one.
  ///
  /// - Throws: `DecodingError` when the payload has no key, and cannot be decoded as a model either; ``StoreError``.
  package func deleteRow<Model: StorableModel>(of type: Model.Type, describedBy decoder: any Decoder) throws -> Bool {
    try requireWriting()
    try flush()
    known.bulk?.forgetRows()
    guard let schema = try schema(of: Model.entityName) else { return false }
    let known = try bindings.with(type) { binding in
      try payloadKey(in: decoder, binding) ?? foundKey(of: type, in: decoder, binding)
    }
    let key = try known ?? key(of: decoder.singleValueContainer().decode(type))
    return try delete([key], schema) > 0
  }
}

/// Storing JSON objects without a model.
extension StoreTransaction {
  /// Stores an array of objects as rows of an entity; see ``Store/store(_:as:keys:)``.
  package func store(
    _ json: JSON, as entity: String, keys: [String], rules: [ConflictRule] = []
  ) throws -> StoredObjects {
    var storing = ObjectStoring(of: entity, keys: keys, rules: rules, in: self)
    return try storing.store(json)
  }

  package func payloadKey(of json: JSON, as entity: String, keys: [String]) throws -> PayloadKey {
    guard let schema = try schema(of: entity) else { return .noTable }
    return try key(of: json, schema, keys).map { .text(try KeyText.plainText(of: $0)) } ?? .unknown
  }

  /// Removes the row that has the object's key. Returns `true` if there was one, `false` if there was none, and `nil` if the key cannot be
  /// read from the object.
  package func deleteRow(describedBy json: JSON, as entity: String, keys: [String]) throws -> Bool? {
    try requireWriting()
    guard let schema = try schema(of: entity) else { return false }
    guard let key = try key(of: json, schema, keys) else { return nil }
    return try delete([key], schema) > 0
  }

  private func key(of json: JSON, _ schema: EntitySchema, _ keys: [String]) throws -> RowKey? {
    guard !keys.isEmpty, Set(keys) == Set(schema.keyNames) else { return nil }
    let values = schema.keyColumns.compactMap { column in
      json.member(forColumn: column.name).flatMap(column.keyValue(of:))
    }
    return values.count == keys.count ? RowKey(values) : nil
  }
}

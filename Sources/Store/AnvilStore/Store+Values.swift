/// Observing models.
extension Store {
  /// Returns a sequence whose elements contain all models that match `condition`: first the current ones, then those after each change.
  ///
  ///     for try await members in store.values(of: Member.self, where: \.team == "red") {
  ///       show(members)
  ///     }
  ///
  /// An element is read after a transaction that changes rows of the model, or rows of models that they or the condition refer to, was committed. Changes that are
  /// made while an element is in use are coalesced, and the next element contains all of them. It may be equal to the one before, if the
  /// changed rows do not match.
  ///
  /// Changes by other stores and other processes are found within about a tenth of a second. In SQLite those are changes by any program, in
  /// PostgreSQL changes by stores of this library. A database in memory is used by only one store. Rows that a trigger or a foreign key
  /// changes are found in SQLite, and in PostgreSQL if their changes are recorded (``Store/recordChanges(of:keepingFor:)``).
  ///
  /// The sequence ends when the store is closed and when the task is cancelled.
  ///
  /// - Parameters:
  ///   - type: The type of the models.
  ///   - condition: The condition. Without it, all models.
  ///   - orders: The sort order. If it is empty, the default order of `fetch` is used.
  ///   - limit: The maximum number of models; `nil` for all.
  public func values<Model: ManagedDecodable & Codable & Sendable>(
    of type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    limit: Int? = nil
  ) -> StoreSequence<[Model]> where Model.Context == StoreTransaction {
    let query = StoreQuery(condition, orders, limit: limit)
    return StoreSequence {
      var observation: ValueObservation?
      return {
        try await StoreSequence<[Model]>.untilClosed {
          if let observation {
            guard try await observation.change() else { return nil }
            // The changed rows may refer to other entities. Their changes must count before the rows are read.
            observation.limit(to: nil)
          } else {
            guard let started = try await ValueObservation(of: self) else { return nil }
            observation = started
          }
          let (models, entities) = try await self.read { transaction in
            (
              try transaction.rows.page(type, query).models,
              try transaction.tables.entities(readBy: type.entityName, query)
            )
          }
          observation?.limit(to: entities)
          return [models]
        }
      }
    }
  }
}

extension Tables {
  /// Returns the entities whose rows form models of `entity` that match a query: the entity itself, those that it refers to at any depth,
  /// and those that the query refers to.
  fileprivate func entities(readBy entity: String, _ query: StoreQuery) throws -> Set<String> {
    var found = Set(query.relations.map { $0.entityName }).union([entity])
    var open = [entity]
    while let entity = open.popLast() {
      for column in try schema(of: entity)?.columns ?? [] {
        if let referenced = column.reference?.entity, found.insert(referenced).inserted { open.append(referenced) }
      }
    }
    return found
  }
}

/// Observing changes.
extension Store {
  /// Returns a sequence with one element for each later transaction of this store that changes rows of the model's entity.
  ///
  /// Elements arrive after the commit. With several connections that write, the elements of transactions that commit at about the same time
  /// may arrive in any order.
  ///
  /// Changes by other stores and other processes are not reported. The sequence ends when the store is closed or released. Elements are
  /// buffered without limit for slow readers.
  public func changes<Model: ManagedDecodable>(of type: Model.Type) -> AsyncStream<StoreChanges.Counts> {
    let (stream, continuation) = AsyncStream.makeStream(of: StoreChanges.Counts.self)
    guard let id = observers.add(.counts(entity: Model.entityName, continuation)) else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak observers] _ in observers?.remove(id) }
    return stream
  }
}

/// The signals for one iteration of values or changes. It ends with the last reference to it.
final class ValueObservation: Sendable {
  private let store: Store
  private let id: UInt64
  private let signals: AsyncStream<Void>

  /// Begins to observe. Returns `nil` if the store was closed.
  init?(of store: Store) async throws {
    // A single buffered signal stands for all changes since the last element.
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    try await store.foreignChanges?.begin()
    guard let id = store.observers.add(.signals(entities: nil, continuation)) else {
      store.foreignChanges?.end()
      return nil
    }
    self.store = store
    self.id = id
    self.signals = signals
  }

  deinit {
    store.observers.remove(id)
    store.foreignChanges?.end()
  }

  /// Waits for a change. Returns `false` when the store was closed or the task cancelled.
  ///
  /// - Throws: ``StoreError/Code/unsupported`` if the database cannot report changes by other stores.
  func change() async throws -> Bool {
    for await _ in signals {
      try store.foreignChanges?.requireDetection()
      return true
    }
    return false
  }

  func limit(to entities: Set<String>?) {
    store.observers.limit(id, to: entities)
  }
}

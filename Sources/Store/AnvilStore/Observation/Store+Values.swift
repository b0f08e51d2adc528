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
  /// PostgreSQL changes by stores of this library. A database in memory is used by only one store.
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
  ) -> Values<Model> where Model.Context == StoreTransaction {
    Values(store: self, query: StoreQuery(condition, orders, limit: limit))
  }

  /// A sequence of the models of a store, now and after each change, as `values` of ``Store`` returns it. It can be iterated any
  /// number of times. Each iteration begins with the models that are stored at that time.
  public struct Values<Model: ManagedDecodable & Codable & Sendable>: AsyncSequence, Sendable
  where Model.Context == StoreTransaction {
    let store: Store
    let query: StoreQuery

    /// Returns an iterator that starts with the models that are stored now.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(store: store, query: query)
    }

    /// An iterator that returns the models after each change.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let store: Store
      private let query: StoreQuery
      private var observation: ValueObservation?
      private var isAtEnd = false

      init(store: Store, query: StoreQuery) {
        self.store = store
        self.query = query
      }

      /// Returns all models that match. Waits for a change first, unless this is the first element.
      ///
      /// - Returns: `nil` when the store was closed, when the task was cancelled, and after an error.
      /// - Throws: The same errors as `fetch`.
      public mutating func next() async throws -> [Model]? {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        do {
          guard let models = try await nextModels() else { return nil }
          isAtEnd = false
          return models
        } catch let error as StoreError where error.code == .closed {
          return nil
        } catch is CancellationError {
          return nil
        }
      }

      private mutating func nextModels() async throws -> [Model]? {
        if let observation {
          guard try await observation.change() else { return nil }
          // The changed rows may refer to other entities. Their changes must count before the rows are read.
          observation.limit(to: nil)
        } else {
          guard let started = try await ValueObservation(of: store) else { return nil }
          observation = started
        }
        let (models, entities) = try await store.observed(Model.self, query)
        observation?.limit(to: entities)
        return models
      }
    }
  }

  /// Returns the models, and the names of the entities from whose rows they are formed.
  fileprivate func observed<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, _ query: StoreQuery
  ) async throws -> (models: [Model], entities: Set<String>) where Model.Context == StoreTransaction {
    try await read { transaction in
      (try transaction.fetch(type, query), try transaction.entities(readBy: Model.entityName, query))
    }
  }
}

extension StoreTransaction {
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

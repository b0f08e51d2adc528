extension Store {
  /// Returns a sequence of the models that match `condition`. It reads them page by page, so that results may be larger than memory.
  ///
  ///     for try await user in store.stream(User.self, where: \.age >= 18) { … }
  ///
  /// Each page of `pageSize` models is read when it is needed. Nothing in the database is locked between two pages. The sequence may or may
  /// not reflect rows that are inserted, changed or deleted after the current position. No row is returned twice unless its position in the
  /// order changes, and no row that keeps its position is left out.
  public func stream<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [],
    pageSize: Int = 500
  ) -> Models<Model> where Model.Context == StoreTransaction {
    Models(store: self, query: StoreQuery(condition, orders, limit: max(pageSize, 1)))
  }

  /// A sequence of models that is read page by page, as `stream` of ``Store`` returns it. It can be iterated any
  /// number of times, from the beginning each time.
  public struct Models<Model: ManagedDecodable & Codable & Sendable>: AsyncSequence, Sendable
  where Model.Context == StoreTransaction {
    let store: Store
    let query: StoreQuery

    /// Returns an iterator that starts at the first model.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(store: store, query: query)
    }

    /// An iterator of the models, in their order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let store: Store
      private var query: StoreQuery
      private var page: [Model] = []
      private var index = 0
      private var isAtEnd = false

      init(store: Store, query: StoreQuery) {
        self.store = store
        self.query = query
      }

      /// Returns the next model; `nil` at the end and after an error.
      ///
      /// - Throws: The same errors as `fetch`.
      public mutating func next() async throws -> Model? {
        if index >= page.count {
          guard !isAtEnd else { return nil }
          try await readPage()
          guard !page.isEmpty else { return nil }
        }
        defer { index += 1 }
        return page[index]
      }

      private mutating func readPage() async throws {
        // After an error the sequence ends.
        isAtEnd = true
        (page, index) = ([], 0)
        let next = try await store.page(Model.self, query)
        page = next.models
        query.after = next.last
        isAtEnd = next.models.count < query.limit ?? 0 || next.last == nil
      }
    }
  }

  fileprivate func page<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, _ query: StoreQuery
  ) async throws -> StoreTransaction.Page<Model> where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.page(type, query) }
  }
}

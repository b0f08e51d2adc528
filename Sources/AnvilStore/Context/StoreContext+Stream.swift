extension StoreContext {
  /// The models that the condition is true for, read page by page as they are asked for: for more than should be in memory.
  ///
  ///     for try await user in context.stream(User.self, where: StoreAttribute("age") >= 18) { … }
  ///
  /// Each page is read when it is needed and holds nothing of the database until the next: others write meanwhile. What they
  /// insert, change or delete behind the place where the reading is may be seen or not; no row comes twice unless it is moved
  /// within the order, and none that stays where it is is left out.
  ///
  /// `pageSize` models are read at once.
  public func stream<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, where predicate: StorePredicate? = nil, orderedBy orders: [StoreOrder] = [],
    pageSize: Int = 500
  ) -> Models<Model> where Model.Context == StoreTransaction {
    Models(
      context: self, query: StoreQuery(predicate: predicate, orders: orders, limit: max(pageSize, 1)))
  }

  /// Models that are read page by page; see ``StoreContext/stream(_:where:orderedBy:pageSize:)``. Can be read any number of
  /// times, from the beginning each time.
  public struct Models<Model: ManagedDecodable & Codable & Sendable>: AsyncSequence, Sendable
  where Model.Context == StoreTransaction {
    let context: StoreContext
    let query: StoreQuery

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(context: context, query: query)
    }

    /// Gives the models in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let context: StoreContext
      private var query: StoreQuery
      private var page: [Model] = []
      private var index = 0
      private var isAtEnd = false

      init(context: StoreContext, query: StoreQuery) {
        self.context = context
        self.query = query
      }

      /// The next model; `nil` at the end and after an error.
      ///
      /// - Throws: as `fetch` does.
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
        // After an error there is nothing more.
        isAtEnd = true
        (page, index) = ([], 0)
        let next = try await context.page(Model.self, query)
        page = next.models
        query.after = next.last
        isAtEnd = next.models.count < query.limit ?? 0 || next.last == nil
      }
    }
  }

  /// The models, and what the order's columns hold in the last row.
  fileprivate func page<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, _ query: StoreQuery
  ) async throws -> (models: [Model], last: [StoreValue]?) where Model.Context == StoreTransaction {
    try await read { transaction in try transaction.page(type, query) }
  }
}

/// The items of all pages of a list.
///
///     for try await repo in gateway.request("repos").pages(of: [Repo].self, by: .linkHeader).items() { … }
///
/// Pages are requested as their items are read. See ``Pages`` for failures and cancellation.
public struct PageItems<Value: Sendable, Items: Sequence & Sendable, Failure: Error>: AsyncSequence, Sendable
where Items.Element: Sendable {
  /// An item.
  public typealias Element = Items.Element

  let pages: Pages<Value, Failure>
  let items: @Sendable (Value) -> Items

  /// Creates an iterator that starts with the first item.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: pages.makeAsyncIterator(), itemsToSkip: Swift.max(0, pages.start.itemsTaken), items: items)
  }

  /// An iterator over the items.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pages: Pages<Value, Failure>.AsyncIterator
    private var itemsToSkip: Int
    private let items: @Sendable (Value) -> Items
    private var current: Items.Iterator?
    private var place: PagePosition?
    private var itemsTaken = 0

    fileprivate init(
      pages: Pages<Value, Failure>.AsyncIterator, itemsToSkip: Int, items: @escaping @Sendable (Value) -> Items
    ) {
      self.pages = pages
      self.itemsToSkip = itemsToSkip
      self.items = items
    }

    /// The position after the item that was returned last. Iteration can continue there later. `nil` after the last page.
    public var position: PagePosition? {
      place.map { PagePosition($0.page, itemsTaken: itemsTaken) } ?? pages.position
    }

    /// Returns the next item; `nil` after the last item, and after a failure.
    ///
    /// - Throws: `Failure`, as the iteration of ``Pages`` does.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Items.Element? {
      while true {
        if let item = current?.next() {
          itemsTaken += 1
          return item
        }
        current = nil
        place = nil
        guard let page = try await pages.next() else { return nil }
        var iterator = items(page.value).makeIterator()
        itemsTaken = 0
        while itemsTaken < itemsToSkip, iterator.next() != nil { itemsTaken += 1 }
        itemsToSkip = 0
        current = iterator
        place = page.position
      }
    }

    /// Returns the next item; `nil` after the last item, and after a failure.
    ///
    /// - Throws: `Failure`, as the iteration of ``Pages`` does.
    public mutating func next() async throws(Failure) -> Items.Element? {
      try await next(isolation: #isolation)
    }
  }
}

extension Pages {
  /// Returns a sequence of the items of all pages. `items` returns the items of one page.
  public func items<Items: Sequence & Sendable>(
    _ items: @escaping @Sendable (Value) -> Items
  ) -> PageItems<Value, Items, Failure> where Items.Element: Sendable {
    PageItems(pages: self, items: items)
  }

  /// Returns a sequence of the elements of all pages.
  public func items() -> PageItems<Value, Value, Failure> where Value: Sequence, Value.Element: Sendable {
    PageItems(pages: self) { $0 }
  }
}

/// The items of all pages of a list, one after the other.
///
///     for try await repo in gateway.request("repos").pages(of: [Repo].self, by: .linkHeader).items() { … }
///
/// Pages are asked for as their items are read. See ``Pages`` for failures and cancelling.
public struct PageItems<Value: Sendable, Items: Sequence & Sendable>: AsyncSequence, Sendable
where Items.Element: Sendable {
  let pages: Pages<Value>
  let items: @Sendable (Value) -> Items

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: pages.makeAsyncIterator(), itemsToSkip: Swift.max(0, pages.start.itemsTaken), items: items)
  }

  /// Gives the items in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pages: Pages<Value>.AsyncIterator
    private var itemsToSkip: Int
    private let items: @Sendable (Value) -> Items
    private var current: Items.Iterator?
    private var place: PagePosition?
    private var itemsTaken = 0

    fileprivate init(
      pages: Pages<Value>.AsyncIterator, itemsToSkip: Int, items: @escaping @Sendable (Value) -> Items
    ) {
      self.pages = pages
      self.itemsToSkip = itemsToSkip
      self.items = items
    }

    /// Where the list goes on behind the last item that was given; `nil` behind the last page.
    public var position: PagePosition? {
      place.map { PagePosition($0.place, itemsTaken: itemsTaken) } ?? pages.position
    }

    /// The next item; `nil` behind the last, and after a failure.
    ///
    /// - Throws: ``TransportFailure``, ``DecodingFailure``, ``PaginationError``.
    public mutating func next() async throws -> Items.Element? {
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
  }
}

extension Pages {
  /// The items that `items` finds in each page.
  public func items<Items: Sequence & Sendable>(
    _ items: @escaping @Sendable (Value) -> Items
  ) -> PageItems<Value, Items> where Items.Element: Sendable {
    PageItems(pages: self, items: items)
  }

  /// The elements of each page.
  public func items() -> PageItems<Value, Value> where Value: Sequence, Value.Element: Sendable {
    PageItems(pages: self) { $0 }
  }
}

/// ``Pages`` whose iteration throws one type of error.
///
///     let api = gateway.failing(as: APIError.self)
///     for try await page in api.request("repos").pages(of: [Repo].self, by: .linkHeader) { … }     // throws an APIError
public struct TypedPages<Value: Sendable, Failure: DecodingFailureRepresentable>: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = Pages<Value>.Page

  let pages: Pages<Value>
  let request: GatewayRequest

  /// Creates an iterator that starts with the first page.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: pages.makeAsyncIterator(), request: request)
  }

  /// An iterator over the pages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var pages: Pages<Value>.AsyncIterator
    fileprivate let request: GatewayRequest

    /// The position at which the list continues: the next page, or the page that failed; `nil` after the last page.
    public var position: PagePosition? { pages.position }

    /// Returns the next page; `nil` after the last page, after the requested number of pages, and after a failure.
    ///
    /// - Throws: `Failure`. For links that are invalid, lead to another server or form a cycle, it is created from a ``TransportFailure``
    ///   with the code `malformedResponse`.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      do {
        return try await pages.next()
      } catch {
        throw Failure(error, of: request)
      }
    }

    /// Returns the next page; `nil` after the last page, after the requested number of pages, and after a failure.
    ///
    /// - Throws: The errors of ``next(isolation:)``.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }

  /// Returns the items that `items` finds in each page.
  public func items<Items: Sequence & Sendable>(
    _ items: @escaping @Sendable (Value) -> Items
  ) -> TypedPageItems<Value, Items, Failure> where Items.Element: Sendable {
    TypedPageItems(items: pages.items(items), request: request)
  }

  /// Returns the elements of each page.
  public func items() -> TypedPageItems<Value, Value, Failure> where Value: Sequence, Value.Element: Sendable {
    TypedPageItems(items: pages.items(), request: request)
  }
}

/// ``PageItems`` whose iteration throws one type of error.
public struct TypedPageItems<Value: Sendable, Items: Sequence & Sendable, Failure: DecodingFailureRepresentable>:
  AsyncSequence, Sendable
where Items.Element: Sendable {
  /// An item.
  public typealias Element = Items.Element

  let items: PageItems<Value, Items>
  let request: GatewayRequest

  /// Creates an iterator that starts with the first item.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(items: items.makeAsyncIterator(), request: request)
  }

  /// An iterator over the items.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var items: PageItems<Value, Items>.AsyncIterator
    fileprivate let request: GatewayRequest

    /// The position after the last returned item, at which the list continues; `nil` after the last page.
    public var position: PagePosition? { items.position }

    /// Returns the next item; `nil` after the last item, and after a failure.
    ///
    /// - Throws: `Failure`, as the iteration of ``TypedPages`` does.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      do {
        return try await items.next()
      } catch {
        throw Failure(error, of: request)
      }
    }

    /// Returns the next item; `nil` after the last item, and after a failure.
    ///
    /// - Throws: The errors of ``next(isolation:)``.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

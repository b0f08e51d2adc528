/// ``Pages`` whose reading throws one type of error.
///
///     let api = gateway.failing(as: APIError.self)
///     for try await page in api.request("repos").pages(of: [Repo].self, by: .linkHeader) { … }     // throws an APIError
public struct TypedPages<Value: Sendable, Failure: DecodingFailureRepresentable>: AsyncSequence, Sendable {
  /// One page.
  public typealias Element = Pages<Value>.Page

  let pages: Pages<Value>
  let request: GatewayRequest

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: pages.makeAsyncIterator(), request: request)
  }

  /// Gives the pages in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var pages: Pages<Value>.AsyncIterator
    fileprivate let request: GatewayRequest

    /// Where the list goes on: at the page that is read next, or the one that failed; `nil` behind the last.
    public var position: PagePosition? { pages.position }

    /// The next page; `nil` behind the last, behind as many as were asked for, and after a failure.
    ///
    /// - Throws: `Failure`: of a ``TransportFailure`` with the code `malformedResponse` for links that lead nowhere, to another server or
    ///   in a circle.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      do {
        return try await pages.next()
      } catch {
        throw Failure(error, of: request)
      }
    }

    /// The next page; `nil` behind the last, behind as many as were asked for, and after a failure.
    ///
    /// - Throws: as ``next(isolation:)``.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }

  /// The items that `items` finds in each page.
  public func items<Items: Sequence & Sendable>(
    _ items: @escaping @Sendable (Value) -> Items
  ) -> TypedPageItems<Value, Items, Failure> where Items.Element: Sendable {
    TypedPageItems(items: pages.items(items), request: request)
  }

  /// The elements of each page.
  public func items() -> TypedPageItems<Value, Value, Failure> where Value: Sequence, Value.Element: Sendable {
    TypedPageItems(items: pages.items(), request: request)
  }
}

/// ``PageItems`` whose reading throws one type of error.
public struct TypedPageItems<Value: Sendable, Items: Sequence & Sendable, Failure: DecodingFailureRepresentable>:
  AsyncSequence, Sendable
where Items.Element: Sendable {
  /// One item.
  public typealias Element = Items.Element

  let items: PageItems<Value, Items>
  let request: GatewayRequest

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(items: items.makeAsyncIterator(), request: request)
  }

  /// Gives the items in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var items: PageItems<Value, Items>.AsyncIterator
    fileprivate let request: GatewayRequest

    /// Where the list goes on behind the last item that was given; `nil` behind the last page.
    public var position: PagePosition? { items.position }

    /// The next item; `nil` behind the last, and after a failure.
    ///
    /// - Throws: `Failure`, as reading ``TypedPages`` does.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Element? {
      do {
        return try await items.next()
      } catch {
        throw Failure(error, of: request)
      }
    }

    /// The next item; `nil` behind the last, and after a failure.
    ///
    /// - Throws: as ``next(isolation:)``.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

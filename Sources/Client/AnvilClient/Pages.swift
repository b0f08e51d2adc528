public import AnvilHTTP

/// A list whose pages are requested one after the other as they are read.
///
///     for try await page in gateway.request("repos").pages(of: [Repo].self, by: .linkHeader) {
///       show(page.value)
///       saved = page.next                        // where to go on, in another run of the program too
///     }
///
/// The sequence can be iterated any number of times, each time from its first page. A page is requested when it is read, never ahead. The
/// failure of a page ends the sequence, and the iterator's `position` is then the position of that page. Cancelling the
/// task cancels the current request.
///
/// Reading the pages throws the request's `Failure` only. For links that are invalid, lead to another server or form a cycle, the failure
/// is created from a ``TransportFailure`` with the code `malformedResponse`, whose underlying error is a ``PaginationError``.
public struct Pages<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = Page

  /// A page.
  public struct Page: Sendable {
    /// The decoded body.
    public var value: Value
    /// The response.
    public var response: HTTP.Response
    /// The position of the page.
    public var position: PagePosition
    /// The position after the page; `nil` for the last page.
    public var next: PagePosition?
    /// The reason why there may be a next page although ``next`` is `nil`; `nil` if the end is certain.
    package var endDoubt: String?
    /// True if the page states that it is the last one, instead of naming no next page.
    package var statesEnd = false
    /// A hash of the items of a numbered page; `nil` for other pages and for pages without items.
    package var fingerprint: String?
    /// The error for the page's link to the next page, which cannot be followed. It is thrown after the page was returned.
    package var linkError: PaginationError?
  }

  let start: PagePosition
  let limit: Int
  /// Returns the page at a position; `nil` if the response says that there is no page and `Value` has no empty value.
  var load: @Sendable (PagePosition) async throws -> Page?
  /// A closure that converts an error of `load`, or the error for a cycle, to the error that iteration throws.
  let failure: @Sendable (any Error) -> Failure
  /// The hashes of the pages that an earlier iteration has received.
  var fingerprints = PageFingerprints()

  /// Creates an iterator that starts with the first page.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: self)
  }

  /// An iterator over the pages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let pages: Pages
    private var left: Int
    private var cycles = CycleDetector()
    private var fingerprints: PageFingerprints
    /// The error to throw instead of returning the next page, because the link to that page cannot be followed.
    private var linkError: PaginationError?
    private var hasFailed = false
    /// The position at which the list continues: the next page, the page that failed, or the page whose link cannot be followed; `nil` after the
    /// last page.
    package private(set) var position: PagePosition?

    fileprivate init(pages: Pages) {
      self.pages = pages
      left = pages.limit
      position = pages.start
      fingerprints = pages.fingerprints
    }

    /// Returns the next page; `nil` after the last page, after the requested number of pages, and after a failure.
    ///
    /// - Throws: `Failure`.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Page? {
      guard left > 0, !hasFailed, let position else { return nil }
      do {
        if let linkError { throw linkError }
        guard var page = try await pages.load(position) else {
          self.position = nil
          return nil
        }
        if let fingerprint = page.fingerprint, !fingerprints.insert(fingerprint) {
          throw PaginationError(
            description:
              "the page with the \(page.position.page) has the same items as an earlier page: the server ignores or limits numbers of pages"
          )
        }
        let cycle = PaginationError(description: "the pages form a cycle")
        if let next = page.next, next.page.isPage(at: page.position.page, page.response) { page.linkError = cycle }
        linkError = page.linkError
        if let next = page.next, cycles.closes(at: next.page) { linkError = cycle }
        left -= 1
        self.position = page.linkError == nil ? page.next : page.position
        return page
      } catch {
        hasFailed = true
        throw pages.failure(error)
      }
    }
  }
}

/// The hashes of the first and the last page of a list whose pages are numbered.
///
/// A server that ignores or limits the number returns the last page again. Some servers return the first page for a number that is too high.
package struct PageFingerprints: Hashable, Sendable, Codable {
  private var first: String?
  private var last: String?

  package init() {}

  /// Adds the hash of the next page. Returns `false` if it is the hash of the first or the last page.
  package mutating func insert(_ fingerprint: String) -> Bool {
    guard fingerprint != first, fingerprint != last else { return false }
    first = first ?? fingerprint
    last = fingerprint
    return true
  }
}

/// Detects cycles of any length while storing one place, by Brent's algorithm.
private struct CycleDetector {
  private var kept: PagePosition.Page?
  private var steps = 0
  private var power = 1

  mutating func closes(at place: PagePosition.Page) -> Bool {
    if kept == place { return true }
    steps += 1
    if steps == power {
      kept = place
      steps = 0
      if power < Int.max / 2 { power *= 2 }
    }
    return false
  }
}

extension Pages {
  /// The items of all pages of a list.
  ///
  ///     for try await repo in gateway.request("repos").pages(of: [Repo].self, by: .linkHeader).items() { … }
  ///
  /// Pages are requested as their items are read. See ``Pages`` for failures and cancellation.
  public struct Items<List: Sequence & Sendable>: AsyncSequence, Sendable where List.Element: Sendable {
    /// An item.
    public typealias Element = List.Element

    let pages: Pages<Value, Failure>
    let items: @Sendable (Value) -> List

    /// Creates an iterator that starts with the first item.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(pages: pages.makeAsyncIterator(), itemsToSkip: Swift.max(0, pages.start.itemsTaken), items: items)
    }

    /// An iterator over the items.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var pages: Pages<Value, Failure>.AsyncIterator
      private var itemsToSkip: Int
      private let items: @Sendable (Value) -> List
      private var current: List.Iterator?
      private var place: PagePosition?
      private var itemsTaken = 0

      fileprivate init(
        pages: Pages<Value, Failure>.AsyncIterator, itemsToSkip: Int, items: @escaping @Sendable (Value) -> List
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
      ) async throws(Failure) -> List.Element? {
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

  /// Returns a sequence of the items of all pages. `items` returns the items of one page.
  public func items<List: Sequence & Sendable>(
    _ items: @escaping @Sendable (Value) -> List
  ) -> Items<List> where List.Element: Sendable {
    Items(pages: self, items: items)
  }

  /// Returns a sequence of the elements of all pages.
  public func items() -> Items<Value> where Value: Sequence, Value.Element: Sendable {
    Items(pages: self) { $0 }
  }
}

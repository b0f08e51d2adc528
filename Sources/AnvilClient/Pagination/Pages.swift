public import AnvilHTTP

/// A list that comes in pages, asked for one after the other as they are read.
///
///     for try await page in gateway.request("repos").pages(of: [Repo].self, by: .linkHeader) {
///       show(page.value)
///       saved = page.next                        // where to go on, in another run of the program too
///     }
///
/// A sequence to be read any number of times, each time from its first page. A page is asked for when it is read, never ahead.
/// What fails a page ends the sequence; the iterator's `position` is then that page's. Pages that lead in a circle
/// end it with ``PaginationError``. Cancelling the task that reads ends the request that is under way.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
  /// One page.
  public struct Page: Sendable {
    /// What its body is.
    public var value: Value
    /// The response.
    public var response: HTTP.Response
    /// Where the page is.
    public var position: PagePosition
    /// Where the list goes on behind it; `nil` for the last page.
    public var next: PagePosition?
  }

  let start: PagePosition
  let limit: Int
  let load: @Sendable (PagePosition) async throws -> Page

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: self)
  }

  /// Gives the pages in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let pages: Pages
    private var left: Int
    private var circle = CircleFinder()
    private var isCircle = false
    private var hasFailed = false
    /// Where the list goes on: at the page that is read next, or the one that failed; `nil` behind the last.
    public private(set) var position: PagePosition?

    fileprivate init(pages: Pages) {
      self.pages = pages
      left = pages.limit
      position = pages.start
    }

    /// The next page; `nil` behind the last, behind as many as were asked for, and after a failure.
    ///
    /// - Throws: ``TransportFailure``, ``DecodingFailure``, ``PaginationError``.
    public mutating func next() async throws -> Page? {
      guard left > 0, !hasFailed, let position else { return nil }
      do {
        if isCircle { throw PaginationError(description: "the pages lead in a circle") }
        let page = try await pages.load(position)
        if let next = page.next, circle.closes(at: next.place) { isCircle = true }
        left -= 1
        self.position = page.next
        return page
      } catch {
        hasFailed = true
        throw error
      }
    }
  }
}

/// Notices when places come again, whatever the length of the circle, with one place kept: Brent's algorithm.
private struct CircleFinder {
  private var kept: PagePosition.Place?
  private var steps = 0
  private var power = 1

  /// Whether `place`, which comes next, was there before.
  mutating func closes(at place: PagePosition.Place) -> Bool {
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

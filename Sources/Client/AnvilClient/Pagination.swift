public import AnvilBase
internal import AnvilHTTP

/// A rule that finds the next page of a list and builds its request.
///
///     gateway.request("repos").pages(of: [Repo].self, by: .linkHeader)
///     gateway.request("orders").pages(of: OrderList.self, by: .cursor("after") { $0.endCursor })
///     gateway.request("users").pages(of: [User].self, by: .pageNumber("page") { $0.isEmpty })
public struct Pagination<Page: Sendable>: Sendable {
  let first: PagePosition.Page
  /// True if each numbered page states whether there is a next page.
  package let statesNextPage: Bool
  /// Returns the next page. The last argument is whether the page has no items; `nil` if that is not known.
  let next: @Sendable (Page, HTTP.Response, PagePosition.Page, Bool?) throws -> NextPage
  let apply: @Sendable (PagePosition.Page, inout GatewayRequest) throws -> Void

  /// A pagination that follows the `next` link of the `Link` field. The last page has no such link.
  ///
  /// The target is used unchanged, with its query, and must be on the server of the page. If a page was redirected to the same path of
  /// another server, the next one is requested like it, and redirected in turn; after another redirect to another server, its link is a
  /// ``PaginationError``. Source: RFC 8288.
  public static var linkHeader: Pagination { linkHeader(relation: "next") }

  /// Returns a pagination that follows the link of `relation` in the `Link` field, like ``linkHeader``. The last page has no such link.
  package static func linkHeader(relation: String) -> Pagination {
    let relation = relation.lowercased()
    return Pagination(first: .start, statesNextPage: false) { _, response, place, isEmpty in
      guard let link = response.headers.links.first(where: { $0.relations.contains(relation) }) else { return .absent }
      return try NextPage(.url(response.target(of: link.reference)), after: place, response, isEmpty)
    } apply: {
      try $1.follow($0)
    }
  }

  /// Returns a pagination that follows the URL that `next` finds in a page. The URL is relative to the URL of the page; `nil` or an empty
  /// string ends the list.
  ///
  /// The URL is used unchanged, with its query, and must be on the server of the page. A page that refers to itself is the last page if it has
  /// no items, and otherwise a ``PaginationError``. A page that is not a collection has no items if `isEmpty` returns `true`.
  public static func nextURL(
    isEmpty: (@Sendable (Page) -> Bool)? = nil, _ next: @escaping @Sendable (Page) -> String?
  ) -> Pagination {
    nextURL(isEmpty: isEmpty, reading: { PageReference(next($0)) })
  }

  package static func nextURL(
    isEmpty: (@Sendable (Page) -> Bool)? = nil, reading next: @escaping @Sendable (Page) throws -> PageReference
  ) -> Pagination {
    Pagination(first: .start, statesNextPage: false) { page, response, place, hasNoItems in
      try NextPage(next(page), after: place, response, hasNoItems ?? isEmpty?(page)) {
        try .url(response.target(of: $0))
      }
    } apply: {
      try $1.follow($0)
    }
  }

  /// Returns a pagination that sets the query item `name` to the cursor that `cursor` finds in a page; `nil` or an empty string ends the
  /// list.
  ///
  ///     .cursor("cursorMark", isEmpty: { $0.docs.isEmpty }) { $0.nextCursorMark }
  ///
  /// A page that contains the cursor with which it was requested is the last page if it has no items, as with Solr, and otherwise a
  /// ``PaginationError``. A page that is not a collection has no items if `isEmpty` returns `true`.
  public static func cursor(
    _ name: String, isEmpty: (@Sendable (Page) -> Bool)? = nil, _ cursor: @escaping @Sendable (Page) -> String?
  ) -> Pagination {
    self.cursor(name, isEmpty: isEmpty, reading: { PageReference(cursor($0)) })
  }

  package static func cursor(
    _ name: String, isEmpty: (@Sendable (Page) -> Bool)? = nil,
    reading cursor: @escaping @Sendable (Page) throws -> PageReference
  ) -> Pagination {
    Pagination(first: .start, statesNextPage: false) { page, response, place, hasNoItems in
      try NextPage(cursor(page), after: place, response, hasNoItems ?? isEmpty?(page)) { .cursor($0) }
    } apply: { place, request in
      if case .cursor(let cursor) = place { request.setQueryItem(name, to: cursor) }
    }
  }

  /// Returns a pagination that increments the query item `name` by one, starting with `first`. It ends after a page for which `isLast`
  /// returns `true`, such as an empty page or one with fewer items than a full page.
  ///
  /// A page with the same body as the page before it or as the first page is a ``PaginationError``: the server ignores the number, or limits
  /// it.
  public static func pageNumber(
    _ name: String, first: Int = 1, isLast: @escaping @Sendable (Page) -> Bool
  ) -> Pagination {
    numbered(name, first: first) { page, _ in isLast(page) ? nil : 1 }
  }

  /// Returns a pagination that increments the query item `name` by one, like ``pageNumber(_:first:isLast:)``, until `hasNext` returns `false`
  /// for a page.
  ///
  /// - Parameter hasNext: Returns whether a page states that there is a next page. The last argument is whether the page has no items.
  package static func pageNumber(
    _ name: String, first: Int = 1, stating hasNext: @escaping @Sendable (Page, Bool?) throws -> Bool
  ) -> Pagination {
    numbered(name, first: first, statesNextPage: true) { try hasNext($0, $1) ? 1 : nil }
  }

  /// Returns a pagination that increases the query item `name` by the number of items that `count` finds in a page. A page without items
  /// ends the list.
  ///
  /// A page with the same body as an earlier one is treated as by ``pageNumber(_:first:isLast:)``.
  public static func offset(
    _ name: String, first: Int = 0, count: @escaping @Sendable (Page) -> Int
  ) -> Pagination {
    numbered(name, first: first) { page, _ in max(0, count(page)) }
  }

  /// Returns a pagination that increases the query item `name` by the number of items, like ``offset(_:first:count:)``, until `hasNext` returns
  /// `false` for a page.
  ///
  /// - Parameter hasNext: Returns whether a page states that there is a next page. The last argument is whether the page has no items.
  package static func offset(
    _ name: String, first: Int = 0, count: @escaping @Sendable (Page) -> Int,
    stating hasNext: @escaping @Sendable (Page, Bool?) throws -> Bool
  ) -> Pagination {
    numbered(name, first: first, statesNextPage: true) { try hasNext($0, $1) ? max(0, count($0)) : nil }
  }

  private static func numbered(
    _ name: String, first: Int, statesNextPage: Bool = false, step: @escaping @Sendable (Page, Bool?) throws -> Int?
  ) -> Pagination {
    Pagination(first: .number(first), statesNextPage: statesNextPage) { page, _, place, isEmpty in
      guard case .number(let number) = place, let step = try step(page, isEmpty), step > 0 else { return .end }
      let (next, isOver) = number.addingReportingOverflow(step)
      return isOver ? .end : .page(.number(next))
    } apply: { place, request in
      if case .number(let number) = place { request.setQueryItem(name, to: String(number)) }
    }
  }
}

/// The next page, as a page and its response name it.
enum NextPage: Sendable {
  case page(PagePosition.Page)
  /// The page is the last one.
  case end
  /// The page names no next page, so that it is the last one.
  case absent
  /// The page is the last one, unless the pagination looks for the next page in the wrong place. The value is the reason for the doubt.
  case uncertainEnd(String)

  /// Interprets the reference in the page at `place`.
  ///
  /// Many APIs leave the reference out of the last page. Only on the first page does its absence leave a doubt: no page has had it.
  fileprivate init(
    _ reference: PageReference, after place: PagePosition.Page, _ response: HTTP.Response, _ isEmpty: Bool?,
    _ target: (String) throws -> PagePosition.Page
  ) rethrows {
    switch reference {
    case .text(let text): self = try NextPage(target(text), after: place, response, isEmpty)
    case .missing(let reason) where place == .start: self = .uncertainEnd(reason)
    case .end: self = .end
    case .missing: self = .absent
    }
  }

  /// Interprets the reference to `target`. A page without items that refers to itself is the last page.
  fileprivate init(
    _ target: PagePosition.Page, after place: PagePosition.Page, _ response: HTTP.Response, _ isEmpty: Bool?
  ) {
    self = isEmpty == true && target.isPage(at: place, response) ? .end : .page(target)
  }
}

extension PagePosition.Page {
  /// Returns `true` if this is the page at `place`, for which `response` was received.
  func isPage(at place: PagePosition.Page, _ response: HTTP.Response) -> Bool {
    if self == place { return true }
    guard case .url(let text) = self else { return false }
    return [response.url, response.history.redirections.first?.url].contains { $0?.absoluteString == text }
  }
}

/// The URL or the cursor of the next page, as a page contains it.
package enum PageReference: Sendable {
  case text(String)
  /// The page states that there is no next page.
  case end
  /// The page has no value where the reference is expected. The reason is safe to log: `no page has a value at meta.next`.
  case missing(reason: String)

  /// Creates the reference of a text; `nil` and an empty text are the end.
  package init(_ text: String?) {
    if let text, !text.isEmpty { self = .text(text) } else { self = .end }
  }
}

extension HTTP.Response {
  /// Returns the absolute URL of `reference` in this response.
  fileprivate func target(of reference: String) throws -> String {
    // An empty reference refers to the page itself, so it cannot be the next page.
    let base = URIReference(url.absoluteString)
    guard !reference.isEmpty, let target = URIReference(reference).resolved(asTargetFrom: base).url else {
      throw PaginationError(description: "the link to the next page is not a valid URL")
    }
    guard let origin = HTTP.Origin(url), HTTP.Origin(target) == origin else {
      throw PaginationError(description: "the link to the next page leads to another origin")
    }
    guard let asked = history.redirections.first?.url, HTTP.Origin(asked) != origin else {
      return target.absoluteString
    }
    // A server whose redirect has changed only the origin redirects the next page, too. Only redirects leave the credentials behind.
    let (requested, received) = (URIReference(asked.absoluteString), base)
    guard requested.path == received.path, requested.query == received.query else {
      throw PaginationError(
        description: "the list was redirected to another origin: request it from \(origin), with that as the base URL")
    }
    var moved = URIReference(target.absoluteString)
    (moved.scheme, moved.authority) = (requested.scheme, requested.authority)
    return moved.description
  }
}

extension GatewayRequest {
  /// Replaces the request's URL with the URL of `place`.
  fileprivate mutating func follow(_ place: PagePosition.Page) throws {
    guard case .url(let text) = place else { return }
    guard let url = URL(string: text) else {
      throw PaginationError(description: "the position is not a valid URL")
    }
    self = at(url)
  }

  /// Sets the query item `name`. Items with this name in the base URL, the path or the template are removed: servers read the first item or
  /// the last one.
  fileprivate mutating func setQueryItem(_ name: String, to value: String) {
    query[name] = value
    // An invalid request fails when it is sent.
    guard let text = try? makeHTTPRequest().url.absoluteString else { return }
    let parts = GatewayBase.Components(text)
    let items = parts.query.split(separator: "&", omittingEmptySubsequences: false)
    let named = items.indices.filter { FormEncoding.decode(items[$0].prefix { $0 != "=" }.utf8) == name }
    guard named.count > 1 else { return }
    let left = items.indices.filter { $0 == named.last || !named.contains($0) }.map { items[$0] }
    guard let url = URL(string: parts.path + "?" + left.joined(separator: "&")) else { return }
    self = at(url)
  }
}

/// A position in a paged list: a page and a number of its items.
///
/// The position is `Codable`. You can store it and continue from it after a restart of the program.
public struct PagePosition: Hashable, Sendable, Codable {
  /// The page of a list, as the list identifies it.
  package enum Page: Hashable, Sendable, Codable {
    /// The first page, as the request describes it.
    case start
    /// The URL that the previous page linked to.
    case url(String)
    /// A cursor from the previous page.
    case cursor(String)
    /// The number of the page, or the number of items before it.
    case number(Int)
  }

  /// The page.
  package var page: Page
  /// The number of items of the page that were already returned.
  package var itemsTaken: Int

  // Stored positions have this name.
  private enum CodingKeys: String, CodingKey {
    case page = "place"
    case itemsTaken
  }

  /// Creates the position after `itemsTaken` items of `page`.
  package init(_ page: Page, itemsTaken: Int = 0) {
    self.page = page
    self.itemsTaken = itemsTaken
  }

  /// The beginning of the list.
  public static let start = PagePosition(.start)
}

extension PagePosition: CustomStringConvertible, CustomReflectable {
  /// The position without its cursor or URL, which may be secret. Safe to log.
  public var description: String { itemsTaken == 0 ? "\(page)" : "\(page), after \(itemsTaken) items" }
  /// A mirror without children, so that `dump` does not show secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PagePosition.Page: CustomStringConvertible, CustomReflectable {
  /// The kind of identification, and the value of a number.
  package var description: String {
    switch self {
    case .start: "the start"
    case .url: "a URL"
    case .cursor: "a cursor"
    case .number(let number): "number \(number)"
    }
  }
  /// A mirror without children, so that `dump` does not show secrets.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The error of a page whose next page cannot be requested: its link is invalid or leads to another origin, or the pages form a cycle.
public struct PaginationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem, safe to log.
  public let description: String

  package init(description: String) {
    self.description = description
  }
}

extension PaginationError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

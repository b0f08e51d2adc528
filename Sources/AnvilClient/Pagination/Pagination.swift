internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How an API says where its next page is, and how that is asked for.
///
///     gateway.request("repos").pages(of: [Repo].self, by: .linkHeader)
///     gateway.request("orders").pages(of: OrderList.self, by: .cursor("after") { $0.endCursor })
///     gateway.request("users").pages(of: [User].self, by: .pageNumber("page") { $0.isEmpty })
public struct Pagination<Page: Sendable>: Sendable {
  let first: PagePosition.Place
  let next: @Sendable (Page, HTTP.Response, PagePosition.Place) throws -> PagePosition.Place?
  let apply: @Sendable (PagePosition.Place, inout GatewayRequest) throws -> Void

  /// At the target of the `Link` field's `next`, or of another relation; the last page has none.
  ///
  /// The target is taken as it is, with its own query, and has to be on the server that the page came from. Source: RFC 8288.
  public static var linkHeader: Pagination { linkHeader(relation: "next") }

  /// At the target of the `Link` field's link of `relation`; the last page has none. As ``linkHeader``.
  public static func linkHeader(relation: String) -> Pagination {
    let relation = relation.lowercased()
    return Pagination(first: .start) { _, response, _ in
      guard let link = response.headers.links.first(where: { $0.relations.contains(relation) }) else { return nil }
      return try .url(response.target(of: link.reference))
    } apply: {
      try $1.follow($0)
    }
  }

  /// At the URL that `next` finds in a page, relative to the page's own; `nil` or empty for the last page.
  ///
  /// The URL is taken as it is, with its own query, and has to be on the server that the page came from.
  public static func nextURL(_ next: @escaping @Sendable (Page) -> String?) -> Pagination {
    Pagination(first: .start) { page, response, _ in
      guard let reference = next(page), !reference.isEmpty else { return nil }
      return try .url(response.target(of: reference))
    } apply: {
      try $1.follow($0)
    }
  }

  /// With the query item `name` set to the cursor that `cursor` finds in a page; `nil` or empty for the last page.
  public static func cursor(_ name: String, _ cursor: @escaping @Sendable (Page) -> String?) -> Pagination {
    Pagination(first: .start) { page, _, _ in
      guard let cursor = cursor(page), !cursor.isEmpty else { return nil }
      return .cursor(cursor)
    } apply: { place, request in
      if case .cursor(let cursor) = place { request.query[name] = cursor }
    }
  }

  /// With the query item `name` counted up by one from `first`, until a page for which `isLast` is true: an empty one, or one with
  /// fewer items than a page has.
  public static func pageNumber(
    _ name: String, first: Int = 1, isLast: @escaping @Sendable (Page) -> Bool
  ) -> Pagination {
    numbered(name, first: first) { isLast($0) ? nil : 1 }
  }

  /// With the query item `name` counted up by the number of items that `count` finds in a page, until a page without any.
  public static func offset(
    _ name: String, first: Int = 0, count: @escaping @Sendable (Page) -> Int
  ) -> Pagination {
    numbered(name, first: first) { max(0, count($0)) }
  }

  private static func numbered(
    _ name: String, first: Int, step: @escaping @Sendable (Page) -> Int?
  ) -> Pagination {
    Pagination(first: .number(first)) { page, _, place in
      guard case .number(let number) = place, let step = step(page), step > 0 else { return nil }
      let (next, isOver) = number.addingReportingOverflow(step)
      return isOver ? nil : .number(next)
    } apply: { place, request in
      if case .number(let number) = place { request.query[name] = String(number) }
    }
  }
}

extension HTTP.Response {
  /// The whole URL of `reference`, which stands in this response.
  fileprivate func target(of reference: String) throws -> String {
    // An empty reference is the page itself, which is not the one after it.
    guard !reference.isEmpty, let target = HTTP.Link(reference: reference, relations: []).url(relativeTo: url) else {
      throw PaginationError(description: "the link to the next page is no URL")
    }
    guard HTTP.Origin(target) == HTTP.Origin(url) else {
      throw PaginationError(description: "the link to the next page leads to another server")
    }
    return target.absoluteString
  }
}

extension GatewayRequest {
  /// The request sent to the URL of `place` in place of its own.
  fileprivate mutating func follow(_ place: PagePosition.Place) throws {
    guard case .url(let text) = place else { return }
    guard let url = URL(string: text) else {
      throw PaginationError(description: "the position is no URL")
    }
    self = at(url)
  }
}

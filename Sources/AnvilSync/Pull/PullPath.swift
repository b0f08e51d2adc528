public import AnvilClient
public import AnvilJSON

/// A path to a value in a page or in a row of a pull: a path of Swift, or a path in a configuration file.
package protocol PullPath: Sendable, CustomStringConvertible {
  /// A Boolean value that indicates whether the path leads to at most one value.
  var isSingular: Bool { get }
  /// A text that differs between different paths. The positions of pulls contain its hash, so it stays the same in later versions.
  var identity: String { get }

  /// Returns the values at the path; `nil` if the path leads nowhere. A path that is not singular may lead to no values.
  ///
  /// - Throws: ``MisleadingPath`` if the caller probably means another path.
  func valuesIfPresent(in json: JSON) throws(MisleadingPath) -> [JSON]?
}

/// The error for a path that probably does not lead where its author intended.
package struct MisleadingPath: Error {
  /// The explanation, with keys but no values.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

extension PullPath {
  /// Returns the only value at the path; `nil` if it is missing.
  ///
  /// - Throws: ``MisleadingPath``, also if there are several values.
  func value(in json: JSON) throws(MisleadingPath) -> JSON? {
    guard let values = try valuesIfPresent(in: json) else { return nil }
    if values.count > 1 { throw MisleadingPath("\(self) leads to \(values.count) values, but must lead to one") }
    return values.first
  }

  /// Returns the list of rows in a page: the value at the path, or the values if the path is not singular. Returns `nil` if it is missing.
  package func list(in page: JSON) throws(MisleadingPath) -> JSON? {
    guard let values = try valuesIfPresent(in: page) else { return nil }
    return isSingular ? values.first : JSON(values)
  }
}

extension PullPath {
  /// Returns the number of rows in a page; 0 if it has no list.
  package func rowCount(in page: JSON) -> Int {
    guard let list = try? list(in: page), list.kind == .array else { return 0 }
    return list.count
  }
}

extension JSON.Path: PullPath {
  package var isSingular: Bool { true }
  package var identity: String { "\(self)" }

  package func valuesIfPresent(in json: JSON) throws(MisleadingPath) -> [JSON]? {
    json.find(self).map { [$0] }
  }
}

extension JSON.Kind {
  /// The name with an article: `an object`, `a boolean`.
  package var withArticle: String {
    switch self {
    case .object, .array: "an \(rawValue)"
    case .string, .number: "a \(rawValue)"
    case .bool: "a boolean"
    case .null: "null"
    }
  }
}

/// Paginations whose next page is at a path.
extension Pagination where Page == JSON {
  /// Returns a pagination that follows the URL at `path` in a page; see `nextURL(_:)`. A page without the path, and null or an empty
  /// string there, end the list.
  ///
  /// A value that is neither a string nor a number is a `PaginationError`. If no page has the path, the path may be wrong. A ``Pull`` then
  /// removes no missing rows, and its report contains ``PullReport/uncertainEnd``.
  public static func nextURL(at path: JSON.Path) -> Pagination { nextURL(at: path, isOptional: false) }

  /// Returns a pagination that sets the query item `name` to the cursor at `path` in a page; see `cursor(_:_:)`. A page without the path, and
  /// null or an empty string there, end the list.
  ///
  /// Other values and a path that no page has are treated as by ``nextURL(at:)``.
  public static func cursor(_ name: String, at path: JSON.Path) -> Pagination {
    cursor(name, at: path, isOptional: false)
  }

  /// - Parameter isOptional: True if the end is certain even if no page has the path.
  package static func nextURL(at path: any PullPath, isOptional: Bool) -> Pagination {
    nextURL(reading: { try $0.reference(at: path, isOptional: isOptional) })
  }

  /// - Parameter isOptional: True if the end is certain even if no page has the path.
  package static func cursor(_ name: String, at path: any PullPath, isOptional: Bool) -> Pagination {
    cursor(name, reading: { try $0.reference(at: path, isOptional: isOptional) })
  }
}

extension JSON {
  /// Returns the reference to the next page in this page.
  ///
  /// - Throws: `PaginationError` for a value that cannot be one.
  fileprivate func reference(at path: any PullPath, isOptional: Bool) throws -> PageReference {
    // A response without content is an empty page.
    if isNull { return .end }
    guard let value = try pageValue(at: path) else {
      return isOptional ? .end : .missing(reason: "no page has a value at \(path)")
    }
    if value.isNull { return .end }
    if let text = value.string ?? value.numberText { return PageReference(text) }
    throw PaginationError(
      description: "the next page at \(path) is \(value.kind.withArticle), but must be a string, a number or null")
  }

  /// Returns the Boolean value at `path` in this page, which states whether there is a next page.
  ///
  /// - Throws: `PaginationError` for a missing value and for one that is not a Boolean value.
  package func hasNextPage(at path: any PullPath, rowCount: Int) throws -> Bool {
    guard let value = try pageValue(at: path) else {
      throw PaginationError(description: "there is no value at \(path), but it must be true or false")
    }
    guard let hasNext = value.bool else {
      throw PaginationError(description: "\(path) is \(value.kind.withArticle), but must be true or false")
    }
    if hasNext, rowCount == 0 { throw PaginationError(description: "\(path) is true, but the page has no rows") }
    return hasNext
  }

  private func pageValue(at path: any PullPath) throws -> JSON? {
    do throws(MisleadingPath) {
      return try path.value(in: self)
    } catch {
      throw PaginationError(description: error.reason)
    }
  }
}

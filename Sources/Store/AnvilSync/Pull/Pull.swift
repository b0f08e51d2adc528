public import AnvilClient
public import AnvilJSON
public import AnvilStore

/// A description of how the rows of an API's listing are requested and kept in a store.
///
///     let members = Pull(
///       "members", gateway.request("members", query: ["per_page": 100]), of: Member.self, by: .linkHeader,
///       cursor: .field("updated_at", parameter: "since"))
///     let report = try await store.run(members)
///
/// A run requests the pages of the listing one after the other. Each page is stored in one transaction, together with the position after
/// it. An interrupted run therefore continues where it stopped: no page is lost, and none is stored twice. The limits, retries and
/// authentication of the gateway apply to the requests.
///
/// Rows are updated or inserted as by `ManagedDecodable.createOrUpdate(in:from:)`. Members that are absent from the payload keep their
/// stored values, and null clears them. A row that cannot be decoded is skipped and reported. With a cursor, skipped rows are requested
/// again once a day, until no row is skipped.
public struct Pull<Model: ManagedDecodable & Codable & Sendable>: Sendable where Model.Context == StoreTransaction {
  package let plan: PullPlan

  /// Creates a pull of one listing.
  ///
  /// - Parameters:
  ///   - name: The name under which the position is kept in the store. Each pull of a store needs a separate name. The position is
  ///     discarded, and everything is listed again, if the pull's entity, URL, query, `items` or cursor field has changed.
  ///   - request: The request for the first page, of a gateway with any failure type. A run throws the transport's and the store's errors,
  ///     whatever this type is.
  ///   - type: The type of the rows.
  ///   - pagination: The rule that finds the next page. A page is a `JSON` value: `.cursor("after") { $0["next"]?.string }`.
  ///   - items: The path of the list in a page. By default the page is the list.
  ///   - cursor: The rule by which later runs request only changed rows.
  ///   - missing: The treatment of rows that are missing from the listing; see `Store.run(_:leases:onPage:)`.
  ///   - tombstone: The field that marks deleted rows in the listing, if the API has one.
  ///   - rules: The rules for attributes that are already stored. They take precedence over the model's `conflictRules`.
  public init<Failure: TransportFailureRepresentable>(
    _ name: String, _ request: TypedGatewayRequest<Failure>, of type: Model.Type, by pagination: Pagination<JSON>,
    items: JSON.Path = JSON.Path(), cursor: PullCursor? = nil, missing: MissingRows = .kept,
    tombstone: PullTombstone? = nil, rules: [ConflictRule] = []
  ) {
    self.init(
      name, partitions: ["": request], of: type, by: pagination, items: items, cursor: cursor, missing: missing,
      tombstone: tombstone, rules: rules)
  }

  /// Creates a pull of a listing that is divided into partitions, such as one for each team.
  ///
  ///     Pull("issues", partitions: ["red": gateway.request("teams/red/issues"), …], of: Issue.self, by: .linkHeader)
  ///
  /// Each partition has a separate position. Partitions are requested in the order of their names; with leases, in any order. Rows are
  /// missing if they are in none of the partitions, including those that only other runs of the pull have. `partitions` contains the
  /// request for the first page of each partition, by name. See ``init(_:_:of:by:items:cursor:missing:tombstone:rules:)`` for the other
  /// parameters.
  public init<Failure: TransportFailureRepresentable>(
    _ name: String, partitions: [String: TypedGatewayRequest<Failure>], of type: Model.Type,
    by pagination: Pagination<JSON>,
    items: JSON.Path = JSON.Path(), cursor: PullCursor? = nil, missing: MissingRows = .kept,
    tombstone: PullTombstone? = nil, rules: [ConflictRule] = []
  ) {
    plan = PullPlan(
      name: name, partitions: partitions.mapValues { $0.failing(as: AnyError.self) }, pagination: pagination,
      items: items, cursor: cursor, missing: missing,
      tombstone: tombstone, rows: ModelRows<Model>(rules: rules))
  }
}

/// A path to a value in a page or in a row of a pull: a path of Swift, or a path in a configuration file.
package protocol PullPath: Sendable, CustomStringConvertible {
  /// A Boolean value that indicates whether the path leads to at most one value.
  var isSingular: Bool { get }
  /// A text that differs between different paths. The positions of pulls contain its hash, so it stays the same in later versions.
  var identity: String { get }

  /// Returns the values at the path; `nil` if a value on the way is missing or null. A path that is not singular may lead to no values.
  ///
  /// - Throws: ``MisleadingPath`` for a value on the way whose kind has no such values, and if the caller probably means another path.
  func valuesIfPresent(in json: JSON) throws(MisleadingPath) -> [JSON]?
}

/// The error for a path that probably does not lead where its author intended.
package struct MisleadingPath: Error {
  /// The explanation, with keys but no values.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  /// Creates the error for `value` on the way of `path` in `root`, into which the path cannot lead.
  ///
  /// - Parameter expected: The kinds into which it can lead: `an object`.
  package init(_ value: JSON, on path: some PullPath, in root: JSON, expected: String) {
    let place = JSON.Path(steps: Array(value.path.steps.dropFirst(root.path.steps.count)))
    self.init("\(path): \(place.words) is \(value.kind.withArticle), but must be \(expected) or null")
  }
}

/// A step of a path from a value to its children.
package enum PullStep: Sendable {
  /// The member of an object. If the key consists of digits, `index` is their number, which selects an element if the value is an array.
  case key(String, index: Int?)
  /// The element of an array, counted from 0.
  case index(Int)
  /// All elements of an array, or all members of an object.
  case all

  /// The kinds of value that can have such children, for messages.
  private var kinds: String {
    switch self {
    case .key(_, index: nil): "an object"
    case .key: "an object, an array"
    case .index: "an array"
    case .all: "an array, an object"
    }
  }

  /// Returns the children of `value` that the step selects; `nil` if the key or the index is missing.
  ///
  /// - Throws: ``Mismatch`` if values of this kind have no such children.
  package func children(of value: JSON) throws(Mismatch) -> [JSON]? {
    switch (self, value.kind) {
    case (.key(let key, _), .object): value[key].map { [$0] }
    case (.key(_, let index?), .array), (.index(let index), .array): value[index].map { [$0] }
    case (.all, .array): Array(value.elements)
    case (.all, .object): value.members.map(\.value)
    default: throw Mismatch(kinds: kinds)
    }
  }

  package struct Mismatch: Error {
    /// The required kinds: `an object`.
    package let kinds: String
  }
}

extension PullPath {
  /// Returns the values to which `steps`, those of this path, lead in `root`. After a step to all elements, elements without the rest of the
  /// path are skipped; the result is `nil` if all of them are.
  ///
  /// - Throws: ``MisleadingPath`` for a value on the way that is neither null nor of a kind that the next step requires.
  package func values(at steps: [PullStep], in root: JSON) throws(MisleadingPath) -> [JSON]? {
    var values = [root]
    var mayBeEmpty = false
    for step in steps {
      var children: [JSON] = []
      for value in values where !value.isNull {
        do throws(PullStep.Mismatch) {
          children += try step.children(of: value) ?? []
        } catch {
          throw MisleadingPath(value, on: self, in: root, expected: error.kinds)
        }
      }
      if case .all = step, children.isEmpty, values.contains(where: { !$0.isNull }) { mayBeEmpty = true }
      values = children
    }
    return values.isEmpty && !mayBeEmpty ? nil : values
  }

  /// The path for messages; `the top level` if it has no steps.
  var words: String { identity.isEmpty ? "the top level" : "\(self)" }

  /// Returns the only value at the path; `nil` if it is missing.
  ///
  /// - Throws: ``MisleadingPath``, also if there are several values.
  func value(in json: JSON) throws(MisleadingPath) -> JSON? {
    guard let values = try valuesIfPresent(in: json) else { return nil }
    if values.count > 1 { throw MisleadingPath("\(words) leads to \(values.count) values, but must lead to one") }
    return values.first
  }

  /// Returns the list of rows in a page: the value at the path, or the values if the path is not singular. Returns `nil` if it is missing.
  package func list(in page: JSON) throws(MisleadingPath) -> JSON? {
    guard let values = try valuesIfPresent(in: page) else { return nil }
    return isSingular ? values.first : JSON(values)
  }

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
    let steps = steps.map { step -> PullStep in
      switch step {
      case .key(let key): .key(key, index: nil)
      case .index(let index): .index(index)
      }
    }
    return try values(at: steps, in: json)
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
  /// Any other value than a string is a `PaginationError`, and so is a value on the way that is neither null nor of the kind that the path
  /// requires, such as a string for `["next", "href"]`. If no page has the path, the path may be wrong, and a page without content, such as a
  /// response with status 204, states nothing about a next page. A ``Pull`` then removes no missing rows, and its report contains
  /// ``PullReport/uncertainEnd``.
  public static func nextURL(at path: JSON.Path) -> Pagination { nextURL(at: path, isOptional: false) }

  /// Returns a pagination that sets the query item `name` to the cursor at `path` in a page; see `cursor(_:_:)`. A page without the path, and
  /// null or an empty string there, end the list.
  ///
  /// A number is sent as its text. Other values, a path that no page has and a page without content are treated as by ``nextURL(at:)``.
  public static func cursor(_ name: String, at path: JSON.Path) -> Pagination {
    cursor(name, at: path, isOptional: false)
  }

  /// Returns a pagination that increments the query item `name` by one, starting with `first`, as long as the Boolean value at `path` in a page
  /// is true.
  ///
  ///     .pageNumber("page", hasNextAt: "has_more")
  ///
  /// A page without the value, another value, and true on a page without rows are a `PaginationError`. After a page with the value true, an
  /// error such as 404 is not the end of the list, as it is with `pageNumber(_:first:isLast:)`, and a ``Pull`` removes no missing rows after
  /// a page without content.
  public static func pageNumber(_ name: String, first: Int = 1, hasNextAt path: JSON.Path) -> Pagination {
    pageNumber(name, first: first, stating: { try $0.hasNextPage(at: path, isEmpty: $1) })
  }

  /// - Parameter isOptional: True if the end is certain even if no page has the path.
  package static func nextURL(at path: any PullPath, isOptional: Bool) -> Pagination {
    nextURL(reading: { try $0.reference(at: path, isOptional: isOptional, orNumber: false) })
  }

  /// - Parameter isOptional: True if the end is certain even if no page has the path.
  package static func cursor(_ name: String, at path: any PullPath, isOptional: Bool) -> Pagination {
    cursor(name, reading: { try $0.reference(at: path, isOptional: isOptional, orNumber: true) })
  }
}

extension JSON {
  /// Returns the reference to the next page in this page. `PullRun` decides whether a page without content is a
  /// certain end.
  ///
  /// - Parameter orNumber: True if a number can be the reference. A URL cannot be a number.
  /// - Throws: `PaginationError` for a value that cannot be one.
  fileprivate func reference(at path: any PullPath, isOptional: Bool, orNumber: Bool) throws -> PageReference {
    guard let value = try pageValue(at: path) else {
      return isOptional && !isNull ? .end : .missing(reason: "no page has a value at \(path.words)")
    }
    if value.isNull { return .end }
    if let text = value.string ?? (orNumber ? value.numberText : nil) { return PageReference(text) }
    let expected = orNumber ? "a string, a number or null" : "a string or null"
    throw PaginationError(
      description: "the next page at \(path.words) is \(value.kind.withArticle), but must be \(expected)")
  }

  /// Returns the Boolean value at `path` in this page, which states whether there is a next page.
  ///
  /// - Throws: `PaginationError` for a missing value and for one that is not a Boolean value.
  package func hasNextPage(at path: any PullPath, isEmpty: Bool?) throws -> Bool {
    // `PullRun` decides about a page without content.
    if isNull { return false }
    guard let value = try pageValue(at: path) else {
      throw PaginationError(description: "there is no value at \(path.words), but it must be true or false")
    }
    guard let hasNext = value.bool else {
      throw PaginationError(description: "\(path.words) is \(value.kind.withArticle), but must be true or false")
    }
    if hasNext, isEmpty == true {
      throw PaginationError(description: "\(path.words) is true, but the page has no rows")
    }
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

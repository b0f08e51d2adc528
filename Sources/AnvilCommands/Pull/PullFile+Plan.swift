internal import Anvil
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilStore
internal import AnvilSync

/// The pulls that a configuration file describes.
extension PullFile.Listing {
  /// Returns the pull of the listing.
  ///
  /// - Throws: ``UsageError`` for an invalid path of a request or of a value.
  func plan(_ gateway: Gateway) throws(UsageError) -> PullPlan {
    var requests: [String: GatewayRequest] = [:]
    for (partition, path) in partitions ?? ["": path ?? ""] {
      do {
        var request = try gateway.request(template: path, [:])
        for (name, value) in query ?? [:] { request.query[name] = value.string ?? value.numberText ?? "\(value)" }
        requests[partition] = request
      } catch {
        throw UsageError("the listing \(name.quotedExcerpt): \(path.quotedExcerpt) is not a path: \(error)")
      }
    }
    let items = try valuePath(items, "items")
    guard !items.isQueryForValues else {
      throw UsageError(
        "the listing \(name.quotedExcerpt): items \("\(items)".quotedExcerpt) is a query for single values: use the path of a list, or [] "
          + "for the elements of a list, such as edges[].node")
    }
    return PullPlan(
      name: name, partitions: requests, pagination: try pagination(items), items: items, cursor: try pullCursor,
      missing: missingRows, tombstone: try pullTombstone,
      rows: ObjectPullRows(entity: table, keys: keys ?? [], rules: conflictRules))
  }

  private func pagination(_ items: JSONPath) throws(UsageError) -> Pagination<JSON> {
    let parameter = pages?.parameter ?? ""
    let path = try valuePath(pages?.path, "pages.path")
    let isOptional = pages?.optional ?? false
    let count = { @Sendable (page: JSON) in items.rowCount(in: page) }
    let hasNext: @Sendable (JSON) throws -> Bool =
      if pages?.path == nil {
        { count($0) > 0 }
      } else {
        { try !$0.isNull && $0.hasNextPage(at: path, rowCount: count($0)) }
      }
    return switch pages?.by {
    case nil, .link: .linkHeader
    case .nextURL: .nextURL(at: path, isOptional: isOptional)
    case .cursor: .cursor(parameter, at: path, isOptional: isOptional)
    case .page: .pageNumber(parameter, first: pages?.first ?? 1, hasNext: hasNext)
    case .offset: .offset(parameter, first: pages?.first ?? 0, count: count, hasNext: hasNext)
    }
  }

  private var pullCursor: PullCursor {
    get throws(UsageError) {
      guard let cursor else { return .none }
      guard let field = cursor.field, let parameter = cursor.parameter else {
        return cursor.entityTag == true ? .entityTag : .none
      }
      return .field(at: try valuePath(field, "cursor.field"), parameter: parameter, overlap: cursor.overlap ?? 0)
    }
  }

  private var pullTombstone: PullTombstone? {
    get throws(UsageError) {
      guard let tombstone else { return nil }
      let path = try valuePath(tombstone.field, "tombstone.field")
      guard let value = tombstone.equals else { return .field(at: path) }
      return .field(at: path, equals: value)
    }
  }

  /// Parses the path of a value in a page or a row; `nil` is the page.
  private func valuePath(_ text: String?, _ member: String) throws(UsageError) -> JSONPath {
    try JSONPath(text ?? "", of: "the listing \(name.quotedExcerpt): \(member)")
  }
}

extension JSONPath: PullPath {
  /// The path in the form of `JSON.Path`, whose keys have no indices; or the query.
  var identity: String {
    guard !isQuery else { return description }
    return steps.reduce(into: "") { text, step in
      switch step {
      case .key(let key, _): text.append(JSON.Step.key(key))
      case .index(let index): text.append(JSON.Step.index(index))
      case .all: text += "[]"
      }
    }
  }

  /// True for a query that may lead to several values. It cannot distinguish a list without elements from a page without the list.
  fileprivate var isQueryForValues: Bool { isQuery && !isSingular }

  func valuesIfPresent(in json: JSON) throws(MisleadingPath) -> [JSON]? {
    do throws(Failure) {
      let values = try values(in: json)
      return values.isEmpty && hasElements(in: json) ? nil : values
    } catch {
      if case .notFound(let missing) = error, missing.dottedKey == nil { return nil }
      throw MisleadingPath("\(error)")
    }
  }
}

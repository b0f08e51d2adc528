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
    let items = try valuePath(items ?? "", "items")
    guard !items.isQueryForValues else {
      throw UsageError(
        "the listing \(name.quotedExcerpt): items \("\(items)".quotedExcerpt) is a query for single values: use the path of a list, or [] "
          + "for the elements of a list, such as edges[].node")
    }
    return PullPlan(
      name: name, partitions: requests, pagination: try pagination(items),
      items: items, cursor: try pullCursor, missing: missingRows, tombstone: try pullTombstone,
      rows: ObjectPullRows(entity: table, keys: keys ?? [], rules: conflictRules))
  }

  private func pagination(_ items: JSONPath) throws(UsageError) -> Pagination<JSON> {
    let parameter = pages?.parameter ?? ""
    let path = try pages?.path.map { path throws(UsageError) in try valuePath(path, "pages.path", in: "page") }
    let isOptional = pages?.optional ?? false
    let count = { @Sendable (page: JSON) in items.rowCount(in: page) }
    return switch (pages?.by, path) {
    case (.nextURL, let path?): .nextURL(at: path, isOptional: isOptional)
    case (.cursor, let path?): .cursor(parameter, at: path, isOptional: isOptional)
    // The schema requires the path of a URL and of a cursor.
    case (nil, _), (.link, _), (.nextURL, nil), (.cursor, nil): .linkHeader
    case (.page, nil): .pageNumber(parameter, first: pages?.first ?? 1) { count($0) == 0 }
    case (.page, let path?):
      .pageNumber(parameter, first: pages?.first ?? 1, stating: { try $0.hasNextPage(at: path, isEmpty: $1) })
    case (.offset, nil): .offset(parameter, first: pages?.first ?? 0, count: count)
    case (.offset, let path?):
      .offset(
        parameter, first: pages?.first ?? 0, count: count, stating: { try $0.hasNextPage(at: path, isEmpty: $1) })
    }
  }

  private var pullCursor: PullCursor {
    get throws(UsageError) {
      guard let cursor else { return .none }
      guard let field = cursor.field, let parameter = cursor.parameter else {
        return cursor.entityTag == true ? .entityTag : .none
      }
      return .field(
        at: try valuePath(field, "cursor.field", in: "row"), parameter: parameter, overlap: cursor.overlap ?? 0)
    }
  }

  private var pullTombstone: PullTombstone? {
    get throws(UsageError) {
      guard let tombstone else { return nil }
      let path = try valuePath(tombstone.field, "tombstone.field", in: "row")
      if let value = tombstone.equals { return .field(at: path, equals: value) }
      if case .key(let key, _)? = path.steps.first, path.steps.count == 1, keys?.contains(key) == true {
        throw UsageError(
          "the listing \(name.quotedExcerpt): tombstone.field \(key.quotedExcerpt) is a key, which every row has: add \"equals\""
        )
      }
      return .field(at: path)
    }
  }

  /// Parses the path in `member`.
  ///
  /// - Parameter whole: The name of the document in which the path must lead to a value; `nil` if it may lead to the whole document.
  private func valuePath(_ text: String, _ member: String, in whole: String? = nil) throws(UsageError) -> JSONPath {
    let path = try JSONPath(text, of: "the listing \(name.quotedExcerpt): \(member)")
    if let whole, path.isTopLevel {
      throw UsageError(
        "the listing \(name.quotedExcerpt): \(member) \(text.quotedExcerpt) is the whole \(whole), but must be the path of a value in it"
      )
    }
    return path
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
    if let query { return try values(of: query, in: json) }
    let failure: MisleadingPath?
    do throws(MisleadingPath) {
      if let values = try values(at: steps, in: json) { return values }
      failure = nil
    } catch {
      failure = error
    }
    do throws(Failure) {
      _ = try values(in: json)
    } catch {
      // A key with dots explains the failure better.
      if case .notFound(let missing) = error, missing.dottedKey != nil { throw MisleadingPath("\(error)") }
    }
    if let failure { throw failure }
    return nil
  }

  /// Returns the nodes of the query in `json`. A query without nodes is an error if there is a value of another kind on its way, because such a
  /// value is no absence.
  private func values(of query: JSONQuery, in json: JSON) throws(MisleadingPath) -> [JSON] {
    let run = JSONQueryRun(in: json, limit: JSONQuery.maximumSteps)
    let values: [JSON]
    do throws(JSONQuery.Exceeded) {
      values = try query.values(from: json, run)
    } catch {
      throw MisleadingPath("\(error)")
    }
    if values.isEmpty, let mismatch = run.mismatch {
      throw MisleadingPath(mismatch.node, on: self, in: json, expected: mismatch.kinds)
    }
    return values
  }
}

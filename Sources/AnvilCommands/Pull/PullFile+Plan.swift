internal import Anvil
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilStore
internal import AnvilSync

/// The pulls that a configuration file describes.
extension PullFile.Listing {
  /// Returns the pull of the listing.
  ///
  /// - Throws: ``UsageError`` for an invalid path.
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
    let items = JSON.Path(dotted: items)
    return PullPlan(
      name: name, partitions: requests, pagination: pagination(items), items: items, cursor: pullCursor,
      missing: missingRows,
      tombstone: tombstone.map { tombstone in
        let path = JSON.Path(dotted: tombstone.field)
        return tombstone.equals.map { .field(path, equals: $0) } ?? .field(path)
      }, rows: ObjectPullRows(entity: table, keys: keys ?? [], rules: conflictRules))
  }

  private func pagination(_ items: JSON.Path) -> Pagination<JSON> {
    let path = JSON.Path(dotted: pages?.path)
    let parameter = pages?.parameter ?? ""
    let count = { @Sendable (page: JSON) in ((try? page.value(at: items)) as JSON?)?.count ?? 0 }
    let text = { @Sendable (page: JSON) -> String? in
      let value = (try? page.value(at: path)) as JSON?
      return value.flatMap { $0.string ?? $0.numberText }
    }
    return switch pages?.by {
    case nil, .link: .linkHeader
    case .nextURL: .nextURL(text)
    case .cursor: .cursor(parameter, text)
    case .page: .pageNumber(parameter, first: pages?.first ?? 1) { count($0) == 0 }
    case .offset: .offset(parameter, first: pages?.first ?? 0, count: count)
    }
  }

  private var pullCursor: PullCursor {
    guard let cursor else { return .none }
    guard let field = cursor.field, let parameter = cursor.parameter else {
      return cursor.entityTag == true ? .entityTag : .none
    }
    return .field(JSON.Path(dotted: field), parameter: parameter, overlap: cursor.overlap ?? 0)
  }
}

extension JSON.Path {
  /// Creates the path of keys that are separated by dots, or an empty path if there is no text.
  fileprivate init(dotted text: String?) {
    let keys = text?.split(separator: ".").map(String.init) ?? []
    self = keys.reduce(JSON.Path()) { $0.appending(JSON.Path($1)) }
  }
}

internal import Anvil
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
internal import AnvilStore
internal import AnvilSync
internal import Foundation

struct PullFile: Decodable, Sendable {
  let baseURL: URL
  let into: String?
  let headers: [String: String]?
  /// The time between two runs of `--watch`, in seconds.
  let interval: Double?
  let rateLimit: RateLimit?
  let listings: [Listing]

  private enum CodingKeys: String, CodingKey {
    case into, headers, interval, rateLimit, listings
    case baseURL = "baseUrl"
  }

  /// The maximum number of requests that start within a number of seconds.
  struct RateLimit: Decodable, Sendable {
    let requests: Int
    let seconds: Double
  }

  struct Listing: Decodable, Sendable {
    let name: String
    let path: String?
    let partitions: [String: String]?
    let query: [String: JSON]?
    let table: String
    let keys: [String]?
    let items: String?
    let pages: Pages?
    let cursor: Cursor?
    let missing: Missing?
    let tombstone: Tombstone?
    /// The rules for updating a stored row with a received one, by the names of the columns.
    let rules: [String: Rule]?
    /// The column that determines which row is newer, for columns without a rule.
    let newestBy: String?
  }

  struct Pages: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
      case link, cursor, page, offset
      case nextURL = "next_url"
    }

    let by: Kind
    let parameter: String?
    let path: String?
    /// True if the listing is complete even if no page has the path.
    let optional: Bool?
    let first: Int?
  }

  struct Cursor: Decodable, Sendable {
    let field: String?
    let parameter: String?
    let overlap: Int?
    let entityTag: Bool?
  }

  enum Missing: Sendable {
    case kept, deleted
    /// Rows are deleted if each of these columns has one of its values.
    case deletedWhere([String: [JSON]])
  }

  enum Rule: Sendable {
    case replace, keep, merge
    case newestBy(String)
  }

  struct Tombstone: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
      case field, equals
    }

    let field: String
    /// The value of deleted rows, which may be `null`; `nil` without the member.
    let equals: JSON?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      field = try container.decode(String.self, forKey: .field)
      equals = try container.contains(.equals) ? .some(container.decode(JSON.self, forKey: .equals)) : .none
    }
  }
}

extension PullFile {
  /// The JSON Schema of the file. The documentation shows the same text.
  static var schema: Data { Data(PackageResources.PullFile_schema_json) }

  /// Reads the file, and throws a `JSON.Diagnosis` with all departures from its schema.
  static func read(_ bytes: [UInt8], name: String) throws -> PullFile {
    let document: JSON
    do throws(JSON.SyntaxError) {
      document = try JSON(parsing: bytes)
    } catch {
      throw JSON.Diagnosis(error, in: Data(bytes), source: name)
    }
    let findings = try JSONSchema(compiling: JSON(parsing: schema)).check(document)
    guard findings.isMatch else {
      throw JSON.Diagnosis(findings.faults.filter { !$0.isNote }, in: SourceText(bytes), source: name)
    }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let file: PullFile
    do {
      file = try decoder.decode(PullFile.self, from: document)
    } catch {
      throw JSON.Diagnosis(error, in: Data(bytes), source: name)
    }
    try file.check()
    return file
  }

  /// Checks the rules that the schema cannot express.
  private func check() throws(CommandError) {
    var names: Set<String> = []
    let tables = Dictionary(grouping: listings, by: \.table.foldedName)
    for listing in listings {
      if case .deleted = listing.missing, let shared = tables[listing.table.foldedName], shared.count > 1 {
        throw CommandError(
          """
          the table \(listing.table.quotedExcerpt) has the rows of \(shared.count) listings, and \(listing.name.quotedExcerpt) would \
          delete those of the others: make them partitions of one listing, or use "deleted_where"
          """)
      }
      try listing.checkRules()
      if let key = listing.keys?.repeatedName {
        throw CommandError("the listing \(listing.name.quotedExcerpt) has the key \(key.quotedExcerpt) twice")
      }
      if !names.insert(listing.name).inserted {
        throw CommandError("two listings are named \(listing.name.quotedExcerpt)")
      }
      for prefix in ["anvil_", "sqlite_", "pg_"] where listing.table.foldedName.hasPrefix(prefix) {
        throw CommandError(
          "the table \(listing.table.quotedExcerpt): names that begin with \(prefix) are reserved")
      }
    }
  }
}

extension PullFile.Listing {
  /// The listing, in messages.
  private var place: String { "the listing \(name.quotedExcerpt)" }

  func plan(_ gateway: Gateway) throws(CommandError) -> PullPlan {
    var requests: [String: GatewayRequest] = [:]
    for (partition, path) in partitions ?? ["": path ?? ""] {
      var request = try CommandError.explaining("\(place): \(path.quotedExcerpt) is not a path") {
        try gateway.request(template: path, [:])
      }
      for (name, value) in query ?? [:] { request.query[name] = value.string ?? value.numberText ?? "\(value)" }
      requests[partition] = request
    }
    let items = try valuePath(items ?? "", "items")
    guard !items.isQueryForValues else {
      throw CommandError(
        "\(place): items \("\(items)".quotedExcerpt) is a query for single values: use the path of a list, or [] for the "
          + "elements of a list, such as edges[].node")
    }
    return PullPlan(
      name: name, partitions: requests, pagination: try pagination(items),
      items: items, cursor: try pullCursor, missing: missingRows, tombstone: try pullTombstone,
      rows: ObjectPullRows(entity: table, keys: keys ?? [], rules: conflictRules))
  }

  private func pagination(_ items: JSONPath) throws(CommandError) -> Pagination<JSON> {
    let parameter = pages?.parameter ?? ""
    let path = try pages?.path.map { path throws(CommandError) in try valuePath(path, "pages.path", in: "page") }
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

  private var pullCursor: PullCursor? {
    get throws(CommandError) {
      guard let cursor else { return nil }
      guard let field = cursor.field, let parameter = cursor.parameter else {
        return cursor.entityTag == true ? .entityTag : nil
      }
      return PullCursor.field(
        at: try valuePath(field, "cursor.field", in: "row"), parameter: parameter, overlap: cursor.overlap ?? 0)
    }
  }

  private var pullTombstone: PullTombstone? {
    get throws(CommandError) {
      guard let tombstone else { return nil }
      let path = try valuePath(tombstone.field, "tombstone.field", in: "row")
      if let value = tombstone.equals { return .field(at: path, equals: value) }
      if case .key(let key, _)? = path.steps.first, path.steps.count == 1, keys?.contains(key) == true {
        throw CommandError(
          "\(place): tombstone.field \(key.quotedExcerpt) is a key, which every row has: add \"equals\"")
      }
      return .field(at: path)
    }
  }

  /// Parses the path in `member`, which must not be that of a whole document with the name `whole`.
  private func valuePath(_ text: String, _ member: String, in whole: String? = nil) throws(CommandError) -> JSONPath {
    let path = try JSONPath(text, of: "\(place): \(member)")
    if let whole, path.isTopLevel {
      throw CommandError(
        "\(place): \(member) \(text.quotedExcerpt) is the whole \(whole), but must be the path of a value in it")
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

  /// Returns the nodes of the query in `json`. Throws for no nodes if a value of another kind is on the way, which is no absence.
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

extension PullFile.Missing: Decodable {
  private enum CodingKeys: CodingKey {
    case deletedWhere
  }

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      self = try decoder.singleValueContainer().decode(String.self) == "deleted" ? .deleted : .kept
      return
    }
    let scope = try container.decode([String: JSON].self, forKey: .deletedWhere)
    self = .deletedWhere(scope.mapValues { $0.kind == .array ? Array($0.elements) : [$0] })
  }
}

extension PullFile.Rule: Decodable {
  private enum CodingKeys: CodingKey {
    case newestBy
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .newestBy(try container.decode(String.self, forKey: .newestBy))
      return
    }
    switch try decoder.singleValueContainer().decode(String.self) {
    case "keep": self = .keep
    case "merge": self = .merge
    default: self = .replace
    }
  }
}

extension PullFile.Listing {
  func checkRules() throws(CommandError) {
    let count = (rules?.count ?? 0) + (newestBy == nil ? 0 : 1)
    guard count > 0 else { return }
    guard let keys else {
      throw CommandError("\(place) has rules for rows that exist, but no keys that identify them")
    }
    let ruled = Set(rules?.keys.map(\.foldedName) ?? [])
    for column in keys where ruled.contains(column.foldedName) {
      throw CommandError("\(place) has a rule for its key \(column.quotedExcerpt), which cannot change")
    }
  }

  var conflictRules: [ConflictRule] {
    let others = newestBy.map { [ConflictRule(column: nil, .newest(by: $0))] } ?? []
    return others + (rules ?? [:]).map { ConflictRule(column: $0.key, $0.value.kind) }
  }

  var missingRows: MissingRows {
    switch missing {
    case nil, .kept: return .kept
    case .deleted: return .deleted
    case .deletedWhere(let scope):
      let conditions = scope.sorted { $0.key < $1.key }.map { column, values in
        ConditionNode.joined(values.map { .equals(column, scalar: $0) }, matchingAll: false)
      }
      return .deleted(where: ConditionNode.joined(conditions, matchingAll: true))
    }
  }
}

extension PullFile.Rule {
  fileprivate var kind: ConflictRule.Kind {
    switch self {
    case .replace: .replace
    case .keep: .keep
    case .merge: .merge
    case .newestBy(let column): .newest(by: column)
    }
  }
}

extension ConditionNode {
  fileprivate static func equals(_ column: String, scalar value: JSON) -> ConditionNode {
    if let bool = value.bool { return .equals(column, bool) }
    if let text = value.string { return .equals(column, text) }
    if let integer = value.integer(as: Int64.self) { return .equals(column, integer) }
    return .equals(column, value.double)
  }
}

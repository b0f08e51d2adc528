internal import AnvilJSON
internal import AnvilStore
internal import Foundation

extension PullFile.Missing: Decodable {
  private enum CodingKeys: String, CodingKey {
    case deletedWhere = "deleted_where"
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
  private enum CodingKeys: String, CodingKey {
    case newestBy = "newest_by"
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
  /// Checks what the schema cannot express.
  func checkRules() throws(UsageError) {
    let count = (rules?.count ?? 0) + (newestBy == nil ? 0 : 1)
    guard count > 0 else { return }
    guard let keys else {
      throw UsageError(
        "the listing \(name.quotedExcerpt) has rules for rows that exist, but no keys that identify them")
    }
    for column in keys where rules?[column] != nil {
      throw UsageError(
        "the listing \(name.quotedExcerpt) has a rule for its key \(column.quotedExcerpt), which cannot change")
    }
  }

  /// The rules for rows that exist.
  var conflictRules: [ConflictRule] {
    let others = newestBy.map { [ConflictRule(column: nil, .newest(by: $0))] } ?? []
    return others + (rules ?? [:]).map { ConflictRule(column: $0.key, $0.value.kind) }
  }

  /// The treatment of rows that are missing from a complete listing.
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
  /// Returns the condition that the column equals `value`, a scalar from the file.
  fileprivate static func equals(_ column: String, scalar value: JSON) -> ConditionNode {
    if let bool = value.bool { return .equals(column, bool) }
    if let text = value.string { return .equals(column, text) }
    if let integer = value.integer(as: Int64.self) { return .equals(column, integer) }
    return .equals(column, value.double)
  }
}

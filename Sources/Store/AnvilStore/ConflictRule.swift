/// A rule that determines the value of attributes when a model is stored over an existing row.
///
///     struct Ticket: Codable, Sendable, ManagedDecodable {
///       static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
///       static let conflictRules: [ConflictRule] = [
///         .keep(CodingKeys.firstSeen), .merge(CodingKeys.labels), .newest(by: CodingKeys.updatedAt),
///       ]
///       …
///     }
///
/// Without a rule, the incoming value replaces the stored one. Rules apply wherever rows are written: by `createOrUpdate`, by lists, by
/// `save`, and to models within other models. They do not apply to new rows, to match keys, and to SQL. They have no effect on models
/// without match keys.
///
/// An attribute that is absent from a payload keeps its stored value before rules are applied. The models that `createOrUpdate` returns
/// have the values that are stored. Rows whose values do not change because of rules count as unchanged.
public struct ConflictRule: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case replace
    case keep
    case merge
    case newest(by: String)
  }

  /// The names of the attributes. If it is empty, the rule applies to all attributes that no other rule names.
  let attributes: [String]
  let kind: Kind

  private init(_ attributes: [String], _ kind: Kind) {
    (self.attributes, self.kind) = (attributes, kind)
  }

  /// Creates the rule of a column, or that of all columns without another rule.
  package init(column: String?, _ kind: Kind) {
    self.init(column.map { [$0] } ?? [], kind)
  }

  /// Returns a rule that replaces the stored value with the incoming one. Use it to override a rule of the model for
  /// one call.
  public static func replace(_ keys: any CodingKey...) -> ConflictRule {
    ConflictRule(keys.map(\.stringValue), .replace)
  }

  /// Returns a rule that keeps a stored value unless it is null, regardless of the incoming value.
  public static func keep(_ keys: any CodingKey...) -> ConflictRule {
    ConflictRule(keys.map(\.stringValue), .keep)
  }

  /// Returns a rule that merges objects and arrays, which are stored as JSON.
  ///
  /// - The members of the incoming object are added to the stored object. Members that both objects have are merged if both values are
  ///   objects or both are arrays, and otherwise replaced.
  /// - The elements of the incoming array that the stored array does not contain are added at its end.
  /// - Other values, and null, replace the stored value.
  ///
  /// Storing a model over an existing row throws ``StoreError/Code/schemaMismatch`` if one of these attributes is not stored as JSON.
  public static func merge(_ keys: any CodingKey...) -> ConflictRule {
    ConflictRule(keys.map(\.stringValue), .merge)
  }

  /// Returns a rule that keeps the stored values of these attributes if the incoming row is older than the stored one. Without attributes,
  /// the rule is for all that no other rule names.
  ///
  /// A row is older if its value of the `version` attribute is less, or is null while the stored one is not. The version is a number, a
  /// date, a Boolean, or text, which is compared by its Unicode scalars. The rule also applies to the `version` attribute itself, unless
  /// another rule names it.
  public static func newest(_ keys: any CodingKey..., by version: any CodingKey) -> ConflictRule {
    ConflictRule(keys.map(\.stringValue), .newest(by: version.stringValue))
  }
}

extension ManagedDecodable {
  /// The default is no rules, so that incoming values replace stored ones.
  public static var conflictRules: [ConflictRule] { [] }
}

struct ConflictRules {
  private var rules: [String: ConflictRule.Kind] = [:]
  private var other = ConflictRule.Kind.replace

  /// Combines the rules of a model with those of one call, which take precedence. Of several rules for one attribute, the last one counts.
  init(_ model: [ConflictRule], _ call: [ConflictRule] = []) {
    for rule in model { add(rule) }
    for rule in call { add(rule) }
    rules = rules.filter { $0.value != .replace || other != .replace }
  }

  private mutating func add(_ rule: ConflictRule) {
    if rule.attributes.isEmpty { other = rule.kind }
    for attribute in rule.attributes { rules[attribute] = rule.kind }
    // The rule also applies to its version attribute, unless another rule names it.
    if case .newest(let version) = rule.kind, rules[version] == nil { rules[version] = rule.kind }
  }

  var isEmpty: Bool { rules.isEmpty && other == .replace }

  var names: [String] { Array(rules.keys) }

  /// The attributes that determine which row is newer.
  var versions: Set<String> {
    Set(
      (rules.values + [other]).compactMap { kind in
        if case .newest(let version) = kind { version } else { nil }
      })
  }

  func kind(for attribute: String) -> ConflictRule.Kind { rules[attribute] ?? other }

  /// Returns the rules with the names of a table's columns, from which their own may differ in case, and which may be shorter.
  func spelled(as schema: EntitySchema, _ maximumNameLength: Int) -> ConflictRules {
    func column(_ name: String) -> String {
      guard schema.column(named: name) == nil else { return name }
      let folded = name.shortened(to: maximumNameLength).foldedName
      return schema.columns.first { $0.name.foldedName == folded }?.name ?? name
    }
    func spelled(_ kind: ConflictRule.Kind) -> ConflictRule.Kind {
      if case .newest(let version) = kind { .newest(by: column(version)) } else { kind }
    }
    var result = self
    result.rules = Dictionary(rules.map { (column($0), spelled($1)) }) { $1 }
    result.other = spelled(other)
    return result
  }
}

/// Values that are about to replace those of a row. They are counted in the order of their attributes.
struct IncomingRow {
  /// The names of the attributes in rules; `nil` for those of the key, to which no rules apply.
  let names: [String?]
  let value: (Int) -> StoreValue
  let stored: (String) -> StoredCell?
  /// True if a row without the version attribute is older than one with it. Otherwise the attribute keeps its value.
  let isOlderWithoutVersion: Bool
}

extension ConflictRules {
  /// Returns the values that replace incoming ones, with the indices of their attributes.
  ///
  /// - Throws: ``StoreError/Code/schemaMismatch`` if values of the version attribute have no order; ``StoreError/Code/invalidValue`` if the
  ///   stored value to merge with is not JSON.
  func replacements(
    in row: IncomingRow, of entity: String
  ) throws(StoreError) -> [(index: Int, value: StoreValue)] {
    // By version attribute, from values that no rule has changed yet.
    var isOlder: [String: Bool] = [:]
    var replacements: [(index: Int, value: StoreValue)] = []
    for (index, name) in row.names.enumerated() {
      guard let name, case let kind = kind(for: name), kind != .replace else { continue }
      let (stored, incoming) = (row.stored(name) ?? .null, row.value(index))
      var value = incoming
      switch kind {
      case .replace: break
      case .keep: if !stored.isNull { value = stored.value }
      case .merge:
        guard case .text(let old) = stored.value, case .text(let new) = incoming, old != new else { break }
        value = .text(try JSONMerge.text(of: new, into: old))
      case .newest(let version):
        if isOlder[version] == nil { isOlder[version] = try self.isOlder(by: version, row, entity) }
        if isOlder[version] == true { value = stored.value }
      }
      if value != incoming { replacements.append((index, value)) }
    }
    return replacements
  }

  private func isOlder(by version: String, _ row: IncomingRow, _ entity: String) throws(StoreError) -> Bool {
    guard let stored = row.stored(version), !stored.isNull else { return false }
    guard let index = row.names.firstIndex(of: version) else { return row.isOlderWithoutVersion }
    guard stored.reference == nil, let isLess = row.value(index).isLess(than: stored.value, as: stored.type) else {
      throw StoreError(
        code: .schemaMismatch,
        reason: """
          \(entity).\(version) is \(Attribute(version, stored.type, stored.reference).kind) and cannot be used to determine \
          which row is newer
          """)
    }
    return isLess
  }
}

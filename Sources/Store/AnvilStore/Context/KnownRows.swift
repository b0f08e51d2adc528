/// The rows that a transaction knows without reading them again.
struct KnownRows {
  /// Keys that were looked up and not found, by entity. Other transactions may insert such rows meanwhile.
  private var absentKeys: [String: Set<RowKey>] = [:]
  /// The known rows and the pending writes, while many models are created or updated.
  var bulk: BulkState?

  mutating func noteAbsence(of key: RowKey, _ entity: String) { absentKeys[entity, default: []].insert(key) }

  func isAbsent(_ key: RowKey, of entity: String) -> Bool { absentKeys[entity]?.contains(key) == true }

  func hasAbsentRows(of entity: String) -> Bool { absentKeys[entity]?.isEmpty == false }

  mutating func forgetAbsence(of key: RowKey, _ entity: String) { absentKeys[entity]?.remove(key) }

  /// Discards what was looked up, because a statement of the caller may change it.
  mutating func forgetAbsence() { absentKeys = [:] }
}

struct RowChanges {
  private(set) var counts: [String: StoreChanges.Counts] = [:]
  /// True if a statement of the caller may have changed rows of any entity.
  var mayBeAny = false

  subscript(entity: String) -> StoreChanges.Counts {
    get { counts[entity] ?? StoreChanges.Counts() }
    set { counts[entity] = newValue }
  }

  var entities: [String] { counts.filter { !$0.value.isEmpty }.map(\.key) }
}

struct RowReading {
  var referenced: ReferencedRows?
  /// The attributes that a model reads, while they are recorded.
  var attributes: ReadAttributes?
}

struct ReadAttributes {
  private var recorded: Set<String> = []
  private var areAll = false

  /// Adds an attribute, or all attributes for `nil`: a model that enumerates the keys may read any of them.
  mutating func add(_ attribute: String?) {
    if let attribute { recorded.insert(attribute) } else { areAll = true }
  }

  /// The names; `nil` for all attributes.
  var names: Set<String>? { areAll ? nil : recorded }
}

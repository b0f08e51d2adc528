/// The table of an entity, created by the store with a column for each attribute.
struct EntitySchema: Hashable, Sendable {
  /// A column. It is nullable unless it is part of the key.
  struct Column: Hashable, Sendable {
    let name: String
    let type: StoredType
    var reference: EntityReference?
    /// The declaration of a column that is not in the catalog, because SQL has added it. Its type is the one that this suggests.
    var declaration: String?

    var isUndescribed: Bool { declaration != nil }

    var kind: String { Attribute(name, type, reference).kind }
  }

  /// The key column of entities without match keys; it numbers rows in the order of insertion.
  static let orderColumn = "anvil_id"

  let entity: String
  var columns: [Column]
  /// The columns of the primary key, in order. It is empty if each row is a new one.
  let keyNames: [String]
  /// The attributes that have been null so far. Their types are unknown, and they have no columns yet.
  var untypedNames: Set<String> = []

  /// The columns of the table that are not in the catalog. A store writes them after it has added them to the catalog.
  var undescribedColumns: [Column] = []

  /// The columns that the table had once, and that another program has dropped or renamed.
  var lostNames: Set<String> = []

  /// The columns of the table that need a value in each row and have no default. A store creates such columns only for the key.
  var requiredNames: Set<String> = []

  func column(named name: String) -> Column? { columns.first { $0.name == name } }

  var keyColumns: [Column] { keyNames.compactMap(column(named:)) }

  var keyIndices: [Int] { keyNames.compactMap { name in columns.firstIndex { $0.name == name } } }

  /// - Throws: ``StoreError/Code/schemaMismatch`` if a model has other match keys than the table.
  func requireKeys(_ keys: [String]) throws(StoreError) {
    guard keyNames != keys else { return }
    func words(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
    throw StoreError(
      code: .schemaMismatch,
      reason: "the match keys differ: \(words(keyNames)) in the table \(entity), \(words(keys)) in the model")
  }

  /// Returns the table as a model reads it: with those undescribed columns that the model has.
  func readable(by names: AttributeNames) -> EntitySchema {
    guard !undescribedColumns.isEmpty else { return self }
    var readable = self
    readable.columns += undescribedColumns.filter { names.mayRead($0.name) }
    readable.untypedNames = untypedNames.filter { readable.column(named: $0) == nil }
    return readable
  }

  /// Returns the table extended by the columns and the untyped attributes of `wanted`. New columns are added at the end.
  func extended(toHave wanted: EntitySchema) -> EntitySchema {
    var extended = self
    extended.columns += wanted.columns.filter { column(named: $0.name) == nil }
    extended.untypedNames = untypedNames.union(wanted.untypedNames).filter { extended.column(named: $0) == nil }
    extended.undescribedColumns = undescribedColumns.filter { extended.column(named: $0.name) == nil }
    extended.lostNames = lostNames.filter { extended.column(named: $0) == nil && !extended.untypedNames.contains($0) }
    return extended
  }

  /// Two names of columns or untyped attributes that differ only in the case of ASCII letters; `nil` if all names are distinct.
  var namesThatDifferByCase: (String, String)? {
    var names: [String: String] = [:]
    for name in (columns.map(\.name) + untypedNames).sorted() {
      if let other = names.updateValue(name, forKey: name.foldedName) { return (other, name) }
    }
    return nil
  }

  var orderNames: [String] { keyNames.isEmpty ? [Self.orderColumn] : keyNames }
}

extension String {
  /// The name with ASCII letters in lower case. SQLite treats names that differ only in the case of ASCII letters as equal.
  package var foldedName: String {
    var folded = ""
    for scalar in unicodeScalars {
      let isCapital = scalar >= "A" && scalar <= "Z"
      folded.unicodeScalars.append(isCapital ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
    }
    return folded
  }
}

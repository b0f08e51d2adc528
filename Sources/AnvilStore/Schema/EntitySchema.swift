/// The table of an entity as the store has made it: a column for each attribute.
struct EntitySchema: Hashable, Sendable {
  /// A column, in which all rows may have NULL unless it is one of the key.
  struct Column: Hashable, Sendable {
    let name: String
    let type: StoredType
    /// Which rows the values stand for, if they do.
    var reference: EntityReference?
  }

  /// The column that is the key of entities without match keys: the order in which rows came to be.
  static let orderColumn = "anvil_id"

  /// The entity's name, which is the table's.
  let entity: String
  /// The columns in the order in which they were added.
  var columns: [Column]
  /// The columns of the primary key, in its order; none when each row is a new one.
  let keyNames: [String]
  /// The attributes that were null so far and whose types nobody knows: there is no column for them yet.
  var untypedNames: Set<String> = []

  /// Of an entity that there is no table of.
  static let unknown = EntitySchema(entity: "", columns: [], keyNames: [])

  func column(named name: String) -> Column? { columns.first { $0.name == name } }

  /// The columns of the key; never fewer than ``keyNames``.
  var keyColumns: [Column] { keyNames.compactMap(column(named:)) }

  /// Where the columns of the key are.
  var keyIndices: [Int] { keyNames.compactMap { name in columns.firstIndex { $0.name == name } } }

  /// The table with all attributes of `wanted` too: its columns after those that are there, and its names without types.
  func extended(toHave wanted: EntitySchema) -> EntitySchema {
    var extended = self
    extended.columns += wanted.columns.filter { column(named: $0.name) == nil }
    extended.untypedNames = untypedNames.union(wanted.untypedNames).filter { extended.column(named: $0) == nil }
    return extended
  }

  /// What rows are in order by when nobody asks for another.
  var orderNames: [String] { keyNames.isEmpty ? [Self.orderColumn] : keyNames }
}

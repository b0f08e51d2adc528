internal import AnvilStore

/// The statement that writes rows, however many: each column's values come as one array.
///
/// One statement for all numbers of rows, whose text and plan do not grow with them.
struct PostgresInsertion {
  let writing: RowWriting
  let sql: String
  /// What the columns' arrays are of, in the order of the columns.
  let elements: [PostgresType]
  /// Whether it gives a row for each that was inserted or updated, which says which of both; else there are only inserted ones.
  let givesRows: Bool

  /// A column's type in the table, and how it is called in a cast.
  struct ColumnType {
    var type: PostgresType
    var name: String
  }

  /// - Parameter types: those of the table's columns, by name.
  init(_ writing: RowWriting, types: [String: ColumnType], on connection: PostgresConnection) throws(StoreError) {
    self.writing = writing
    var names: [String] = []
    var arrays: [String] = []
    var values: [String] = []
    var elements: [PostgresType] = []
    for (index, column) in writing.columns.enumerated() {
      names.append(try connection.quoted(column.name))
      // The statement will fail where the table or the column is not there.
      let type = types[column.name] ?? ColumnType(type: .text, name: "text")
      let element = type.type.elementOfArray
      elements.append(element)
      arrays.append("$\(index + 1)::\(element.arrayElementName)[]")
      // Numbers are assigned, so that those out of a column's range are told; text is read as what the column is.
      let isCast = element == .text && !type.type.isText
      values.append("u.c\(index)" + (isCast ? "::\(type.name)" : ""))
    }
    self.elements = elements

    let table = try connection.quoted(writing.table)
    var sql = """
      INSERT INTO \(table) AS present (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) \
      FROM ROWS FROM (\(arrays.map { "unnest(\($0))" }.joined(separator: ", "))) \
      AS u (\(names.indices.map { "c\($0)" }.joined(separator: ", ")))
      """
    let keyIndices = writing.columns.indices.filter { writing.keyNames.contains(writing.columns[$0].name) }
    guard !writing.keyNames.isEmpty else {
      self.sql = sql
      givesRows = false
      return
    }
    // In the order of the keys: two that write the same rows wait for each other, and not each for the other.
    if !keyIndices.isEmpty {
      let order = keyIndices.map { "u.c\($0)" + (elements[$0] == .text ? #" COLLATE "C""# : "") }
      sql += " ORDER BY \(order.joined(separator: ", "))"
    }
    let keys = try writing.keyNames.map { name throws(StoreError) in try connection.quoted(name) }
    sql += " ON CONFLICT (\(keys.joined(separator: ", "))) DO"
    let others = names.indices.filter { !keyIndices.contains($0) }
    guard writing.existingRow == .updated, !others.isEmpty else {
      self.sql = sql + " NOTHING"
      givesRows = false
      return
    }
    let assignments = others.map { "\(names[$0]) = excluded.\(names[$0])" }.joined(separator: ", ")
    let differences = others.map { index in
      // JSON has no equality but that of its text.
      let cast = types[writing.columns[index].name]?.type == .json ? "::text" : ""
      return "present.\(names[index])\(cast) IS DISTINCT FROM excluded.\(names[index])\(cast)"
    }
    self.sql =
      sql + " UPDATE SET \(assignments) WHERE \(differences.joined(separator: " OR ")) RETURNING (present.xmax = 0)"
    givesRows = true
  }
}

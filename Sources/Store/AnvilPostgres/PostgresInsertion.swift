internal import AnvilStore

/// A statement that writes any number of rows. The values of each column are passed as one array.
///
/// Its text and its plan do not depend on the number of rows.
struct PostgresInsertion {
  let writing: RowWriting
  let sql: String
  /// The element types of the columns' arrays, in the order of the columns.
  let elements: [PostgresType]
  /// The types of the columns.
  let types: [PostgresType]
  /// True if the statement returns a row for each inserted or updated row, which contains the kind of the change. Otherwise only the number
  /// of inserted rows is known.
  let givesRows: Bool

  /// The type of a column in the table, and its name in a cast.
  struct ColumnType {
    var type: PostgresType
    var name: String
  }

  /// Creates the statement.
  ///
  /// - Parameter types: The types of the table's columns, by name.
  init(_ writing: RowWriting, types: [String: ColumnType], on connection: PostgresConnection) throws(StoreError) {
    self.writing = writing
    var names: [String] = []
    var arrays: [String] = []
    var values: [String] = []
    var elements: [PostgresType] = []
    var columnTypes: [PostgresType] = []
    for (index, column) in writing.columns.enumerated() {
      names.append(try connection.quoted(column.name))
      // The statement fails if the table or the column does not exist.
      let type = types[column.name] ?? ColumnType(type: .text, name: "text")
      let element = type.type.elementOfArray
      elements.append(element)
      columnTypes.append(type.type)
      arrays.append("$\(index + 1)::\(element.arrayElementName)[]")
      // Numbers are assigned, so that numbers out of range are reported. Text is cast to the type of the column.
      let isCast = element == .text && !type.type.isText
      values.append("u.c\(index)" + (isCast ? "::\(type.name)" : ""))
    }
    self.elements = elements
    self.types = columnTypes

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
    // Rows are written in the order of their keys, so that two statements for the same rows do not deadlock.
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
      // JSON can be compared only by its text.
      let cast = types[writing.columns[index].name]?.type == .json ? "::text" : ""
      return "present.\(names[index])\(cast) IS DISTINCT FROM excluded.\(names[index])\(cast)"
    }
    self.sql =
      sql + " UPDATE SET \(assignments) WHERE \(differences.joined(separator: " OR ")) RETURNING (present.xmax = 0)"
    givesRows = true
  }
}

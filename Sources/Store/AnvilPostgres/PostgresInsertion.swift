internal import AnvilStore

/// A statement that writes any number of rows. The values of each column are passed as one array.
///
/// Its text and its plan do not depend on the number of rows.
struct PostgresInsertion {
  let writing: RowWriting
  let sql: String
  /// The element types of the columns' arrays, in the order of the columns.
  let elements: [PostgresType]
  let types: [PostgresType]
  /// Queries for a value that a column, given by its index, would change, such as by rounding it; with the reason of the error.
  let checks: [(column: Int, sql: String, reason: String)]
  /// Whether the statement returns the kind of the change for each row. Otherwise only the number of inserted rows is known.
  let givesRows: Bool

  /// The type of a column in the table, and its name in a cast.
  struct ColumnType {
    var type: PostgresType
    var name: String
    /// The name with the modifier, such as the scale of a number.
    var declaration: String

    /// Whether the column may change a value of a property of the type `stored`. A time is rounded to the precision of its column.
    func changesValues(of stored: StoredType) -> Bool {
      switch type {
      case .numeric: declaration != name
      case .text, .varchar, .json, .uuid, .timestamp, .localTimestamp: false
      default: stored != .json && (type.elementOfArray == .text || type == .float4)
      }
    }
  }

  /// - Parameters:
  ///   - types: The types of the table's columns, by name.
  ///   - isPartitioned: True if the table consists of partitions.
  init(
    _ writing: RowWriting, types: [String: ColumnType], isPartitioned: Bool, on connection: PostgresConnection
  ) throws(StoreError) {
    self.writing = writing
    var names: [String] = []
    var arrays: [String] = []
    var values: [String] = []
    var elements: [PostgresType] = []
    var columnTypes: [PostgresType] = []
    var checks: [(column: Int, sql: String, reason: String)] = []
    for (index, column) in writing.columns.enumerated() {
      names.append(try connection.quoted(column.name))
      // The statement fails if the table or the column does not exist.
      let type = types[column.name] ?? ColumnType(type: .text, name: "text", declaration: "text")
      let element = type.type.elementOfArray
      elements.append(element)
      columnTypes.append(type.type)
      arrays.append("$\(index + 1)::\(element.arrayElementName)[]")
      // Numbers are assigned, so that numbers out of range are reported. Text is cast to the type of the column.
      let isCast = element == .text && !type.type.isText
      values.append("u.c\(index)" + (isCast ? "::\(type.name)" : ""))
      guard type.changesValues(of: column.type) else { continue }
      let value = "v::\(type.declaration)"
      let text = type.type == .character ? "\(value)::text" : "pg_catalog.concat(\(value))"
      let cast = connection.columnType(for: column.type == .integer ? .decimal : column.type)
      let sql = """
        SELECT 1 FROM pg_catalog.unnest($1::\(element.arrayElementName)[]) AS u (v) \
        WHERE v IS NOT NULL AND \(text)::\(cast) IS DISTINCT FROM v::\(cast) LIMIT 1
        """
      checks.append((index, sql, connection.changeReason(column, of: writing.table, declaredAs: type.declaration)))
    }
    self.checks = checks
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
      let cast = columnTypes[index].castForComparison
      return "present.\(names[index])\(cast) IS DISTINCT FROM excluded.\(names[index])\(cast)"
    }
    // A partitioned table does not have the system column. A subquery sees the rows as they were before the statement, so that a row which
    // another transaction has inserted meanwhile counts as inserted.
    let isSame = keys.map { "former.\($0) = present.\($0)" }.joined(separator: " AND ")
    let isInserted =
      isPartitioned ? "NOT EXISTS (SELECT 1 FROM \(table) AS former WHERE \(isSame))" : "present.xmax = 0"
    self.sql =
      sql + " UPDATE SET \(assignments) WHERE \(differences.joined(separator: " OR ")) RETURNING (\(isInserted))"
    givesRows = true
  }
}

/// A type of the server, by its number. Source: PostgreSQL's pg_type.dat, whose numbers do not change.
struct PostgresType: Hashable, Sendable {
  let oid: UInt32

  static let boolean = Self(oid: 16)
  static let bytes = Self(oid: 17)
  static let int8 = Self(oid: 20)
  static let int2 = Self(oid: 21)
  static let int4 = Self(oid: 23)
  static let text = Self(oid: 25)
  static let oid = Self(oid: 26)
  static let json = Self(oid: 114)
  static let float4 = Self(oid: 700)
  static let float8 = Self(oid: 701)
  static let timestamp = Self(oid: 1184)
  /// A text that is padded with spaces, which are not a part of it.
  static let character = Self(oid: 1042)
  static let varchar = Self(oid: 1043)
  /// A time without a zone, which is read as one in UTC.
  static let localTimestamp = Self(oid: 1114)
  static let numeric = Self(oid: 1700)
  static let uuid = Self(oid: 2950)
  /// The types "char", name, unknown, character and character varying.
  private static let otherTexts: Set<UInt32> = [18, 19, 705, 1042, 1043]

  /// True if the binary format of the type's values is the same as their text, and text can be assigned to the type.
  var isText: Bool { self == .text || Self.otherTexts.contains(oid) }

  /// True if values of this type can be read in the binary format. Values of all other types, including unknown ones, are read as text.
  var isReadInBinary: Bool {
    switch self {
    case .boolean, .bytes, .int8, .int2, .int4, .oid, .float4, .float8, .json, .uuid: true
    default: isText || isTimestamp
    }
  }

  /// The SQL after a value of this type that makes `=` exact: by bytes, if the type or its collation takes different texts as equal.
  /// Other types than those of the store's columns are compared by their text, because not all of them have `=`.
  var castForComparison: String {
    switch self {
    case .text, .varchar: #" COLLATE "C""#
    case .numeric, .uuid, .timestamp, .localTimestamp: ""
    default: elementOfArray == .text ? #"::text COLLATE "C""# : ""
    }
  }

  var isTimestamp: Bool { self == .timestamp || self == .localTimestamp }

  var kind: StoreValue.Kind {
    switch self {
    case .boolean, .int8, .int2, .int4, .oid: .integer
    case .float4, .float8: .real
    case .bytes: .blob
    default: .text
    }
  }

  /// The element type of the array in which values for this type are sent.
  var elementOfArray: PostgresType {
    switch self {
    case .int2, .int4, .int8, .oid: .int8
    case .float4, .float8: .float8
    case .boolean, .bytes: self
    default: .text
    }
  }

  var arrayElementName: String {
    switch self {
    case .int8: "bigint"
    case .float8: "double precision"
    case .boolean: "boolean"
    case .bytes: "bytea"
    default: "text"
    }
  }
}

struct PostgresColumn: Hashable, Sendable {
  var name: String
  var type: PostgresType
}

internal import AnvilStore

/// Finds the rows that are stored already as they are to be written, by one walk over the part of the table where they are.
///
/// A statement that writes has to be given all values of each row, to find its place and to compare them: 100,000 rows of which
/// 90,000 were there took 172 ms of processor time, with the walk 146. By a query for each row it would be as much.
struct SQLiteUnchangedRows {
  /// `SELECT` of the key and of all other columns of the rows between two keys, in the order of the key.
  private let sql: String
  /// Where the values of those columns are in a row that is written.
  private let places: [Int]
  /// How few rows are not worth it.
  static let fewest = 8

  /// For rows that have one key, a whole number.
  init(_ writing: RowWriting, key: Int, on connection: SQLiteConnection) throws(StoreError) {
    places = [key] + writing.columns.indices.filter { $0 != key }
    var names: [String] = []
    for place in places { names.append(try connection.quoted(writing.columns[place].name)) }
    sql = """
      SELECT \(names.joined(separator: ", ")) FROM \(try connection.quoted(writing.table)) \
      WHERE \(names[0]) BETWEEN \(connection.placeholder(1)) AND \(connection.placeholder(2)) ORDER BY \(names[0])
      """
  }

  /// For each row whether there is one of the same key and with the same values, each of the same kind.
  ///
  /// Others may be equal, too: to SQL, or when they are not in the order of their keys. Where the table has many rows between
  /// those that are written, the walk ends early.
  ///
  /// - Parameter rows: the values of the rows, one row after the other.
  func flags(
    of rows: borrowing Span<StoreValue>, on connection: SQLiteConnection
  ) throws(StoreError) -> [Bool] {
    let count = rows.count / places.count
    var flags = [Bool](repeating: false, count: count)
    guard count > 0, case .integer(let first) = rows[places[0]],
      case .integer(let last) = rows[(count - 1) * places.count + places[0]], first <= last
    else { return flags }
    let statement = try connection.statements.take(sql, on: connection.handle)
    defer { connection.statements.giveBack(statement) }
    try statement.start(with: [.integer(first), .integer(last)])
    var row = 0
    var left = count * 2
    while left > 0, try statement.step() {
      left -= 1
      while row < count, statement.isGreater(at: 0, than: rows[row * places.count + places[0]]) { row += 1 }
      guard row < count else { break }
      let start = row * places.count
      guard statement.holds(rows[start + places[0]], at: 0) else { continue }
      var column = 1
      while column < places.count,
        statement.holds(rows[start + places[column]], at: Int32(truncatingIfNeeded: column))
      {
        column += 1
      }
      flags[row] = column == places.count
      row += 1
    }
    return flags
  }
}

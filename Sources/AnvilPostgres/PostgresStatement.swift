/// A statement that the server has prepared.
final class PostgresStatement {
  let sql: String
  /// The statement's name on the server.
  let name: String
  /// The types of the placeholders, as determined by the server.
  let parameterTypes: [PostgresType]
  /// The columns of its rows. It is empty for statements that return no rows.
  let columns: [PostgresColumn]
  /// True if its rows are in the binary format: either all columns are or none.
  let isBinary: Bool
  /// True if a cursor gives the same result.
  let isCursorQuery: Bool
  /// The number of consecutive runs with few rows.
  private var shortRunCount = 0
  /// The number of the last use, by which the cache drops the least recently used statement.
  var lastUse: UInt64 = 0

  init(sql: String, name: String, parameterTypes: [PostgresType], columns: [PostgresColumn]) {
    self.sql = sql
    self.name = name
    self.parameterTypes = parameterTypes
    self.columns = columns
    isBinary = columns.allSatisfy(\.type.isReadInBinary)
    isCursorQuery = !columns.isEmpty && Self.isCursorQuery(sql)
  }

  /// True if the statement should use a cursor in a transaction.
  ///
  /// After three consecutive runs with few rows it does not, because a cursor costs two more round trips: it took a query for one row from
  /// 15 to 43 µs.
  var isForCursor: Bool { isCursorQuery && shortRunCount < 3 }

  /// A run with fewer rows counts as a short one.
  static let fewRows = 64

  /// Records the number of rows, or a lower bound.
  func noteRows(_ count: Int) {
    shortRunCount = count < Self.fewRows ? min(shortRunCount + 1, 3) : 0
  }

  /// A query that contains one of these words does not use a cursor. It may write rows, or lock them: a cursor would
  /// skip locked rows that change before it reaches them.
  private static let otherWords: Set<String> = ["INTO", "INSERT", "UPDATE", "DELETE", "MERGE", "SHARE"]

  /// Returns `true` if the text begins as a query and contains none of those words.
  ///
  /// Words in names and comments also count. The result without a cursor is the same; only an interruption takes
  /// longer.
  static func isCursorQuery(_ sql: String) -> Bool {
    // Compares bytes, as the server does. A `Character` may be a letter together with a combining mark.
    let words = sql.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): false
      default: true
      }
    }
    guard let first = words.first, ["SELECT", "VALUES", "WITH"].contains(upper(first)) else { return false }
    return !words.contains { $0.count <= 6 && otherWords.contains(upper($0)) }
  }

  private static func upper(_ word: Substring.UTF8View) -> String {
    String(decoding: word, as: UTF8.self).uppercased()
  }
}

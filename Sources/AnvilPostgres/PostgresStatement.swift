/// A statement that the server has prepared.
final class PostgresStatement {
  let sql: String
  /// How the server calls it.
  let name: String
  /// What the placeholders stand for, as the server found.
  let parameterTypes: [PostgresType]
  /// None for statements that give no rows.
  let columns: [PostgresColumn]
  /// Whether its rows come in the binary format: all columns or none.
  let isBinary: Bool
  /// Whether a cursor can run it with the same result.
  let isCursorQuery: Bool
  /// How many times in a row it had few rows.
  private var shortRunCount = 0
  /// The cache's note.
  var lastUse: UInt64 = 0

  init(sql: String, name: String, parameterTypes: [PostgresType], columns: [PostgresColumn]) {
    self.sql = sql
    self.name = name
    self.parameterTypes = parameterTypes
    self.columns = columns
    isBinary = columns.allSatisfy(\.type.isReadInBinary)
    isCursorQuery = !columns.isEmpty && Self.isCursorQuery(sql)
  }

  /// Whether a cursor is to run it in a transaction.
  ///
  /// One that had few rows three times is taken for one that always has: a cursor costs two more ways to the server and back,
  /// which took a query for one row from 15 to 43 µs.
  var isForCursor: Bool { isCursorQuery && shortRunCount < 3 }

  /// How many rows are few.
  static let fewRows = 64

  /// Notes how many rows it had, or at least had.
  func noteRows(_ count: Int) {
    shortRunCount = count < Self.fewRows ? min(shortRunCount + 1, 3) : 0
  }

  /// Words after which a query is no cursor's: it writes, or it locks rows, which a cursor would skip when they are changed
  /// before it comes to them.
  private static let otherWords: Set<String> = ["INTO", "INSERT", "UPDATE", "DELETE", "MERGE", "SHARE"]

  /// Whether the text begins as a query and has none of those words anywhere. In names and comments they count too: what is
  /// not run by a cursor is as right, and only takes longer to stop.
  private static func isCursorQuery(_ sql: String) -> Bool {
    // By bytes, as the server reads: a letter with a combining mark is another character only to people.
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

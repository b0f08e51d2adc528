/// A statement that the server has prepared.
final class PostgresStatement {
  let sql: String
  /// The statement's name on the server. It is empty for a statement that is sent with its text each time.
  let name: String
  /// The types of the placeholders, as determined by the server.
  let parameterTypes: [PostgresType]
  /// The columns of the statement's rows. Empty for statements that return no rows.
  let columns: [PostgresColumn]
  /// True if the statement's rows are requested in the binary format. The format applies to all columns.
  let isBinary: Bool
  /// True if the statement is a query that can be read with a cursor.
  let isCursorQuery: Bool
  /// The number of consecutive runs with few rows.
  private var shortRunCount = 0
  /// The number of the last use. The cache drops the statement with the smallest number.
  var lastUse: UInt64 = 0

  var isNamed: Bool { !name.isEmpty }

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
  /// After three consecutive runs with few rows it does not, because a cursor costs two more round trips. A query for one row takes 43 µs
  /// with a cursor and 15 µs without.
  var isForCursor: Bool { isCursorQuery && shortRunCount < 3 }

  /// The number of rows below which a run counts as one with few rows.
  static let fewRows = 64

  /// Records the number of rows of a run. If not all rows were read, `count` is a lower bound.
  func noteRows(_ count: Int) {
    shortRunCount = count < Self.fewRows ? min(shortRunCount + 1, 3) : 0
  }

  /// The words that prevent the use of a cursor. A query that contains one of them may write or lock rows, and a cursor would skip rows to
  /// be locked that change before it reaches them.
  private static let otherWords: Set<String> = ["INTO", "INSERT", "UPDATE", "DELETE", "MERGE", "SHARE"]

  /// Returns `true` if the text begins with SELECT, VALUES or WITH and contains none of the words in `otherWords`.
  ///
  /// Names without quotation marks also count as words. This is safe, because the result without a cursor is the same; only an interruption
  /// takes longer.
  static func isCursorQuery(_ sql: String) -> Bool {
    let tokens = PostgresTokens(sql)
    guard let first = tokens.first(where: { $0 != .symbol(UInt8(ascii: "(")) }),
      [.word("SELECT"), .word("VALUES"), .word("WITH")].contains(first)
    else { return false }
    return !tokens.contains { if case .word(let word) = $0 { otherWords.contains(word) } else { false } }
  }
}

import AnvilSQLite
import AnvilStore
import AnvilTestSupport
import Foundation

extension TemporaryDatabase {
  func open(_ configuration: SQLiteConnection.Configuration = .init()) throws -> SQLiteConnection {
    try SQLiteConnection(.file(url.path()), configuration: configuration)
  }
}

extension SQLiteConnection {
  /// All rows of a query.
  func rows(_ sql: String, _ values: [StoreValue] = []) throws -> [[StoreValue]] {
    var rows: [[StoreValue]] = []
    try query(sql, values) { row in
      rows.append(try row.values())
      return .goOn
    }
    return rows
  }

  /// What `body` reads from the first row of a query; `nil` when there is none.
  func first<Result>(
    _ sql: String, _ values: [StoreValue] = [], _ body: (borrowing StoreRow) throws -> Result
  ) throws -> Result? {
    var result: Result?
    try query(sql, values) { row in
      result = try body(row)
      return .stop
    }
    return result
  }

  /// A new database in memory after these statements.
  static func inMemory(after statements: String...) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(.inMemory)
    for statement in statements { try connection.run(statement) }
    return connection
  }
}

/// The `StoreError` that `body` throws; `nil` when it throws none.
func storeError(_ body: () throws -> Void) throws -> StoreError? {
  do {
    try body()
    return nil
  } catch let error as StoreError {
    return error
  }
}

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
  /// A new database in memory after these statements.
  static func inMemory(after statements: String...) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(.inMemory)
    for statement in statements { try connection.run(statement) }
    return connection
  }
}

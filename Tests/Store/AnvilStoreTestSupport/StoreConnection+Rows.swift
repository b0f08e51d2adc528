package import AnvilStore

extension StoreConnection {
  /// Returns all rows of a query.
  package func rows(_ sql: String, _ values: [StoreValue] = []) throws -> [[StoreValue]] {
    var rows: [[StoreValue]] = []
    try query(sql, values) { row in
      rows.append(try row.values())
      return .goOn
    }
    return rows
  }

  /// Returns the result of `body` for the first row of a query; `nil` if there is no row.
  package func first<Result>(
    _ sql: String, _ values: [StoreValue] = [], _ body: (borrowing StoreRow) throws -> Result
  ) throws -> Result? {
    var result: Result?
    try query(sql, values) { row in
      result = try body(row)
      return .stop
    }
    return result
  }
}

/// Returns the `StoreError` that `body` throws; `nil` if it throws none.
package func storeError(_ body: () throws -> Void) throws -> StoreError? {
  do {
    try body()
    return nil
  } catch let error as StoreError {
    return error
  }
}

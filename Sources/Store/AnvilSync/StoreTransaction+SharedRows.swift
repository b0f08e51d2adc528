internal import AnvilBase
internal import AnvilStore

/// Rows that several processes change, one process at a time.
extension StoreTransaction {
  /// Returns the row with this name, and locks it until the transaction ends. Returns `nil` if the row does not exist; no other process can
  /// insert it until the transaction ends.
  func sharedRow<Row: ManagedDecodable & Codable>(_ type: Row.Type, named name: String) throws -> Row?
  where Row.Context == StoreTransaction {
    if let row = try fetch(type, key: name) { return row }
    // A missing row cannot be locked, and another process may be about to insert it.
    try lock(type)
    return try fetch(type, key: name)
  }
}

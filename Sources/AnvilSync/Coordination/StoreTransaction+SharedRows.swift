internal import AnvilModel
internal import AnvilStore

/// Rows that processes change in turn.
extension StoreTransaction {
  /// Returns the row with this name, locked until the transaction ends; `nil` if it does not exist, and no other process
  /// can insert it until then.
  func sharedRow<Row: ManagedDecodable & Codable>(_ type: Row.Type, named name: String) throws -> Row?
  where Row.Context == StoreTransaction {
    if let row = try fetch(type, key: name) { return row }
    // A missing row cannot be locked, and another process may be about to insert it.
    try lock(type)
    return try fetch(type, key: name)
  }
}

/// The referenced rows that are used while a row is decoded.
struct ReferencedRows {
  /// Rows by entity and key; `nil` for rows that do not exist.
  private var rows: [String: [RowKey: StoredRow?]] = [:]
  /// The chain of rows from the first one to the one that is being decoded.
  private(set) var path: [(entity: String, key: RowKey)] = []

  func row(_ key: RowKey, of entity: String) -> StoredRow?? { rows[entity]?[key] }

  mutating func note(_ row: StoredRow?, _ key: RowKey, of entity: String) {
    rows[entity, default: [:]][key] = .some(row)
  }

  /// The maximum length of a chain of references. Decoding each row uses some of the thread's stack.
  static let maxChainLength = 1_000

  /// Adds a row to the end of the chain.
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` if the chain already contains the row, because decoding would not end, and if the chain is
  ///   too long.
  mutating func enter(_ key: RowKey, of entity: String) throws(StoreError) {
    guard path.count < Self.maxChainLength else {
      throw StoreError(
        code: .invalidValue,
        reason:
          "a chain of references is too long: it starts at a row of \(path.first?.entity ?? entity) and has more than "
          + "\(Self.maxChainLength) rows")
    }
    guard !path.contains(where: { $0.entity == entity && $0.key == key }) else {
      let circle = path.map(\.entity) + [entity]
      throw StoreError(
        code: .invalidValue, reason: "references form a cycle: \(circle.joined(separator: " → "))")
    }
    path.append((entity, key))
  }

  mutating func leave() {
    path.removeLast()
  }
}

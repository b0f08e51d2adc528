package import AnvilClient
package import AnvilJSON
package import AnvilStore

/// The settings of a pull that do not depend on the type of its rows.
package struct PullPlan: Sendable {
  package let name: String
  let partitions: [String: GatewayRequest]
  let pagination: Pagination<JSON>
  let items: any PullPath
  let cursor: PullCursor
  let missing: MissingRows
  let tombstone: PullTombstone?
  let rows: any PullRows
  /// The names of the partitions, in the order of their requests.
  let partitionNames: [String]

  package init(
    name: String, partitions: [String: GatewayRequest], pagination: Pagination<JSON>,
    items: any PullPath, cursor: PullCursor, missing: MissingRows, tombstone: PullTombstone?, rows: any PullRows
  ) {
    self.name = name
    self.partitions = partitions
    self.pagination = pagination
    self.items = items
    self.cursor = cursor
    self.missing = missing
    self.tombstone = tombstone
    self.rows = rows
    partitionNames = partitions.keys.sorted()
  }

  /// Returns the plan's first partition after `name`. Names are compared by their bytes in UTF-8, as in databases.
  func firstPartition(after name: String) -> String? {
    partitions.keys.lazy.filter { name.utf8.lexicographicallyPrecedes($0.utf8) }
      .min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The paths of the fields that the pull itself reads.
  var ownPaths: Set<String> {
    var paths = tombstone.map { [$0.path.identity] } ?? []
    if case .field(let path, _, _) = cursor.rule { paths.append(path.identity) }
    return Set(paths)
  }

  /// Checks that the rules and the condition for deleted rows match the table of the rows.
  ///
  /// - Throws: ``PullError/Code/invalidPull``; `StoreError` for a table that cannot be read.
  func checkTable(isListed: Bool = false, in transaction: StoreTransaction) throws {
    do {
      try rows.check(missing, isListed: isListed, in: transaction)
    } catch let error as StoreError {
      guard [.schemaMismatch, .invalidStatement, .invalidValue].contains(error.code), let reason = error.reason else {
        throw error
      }
      throw PullError(.invalidPull, pull: name, reason: reason)
    }
  }

  /// Checks that the settings of the pull do not contradict each other.
  ///
  /// - Throws: ``PullError/Code/invalidPull``.
  func check(_ sharing: PullSharing) throws(PullError) {
    if name.isEmpty { throw PullError(.invalidPull, pull: name, reason: "the name is empty") }
    if partitions.isEmpty { throw PullError(.invalidPull, pull: name, reason: "there are no partitions") }
    if let lease = sharing.lease, lease < PullSharing.minimumLease {
      throw PullError(
        .invalidPull, pull: name,
        reason: "a lease of \(lease) is too short: the minimum is \(PullSharing.minimumLease / .seconds(1)) seconds")
    }
    if let tombstone { try check(tombstone.path, of: "tombstone") }
    if case .field(let path, _, let overlap) = cursor.rule {
      try check(path, of: "cursor")
      if overlap < 0 { throw PullError(.invalidPull, pull: name, reason: "the overlap of the cursor is negative") }
    }
    if !rows.haveKeys, missing.deletesRows || tombstone != nil {
      throw PullError(
        .invalidPull, pull: name,
        reason: "deleting rows requires match keys, but \(rows.entity) has none")
    }
  }

  private func check(_ path: any PullPath, of setting: String) throws(PullError) {
    guard path.identity.isEmpty else { return }
    throw PullError(
      .invalidPull, pull: name,
      reason: "the field of the \(setting) is the whole row, but must be the path of a value in it")
  }
}

internal import AnvilStore

/// A partition that may be claimed.
struct ClaimableRow: Decodable {
  let partition: String
  /// The time on the database's clock.
  let now: Double
}

/// The partitions of pulls whose listing is not complete.
extension StoreTransaction {
  /// Returns a partition that no run has leased, and locks its lease and its position; `nil` if all are leased or locked.
  ///
  /// The query waits for no lock, so it cannot be part of a deadlock. It reads one row, however many partitions there are.
  func claimableRow(ofPull name: String, round: Int) throws -> ClaimableRow? {
    let now = currentTimeExpression
    return try fetch(
      ClaimableRow.self,
      unchanging: """
        SELECT l.partition AS partition, \(now) AS now FROM anvil_pull_leases AS l \
        JOIN anvil_pulls AS p ON p.pull = l.pull AND p.partition = l.partition \
        WHERE l.pull = \(name) AND l.round = \(round) AND l.expiration <= \(now) \
        ORDER BY l.partition LIMIT 1\(freeRowLock)
        """
    ).first
  }

  /// Returns whether the listing of any partition is not complete.
  func hasOpenPartitions(ofPull name: String, round: Int) throws -> Bool {
    try !fetch(
      Int.self,
      unchanging: "SELECT 1 FROM anvil_pull_leases WHERE pull = \(name) AND round = \(round) LIMIT 1"
    ).isEmpty
  }

  /// Makes the leases of a pull those of the open ones among its positions.
  func prepareLeases(for positions: [PullPosition]) throws {
    guard let first = positions.first else { return }
    let open = Dictionary(
      positions.lazy.filter { !$0.state.isListed }.map { ($0.partition, $0.round) }
    ) { $1 }
    let leases = try fetch(PullLease.self, where: StoreAttribute("pull") == first.pull)
    for lease in leases where open[lease.partition] != lease.round { try delete(lease) }
    let kept = Set(leases.lazy.filter { open[$0.partition] == $0.round }.map(\.partition))
    try save(
      open.lazy.filter { !kept.contains($0.key) }.sorted { $0.key < $1.key }
        .map { PullLease(pull: first.pull, partition: $0.key, round: $0.value) })
  }

  func deleteLease(ofPull name: String, _ partition: String) throws {
    try delete(PullLease(pull: name, partition: partition, round: 0))
  }
}

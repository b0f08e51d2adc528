internal import AnvilStore

/// A partition that may be claimed.
struct ClaimableRow: Decodable {
  let partition: String
  /// The time on the database's clock.
  let now: Double
}

/// The partitions of pulls whose listing is not complete.
extension StoreTransaction {
  /// Returns a partition of the plan that no run has leased, and locks its lease and its position. Returns `nil` if all partitions are
  /// leased or locked.
  ///
  /// The query does not wait for locks, so that it cannot take part in a deadlock. It reads one row, regardless of the number of
  /// partitions. It is repeated only if the partition of this row is not in the plan.
  func claimableRow(of plan: PullPlan, round: Int) throws -> ClaimableRow? {
    let now = currentTimeExpression
    return try firstRow(of: plan) { following in
      try fetch(
        ClaimableRow.self,
        unchanging: """
          SELECT l.partition AS partition, \(now) AS now FROM anvil_pull_leases AS l \
          JOIN anvil_pulls AS p ON p.pull = l.pull AND p.partition = l.partition \
          WHERE l.pull = \(plan.name) AND l.round = \(round) AND l.expiration <= \(now)\(following) \
          ORDER BY l.partition LIMIT 1\(freeRowLock)
          """
      ).first
    }
  }

  /// Returns `true` if the listing of a partition of the plan is not complete.
  func hasOpenPartitions(of plan: PullPlan, round: Int) throws -> Bool {
    let now = currentTimeExpression
    let row = try firstRow(of: plan) { following in
      try fetch(
        ClaimableRow.self,
        unchanging: """
          SELECT l.partition AS partition, \(now) AS now FROM anvil_pull_leases AS l \
          WHERE l.pull = \(plan.name) AND l.round = \(round)\(following) ORDER BY l.partition LIMIT 1
          """
      ).first
    }
    return row != nil
  }

  /// Returns the first row whose partition is in the plan. `next` runs a query with an additional condition and returns its first row.
  ///
  /// If a partition is not in the plan, the search continues at the plan's next partition. Thousands of other partitions therefore cost
  /// little time.
  private func firstRow(
    of plan: PullPlan, _ next: (_ following: StoreStatement) throws -> ClaimableRow?
  ) throws -> ClaimableRow? {
    var row = try next("")
    while let other = row, plan.partitions[other.partition] == nil {
      guard let name = plan.firstPartition(after: other.partition) else { return nil }
      row = try next(" AND l.partition >= \(name)")
    }
    return row
  }

  /// Creates and removes leases, so that exactly the partitions with incomplete listings have a lease. Leases of partitions that are not in
  /// `positions` belong to other runs, and are kept.
  func prepareLeases(for positions: [PullPosition]) throws {
    guard let first = positions.first else { return }
    let rounds = Dictionary(positions.lazy.map { ($0.partition, $0.state.isListed ? nil : $0.round) }) { $1 }
    var kept: Set<String> = []
    for lease in try fetch(PullLease.self, where: PullLease.isPart(of: first.pull)) {
      guard let round = rounds[lease.partition] else { continue }
      if round == lease.round { kept.insert(lease.partition) } else { try delete(lease) }
    }
    try save(
      positions.filter { !$0.state.isListed && !kept.contains($0.partition) }.sorted { $0.partition < $1.partition }
        .map { PullLease(pull: $0.pull, partition: $0.partition, round: $0.round) })
  }

  func deleteLease(ofPull name: String, _ partition: String) throws {
    try delete(PullLease(pull: name, partition: partition, round: 0))
  }
}

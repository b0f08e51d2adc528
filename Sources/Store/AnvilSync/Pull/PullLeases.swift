internal import AnvilBase
internal import AnvilStore

/// A partition whose listing is not complete, and the claim of a run on it. It is a row of the table `anvil_pull_leases`.
///
/// The row is inserted when the listing begins and removed in the transaction of its last page.
struct PullLease: Codable, Hashable, Sendable, ManagedDecodable {
  static var entityName: String { "anvil_pull_leases" }
  static var matchKeys: [MatchKey]? { [.key(CodingKeys.pull), .key(CodingKeys.partition)] }

  static func isPart(of pull: String) -> StoreCondition<PullLease> {
    StoredColumn<PullLease, String>(CodingKeys.pull) == pull
  }

  var pull: String
  var partition: String
  var round: Int
  /// The identifier of the run that has claimed the partition. It is empty if no run has claimed it.
  var owner = ""
  /// The time on the database's clock at which others may claim the partition, in seconds since the beginning of 2001.
  var expiration = 0.0
}

/// The round that was begun last, and the plan that it was begun with. It is a row of the table `anvil_pull_rounds`.
///
/// A run with the same plan joins the round as long as it has leases, and reads no other positions than those that it claims. The row is locked
/// only while a run begins a round.
struct PullRound: Codable, Hashable, Sendable, ManagedDecodable {
  static var entityName: String { "anvil_pull_rounds" }
  static var matchKeys: [MatchKey]? { [.key(CodingKeys.pull)] }

  var pull: String
  var round = 0
  var plan = ""
  /// The path of the tombstone's field, if a row had it when the round was begun.
  var tombstone: String?
}

struct PullLeases: Sendable {
  private let plan: PullPlan
  private let context: Store
  private let duration: Duration
  private let owner = UUID().uuidString
  private let round: Int
  /// The partition at which the search for partitions without leases begins. It is different for each run: otherwise, each run would read
  /// the leases of all others first.
  private let first: String

  init(_ plan: PullPlan, of duration: Duration, round: Int, in context: Store) {
    self.plan = plan
    self.duration = duration
    self.round = round
    self.context = context
    first = plan.partitionNames.randomElement() ?? ""
  }

  enum Claim: Sendable {
    /// The run has leased a partition, which has this position.
    case partition(PullPosition)
    /// A partition without a lease has a position of another table or request, for this reason.
    case changed(partition: String, reason: String)
    /// The listings of some partitions are not complete, but other runs have leased all of these partitions.
    case wait
    case done
  }

  /// Claims a partition whose listing is not complete.
  ///
  /// The version of its position is increased, so that a former owner can no longer store pages.
  func claim() async throws -> Claim {
    try await context.perform { transaction in
      for part in [LeaseRange().from(first), LeaseRange(before: first)] {
        var range = part
        while let row = try transaction.lease(of: plan, round: round, in: range, .claimable(longest: longest)) {
          if let claim = try claim(row, in: transaction) { return claim }
          range = range.after(row.partition)
        }
      }
      return try transaction.hasOpenPartitions(of: plan, round: round) ? .wait : .done
    }
  }

  /// Claims a partition whose lease is locked. Returns `nil` if another transaction has locked its position. If its listing is complete,
  /// removes its lease and returns `nil`.
  private func claim(_ row: LeaseRow, in transaction: StoreTransaction) throws -> Claim? {
    guard try transaction.lockPosition(ofPull: plan.name, row.partition) else { return nil }
    guard var position = try transaction.fetch(PullPosition.self, key: plan.name, row.partition),
      position.round == round, !position.state.isListed
    else {
      try transaction.deleteLease(ofPull: plan.name, row.partition)
      return nil
    }
    if let reason = position.difference(from: plan) { return .changed(partition: row.partition, reason: reason) }
    try transaction.save(newLease(row.partition, from: row.now))
    try transaction.saveAdvanced(&position)
    return .partition(position)
  }

  /// The number of seconds after which a lease cannot end unless the clock was set back. At least an hour, because the leases of other runs
  /// may be longer than those of this one.
  private var longest: Double { max(duration / .seconds(1), 3_600) }

  var pause: Duration { min(duration / 4, .seconds(1)) }

  /// Renews the lease of a partition while `body` runs. If `body` throws, ends the lease; otherwise, the last page has ended it.
  func keep(_ partition: String, _ body: () async throws -> Void) async throws {
    let renewal = Task {
      while true {
        try await Task.sleep(for: min(duration / 3, .seconds(3_600)))
        // A lease that cannot be renewed expires. The rows are protected by the version of the position.
        try? await changeLease(of: partition) { transaction in
          try transaction.save(newLease(partition, from: transaction.currentTime()))
        }
      }
    }
    do {
      defer { renewal.cancel() }
      try await body()
    } catch {
      // The run's task may be cancelled. Other runs can then continue immediately.
      let ending = Task.detached {
        try await changeLease(of: partition) { transaction in
          try transaction.save(PullLease(pull: plan.name, partition: partition, round: round))
        }
      }
      _ = await ending.result
      throw error
    }
  }

  private func changeLease(
    of partition: String, _ body: @escaping @Sendable (StoreTransaction) throws -> Void
  ) async throws {
    try await context.perform { transaction in
      let lease = try transaction.fetch(PullLease.self, key: plan.name, partition)
      if let lease, lease.owner == owner { try body(transaction) }
    }
  }

  private func newLease(_ partition: String, from now: Double) -> PullLease {
    PullLease(
      pull: plan.name, partition: partition, round: round, owner: owner, expiration: now + duration / .seconds(1))
  }
}

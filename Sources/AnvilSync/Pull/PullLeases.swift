internal import AnvilModel
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The claim of a run on a partition, a row of the table `anvil_pull_leases`.
struct PullLease: Codable, Hashable, Sendable, ManagedDecodable {
  typealias Context = StoreTransaction

  static var entityName: String { "anvil_pull_leases" }
  static var matchKeys: [MatchKey]? { [.key(CodingKeys.pull), .key(CodingKeys.partition)] }

  var pull: String
  var partition: String
  /// The identifier of the run.
  var owner: String
  /// The time at which others may claim the partition.
  var expiration: Date
}

/// The leases of one run.
struct PullLeases: Sendable {
  private let plan: PullPlan
  private let context: StoreContext
  private let duration: Duration
  private let owner = UUID().uuidString
  /// The listing that the run takes part in.
  private let round: Int

  init(_ plan: PullPlan, of duration: Duration, round: Int, in context: StoreContext) {
    self.plan = plan
    self.duration = duration
    self.round = round
    self.context = context
  }

  /// The result of looking for work.
  enum Claim: Sendable {
    /// The partition is leased, with its position.
    case partition(PullPosition)
    /// Other runs have leased the remaining partitions.
    case wait
    /// The listing is complete.
    case done
  }

  /// Claims a partition whose listing is not complete.
  ///
  /// The version of its position is increased, so that a former owner cannot store a page any more.
  func claim() async throws -> Claim {
    let open = try await context.read { transaction in
      let positions = try transaction.positions(ofPull: plan.name)
      return plan.partitionNames.compactMap { positions[$0] }.filter(isOpen)
    }
    for position in open {
      if let claimed = try await claim(position.partition) { return .partition(claimed) }
    }
    return open.isEmpty ? .done : .wait
  }

  private func isOpen(_ position: PullPosition) -> Bool { position.round == round && !position.state.isListed }

  /// Claims the partition; returns `nil` if another run has it, or has completed it.
  private func claim(_ partition: String) async throws -> PullPosition? {
    try await context.perform { transaction in
      // The position is locked first, as by the transactions of pages.
      guard var position = try transaction.fetch(PullPosition.self, key: plan.name, partition), isOpen(position) else {
        return nil
      }
      let now = Date()
      let lease = try transaction.fetch(PullLease.self, key: plan.name, partition)
      if let lease, lease.owner != owner, lease.expiration > now { return nil }
      try transaction.save(newLease(partition, from: now))
      try transaction.saveAdvanced(&position)
      return position
    }
  }

  /// The time to wait before the next attempt to claim a partition.
  var pause: Duration { min(duration / 4, .seconds(1)) }

  /// Runs `body` while the lease of the partition is renewed, and ends the lease.
  func keep<Result>(_ partition: String, _ body: () async throws -> Result) async throws -> Result {
    let renewal = Task {
      while true {
        try await Task.sleep(for: duration / 3)
        // A lease that cannot be renewed expires. What matters for the rows is the version of the position.
        try? await change(partition) { transaction, _ in try transaction.save(newLease(partition, from: Date())) }
      }
    }
    do {
      let result = try await body()
      await end(partition, renewal)
      return result
    } catch {
      await end(partition, renewal)
      throw error
    }
  }

  private func end(_ partition: String, _ renewal: Task<Void, any Error>) async {
    renewal.cancel()
    // The task of the run may be cancelled, and others are to continue at once.
    let ending = Task.detached { try await change(partition) { transaction, lease in try transaction.delete(lease) } }
    _ = await ending.result
  }

  /// Runs `body` with the lease if the run still has it.
  private func change(
    _ partition: String, _ body: @escaping @Sendable (StoreTransaction, PullLease) throws -> Void
  ) async throws {
    try await context.perform { transaction in
      let lease = try transaction.fetch(PullLease.self, key: plan.name, partition)
      if let lease, lease.owner == owner { try body(transaction, lease) }
    }
  }

  private func newLease(_ partition: String, from now: Date) -> PullLease {
    PullLease(
      pull: plan.name, partition: partition, owner: owner,
      expiration: now.addingTimeInterval(duration / .seconds(1)))
  }
}

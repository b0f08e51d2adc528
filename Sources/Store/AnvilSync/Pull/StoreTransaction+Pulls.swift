internal import AnvilBase
internal import AnvilStore

/// Positions of pulls, and the keys of their rows.
extension StoreTransaction {
  /// Checks that the stored position has the same version, and locks its row until the transaction ends.
  ///
  /// - Throws: ``PullError/Code/overtaken`` if the version differs.
  func requirePosition(_ position: PullPosition) throws {
    let stored = try fetch(PositionVersion.self, key: position.pull, position.partition)
    guard stored?.version == position.version else {
      throw PullError(
        .overtaken, pull: position.pull, partition: position.partition, page: position.state.pages + 1,
        reason: "another run of the pull has stored this page or has started again; this run ends")
    }
  }

  /// Returns the positions of a pull's partitions by their names, and locks them until the transaction ends.
  func positions(ofPull name: String) throws -> [String: PullPosition] {
    let all = try fetch(PullPosition.self, where: PullPosition.isPart(of: name))
    return Dictionary(all.map { ($0.partition, $0) }) { $1 }
  }

  /// Returns the round that the plan was begun with last, if the listing of one of its partitions is not complete. It has positions of all
  /// partitions of the plan.
  func openRound(of plan: PullPlan) throws -> PullRound? {
    let round = try fetch(PullRound.self, key: plan.name)
    return try isOpen(round, for: plan) ? round : nil
  }

  private func isOpen(_ round: PullRound?, for plan: PullPlan) throws -> Bool {
    guard let round, round.plan == plan.digest else { return false }
    return try hasOpenPartitions(of: plan, round: round.round)
  }

  /// Begins a run. Returns the positions of the interrupted listing, or begins a new listing and returns its positions.
  ///
  /// - Parameter joinsOthers: True if a round that another run has begun in the meantime is returned without positions.
  func beginListing(_ plan: PullPlan, joinsOthers: Bool = false) throws -> ListingStart {
    let names = plan.partitionNames
    // Locked before the positions: of several runs, one begins the round.
    let former = try sharedRow(PullRound.self, named: plan.name)
    if joinsOthers, let former, try isOpen(former, for: plan) { return ListingStart(round: former) }
    var positions = try positions(ofPull: plan.name)
    let last = names.compactMap { positions[$0]?.round }.max() ?? 0
    let resetReason = try resetForeignPositions(&positions, of: plan)
    let isInterrupted = names.contains { name in
      positions[name].map { $0.round == last && !$0.state.isListed } ?? false
    }
    let round = isInterrupted ? last : last + 1
    let now = try currentTime()
    var begun: [PullPosition] = []
    for name in names {
      var position = positions[name] ?? PullPosition(pull: plan.name, partition: name)
      if position.round < round {
        position.begin(round: round, by: plan.cursor, at: now)
        position.advance()
      }
      position.adopt(plan)
      guard position != positions[name] else { continue }
      begun.append(position)
      positions[name] = position
    }
    try save(begun)
    try prepareLeases(for: names.compactMap { positions[$0] })
    let known = plan.tombstone?.path.identity
    let hasTombstone = known != nil && positions.values.contains { $0.state.tombstone == known }
    let current = PullRound(
      pull: plan.name, round: round, plan: plan.digest, tombstone: hasTombstone ? known : nil)
    if current != former { try save(current) }
    return ListingStart(positions: positions, round: current, resetReason: resetReason)
  }

  /// Resets the positions that belong to another table or another request. Returns the reason for the first of them, or `nil` if no
  /// position was reset.
  private func resetForeignPositions(
    _ positions: inout [String: PullPosition], of plan: PullPlan
  ) throws -> String? {
    var first: String?
    let open = plan.missing.deletesRows ? try listings.all(of: plan.rows.entity) : []
    for name in plan.partitionNames {
      guard var position = positions[name] else { continue }
      // Another program, or a version of Anvil with other tables, may have removed the keys.
      let hasLostKeys =
        plan.missing.deletesRows && position.state.listedEntity == plan.rows.entity && !open.contains(position.listing)
      guard
        let reason = position.difference(from: plan) ?? (hasLostKeys ? "the keys of its rows no longer exist" : nil)
      else { continue }
      first = first ?? reason
      if let entity = position.state.listedEntity { try listings.remove(position.listing, of: entity) }
      position.reset()
      positions[name] = position
    }
    return first
  }

  func saveAdvanced(_ position: inout PullPosition) throws {
    position.advance()
    try save(position)
  }

  /// Adds the keys of a page's rows to the partition's listing in the store. `position` is the position after the page. The first page
  /// begins a new listing.
  func note(_ keys: [ListedKey], at position: PullPosition, isFirstPage: Bool, of plan: PullPlan) throws {
    guard position.keepsKeys(of: plan) else { return }
    if isFirstPage { try listings.begin(position.listing, of: plan.rows.entity) }
    try listings.note(keys, in: position.listing, of: plan.rows.entity)
  }

  /// Saves the position after a page. After the last page of the last partition, removes the missing rows if the plan
  /// requires it.
  ///
  /// - Parameter skipsRows: True to keep missing rows that cannot be removed, because other rows refer to them.
  /// - Returns: The treatment of missing rows and the number of removed rows, or `nil` if the listing continues.
  func settle(
    _ position: inout PullPosition, of plan: PullPlan, skippingRows skipsRows: Bool
  ) throws -> MissingRowsResult? {
    guard position.state.isListed else {
      try saveAdvanced(&position)
      return nil
    }
    if position.state.pages > 0 {
      position.state.hasAllKeys =
        position.keepsKeys(of: plan) && !position.state.hasUnknownKey && position.state.uncertainEnd == nil
    }
    try saveAdvanced(&position)
    try deleteLease(ofPull: position.pull, position.partition)
    guard plan.missing.deletesRows else { return MissingRowsResult(outcome: .kept) }
    return try removeMissingRows(after: position, of: plan, skippingRows: skipsRows)
  }

  private func removeMissingRows(
    after position: PullPosition, of plan: PullPlan, skippingRows skipsRows: Bool
  ) throws -> MissingRowsResult? {
    guard try isLastPartition(of: plan, round: position.round) else { return nil }
    let stored = try positions(ofPull: plan.name)
    let all = plan.partitionNames.compactMap { stored[$0] }
    guard all.count == plan.partitions.count,
      all.allSatisfy({ $0.round == position.round && $0.state.isListed })
    else { return nil }
    // Listings of partitions that the plan does not have belong to other runs, and their rows are not missing.
    let others = stored.values.filter { plan.partitions[$0.partition] == nil && $0.mayHaveRows(of: plan) }
    let open = try listings.all(of: plan.rows.entity)
    if let other = others.filter({ !$0.hasAllKeys(of: plan) || !open.contains($0.listing) }).map(\.partition).min() {
      return MissingRowsResult(outcome: .keptForOtherPartitions, otherPartition: other)
    }
    if all.contains(where: { $0.state.hasUnknownKey }) { return MissingRowsResult(outcome: .keptAfterUnreadableKey) }
    if let reason = all.lazy.compactMap(\.state.uncertainEnd).first {
      return MissingRowsResult(outcome: .keptAfterUncertainEnd, uncertainEnd: reason)
    }
    guard all.contains(where: { $0.state.pages > 0 }),
      all.allSatisfy({ $0.hasAllKeys(of: plan) && open.contains($0.listing) })
    else { return MissingRowsResult(outcome: .keptAfterPartialListing) }
    try plan.checkTable(isListed: true, in: self)
    var kept: [any Error] = []
    let count = try plan.rows.deleteRows(
      plan.missing, notIn: (all + others).map(\.listing), in: self, didSkip: skipsRows ? { kept.append($0) } : nil)
    return MissingRowsResult(outcome: .deleted, count: count, kept: kept, otherPartitionCount: others.count)
  }
}

/// The version of a position. Reading the whole position took 2 % of the time of a pull.
private struct PositionVersion: Codable, Sendable, ManagedDecodable {
  static var entityName: String { PullPosition.entityName }
  static var matchKeys: [MatchKey]? { PullPosition.matchKeys }

  let pull: String
  let partition: String
  let version: Int
}

extension PullPosition {
  fileprivate mutating func advance() {
    version += 1
    updated = Date()
  }

  /// Returns `true` if the listing has kept the keys of all of its pages, and for the entity of this plan. The plan may have changed since
  /// the first page.
  func keepsKeys(of plan: PullPlan) -> Bool {
    state.pages > 0 && isComplete && state.listedEntity == plan.rows.entity
  }

  /// Returns `true` if all rows of the partition have their keys in the listing.
  func hasAllKeys(of plan: PullPlan) -> Bool {
    isComplete && state.hasAllKeys && state.listedEntity == plan.rows.entity
  }

  func mayHaveRows(of plan: PullPlan) -> Bool { entity == nil || entity == plan.rows.entity }
}

struct ListingStart: Sendable {
  /// The positions of the partitions, by name; empty if the run has joined a round of others.
  var positions: [String: PullPosition] = [:]
  let round: PullRound
  /// The reason why stored positions were discarded; `nil` if no position was discarded.
  var resetReason: String?
}

struct MissingRowsResult: Sendable {
  let outcome: PullReport.MissingRowsOutcome
  var count = 0
  var kept: [any Error] = []
  /// The number of partitions that are not part of the run and whose rows were kept.
  var otherPartitionCount = 0
  /// The name of one of these partitions whose listing is not complete.
  var otherPartition: String?
  /// The reason why the listing of a partition may have lacked pages; `nil` if the ends of all listings are certain.
  var uncertainEnd: String?
}

struct LeaseRow: Decodable {
  let partition: String
  let round: Int
  let now: Double
}

/// A range of names of partitions, in the order of their bytes.
struct LeaseRange {
  private var lower = ""
  private var includesLower = true
  private let upper: String?

  /// Creates the range of all names, or of those before `upper`.
  init(before upper: String? = nil) { self.upper = upper }

  func from(_ name: String) -> LeaseRange {
    var range = self
    (range.lower, range.includesLower) = (name, true)
    return range
  }

  func after(_ name: String) -> LeaseRange {
    var range = from(name)
    range.includesLower = false
    return range
  }

  /// The condition for leases of a pull. PostgreSQL reads the index of the key in its order for it, whatever its statistics say: those of a
  /// table that rounds fill and empty are rarely true. With `pull = …`, it would expect few rows, read all of them and sort.
  fileprivate func condition(ofPull name: String) -> StoreStatement {
    let end: StoreStatement = upper.map { " AND partition < \($0)" } ?? ""
    let isAbove: StoreStatement = includesLower ? ">=" : ">"
    return "(pull, partition) \(isAbove) (\(name), \(lower)) AND pull <= \(name)\(end)"
  }
}

/// The partitions of pulls whose listing is not complete.
extension StoreTransaction {
  enum LeaseFilter {
    case any
    /// Leases that no other transaction has locked. The found one is locked.
    case unlocked
    /// Unlocked leases that no run has claimed, have expired, or end more than this many seconds from now: the clock was set back since
    /// they were claimed.
    case claimable(longest: Double)
  }

  /// Returns the first lease of the plan in the range, or `nil`.
  ///
  /// The query does not wait for locks, so that it cannot take part in a deadlock, and reads the index of the key up to the first row. If a
  /// partition is not in the plan, the search continues at the plan's next partition. Thousands of other partitions therefore cost little
  /// time.
  func lease(
    of plan: PullPlan, round: Int, in range: LeaseRange = LeaseRange(), _ filter: LeaseFilter
  ) throws -> LeaseRow? {
    let now = currentTimeExpression
    var (isClaimable, lock): (StoreStatement, StoreStatement) = ("", freeRowLock)
    switch filter {
    case .any: lock = ""
    case .unlocked: break
    case .claimable(let longest): isClaimable = " AND (expiration <= \(now) OR expiration > \(now) + \(longest))"
    }
    var range = range
    while true {
      let row = try fetch(
        LeaseRow.self,
        unchanging: """
          SELECT partition, round, \(now) AS now FROM anvil_pull_leases \
          WHERE \(range.condition(ofPull: plan.name))\(isClaimable) ORDER BY pull, partition LIMIT 1\(lock)
          """
      ).first
      guard let row else { return nil }
      if plan.partitions[row.partition] == nil {
        guard let name = plan.firstPartition(after: row.partition) else { return nil }
        range = range.from(name)
      } else if row.round == round {
        return row
      } else {
        range = range.after(row.partition)
      }
    }
  }

  /// Locks the position of a partition. Returns `false` if another transaction has locked it.
  func lockPosition(ofPull name: String, _ partition: String) throws -> Bool {
    try !fetch(
      Int.self,
      unchanging: "SELECT 1 FROM anvil_pulls WHERE pull = \(name) AND partition = \(partition)\(freeRowLock)"
    ).isEmpty
  }

  /// Returns `true` if the listing of a partition of the plan is not complete.
  func hasOpenPartitions(of plan: PullPlan, round: Int) throws -> Bool {
    try lease(of: plan, round: round, .any) != nil
  }

  func hasOtherOpenPartitions(than partition: String, of plan: PullPlan, round: Int) throws -> Bool {
    try lease(of: plan, round: round, in: LeaseRange(before: partition), .any) != nil
      || lease(of: plan, round: round, in: LeaseRange().after(partition), .any) != nil
  }

  /// Returns `true` if no other partition of the plan is open, after this transaction has removed the lease of one. Of the transactions that
  /// remove the leases of a round, `true` is returned for exactly one.
  ///
  /// A lease that no other transaction has locked is locked now, so it is removed later, and that transaction decides. Only transactions that
  /// find all remaining leases locked, which are the last ones of a round, wait for each other.
  func isLastPartition(of plan: PullPlan, round: Int) throws -> Bool {
    guard try hasOpenPartitions(of: plan, round: round) else { return true }
    guard try lease(of: plan, round: round, .unlocked) == nil else { return false }
    try lock(PullLease.self)
    return try !hasOpenPartitions(of: plan, round: round)
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

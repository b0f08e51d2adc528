internal import AnvilBase
internal import AnvilClient
public import AnvilStore

/// The result of a run of a ``Pull``.
///
/// Its size does not depend on the number of rows: only the first 100 skipped rows and deviations are described.
public struct PullReport: Hashable, Sendable {
  /// A row that was not stored.
  public struct SkippedRow: Hashable, Sendable {
    /// The name of the partition; empty for a listing without partitions.
    public var partition: String
    /// The number of the page in the listing, counted from 1.
    public var page: Int
    /// The position of the row in the page and the path of the value in the row, such as `[3].owner.name`. Empty for a row that is missing
    /// from the listing, but could not be deleted.
    public var path: String
    /// The reason. It contains values of the row only if the decoder's messages do.
    public var reason: String
  }

  /// A deviation of the payloads from the model.
  public struct Drift: Hashable, Sendable {
    /// The kinds of deviation.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
      /// The payload has a key that the model does not read.
      case unknownKey
      /// A value does not have the type of the model's property.
      case typeMismatch
      /// A key that the model requires is missing, or null.
      case missingValue
      /// A column was added or its type was changed. This happens only for rows that are stored without a model.
      case columnChange
    }

    /// The path in the row. `[]` is any element of an array: `tags[].color`.
    public var path: String
    /// The kind of deviation.
    public var kind: Kind
    /// The number of rows with the deviation.
    public var rowCount: Int
  }

  /// The outcome of a run for missing rows.
  @nonexhaustive
  public enum MissingRowsOutcome: String, Hashable, Sendable {
    /// The pull keeps missing rows, or the listing did not end in this run: it continues, or another run has ended it.
    case kept
    /// Missing rows were removed, after a complete listing.
    case deleted
    /// Missing rows were kept because the listing was incomplete: a cursor limited it, or the server reported it as unchanged.
    case keptAfterPartialListing
    /// Missing rows were kept, because the key of a skipped row could not be read.
    case keptAfterUnreadableKey
    /// Missing rows were kept, because it is not certain that the listing has ended; see ``PullReport/uncertainEnd``.
    case keptAfterUncertainEnd
    /// Missing rows were kept, because the listing of a partition that is not part of this run is not complete.
    case keptForOtherPartitions
  }

  /// The maximum number of elements in ``skipped`` and in ``drift``.
  package static var maximumDetailCount: Int { 100 }

  /// The number of pages that were stored.
  public internal(set) var pages = 0
  /// The changes to rows. A row is counted once for each page that contains it.
  public internal(set) var counts = StoreChanges.Counts()
  /// The number of rows that were not stored.
  public internal(set) var skippedCount = 0
  /// The first rows that were not stored, with the reasons.
  public internal(set) var skipped: [SkippedRow] = []
  /// The first deviations of the payloads from the model.
  public internal(set) var drift: [Drift] = []
  /// The number of rows without a value in the cursor's field. They were stored, and did not advance the cursor.
  package internal(set) var rowsWithoutCursor = 0
  /// The number of rows whose date in the cursor's field is more than a day in the future. They were stored, and did not advance the cursor.
  package internal(set) var futureCursorCount = 0
  /// The number of partitions whose listing the server reported as unchanged.
  package internal(set) var notModifiedCount = 0
  /// The number of partitions in which the run continued an interrupted listing.
  package internal(set) var resumedCount = 0
  /// The number of listings that were started again, because the server rejected the position of a page.
  package internal(set) var restartedCount = 0
  /// The reason why the run discarded stored positions and listed everything, such as a dropped table or a changed request. `nil` if it discarded no
  /// position.
  package internal(set) var resetReason: String?
  /// The reason why there may be further pages: `no page has a value at meta.next` if the pagination may look for the next page in the wrong
  /// place, or `page 2 has no content`. `nil` if the end of each listing is certain.
  ///
  /// After such a run, no missing row is removed, the cursor does not advance, and no entity tag is kept.
  ///
  /// The end of a listing is not certain in these cases:
  ///
  /// - No page has the path of the next page.
  /// - The body of a page is null or empty, or its status is 204, except after the first page with page numbers.
  /// - The list of a later page is null or absent, and the page names no next page and does not state the end.
  public internal(set) var uncertainEnd: String?
  /// A note that the path of the tombstone may be wrong: `no row has a value at deleted_at`. Rows that are not deleted may lack the field, so this
  /// is no error. `nil` if this run or an earlier one has received a value, even null, or if this run has received no row.
  public internal(set) var missingTombstone: String?
  /// The treatment of missing rows.
  public internal(set) var missingRows = MissingRowsOutcome.kept
  /// The number of partitions that are not part of this run, but were listed by other runs of the pull. The rows of these partitions were
  /// not removed.
  package internal(set) var otherPartitionCount = 0
  /// The name of a partition of other runs whose listing is not complete; `nil` if the listings of all of them are complete.
  package internal(set) var incompletePartition: String?

  /// A Boolean value that indicates whether the server reported the whole listing as unchanged.
  public var isNotModified: Bool { notModifiedCount > 0 && pages == 0 }

  mutating func add(_ drift: Drift) {
    if let index = self.drift.firstIndex(where: { $0.path == drift.path && $0.kind == drift.kind }) {
      self.drift[index].rowCount += drift.rowCount
    } else if self.drift.count < Self.maximumDetailCount {
      self.drift.append(drift)
    }
  }

  mutating func add(_ row: SkippedRow) {
    skippedCount += 1
    if skipped.count < Self.maximumDetailCount { skipped.append(row) }
  }
}

extension PullReport: CustomStringConvertible {
  /// The report in one line: `12 pages, 1150 inserted, 3 updated, 0 unchanged, 1 deleted, 2 skipped`.
  public var description: String {
    if isNotModified { return "not modified" }
    var text = "\(number(pages, "page")), \(counts)"
    if skippedCount > 0 { text += ", \(skippedCount) skipped" }
    switch missingRows {
    case .keptAfterPartialListing: text += ", missing rows kept: the listing was partial"
    case .keptAfterUnreadableKey: text += ", missing rows kept: a skipped row has no readable key"
    case .keptForOtherPartitions:
      let name = incompletePartition ?? ""
      text +=
        ", missing rows kept: \(name.isEmpty ? "a partition without a name" : "the partition \(name)") of another run is not listed completely"
    case .keptAfterUncertainEnd: text += ", missing rows kept: \(uncertainEnd ?? "the end of the listing is uncertain")"
    case .kept, .deleted:
      if let uncertainEnd { text += ", \(uncertainEnd)" }
    }
    if let missingTombstone { text += ", \(missingTombstone)" }
    if rowsWithoutCursor > 0 { text += ", \(number(rowsWithoutCursor, "row")) without a value for the cursor" }
    if futureCursorCount > 0 {
      text += ", \(number(futureCursorCount, "row")) with a date in the future for the cursor"
    }
    if otherPartitionCount > 0 { text += ", rows of \(number(otherPartitionCount, "other partition")) kept" }
    let columnCount = drift.count { $0.kind == .columnChange }
    if columnCount > 0 { text += ", \(number(columnCount, "new or changed column"))" }
    let deviationCount = drift.count - columnCount
    if deviationCount > 0 { text += ", \(number(deviationCount, "deviation")) from the model" }
    if let resetReason { text += ", listed from the beginning: \(resetReason)" }
    return text
  }
}

private func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension PullReport.SkippedRow: CustomStringConvertible {
  /// The row in one line: `page 2, [3].owner.name: expected a string`.
  public var description: String {
    (partition.isEmpty ? "" : "\(partition), ") + "page \(page), \(path): \(reason)"
  }
}

extension PullReport.Drift: CustomStringConvertible {
  /// The deviation in one line: `owner.phone: unknown key (120 rows)`.
  public var description: String {
    let words =
      switch kind {
      case .unknownKey: "unknown key"
      case .typeMismatch: "type mismatch"
      case .missingValue: "missing value"
      case .columnChange: "new or changed column"
      }
    return "\(path): \(words) (\(number(rowCount, "row")))"
  }
}

/// Tables that other programs have dropped or changed.
extension Store {
  /// Makes sure that the tables of a pull can be used. If a table was lost, marks all positions of pulls into this table, because their
  /// rows no longer exist.
  ///
  /// Each step is a separate transaction, because PostgreSQL creates tables at the beginning of a transaction.
  ///
  /// - Parameter addsColumns: True if lost columns are added again. They are null until their rows are listed again.
  /// - Throws: ``StoreError/Code/schemaMismatch`` for lost columns if `addsColumns` is false, and for lost columns of the key.
  func restoreTables(of plan: PullPlan, addsColumns: Bool) async throws {
    let entity = plan.rows.entity
    let own = [PullPosition.entityName, PullLease.entityName, PullRound.entityName]
    let losses = try await read { transaction in try (own + [entity]).compactMap { try transaction.loss(of: $0) } }
    for loss in losses {
      guard loss.entity == entity else {
        try await perform { transaction in _ = try transaction.restore(loss.entity) }
        continue
      }
      guard loss.isWholeTable || addsColumns else {
        throw StoreError(
          code: .schemaMismatch,
          reason: """
            \(loss): another program has changed the database; to add it again and to list everything, forget the position of the pull, \
            or run anvil pull with --fresh
            """)
      }
      try await perform { transaction in
        if let loss = try transaction.restore(entity) { try transaction.mark(loss, of: plan) }
      }
    }
  }
}

extension StoreTransaction {
  /// Marks the positions of all listings whose rows were lost. Increases the versions of the positions, so that runs in progress store no
  /// further pages.
  fileprivate func mark(_ loss: TableLoss, of plan: PullPlan) throws {
    for var position in try fetch(PullPosition.self) {
      guard position.entity == loss.entity || position.entity == nil && position.pull == plan.name else { continue }
      position.state.loss = "\(loss)"
      try saveAdvanced(&position)
      try delete(PullRound(pull: position.pull))
    }
  }
}

/// Runs pulls and manages their positions.
extension Store {
  /// Runs a pull and returns a report. Each page is stored in one transaction, together with the position after it.
  ///
  ///     let report = try await store.run(members)
  ///     print(report)                                 // 12 pages, 1150 inserted, 3 updated, 0 unchanged, 0 deleted
  ///
  /// If an earlier run was interrupted, this one continues at its next page. Otherwise it begins a new listing. If the server rejects the
  /// request for a later page with 400, 404 or 410, for example because a page token has expired, the listing starts again from its first
  /// page. This happens at most once for each partition in a run. With page numbers and offsets, a 404 or 416 for the page after one that
  /// this run has stored ends the listing. Cancelling the task ends the run. Pages that were already stored stay stored.
  ///
  /// If another program has dropped the table of the rows, all pulls of the table begin new listings, and their reports contain the reason. A
  /// table that has lost a column is an error until ``forgetPosition(of:)``.
  ///
  /// Missing rows are removed after the last page, in its transaction, if the pull has `missing: .deleted` or `.deleted(where:)`. This
  /// requires complete listings of all partitions. All rows are kept if a cursor has limited a listing. A row is not missing if it was on a
  /// page before an interruption, or if it was skipped.
  ///
  /// Two runs of the same pull at the same time do not store a page twice. The slower run fails with ``PullError/Code/overtaken``, unless
  /// both share the work by `leases`.
  ///
  /// With leases, any number of processes and machines run the pull and share the partitions of a listing. A run claims one partition after the
  /// other for this duration, and renews the lease while it requests and stores pages. If a process ends unexpectedly, others continue its
  /// partition after the lease has expired; one that was suspended for longer can no longer store its page. The run ends when the listing of all
  /// partitions is complete. Its report counts only the rows that this run has stored.
  ///
  /// - Parameters:
  ///   - pull: The pull.
  ///   - leases: The duration of leases, at least 0.1 seconds by the clock of the database; `nil` if one process runs the pull.
  ///   - onPage: Called after each stored page with the report so far.
  /// - Throws: ``PullError``; `TransportFailure`, `DecodingFailure` and `PaginationError` for requests, whatever the failure type of the
  ///   gateway; `StoreError`; `CancellationError`.
  @discardableResult
  public func run<Model>(
    _ pull: Pull<Model>, leases: Duration? = nil, onPage: @escaping @Sendable (PullReport) -> Void = { _ in }
  ) async throws -> PullReport {
    try await run(pull.plan, leases: leases, onPage: onPage)
  }

  /// Removes the position of a pull, so that the next run lists everything again. The rows are kept.
  ///
  /// If another program has dropped the table, or columns of it, the next run adds them again.
  public func forgetPosition<Model>(of pull: Pull<Model>) async throws {
    try await forgetPosition(of: pull.plan)
  }

  package func run(
    _ plan: PullPlan, leases: Duration? = nil, onPage: @escaping @Sendable (PullReport) -> Void = { _ in }
  ) async throws -> PullReport {
    var run = PullRun(plan, in: context, lease: leases, onPage: onPage)
    do {
      return try await run.run()
    } catch let failure as TransportFailure where failure.error.code == .cancelled && Task.isCancelled {
      throw CancellationError()
    }
  }

  package func forgetPosition(of plan: PullPlan) async throws {
    try await context.restoreTables(of: plan, addsColumns: true)
    try await context.perform { transaction in
      for position in try transaction.positions(ofPull: plan.name).values {
        try transaction.listings.remove(position.listing, of: plan.rows.entity)
      }
      try transaction.delete(PullPosition.self, where: PullPosition.isPart(of: plan.name))
      try transaction.delete(PullLease.self, where: PullLease.isPart(of: plan.name))
      try transaction.delete(PullRound(pull: plan.name))
    }
  }

  /// Returns the positions of all pulls, in the order of their names.
  package func pullPositions() async throws -> [PullPosition] { try await context.fetch(PullPosition.self) }
}

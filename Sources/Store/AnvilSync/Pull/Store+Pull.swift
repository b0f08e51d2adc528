internal import AnvilBase
public import AnvilStore

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
  /// both share the work with `sharing: .leases()`.
  ///
  /// - Parameters:
  ///   - pull: The pull.
  ///   - sharing: The way in which several processes run the pull.
  ///   - onPage: Called after each stored page with the report so far.
  /// - Throws: ``PullError``; `TransportFailure`, `DecodingFailure` and `PaginationError` for requests; `StoreError`;
  ///   `CancellationError`.
  @discardableResult
  public func run<Model>(
    _ pull: Pull<Model>, sharing: PullSharing = .single, onPage: @escaping @Sendable (PullReport) -> Void = { _ in }
  ) async throws -> PullReport {
    try await run(pull.plan, sharing: sharing, onPage: onPage)
  }

  /// Removes the position of a pull, so that the next run lists everything again. The rows are kept.
  ///
  /// If another program has dropped the table, or columns of it, the next run adds them again.
  public func forgetPosition<Model>(of pull: Pull<Model>) async throws {
    try await forgetPosition(of: pull.plan)
  }

  package func run(
    _ plan: PullPlan, sharing: PullSharing = .single, onPage: @escaping @Sendable (PullReport) -> Void = { _ in }
  ) async throws -> PullReport {
    var run = PullRun(plan, in: context, sharing: sharing, onPage: onPage)
    return try await run.run()
  }

  package func forgetPosition(of plan: PullPlan) async throws {
    try await context.restoreTables(of: plan, addsColumns: true)
    try await context.perform { transaction in
      for position in try transaction.positions(ofPull: plan.name).values {
        try transaction.forget(position.listing, of: plan.rows.entity)
      }
      try transaction.delete(PullPosition.self, where: PullPosition.isPart(of: plan.name))
      try transaction.delete(PullLease.self, where: PullLease.isPart(of: plan.name))
    }
  }

  /// Returns the positions of all pulls, in the order of their names.
  package func pullPositions() async throws -> [PullPosition] { try await context.fetch(PullPosition.self) }
}

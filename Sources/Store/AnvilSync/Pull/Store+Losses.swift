internal import AnvilStore

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
    let own = [PullPosition.entityName, PullLease.entityName]
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
    }
  }
}

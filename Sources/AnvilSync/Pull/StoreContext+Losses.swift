internal import AnvilStore

/// Tables that other programs have dropped or changed.
extension StoreContext {
  /// Makes sure that the tables of a pull can be used. A position stands for rows that are there, so all positions of a lost table are marked,
  /// also those of other pulls.
  ///
  /// Each step is committed by itself, because PostgreSQL creates tables at the beginning of a transaction.
  ///
  /// - Parameter addsColumns: True if lost columns are added again. They are empty until their rows are listed.
  /// - Throws: ``StoreError/Code/schemaMismatch`` for lost columns that are not to be added, and for those of the key.
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
  /// Marks the positions of all listings whose rows are lost. Their versions increase, so that current runs store no further pages.
  fileprivate func mark(_ loss: TableLoss, of plan: PullPlan) throws {
    for var position in try fetch(PullPosition.self) {
      guard position.entity == loss.entity || position.entity == nil && position.pull == plan.name else { continue }
      position.state.loss = "\(loss)"
      try saveAdvanced(&position)
    }
  }
}

/// The feed of changes to rows.
extension Store {
  /// Starts recording the changes to the rows of the model's entity. The recording ends with ``stopRecordingChanges(of:)``. Call it again
  /// whenever the program starts: it also creates the triggers that SQL has dropped, for example together with the table, after which
  /// earlier positions have expired, and in SQLite those of columns that SQL has added.
  ///
  ///     let start = try await store.recordChanges(of: User.self)
  ///     for try await change in store.changes(of: User.self, after: storedPosition ?? start) {
  ///       …
  ///       store(change.position)
  ///     }
  ///
  /// Triggers record the changes in the table `anvil_changes`, including those made by other processes or by any SQL. Rows that
  /// PostgreSQL's TRUNCATE or SQLite's REPLACE removes are not recorded. Recording a change, with the old and the new values, takes a few
  /// microseconds. Changes that are older than `retention` are removed when later changes are recorded.
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - retention: The minimum time for which changes are kept, in whole seconds. It replaces the retention of earlier calls.
  /// - Returns: The position after all changes that are committed now. If this call starts the recording, the position precedes all
  ///   recorded changes.
  /// - Throws: ``StoreError``.
  @discardableResult
  public func recordChanges<Model: ManagedDecodable>(
    of type: Model.Type, keepingFor retention: Duration = .seconds(7 * 86_400)
  ) async throws -> StorePosition where Model.Context == StoreTransaction {
    let seconds = max(retention.components.seconds, 0)
    try await perform { transaction in
      try transaction.changeRecording(of: type.entityName) { try $0.start(type.entityName, $1, keepingFor: seconds) }
    }
    return try await read { transaction in
      let log = transaction.changeLog
      return StorePosition(rawValue: try transaction.statements.attempt { try log.presentPosition() })
    }
  }

  /// Stops recording the changes of the model's entity, and removes the recorded changes.
  public func stopRecordingChanges<Model: ManagedDecodable>(
    of type: Model.Type
  ) async throws where Model.Context == StoreTransaction {
    try await perform { transaction in
      try transaction.changeRecording(of: type.entityName) { try $0.stop(type.entityName, $1) }
    }
  }

  /// Returns a sequence of the changes to the rows of the model's entity after `position`. It contains the recorded
  /// changes, and then each change that is committed during the iteration.
  ///
  /// Each committed change is one element. Changes to the same row are in the order in which they were made. If one transaction changes a
  /// row several times, each change is an element. Models within models have their current values, not those at the time of the change.
  ///
  /// An iteration that begins at the position of a change continues with the next change, also in another process. Changes by other stores
  /// and other programs are found within about a tenth of a second. The sequence ends when the store is closed and when the task is
  /// cancelled.
  ///
  /// The iterator throws ``StoreError/Code/invalidStatement`` if the changes are not recorded, or no longer because SQL has dropped the
  /// triggers. It throws ``StoreError/Code/changesExpired`` if changes after the position are no longer kept, or were recorded before a migration
  /// of the entity. Then the reader must read the rows again. It throws `DecodingError` if the model cannot be read from a recorded row, for
  /// example because a row that it needs was deleted.
  public func changes<Model: ManagedDecodable & Codable & Sendable>(
    of type: Model.Type, after position: StorePosition
  ) -> StoreSequence<StoreChange<Model>> where Model.Context == StoreTransaction {
    StoreSequence {
      var (position, isAtEnd) = (position, false)
      var observation: ValueObservation?
      return {
        try await StoreSequence<StoreChange<Model>>.untilClosed {
          if let observation {
            if isAtEnd, try await !observation.change() { return nil }
          } else {
            guard let started = try await ValueObservation(of: self) else { return nil }
            started.limit(to: [type.entityName])
            observation = started
          }
          let page = try await self.read { [position] transaction in
            try transaction.page(of: type, after: position, limit: 500)
          }
          (position, isAtEnd) = (page.end, page.isAtEnd)
          return page.changes
        }
      }
    }
  }
}

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
    try await perform { transaction in try transaction.recordChanges(of: type, keepingFor: retention) }
    return try await read { transaction in try transaction.presentPosition() }
  }

  /// Stops recording the changes of the model's entity, and removes the recorded changes.
  public func stopRecordingChanges<Model: ManagedDecodable>(
    of type: Model.Type
  ) async throws where Model.Context == StoreTransaction {
    try await perform { transaction in try transaction.stopRecordingChanges(of: type) }
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
  /// triggers. It throws
  /// ``StoreError/Code/changesExpired`` if changes after the position are no longer kept, or were recorded before a
  /// migration of the entity. Then the reader must read the rows again. It throws `DecodingError` if the model cannot
  /// be read from a recorded row, for example because a row that it needs was deleted.
  public func changes<Model: ManagedDecodable & Codable & Sendable>(
    of type: Model.Type, after position: StorePosition
  ) -> Changes<Model> where Model.Context == StoreTransaction {
    Changes(store: self, position: position)
  }

  /// A sequence of changes, as ``changes(of:after:)`` returns it. It can be iterated any number of times, from the same position each time.
  public struct Changes<Model: ManagedDecodable & Codable & Sendable>: AsyncSequence, Sendable
  where Model.Context == StoreTransaction {
    let store: Store
    let position: StorePosition

    /// Returns an iterator that starts with the first change after the position.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(store: store, position: position)
    }

    /// An iterator that returns recorded changes and then waits for new ones.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private static var pageSize: Int { 500 }

      private let store: Store
      private var position: StorePosition
      private var page: ArraySlice<StoreChange<Model>> = []
      private var observation: ValueObservation?
      /// True if the last page contained all changes that existed when it was read.
      private var isAtEnd = false
      private var hasEnded = false

      init(store: Store, position: StorePosition) {
        (self.store, self.position) = (store, position)
      }

      /// Waits for a change and returns it.
      ///
      /// - Returns: `nil` when the store was closed, when the task was cancelled, and after an error.
      public mutating func next() async throws -> StoreChange<Model>? {
        while page.isEmpty {
          guard !hasEnded else { return nil }
          hasEnded = true
          do {
            guard try await readPage() else { return nil }
          } catch let error as StoreError where error.code == .closed {
            return nil
          } catch is CancellationError {
            return nil
          }
          hasEnded = false
        }
        return page.popFirst()
      }

      private mutating func readPage() async throws -> Bool {
        if let observation {
          if isAtEnd, try await !observation.change() { return false }
        } else {
          guard let started = try await ValueObservation(of: store) else { return false }
          started.limit(to: [Model.entityName])
          observation = started
        }
        let position = position
        let next = try await store.read { transaction in
          try transaction.page(of: Model.self, after: position, limit: Self.pageSize)
        }
        (page, self.position, isAtEnd) = (next.changes[...], next.end, next.isAtEnd)
        return true
      }
    }
  }
}

/// The signals for one iteration of values or changes. It ends with the last reference to it.
final class ValueObservation: Sendable {
  private let store: Store
  private let id: UInt64
  private let signals: AsyncStream<Void>

  /// Begins to observe. Returns `nil` if the store was closed.
  init?(of store: Store) async throws {
    // A single buffered signal stands for all changes since the last element.
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    try await store.foreignChanges?.begin()
    guard let id = store.observers.add(.signals(entities: nil, continuation)) else {
      store.foreignChanges?.end()
      return nil
    }
    self.store = store
    self.id = id
    self.signals = signals
  }

  deinit {
    store.observers.remove(id)
    store.foreignChanges?.end()
  }

  /// Waits for a change. Returns `false` when the store was closed or the task cancelled.
  ///
  /// - Throws: ``StoreError/Code/unsupported`` if the database cannot report changes by other stores.
  func change() async throws -> Bool {
    for await _ in signals {
      try store.foreignChanges?.requireDetection()
      return true
    }
    return false
  }

  func limit(to entities: Set<String>?) {
    store.observers.limit(id, to: entities)
  }
}

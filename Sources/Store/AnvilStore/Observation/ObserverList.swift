internal import Synchronization

/// The observers of a store's changes.
final class ObserverList: Sendable {
  /// The kind of messages that an observer receives.
  enum Channel: Sendable {
    /// The counts of each transaction of this store that changes rows of the entity.
    case counts(entity: String, AsyncStream<StoreChanges.Counts>.Continuation)
    /// A signal when rows of these entities may have changed. Without entities, a change to any entity sends a signal.
    case signals(entities: Set<String>?, AsyncStream<Void>.Continuation)
  }

  private struct State {
    var channels: [UInt64: Channel] = [:]
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds an observer and returns its number, or `nil` if the list was closed.
  func add(_ channel: Channel) -> UInt64? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.nextID &+= 1
      state.channels[state.nextID] = channel
      return state.nextID
    }
  }

  func remove(_ id: UInt64) {
    state.withLock { _ = $0.channels.removeValue(forKey: id) }
  }

  /// Limits the signals of an observer to changes of these entities. `nil` removes the limit.
  func limit(_ id: UInt64, to entities: Set<String>?) {
    state.withLock { state in
      if case .signals(_, let continuation)? = state.channels[id] {
        state.channels[id] = .signals(entities: entities, continuation)
      }
    }
  }

  /// Reports the changes of a transaction of this store. Each observer of values receives one signal.
  ///
  /// - Parameter isAny: True if rows of any entity may have changed.
  func notify(_ changes: [String: StoreChanges.Counts], isAny: Bool) {
    let changed = changes.filter { !$0.value.isEmpty }
    guard !changed.isEmpty || isAny else { return }
    // Reported while the lock is held, so that elements arrive in the order of the commits.
    state.withLock { state in
      for channel in state.channels.values {
        switch channel {
        case .counts(let entity, let continuation):
          if let counts = changed[entity] { continuation.yield(counts) }
        case .signals(let entities, let continuation):
          if isAny || entities?.isDisjoint(with: changed.keys) != true { continuation.yield() }
        }
      }
    }
  }

  /// Sends a signal to the observers of these entities. `nil` means that rows of any entity may have changed.
  func signal(_ changed: Set<String>?) {
    guard changed?.isEmpty != true else { return }
    state.withLock { state in
      for case .signals(let entities, let continuation) in state.channels.values {
        if let entities, let changed, entities.isDisjoint(with: changed) { continue }
        continuation.yield()
      }
    }
  }

  /// Ends all streams.
  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      defer { state.channels = [:] }
      return state.channels.values
    }
    // After the lock was released, because the end of a stream removes its observer.
    for channel in channels {
      switch channel {
      case .counts(_, let continuation): continuation.finish()
      case .signals(_, let continuation): continuation.finish()
      }
    }
  }
}

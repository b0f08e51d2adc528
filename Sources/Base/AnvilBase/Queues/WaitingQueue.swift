/// A first-in, first-out queue of waiters, such as continuations, each of which can leave before its turn.
///
/// Each operation takes amortized constant time. This includes ``remove(_:)``, in whatever order the waiters leave.
package struct WaitingQueue<ID: Hashable, Waiter> {
  /// The identifiers in order. It may contain some that are no longer in `waiters`.
  private var order = Queue<ID>()
  private var waiters: [ID: Waiter] = [:]

  /// Creates an empty queue.
  package init() {}

  package var count: Int { waiters.count }

  package var isEmpty: Bool { waiters.isEmpty }

  /// The number of identifiers that are stored. It is at most about twice the number of waiters, plus 64.
  var storedCount: Int { order.count }

  /// Appends a waiter. Its identifier must not have been used before.
  package mutating func append(_ waiter: Waiter, id: ID) {
    order.append(id)
    waiters[id] = waiter
  }

  /// Removes and returns the first waiter; `nil` if the queue is empty.
  package mutating func popFirst() -> Waiter? {
    while let id = order.popFirst() {
      if let waiter = waiters.removeValue(forKey: id) { return waiter }
    }
    return nil
  }

  /// Removes and returns the waiter `id`; `nil` if it is not in the queue.
  package mutating func remove(_ id: ID) -> Waiter? {
    guard let waiter = waiters.removeValue(forKey: id) else { return nil }
    // The search for the identifier is postponed until half of the identifiers can be removed at once.
    if order.count > 2 * waiters.count + 64 { order.removeAll { waiters[$0] == nil } }
    return waiter
  }

  /// Removes all waiters and returns them in order.
  package mutating func removeAll() -> [Waiter] {
    defer { self = WaitingQueue() }
    return order.removeAll().compactMap { waiters[$0] }
  }
}

extension WaitingQueue: Sendable where ID: Sendable, Waiter: Sendable {}

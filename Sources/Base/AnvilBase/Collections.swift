/// A first-in, first-out queue whose operations take amortized constant time.
///
/// With an array alone, removing the oldest element would take linear time, because `removeFirst` moves all other elements.
package struct Queue<Element> {
  /// The first `position` slots are `nil`, because their elements were removed.
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var position = 0

  @inlinable
  package init() {}

  @inlinable
  package mutating func append(_ element: Element) {
    slots.append(element)
  }

  @inlinable
  @discardableResult
  package mutating func popFirst() -> Element? {
    guard position < slots.count else { return nil }
    let element = slots[position].take()
    position += 1
    if position == slots.count {
      // The storage of a small queue is reused.
      slots.removeAll(keepingCapacity: slots.count <= 64)
      position = 0
    } else if position >= 64, position * 2 >= slots.count {
      slots.removeFirst(position)
      position = 0
    }
    return element
  }

  @discardableResult
  package mutating func popLast() -> Element? {
    isEmpty ? nil : slots.removeLast()
  }

  package mutating func removeAll() -> [Element] {
    defer { self = Queue() }
    return Array(self)
  }

  /// - Complexity: O(n), where n is the number of elements.
  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    slots.removeAll { $0.map(isRemoved) ?? true }
    position = 0
  }
}

extension Queue: RandomAccessCollection {
  @inlinable
  package var startIndex: Int { 0 }

  @inlinable
  package var endIndex: Int { slots.count - position }

  /// The element at `index`, which is counted from the oldest element.
  @inlinable
  package subscript(index: Int) -> Element {
    // Only the slots before `position` are empty.
    guard let element = slots[position + index] else { preconditionFailure("the index is out of range") }
    return element
  }
}

extension Queue: Sendable where Element: Sendable {}

/// A first-in, first-out queue of waiters, such as continuations, each of which can leave before its turn.
///
/// Each operation takes amortized constant time. This includes ``remove(_:)``, in whatever order the waiters leave.
package struct WaitingQueue<ID: Hashable, Waiter> {
  /// The identifiers in order. It may contain some that are no longer in `waiters`.
  private var order = Queue<ID>()
  private var waiters: [ID: Waiter] = [:]

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

  package mutating func popFirst() -> Waiter? {
    while let id = order.popFirst() {
      if let waiter = waiters.removeValue(forKey: id) { return waiter }
    }
    return nil
  }

  package mutating func remove(_ id: ID) -> Waiter? {
    guard let waiter = waiters.removeValue(forKey: id) else { return nil }
    // The search for the identifier is postponed until half of the identifiers can be removed at once.
    if order.count > 2 * waiters.count + 64 { order.removeAll { waiters[$0] == nil } }
    return waiter
  }

  package mutating func removeAll() -> [Waiter] {
    defer { self = WaitingQueue() }
    return order.removeAll().compactMap { waiters[$0] }
  }
}

extension WaitingQueue: Sendable where ID: Sendable, Waiter: Sendable {}

extension [Int] {
  /// Returns the index of the first number above `number` in this ascending array; the count if all are at most `number`.
  ///
  /// Not generic, because the compiler does not specialise package functions for other modules.
  ///
  /// - Complexity: O(log *n*), where *n* is the count.
  package func firstIndex(after number: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Sequence {
  /// Returns the elements in ascending order of `key`; elements with equal keys in the order of this sequence.
  ///
  /// Programs contain one sort for all modules, because it is not specialised for other modules: not for hot paths.
  package func sorted(on key: (Element) -> some Comparable) -> [Element] {
    sorted { key($0) < key($1) }
  }
}

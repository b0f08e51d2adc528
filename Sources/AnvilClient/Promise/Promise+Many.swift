/// Several promises as one. Each is depended on from the beginning; those that no longer matter are left.
extension Promise {
  /// A promise of all values in their order. The first failure is its own; the other promises are then left.
  ///
  /// Of no promises it is a promise of an empty array.
  public static func all<Element: Sendable>(_ promises: [Promise<Element>]) -> Promise<[Element]>
  where Value == [Element] {
    let held = promises.map { $0.map(\.self) }
    return Promise<[Element]> {
      try await withThrowingTaskGroup(of: (Int, Element).self) { group in
        for (index, promise) in held.enumerated() {
          group.addTask { (index, try await promise.value) }
        }
        var values = [Element?](repeating: nil, count: held.count)
        for try await (index, value) in group { values[index] = value }
        return values.compactMap(\.self)
      }
    }
  }

  /// A promise of all values as a tuple. The first failure is its own; the other promises are then left.
  ///
  ///     let (user, repositories) = try await Promise.all(user, repositories).value
  public static func all<each Element: Sendable>(_ promise: repeat Promise<each Element>) -> Promise<Value>
  where Value == (repeat each Element) {
    var kept: [Promise<Void>] = []
    for promise in repeat each promise { kept.append(promise.map { _ in }) }
    return Promise<[Void]>.all(kept).then { _ in
      (repeat try await (each promise).value)
    }
  }

  /// A promise that is settled as the first of `promises` that is; the others are then left.
  ///
  /// Of no promises, which nobody can win, it fails with ``EmptyRace``.
  public static func race(_ promises: [Promise<Value>]) -> Promise<Value> {
    let held = promises.map { $0.map(\.self) }
    return Promise {
      try await withThrowingTaskGroup(of: Value.self) { group in
        for promise in held {
          group.addTask { try await promise.value }
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw EmptyRace() }
        return first
      }
    }
  }

  /// A promise that is settled as the first of `promises` that is; the others are then left.
  public static func race(_ first: Promise<Value>, _ others: Promise<Value>...) -> Promise<Value> {
    race([first] + others)
  }
}

/// A race had nobody who could win it.
public struct EmptyRace: Error, Hashable, CustomStringConvertible {
  /// Says that there was nobody.
  public init() {}

  /// `a race of no promises`.
  public var description: String { "a race of no promises" }
}

/// Combinations of several promises. The combined promise depends on all of them from the beginning. It stops depending on those that no
/// longer affect its outcome.
extension Promise {
  /// Returns a promise of all values, in the order of `promises`. It fails with the first failure, and then stops
  /// waiting for the other promises.
  ///
  /// The result for an empty array is an empty array.
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

  /// Returns a promise of all values as a tuple. It fails with the first failure, and then stops waiting for the other
  /// promises.
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

  /// Returns a promise with the outcome of the promise that is settled first. It then stops waiting for the others.
  ///
  /// The result for an empty array fails with ``EmptyRace``.
  public static func race(_ promises: [Promise<Value>]) -> Promise<Value> {
    let held = promises.map(\.dependant)
    let race = Promise(state: PromiseState())
    race.state.run {
      await withTaskGroup(of: SettledOutcome.self) { group in
        for promise in held {
          group.addTask { await promise.state.awaitOutcome() }
        }
        defer { group.cancelAll() }
        return .outcome(await group.next() ?? .failure(EmptyRace()))
      }
    }
    return race
  }

  /// A promise with the same outcome, which depends on this one.
  private var dependant: Promise {
    Promise(state: state.derive { outcome, derived, settling in derived.settle(outcome, &settling) })
  }

  /// Returns a promise with the outcome of the promise that is settled first. It then stops waiting for the others.
  public static func race(_ first: Promise<Value>, _ others: Promise<Value>...) -> Promise<Value> {
    race([first] + others)
  }
}

/// The error of a race without promises.
public struct EmptyRace: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  package init() {}

  /// The text `a race needs at least one promise`.
  public var description: String { "a race needs at least one promise" }
}

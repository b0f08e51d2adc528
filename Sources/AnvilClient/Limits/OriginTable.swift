internal import AnvilHTTP

/// State per origin that is dropped when it no longer has an effect, and bounded in number.
///
/// State that is in use is never dropped. Other state is dropped when it expires and, beyond ``capacity``, the least recently
/// used first. Each change takes amortised constant time, whatever the number of origins.
///
/// Times are counted from any one point.
struct OriginTable<State> {
  /// How long state is to be kept.
  enum Retention: Equatable {
    /// As long as a request is under way or waits.
    case inUse
    /// Until a point in time, from which on it has no effect. One that has passed drops it at once.
    case until(Duration)
  }

  /// One origin's state. Those that are not in use are linked in the order of their use.
  fileprivate struct Slot {
    let origin: HTTP.Origin
    var state: State
    /// `nil` while the state is in use.
    var expiry: Duration?
    var older: Int?
    var newer: Int?
  }

  /// The most origins whose state is kept without being in use.
  static var defaultCapacity: Int { 1 << 16 }

  private let capacity: Int
  private let makeState: @Sendable () -> State
  private let retention: @Sendable (State) -> Retention
  private var slots: [Slot] = []
  private var indices: [HTTP.Origin: Int] = [:]
  private var oldest: Int?
  private var newest: Int?
  private var idleCount = 0

  /// An empty table.
  ///
  /// - Parameters:
  ///   - capacity: the most origins whose state is kept without being in use.
  ///   - makeState: the state of an origin that has none.
  ///   - retention: how long a state is to be kept, asked once after each change.
  init(
    capacity: Int = Self.defaultCapacity, makeState: @escaping @Sendable () -> State,
    retention: @escaping @Sendable (State) -> Retention
  ) {
    self.capacity = max(capacity, 0)
    self.makeState = makeState
    self.retention = retention
  }

  /// How many origins have state.
  var count: Int { slots.count }

  /// The state of `origin`; `nil` where there is none.
  subscript(origin: HTTP.Origin) -> State? { indices[origin].map { slots[$0].state } }

  /// Changes the state of `origin`, in place, and drops what has expired at `now`.
  mutating func change<Result>(_ origin: HTTP.Origin, at now: Duration, _ change: (inout State) -> Result) -> Result {
    let index = index(of: origin, at: now)
    let result = change(&slots[index].state)
    switch retention(slots[index].state) {
    case .inUse: break
    case .until(let expiry) where expiry <= now: remove(index)
    case .until(let expiry): append(index, until: expiry)
    }
    dropExpired(at: now)
    return result
  }

  /// Where the state of `origin` is, taken out of the order of those that are not in use.
  private mutating func index(of origin: HTTP.Origin, at now: Duration) -> Int {
    if let index = indices[origin] {
      if let expiry = slots[index].expiry {
        unlink(index)
        if expiry <= now { slots[index].state = makeState() }
      }
      return index
    }
    slots.append(Slot(origin: origin, state: makeState()))
    indices[origin] = slots.count - 1
    return slots.count - 1
  }

  /// Drops from the oldest on. One that expires late holds up those behind it, which the capacity bounds.
  private mutating func dropExpired(at now: Duration) {
    while let oldest, let expiry = slots[oldest].expiry, expiry <= now || idleCount > capacity { remove(oldest) }
  }

  private mutating func append(_ index: Int, until expiry: Duration) {
    slots[index].expiry = expiry
    slots[index].older = newest
    if let newest { slots[newest].newer = index } else { oldest = index }
    newest = index
    idleCount += 1
  }

  private mutating func unlink(_ index: Int) {
    guard slots[index].expiry != nil else { return }
    let (older, newer) = (slots[index].older, slots[index].newer)
    if let older { slots[older].newer = newer } else { oldest = newer }
    if let newer { slots[newer].older = older } else { newest = older }
    (slots[index].older, slots[index].newer, slots[index].expiry) = (nil, nil, nil)
    idleCount -= 1
  }

  /// Removes a slot and moves the last one to its place.
  private mutating func remove(_ index: Int) {
    unlink(index)
    indices[slots[index].origin] = nil
    let last = slots.count - 1
    if index != last {
      slots.swapAt(index, last)
      indices[slots[index].origin] = index
      if slots[index].expiry != nil {
        if let older = slots[index].older { slots[older].newer = index } else { oldest = index }
        if let newer = slots[index].newer { slots[newer].older = index } else { newest = index }
      }
    }
    slots.removeLast()
  }
}

extension OriginTable: Sendable where State: Sendable {}
extension OriginTable.Slot: Sendable where State: Sendable {}

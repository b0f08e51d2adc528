internal import AnvilHTTP

/// A table of state per origin with a bounded size. State that no longer has an effect is removed.
///
/// State that is in use is never removed. Other state is removed when it expires and, beyond ``capacity``, in least recently used order.
/// Each change takes amortised constant time, regardless of the number of origins.
///
/// Times are measured from an arbitrary fixed point.
struct OriginTable<State> {
  enum Retention: Equatable {
    /// The state is kept while a request is waiting or in progress.
    case inUse
    /// Until a time from which the state has no effect. A time in the past removes the state at once.
    case until(Duration)
  }

  /// The state of one origin. Slots that are not in use are linked in the order of their last use.
  fileprivate struct Slot {
    let origin: HTTP.Origin
    var state: State
    /// The expiry of the state; `nil` while it is in use.
    var expiry: Duration?
    var older: Int?
    var newer: Int?
  }

  /// The default maximum number of origins whose state is kept while it is not in use.
  static var defaultCapacity: Int { 1 << 16 }

  private let capacity: Int
  private let makeState: @Sendable () -> State
  private let retention: @Sendable (State) -> Retention
  private var slots: [Slot] = []
  private var indices: [HTTP.Origin: Int] = [:]
  private var oldest: Int?
  private var newest: Int?
  private var idleCount = 0

  /// - Parameter retention: Returns how long a state is kept. Called once after each change.
  init(
    capacity: Int = Self.defaultCapacity, makeState: @escaping @Sendable () -> State,
    retention: @escaping @Sendable (State) -> Retention
  ) {
    self.capacity = max(capacity, 0)
    self.makeState = makeState
    self.retention = retention
  }

  var count: Int { slots.count }

  subscript(origin: HTTP.Origin) -> State? { indices[origin].map { slots[$0].state } }

  /// Changes the state of `origin` in place, and removes state that has expired at `now`.
  mutating func change<Result>(_ origin: HTTP.Origin, at now: Duration, _ change: (inout State) -> Result) -> Result {
    let index: Int
    // Most requests are to the origin that was used last, whose slot stays at its place.
    if let newest, slots[newest].origin == origin, let expiry = slots[newest].expiry, expiry > now {
      index = newest
    } else {
      index = self.index(of: origin, at: now)
    }
    let result = change(&slots[index].state)
    switch retention(slots[index].state) {
    case .inUse: unlink(index)
    case .until(let expiry) where expiry <= now: remove(index)
    case .until(let expiry) where index == newest: slots[index].expiry = expiry
    case .until(let expiry): append(index, until: expiry)
    }
    // Expired slots, and slots beyond the capacity, the least recently used first. A slot with a late expiry delays the removal of newer ones;
    // the capacity bounds their number.
    while let oldest, let expiry = slots[oldest].expiry, expiry <= now || idleCount > capacity { remove(oldest) }
    return result
  }

  /// Returns the index of the state of `origin`, and unlinks its slot.
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

  /// Removes a slot and moves the last slot to its position.
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

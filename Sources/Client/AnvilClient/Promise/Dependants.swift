internal import Synchronization

/// The identity of a dependant of a promise. Later identities are greater.
struct DependantID: Hashable, Comparable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  static func < (lhs: DependantID, rhs: DependantID) -> Bool { lhs.number < rhs.number }
}

/// The part of the state of a promise that changes. Until the promise is settled, it contains the dependants and the closure that stops the
/// work. From then on, it contains the outcome.
struct Dependants: Sendable {
  /// A step that runs when there is an outcome or when the dependant stops waiting.
  typealias Dependant = Settling.Step

  /// The outcome; `nil` until the promise is settled.
  private(set) var outcome: SettledOutcome?
  /// A Boolean value that indicates whether a copy of the promise still exists, through which the value could be requested.
  private var isHeld = true
  /// A Boolean value that indicates whether the last dependant of the promise has left.
  private var isAbandoned = false
  private var onCancel: Settling.Step?
  /// The first dependant, stored separately because most promises have only one.
  private var first: (id: DependantID, dependant: Dependant)?
  private var others: [DependantID: Dependant] = [:]

  init(outcome: SettledOutcome? = nil, onCancel: Settling.Step? = nil) {
    self.outcome = outcome
    self.onCancel = onCancel
  }

  var isSettled: Bool { outcome != nil }

  /// The number of dependants.
  var count: Int { (first == nil ? 0 : 1) + others.count }

  private var isEmpty: Bool { first == nil && others.isEmpty }

  /// The dependants in the order in which they were added.
  private var inOrder: [Dependant] {
    let later = others.sorted { $0.key < $1.key }
    guard let first else { return later.map(\.value) }
    let index = later.firstIndex { $0.key > first.id } ?? later.endIndex
    return later[..<index].map(\.value) + [first.dependant] + later[index...].map(\.value)
  }

  /// Adds `dependant`. Returns `false` if the promise is settled.
  mutating func add(_ id: DependantID, _ dependant: @escaping Dependant) -> Bool {
    guard !isSettled else { return false }
    isAbandoned = false
    if first == nil { first = (id, dependant) } else { others[id] = dependant }
    return true
  }

  /// Removes the dependant `id` and returns it. Also returns whether the value is no longer needed. Returns `nil` if
  /// `id` is not found.
  mutating func remove(_ id: DependantID) -> (dependant: Dependant, isUnwanted: Bool)? {
    let dependant: Dependant?
    if let first, first.id == id {
      dependant = first.dependant
      self.first = nil
    } else {
      dependant = others.removeValue(forKey: id)
    }
    guard let dependant else { return nil }
    isAbandoned = isEmpty
    return (dependant, isUnwanted)
  }

  /// Records that no copy of the promise remains, and returns whether the value is no longer needed. A promise that never had a dependant
  /// still counts as needed.
  mutating func release() -> Bool {
    isHeld = false
    return isUnwanted
  }

  private var isUnwanted: Bool { isAbandoned && !isHeld && !isSettled }

  /// Sets the closure that stops the work. Returns the previous one, which the caller releases without holding a lock; `nil` if the promise
  /// is settled.
  mutating func setCancellation(_ onCancel: @escaping Settling.Step) -> Settling.Step?? {
    guard !isSettled else { return nil }
    defer { self.onCancel = onCancel }
    return .some(self.onCancel)
  }

  /// Settles the promise with `outcome`. Returns the dependants to notify and the closure that stops the work; `nil` if it was settled
  /// before.
  mutating func settle(_ outcome: SettledOutcome) -> (notification: Notification, onCancel: Settling.Step?)? {
    guard !isSettled else { return nil }
    let notification: Notification = others.isEmpty ? .one(first?.dependant) : .all(inOrder)
    let onCancel = onCancel
    self = Dependants(outcome: outcome)
    return (notification, onCancel)
  }

  /// The dependants to notify.
  enum Notification: Sendable {
    case one(Dependant?)
    case all([Dependant])

    func perform(_ settling: inout Settling) {
      switch self {
      case .one(let dependant): if let dependant { settling.perform(dependant) }
      case .all(let dependants): for dependant in dependants { settling.perform(dependant) }
      }
    }
  }
}

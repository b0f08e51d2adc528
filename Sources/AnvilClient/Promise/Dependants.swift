internal import Synchronization

/// Names one who depends on a promise. Later ones are greater.
struct DependantID: Hashable, Comparable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  static func < (lhs: DependantID, rhs: DependantID) -> Bool { lhs.number < rhs.number }
}

/// Who depends on a promise, and how to stop the work behind it; neither once it is settled.
///
/// Not generic, as it is touched with every step: the runtime would have to look up each generic type anew.
struct Dependants: Sendable {
  /// Told that there is an outcome, or that it is given up.
  typealias Dependant = Settling.Step

  private(set) var isSettled = false
  /// Whether someone could still ask for the value.
  private var isHeld = true
  /// Whether the last who depended on the promise has left.
  private var isAbandoned = false
  /// Stops the work.
  private var onCancel: Settling.Step?
  /// The first to come: most promises have no other.
  private var first: (id: DependantID, dependant: Dependant)?
  private var others: [DependantID: Dependant] = [:]

  init(isSettled: Bool = false, onCancel: Settling.Step? = nil) {
    self.isSettled = isSettled
    self.onCancel = onCancel
  }

  private var isEmpty: Bool { first == nil && others.isEmpty }

  /// Those who depend on the promise, in the order in which they came.
  private var inOrder: [Dependant] {
    let later = others.sorted { $0.key < $1.key }
    guard let first else { return later.map(\.value) }
    let index = later.firstIndex { $0.key > first.id } ?? later.endIndex
    return later[..<index].map(\.value) + [first.dependant] + later[index...].map(\.value)
  }

  /// Keeps `dependant`; says no once the promise is settled.
  mutating func add(_ id: DependantID, _ dependant: @escaping Dependant) -> Bool {
    guard !isSettled else { return false }
    isAbandoned = false
    if first == nil { first = (id, dependant) } else { others[id] = dependant }
    return true
  }

  /// Forgets the dependant `id`, and says whether nobody wants the value any more; `nil` where it is not there.
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

  /// Notes that nobody holds the promise any more, and says whether nobody wants the value either. A value on which nobody
  /// ever depended is not waited for but wanted.
  mutating func release() -> Bool {
    isHeld = false
    return isUnwanted
  }

  private var isUnwanted: Bool { isAbandoned && !isHeld && !isSettled }

  /// Sets what stops the work from now on, and gives back what did before, to be let go of without a lock; `nil` once the
  /// promise is settled.
  mutating func setCancellation(_ onCancel: @escaping Settling.Step) -> Settling.Step?? {
    guard !isSettled else { return nil }
    defer { self.onCancel = onCancel }
    return .some(self.onCancel)
  }

  /// Marks the promise as settled, and gives back who is to be told and what stops the work; `nil` once it is settled.
  mutating func settle() -> (told: Told, onCancel: Settling.Step?)? {
    guard !isSettled else { return nil }
    let told: Told = others.isEmpty ? .one(first?.dependant) : .all(inOrder)
    let onCancel = onCancel
    self = Dependants(isSettled: true)
    return (told, onCancel)
  }

  /// Who is to be told.
  enum Told: Sendable {
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

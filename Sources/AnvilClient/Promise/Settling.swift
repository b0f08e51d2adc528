internal import Synchronization

/// The promises that are being settled, one after the other.
///
/// Settling one promise settles those made of it, and cancelling one may cancel the one it was made of. That is a list of
/// steps here, not a recursion: a chain can be longer than the stack is deep.
struct Settling: ~Copyable {
  typealias Step = (inout Settling) -> Void

  private var steps: [Step] = []

  private init() {}

  /// Adds a step, done after those that were added before it.
  mutating func add(_ step: @escaping Step) {
    steps.append(step)
  }

  /// Does `first` and every step that comes of it.
  static func perform(_ first: Step) {
    var settling = Settling()
    first(&settling)
    while !settling.steps.isEmpty {
      let steps = settling.steps
      settling.steps = []
      for step in steps { step(&settling) }
    }
  }
}

/// Names one who depends on a promise. Later ones are greater.
struct DependantID: Hashable, Comparable, Sendable {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  static func < (lhs: DependantID, rhs: DependantID) -> Bool { lhs.number < rhs.number }
}

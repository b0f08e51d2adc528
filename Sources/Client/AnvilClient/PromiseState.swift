internal import Synchronization

/// The state that copies of a promise share: the outcome, or the dependants and the closure that stops the work.
///
/// The work retains the state until it ends, and so do the derived promises. The state retains the derived promises in turn, and releases
/// them when it is settled. A promise that is not stored is therefore released once its work ends.
final class PromiseState: Sendable {
  enum Conclusion: Sendable {
    case outcome(SettledOutcome)
    /// The outcome of another promise, which may not be settled yet.
    case promise(PromiseHolder)
  }

  private let dependants: Mutex<Dependants>

  init(onCancel: Settling.Step? = nil) {
    dependants = Mutex(Dependants(onCancel: onCancel))
  }

  init(outcome: SettledOutcome) {
    dependants = Mutex(Dependants(outcome: outcome))
  }
}

/// Settles the promise.
extension PromiseState {
  var isSettled: Bool { dependants.withLock(\.isSettled) }

  /// The number of promises and tasks that wait for the outcome.
  var dependantCount: Int { dependants.withLock(\.count) }

  var outcome: SettledOutcome? { dependants.withLock(\.outcome) }

  /// Settles the promise, unless it is settled, and notifies the dependants in the order in which they were added.
  ///
  /// Dependants run the caller's code only after a success. A caller that cancels a promise settles it as failed, and must not run such
  /// code inside that call.
  func settle(_ outcome: SettledOutcome, _ settling: inout Settling) {
    dependants.withLock { $0.settle(outcome) }?.notification.perform(&settling)
  }

  /// Settles the promise as cancelled, unless it is settled, and stops its work.
  ///
  /// The work is stopped before dependants are notified, so that they find it cancelled.
  func cancel(_ settling: inout Settling) {
    let outcome = SettledOutcome.failure(CancellationError())
    guard let before = dependants.withLock({ $0.settle(outcome, isCancelled: true) }) else { return }
    before.task?.cancel()
    if let onCancel = before.onCancel { settling.perform(onCancel) }
    before.notification.perform(&settling)
  }
}

/// Runs the promise's work.
extension PromiseState {
  /// Runs `work` in a task that settles the promise and is cancelled with it.
  func run(_ work: @escaping @Sendable () async -> Conclusion) {
    let task = Task.inheritingExecutor {
      switch await work() {
      case .outcome(let outcome): Settling.perform { self.settle(outcome, &$0) }
      case .promise(let holder): self.follow(holder.state)
      }
    }
    // The promise may have been settled or cancelled meanwhile.
    if !dependants.withLock({ $0.begin(task) }) { task.cancel() }
  }

  /// Settles this promise with the outcome of `other`, and depends on `other` until then.
  private func follow(_ other: PromiseState) {
    let id = DependantID()
    let isPending = onCancel { _ = other.leave(id, &$0) }
    other.join(id) { [self] settling in
      if let outcome = other.outcome { settle(outcome, &settling) }
    }
    if !isPending { Settling.perform { _ = other.leave(id, &$0) } }
  }

  /// Sets the closure that stops the work. Returns `false` if the promise is already settled.
  private func onCancel(_ stop: @escaping Settling.Step) -> Bool {
    dependants.withLock { $0.setCancellation(stop) } != nil
  }
}

/// Connects promises that depend on others.
extension PromiseState {
  /// Returns the state of a promise that depends on this one until it is settled. `step` receives this promise's outcome.
  ///
  /// - Parameter onCancel: A closure that is called if the new promise is cancelled before this one is settled.
  func derive(
    onCancel: @escaping @Sendable () -> Void = {},
    _ step: @escaping @Sendable (SettledOutcome, PromiseState, inout Settling) -> Void
  ) -> PromiseState {
    if let outcome {
      let derived = PromiseState()
      Task.inheritingExecutor { Settling.perform { step(outcome, derived, &$0) } }
      return derived
    }
    let id = DependantID()
    let derived = PromiseState { [self] settling in
      if leave(id, &settling) != nil { onCancel() }
    }
    join(id) { [self] settling in
      if let outcome { step(outcome, derived, &settling) }
    }
    return derived
  }

  /// Adds a dependant that is notified of the outcome. If the promise is already settled, a new task notifies the dependant.
  func join(_ id: DependantID, _ dependant: @escaping Dependants.Dependant) {
    guard !dependants.withLock({ $0.add(id, dependant) }) else { return }
    Task.inheritingExecutor { Settling.perform(dependant) }
  }

  /// Removes the dependant `id`, and cancels the promise if its value is no longer needed.
  ///
  /// - Returns: The dependant, which will not be notified; `nil` if it was notified or removed before.
  func leave(_ id: DependantID, _ settling: inout Settling) -> Dependants.Dependant? {
    guard let (dependant, isUnwanted) = dependants.withLock({ $0.remove(id) }) else { return nil }
    if isUnwanted { cancel(&settling) }
    return dependant
  }

  /// Records that no copy of the promise remains, and cancels the promise if its value is no longer needed.
  func release(_ settling: inout Settling) {
    if dependants.withLock({ $0.release() }) { cancel(&settling) }
  }

  /// Returns the outcome when the promise is settled. The calling task is a dependant that is removed when the task is cancelled.
  func awaitOutcome() async -> SettledOutcome {
    if let outcome { return outcome }
    let id = DependantID()
    let isSettled = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let resume: Dependants.Dependant = { _ in continuation.resume(returning: self.isSettled) }
        if !dependants.withLock({ $0.add(id, resume) }) {
          Settling.perform(resume)
        } else if Task.isCancelled {
          // The cancellation handler below may have run before the dependant was added.
          giveUp(id)
        }
      }
    } onCancel: {
      giveUp(id)
    }
    guard isSettled, let outcome else { return .failure(CancellationError()) }
    return outcome
  }

  private func giveUp(_ id: DependantID) {
    Settling.perform { settling in
      if let dependant = leave(id, &settling) { settling.perform(dependant) }
    }
  }
}

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

  private(set) var outcome: SettledOutcome?
  /// A Boolean value that indicates whether a copy of the promise still exists, through which the value could be requested.
  private var isHeld = true
  /// A Boolean value that indicates whether the last dependant of the promise has left.
  private var isAbandoned = false
  private var isCancelled = false
  private var task: Task<Void, Never>?
  private var onCancel: Settling.Step?
  /// The first dependant, stored separately because most promises have only one.
  private var first: (id: DependantID, dependant: Dependant)?
  private var others: [DependantID: Dependant] = [:]

  init(outcome: SettledOutcome? = nil, onCancel: Settling.Step? = nil) {
    self.outcome = outcome
    self.onCancel = onCancel
  }

  var isSettled: Bool { outcome != nil }

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

  /// Records the task that runs the work. Returns `false` if the promise was cancelled.
  mutating func begin(_ task: Task<Void, Never>) -> Bool {
    if !isSettled { self.task = task }
    return !isCancelled
  }

  /// The consequences of settling a promise: the dependants to notify and, if it was cancelled, the work to stop.
  struct Settlement {
    let notification: Notification
    let task: Task<Void, Never>?
    let onCancel: Settling.Step?
  }

  /// Settles the promise with `outcome`. Returns `nil` if it was settled before.
  mutating func settle(_ outcome: SettledOutcome, isCancelled: Bool = false) -> Settlement? {
    guard !isSettled else { return nil }
    let notification: Notification = others.isEmpty ? .one(first?.dependant) : .all(inOrder)
    let settlement = Settlement(notification: notification, task: task, onCancel: onCancel)
    self = Dependants(outcome: outcome)
    self.isCancelled = isCancelled
    return settlement
  }

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

/// Runs the steps that follow when a promise is settled or cancelled.
///
/// Settling one promise settles the promises derived from it, and cancelling one may cancel the promise it was derived from. The steps run
/// recursively up to a fixed depth. Deeper steps are queued, because a long chain of promises could overflow the stack.
struct Settling: ~Copyable {
  typealias Step = @Sendable (inout Settling) -> Void

  private static let depthLimit = 32

  private var depth = 0
  private var waiting: [Step] = []

  private init() {}

  /// Runs `step`, at once or later.
  @inline(never)
  mutating func perform(_ step: @escaping Step) {
    guard depth < Self.depthLimit else { return waiting.append(step) }
    depth += 1
    step(&self)
    depth -= 1
  }

  /// Runs `first` and all steps that follow from it.
  @inline(never)
  static func perform(_ first: (inout Settling) -> Void) {
    var settling = Settling()
    first(&settling)
    while !settling.waiting.isEmpty {
      let steps = settling.waiting
      settling.waiting = []
      for step in steps { settling.perform(step) }
    }
  }
}

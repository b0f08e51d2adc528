internal import AnvilBase
internal import Synchronization

/// The state that copies of a promise share: the outcome, or the dependants and the work.
///
/// The work and the derived promises retain the state. The state retains the derived promises in turn, and releases
/// them when it is settled. A promise that is not stored is therefore released once its work ends.
///
/// A derived promise takes few objects and one lock for each change: objects are allocated on one thread and released on another, which
/// costs 300 instructions for each of them.
final class PromiseState: Sendable {
  enum Conclusion: Sendable {
    case outcome(SettledOutcome)
    /// The outcome of another promise, which may not be settled yet.
    case promise(PromiseHolder)
  }

  private let dependants: Mutex<Dependants>

  init(work: Dependants.Work = .none) {
    dependants = Mutex(Dependants(work: work))
  }

  init(outcome: SettledOutcome) {
    dependants = Mutex(Dependants(outcome: outcome))
  }
}

/// Settles the promise.
extension PromiseState {
  var isSettled: Bool { dependants.withLock { $0.isSettled } }

  /// The number of promises and tasks that wait for the outcome.
  var dependantCount: Int { dependants.withLock { $0.count } }

  var outcome: SettledOutcome? { dependants.withLock { $0.outcome } }

  /// Settles the promise, unless it is settled, and notifies the dependants in the order in which they were added.
  ///
  /// Dependants run the caller's code only after a success. A caller that cancels a promise settles it as failed, and must not run such
  /// code inside that call.
  func settle(_ outcome: SettledOutcome, _ settling: inout Settling) {
    dependants.withLock { $0.settle(outcome) }?.notify(of: outcome, &settling)
  }

  func settle(_ outcome: SettledOutcome) {
    Settling.perform { settle(outcome, &$0) }
  }

  /// Settles the promise as cancelled, unless it is settled, and stops its work.
  ///
  /// The work is stopped before dependants are notified, so that they find it cancelled.
  func cancel(_ settling: inout Settling) {
    let outcome = SettledOutcome.failure(CancellationError())
    guard let before = dependants.withLock({ $0.settle(outcome, isCancelled: true) }) else { return }
    switch before.work {
    case .none: break
    case .task(let task): task.cancel()
    case .derived(let source), .following(let source): settling.perform(.leave(source))
    }
    before.notify(of: outcome, &settling)
  }
}

/// Runs the promise's work.
extension PromiseState {
  /// Runs `work` in a task that settles the promise and is cancelled with it.
  func run(_ work: @escaping @Sendable () async -> Conclusion) {
    begin(
      Task.inheritingExecutor { [self] in
        switch await work() {
        case .outcome(let outcome): settle(outcome)
        case .promise(let holder): follow(holder.state)
        }
      })
  }

  /// Runs `call` in a task that settles the promise with the response and is cancelled with it.
  func run(_ call: consuming GatewayCall) {
    // Not by `inheritingExecutor`, whose closure needs another thunk.
    guard let executor = PreferredExecutor.current else {
      return begin(Task { [self, call] in await settle(by: call) })
    }
    begin(Task(executorPreference: executor) { [self, call] in await settle(by: call) })
  }

  private func settle(by call: GatewayCall) async {
    do throws(TransportFailure) {
      let success = try await call.exchange(.collected)
      settle(SettledOutcome(value: success.response, reportingTo: success.outcome))
    } catch {
      settle(.failure(error))
    }
  }

  /// Makes `task`, which settles the promise, its work.
  private func begin(_ task: Task<Void, Never>) {
    // The promise may have been settled or cancelled meanwhile. The previous work is released without a lock.
    let (_, isCancelled) = dependants.withLock { ($0.begin(task), $0.isCancelled) }
    if isCancelled { task.cancel() }
  }

  /// Settles this promise with the outcome of `other`, and depends on `other` until then.
  private func follow(_ other: PromiseState) {
    let source = PromiseSource(state: other)
    let (_, isSettled) = dependants.withLock { ($0.follow(source), $0.isSettled) }
    if let outcome = other.add(source.id, .follower(self)) { return settle(outcome) }
    if isSettled { Settling.perform { other.leave(source.id, &$0) } }
  }
}

/// Connects promises that depend on others.
extension PromiseState {
  /// Returns the state of a promise that depends on this one until it is settled.
  ///
  /// - Parameter dependant: Returns the dependant of this promise that settles the given state.
  func derive(_ dependant: (PromiseState) -> Dependant) -> PromiseState {
    let source = PromiseSource(state: self)
    let derived = PromiseState(work: .derived(from: source))
    let dependant = dependant(derived)
    if let outcome = add(source.id, dependant) {
      Task.inheritingExecutor { Settling.perform { dependant.receive(outcome, &$0) } }
    }
    return derived
  }

  /// Returns the state of a promise that is settled by `step`, which receives the outcome of this one.
  func derive(_ step: @escaping Dependant.Step) -> PromiseState {
    derive { .step($0, step) }
  }

  /// Adds a dependant that is notified of the outcome. If the promise is already settled, returns the outcome instead.
  private func add(_ id: PromiseSource.ID, _ dependant: Dependant) -> SettledOutcome? {
    dependants.withLock { $0.add(id, dependant) }
  }

  /// Removes the dependant `id`, and cancels the promise if its value is no longer needed. Does nothing if the dependant was notified or
  /// removed before.
  func leave(_ id: PromiseSource.ID, _ settling: inout Settling) {
    guard let (dependant, isUnwanted) = dependants.withLock({ $0.remove(id) }) else { return }
    if isUnwanted { cancel(&settling) }
    dependant.giveUp()
  }

  /// Records that no copy of the promise remains, and cancels the promise if its value is no longer needed.
  func release() {
    if dependants.withLock({ $0.release() }) { Settling.perform { cancel(&$0) } }
  }

  /// Returns the outcome when the promise is settled. The calling task is a dependant that is removed when the task is cancelled.
  func awaitOutcome() async -> SettledOutcome {
    if let outcome { return outcome }
    let id = PromiseSource.ID()
    return await withTaskCancellationHandler {
      await WaitingTask.wait { task in
        if let outcome = add(id, .task(task)) {
          task.resume(with: outcome)
        } else if Task.isCancelled {
          // The cancellation handler below may have run before the dependant was added.
          Settling.perform { leave(id, &$0) }
        }
      }
    } onCancel: {
      Settling.perform { leave(id, &$0) }
    }
  }
}

/// A promise that another promise depends on, and the identity of the dependant.
struct PromiseSource: Sendable {
  /// The identity of a dependant. Later identities are greater.
  struct ID: Hashable, Comparable, Sendable {
    private static let last = Atomic<UInt64>(0)

    private let number: UInt64

    init() {
      number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    }

    static func < (lhs: ID, rhs: ID) -> Bool { lhs.number < rhs.number }
  }

  let state: PromiseState
  let id = ID()
}

/// A task or a promise that waits for the outcome of a promise.
enum Dependant: Sendable {
  typealias Step = @Sendable (SettledOutcome) -> StepResult
  typealias Observation = @Sendable (SettledOutcome) async -> Void

  case task(WaitingTask)
  /// A promise with the same outcome.
  case follower(PromiseState)
  /// A promise that is settled by the result of the step.
  case step(PromiseState, Step)
  /// A promise with the same outcome, which is settled when the observation has ended. A task that is never cancelled runs the observation
  /// once with any outcome, because it may have to clean up.
  case observer(PromiseState, Observation)

  enum StepResult {
    case outcome(SettledOutcome)
    /// The work of the derived promise, which runs in a new task.
    case work(@Sendable () async -> PromiseState.Conclusion)
  }

  func receive(_ outcome: SettledOutcome, _ settling: inout Settling) {
    switch self {
    case .task(let task): task.resume(with: outcome)
    case .follower(let state): state.settle(outcome, &settling)
    case .step(let derived, let step):
      guard !derived.isSettled else { return }
      switch step(outcome) {
      case .outcome(let outcome): derived.settle(outcome, &settling)
      case .work(let work): derived.run(work)
      }
    case .observer(let derived, let observe):
      Task.inheritingExecutor {
        await observe(outcome)
        derived.settle(outcome)
      }
    }
  }

  /// Stops waiting. The promise that the dependant settles is already cancelled.
  func giveUp() {
    let outcome = SettledOutcome.failure(CancellationError())
    switch self {
    case .task(let task): task.resume(with: outcome)
    case .follower, .step: break
    case .observer(_, let observe): Task.inheritingExecutor { await observe(outcome) }
    }
  }
}

/// The part of the state of a promise that changes. Until the promise is settled, it contains the dependants and the work. From then on, it
/// contains the outcome. It is moved, because copies of its objects take instructions.
struct Dependants: ~Copyable, Sendable {
  /// The process that settles a promise.
  enum Work: Sendable {
    case none
    /// The promise is settled when its source is. If the step runs a task, the task replaces this.
    case derived(from: PromiseSource)
    case task(Task<Void, Never>)
    /// The promise that the task has returned.
    case following(PromiseSource)
  }

  private(set) var outcome: SettledOutcome?
  private(set) var work: Work
  /// A Boolean value that indicates whether a copy of the promise still exists, through which the value could be requested.
  private var isHeld = true
  /// A Boolean value that indicates whether the last dependant of the promise has left.
  private var isAbandoned = false
  private(set) var isCancelled = false
  /// The first dependant, stored separately because most promises have only one.
  private var first: (id: PromiseSource.ID, dependant: Dependant)?
  private var others: [PromiseSource.ID: Dependant] = [:]

  init(outcome: SettledOutcome? = nil, work: Work = .none) {
    self.outcome = outcome
    self.work = work
  }

  var isSettled: Bool { outcome != nil }

  var count: Int { (first == nil ? 0 : 1) + others.count }

  private var isEmpty: Bool { first == nil && others.isEmpty }

  /// Adds `dependant`. Returns the outcome instead if the promise is settled.
  mutating func add(_ id: PromiseSource.ID, _ dependant: Dependant) -> SettledOutcome? {
    if let outcome { return outcome }
    isAbandoned = false
    if isEmpty { first = (id, dependant) } else { others[id] = dependant }
    return nil
  }

  /// Removes the dependant `id` and returns it. Also returns whether the value is no longer needed. Returns `nil` if
  /// `id` is not found.
  mutating func remove(_ id: PromiseSource.ID) -> (dependant: Dependant, isUnwanted: Bool)? {
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

  /// Makes `task` the work, unless the promise is settled or already follows the promise that the task has returned. Returns the previous
  /// work.
  mutating func begin(_ task: Task<Void, Never>) -> Work {
    if case .following = work { return work }
    return replaceWork(by: .task(task))
  }

  /// Makes `source` the work, unless the promise is settled. Returns the previous work.
  mutating func follow(_ source: PromiseSource) -> Work {
    replaceWork(by: .following(source))
  }

  private mutating func replaceWork(by new: Work) -> Work {
    guard !isSettled else { return work }
    defer { work = new }
    return work
  }

  /// Settles the promise with `outcome`. Returns the state before, or `nil` if the promise was settled before.
  mutating func settle(_ outcome: SettledOutcome, isCancelled: Bool = false) -> Dependants? {
    guard !isSettled else { return nil }
    var dependants = Dependants(outcome: outcome)
    dependants.isCancelled = isCancelled
    swap(&self, &dependants)
    return dependants
  }

  func notify(of outcome: SettledOutcome, _ settling: inout Settling) {
    if let first { settling.perform(.notify(first.dependant, outcome)) }
    guard !others.isEmpty else { return }
    for (_, dependant) in others.sorted(on: { $0.key }) { settling.perform(.notify(dependant, outcome)) }
  }
}

/// Runs the steps that follow when a promise is settled or cancelled.
///
/// Settling one promise settles the promises derived from it, and cancelling one may cancel the promise it was derived from. The steps run
/// recursively up to a fixed depth. Deeper steps are queued, because a long chain of promises could overflow the stack.
struct Settling: ~Copyable {
  enum Step {
    case notify(Dependant, SettledOutcome)
    case leave(PromiseSource)
  }

  private static let depthLimit = 32

  private var depth = 0
  private var waiting: [Step] = []

  private init() {}

  /// Runs `step`, at once or later.
  @inline(never)
  mutating func perform(_ step: Step) {
    guard depth < Self.depthLimit else { return waiting.append(step) }
    depth += 1
    switch step {
    case .notify(let dependant, let outcome): dependant.receive(outcome, &self)
    case .leave(let source): source.state.leave(source.id, &self)
    }
    depth -= 1
  }

  /// Runs `first` and all steps that follow from it.
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

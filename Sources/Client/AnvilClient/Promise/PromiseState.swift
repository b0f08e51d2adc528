internal import Synchronization

/// The state that copies of a promise share: the outcome, or the dependants and the closure that stops the work.
///
/// The work retains the state until it ends, and so do the derived promises. The state retains the derived promises in turn, and releases
/// them when it is settled. A promise that is not stored is therefore released once its work ends.
final class PromiseState: Sendable {
  /// The result of a promise's work.
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

  /// The outcome, if the promise is settled.
  var outcome: SettledOutcome? { dependants.withLock(\.outcome) }

  /// Settles the promise, unless it is settled, and notifies the dependants in the order in which they were added.
  ///
  /// Dependants run the caller's code only after a success. A caller that cancels a promise settles it as failed, and must not run such
  /// code inside that call.
  func settle(_ outcome: SettledOutcome, _ settling: inout Settling) {
    finish(outcome)?.notification.perform(&settling)
  }

  /// Settles the promise as cancelled, unless it is settled, and stops its work.
  ///
  /// The work is stopped before dependants are notified, so that they find it cancelled.
  func cancel(_ settling: inout Settling) {
    guard let before = finish(.failure(CancellationError())) else { return }
    if let onCancel = before.onCancel { settling.perform(onCancel) }
    before.notification.perform(&settling)
  }

  /// Marks the promise as settled. Returns the dependants to notify and the closure that stops the work, or `nil` if it was settled before.
  private func finish(_ outcome: SettledOutcome) -> (notification: Dependants.Notification, onCancel: Settling.Step?)? {
    dependants.withLock { $0.settle(outcome) }
  }
}

/// Runs the promise's work.
extension PromiseState {
  /// Runs `work` in a task that settles the promise and is cancelled with it.
  func run(_ work: @escaping @Sendable () async -> Conclusion) {
    // Set before the task exists: the task may end at once and follow another promise, which sets a closure of its own.
    let running = RunningTask()
    if !onCancel({ _ in running.cancel() }) { running.cancel() }
    running.start(
      Task.inheritingExecutor {
        switch await work() {
        case .outcome(let outcome): Settling.perform { self.settle(outcome, &$0) }
        case .promise(let holder): self.follow(holder.state)
        }
      })
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

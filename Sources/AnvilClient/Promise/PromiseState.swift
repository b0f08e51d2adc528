internal import Synchronization

/// What the copies of a promise share: its outcome, or who depends on it and how to stop the work.
///
/// A state is held by its work until that ends, and by the promises made of it, which it holds, too; what it holds it drops
/// when it is settled. So nothing is left behind by a promise that nobody keeps, as long as work comes to an end.
final class PromiseState<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, any Error>

  /// What a promise's work ends in.
  enum Conclusion: Sendable {
    case outcome(Outcome)
    /// The outcome is going to be that of another promise.
    case promise(Promise<Value>)
  }

  private let dependants: Mutex<Dependants>
  /// Written once, while the lock of ``dependants`` is held.
  private let settled: Mutex<Outcome?>

  init(onCancel: Settling.Step? = nil) {
    dependants = Mutex(Dependants(onCancel: onCancel))
    settled = Mutex(nil)
  }

  init(outcome: Outcome) {
    dependants = Mutex(Dependants(isSettled: true))
    settled = Mutex(outcome)
  }
}

/// Settling.
extension PromiseState {
  var isSettled: Bool { dependants.withLock(\.isSettled) }

  /// The outcome, if there is one.
  var outcome: Outcome? { settled.withLock { $0 } }

  /// Settles the promise, unless it is, and tells those who depend on it, in the order in which they came.
  ///
  /// They run code of the caller's for a success only: whoever cancels a promise settles it as failed, and must not find
  /// itself running such code.
  func settle(_ outcome: Outcome, _ settling: inout Settling) {
    finish(outcome)?.told.perform(&settling)
  }

  /// Settles the promise as cancelled, unless it is settled, and stops its work.
  ///
  /// The work is stopped first: those who then go on must find it cancelled.
  func cancel(_ settling: inout Settling) {
    guard let before = finish(.failure(CancellationError())) else { return }
    if let onCancel = before.onCancel { settling.perform(onCancel) }
    before.told.perform(&settling)
  }

  /// Who is to be told, and what stops the work, if the promise was not settled before.
  private func finish(_ outcome: Outcome) -> (told: Dependants.Told, onCancel: Settling.Step?)? {
    dependants.withLock { dependants in
      let before = dependants.settle()
      if before != nil { settled.withLock { $0 = outcome } }
      return before
    }
  }
}

/// Working.
extension PromiseState {
  /// Begins `work` in a task, which settles the promise and is cancelled with it.
  func run(_ work: @escaping @Sendable () async -> Conclusion) {
    let task = Task(executorPreference: PreferredExecutor.current) {
      switch await work() {
      case .outcome(let outcome): Settling.perform { self.settle(outcome, &$0) }
      case .promise(let promise): self.follow(promise.state)
      }
    }
    if !onCancel({ _ in task.cancel() }) { task.cancel() }
  }

  /// Settles as `other` does, and depends on it until then.
  private func follow(_ other: PromiseState) {
    let id = DependantID()
    let isPending = onCancel { _ = other.leave(id, &$0) }
    other.join(id) { [self] settling in
      if let outcome = other.outcome { settle(outcome, &settling) }
    }
    if !isPending { Settling.perform { _ = other.leave(id, &$0) } }
  }

  /// Sets what stops the work from now on, and says whether that can still happen.
  private func onCancel(_ stop: @escaping Settling.Step) -> Bool {
    dependants.withLock { $0.setCancellation(stop) } != nil
  }
}

/// Depending.
extension PromiseState {
  /// Has `dependant` told when there is an outcome, or by a task of its own where there is one already.
  func join(_ id: DependantID, _ dependant: @escaping Dependants.Dependant) {
    guard !dependants.withLock({ $0.add(id, dependant) }) else { return }
    Task(executorPreference: PreferredExecutor.current) { Settling.perform(dependant) }
  }

  /// Forgets the dependant `id`, and cancels the promise when nobody wants its value any more.
  ///
  /// - Returns: the dependant, which is not going to be told; `nil` if it was told or has left before.
  func leave(_ id: DependantID, _ settling: inout Settling) -> Dependants.Dependant? {
    guard let (dependant, isUnwanted) = dependants.withLock({ $0.remove(id) }) else { return nil }
    if isUnwanted { cancel(&settling) }
    return dependant
  }

  /// Notes that nobody holds the promise any more, and cancels it when nobody wants its value either.
  func release(_ settling: inout Settling) {
    if dependants.withLock({ $0.release() }) { cancel(&settling) }
  }

  /// The outcome, waited for as a dependant that leaves when its task is cancelled.
  func awaitOutcome() async -> Outcome {
    if let outcome { return outcome }
    let id = DependantID()
    let isSettled = await withTaskCancellationHandler {
      // Not of the outcome: the runtime would have to look up that generic type anew with each promise.
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let resume: Dependants.Dependant = { _ in continuation.resume(returning: self.isSettled) }
        if !dependants.withLock({ $0.add(id, resume) }) {
          Settling.perform(resume)
        } else if Task.isCancelled {
          // The handler below may have come before there was anyone to leave.
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

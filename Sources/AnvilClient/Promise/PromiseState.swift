internal import Synchronization

/// What the copies of a promise share: its outcome, or who depends on it and how to cancel the work.
///
/// A state is held by its work until that ends, and by the promises made of it; what it holds itself it drops when it is
/// settled. So nothing is left behind by a promise that nobody keeps.
final class PromiseState<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, any Error>
  /// Told the outcome, as one step of settling. Runs code of the caller's for a success only: whoever cancels a promise
  /// settles it as failed and must not find itself running such code.
  typealias Dependant = @Sendable (Outcome, inout Settling) -> Void
  /// Stops the work, as one step of settling.
  typealias Cancellation = @Sendable (inout Settling) -> Void

  /// What a promise's work ends in.
  enum Conclusion: Sendable {
    case outcome(Outcome)
    /// The outcome is going to be that of another promise.
    case promise(Promise<Value>)
  }

  private struct Contents {
    var outcome: Outcome?
    var dependants: [DependantID: Dependant] = [:]
    var onCancel: Cancellation?
  }

  private let contents: Mutex<Contents>

  init(onCancel: Cancellation? = nil) {
    contents = Mutex(Contents(onCancel: onCancel))
  }

  init(outcome: Outcome) {
    contents = Mutex(Contents(outcome: outcome))
  }
}

/// Settling.
extension PromiseState {
  var isSettled: Bool { contents.withLock { $0.outcome != nil } }

  /// Settles the promise, unless it is, and tells those who depend on it, in the order in which they came.
  func settle(_ outcome: Outcome, _ settling: inout Settling) {
    _ = finish(outcome, &settling)
  }

  /// Settles the promise as cancelled, unless it is settled, and stops its work.
  func cancel(_ settling: inout Settling) {
    if let onCancel = finish(.failure(CancellationError()), &settling)?.onCancel { settling.add(onCancel) }
  }

  private func finish(_ outcome: Outcome, _ settling: inout Settling) -> Contents? {
    let before = contents.withLock { contents -> Contents? in
      guard contents.outcome == nil else { return nil }
      let before = contents
      contents = Contents(outcome: outcome)
      return before
    }
    for (_, dependant) in before?.dependants.sorted(by: { $0.key < $1.key }) ?? [] {
      settling.add { dependant(outcome, &$0) }
    }
    return before
  }
}

/// Working.
extension PromiseState {
  /// Begins `work` in a task, which settles the promise and is cancelled with it.
  func run(_ work: @escaping @Sendable () async -> Conclusion) {
    let task = Task {
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
    other.join(id) { self.settle($0, &$1) }
    if !isPending { Settling.perform { _ = other.leave(id, &$0) } }
  }

  /// Sets what cancels the work from now on, and says whether that can still happen.
  private func onCancel(_ cancellation: @escaping Cancellation) -> Bool {
    contents.withLock { contents in
      guard contents.outcome == nil else { return false }
      contents.onCancel = cancellation
      return true
    }
  }
}

/// Depending.
extension PromiseState {
  /// Has `dependant` told the outcome: when there is one, or by a task of its own where there is one already.
  func join(_ id: DependantID, _ dependant: @escaping Dependant) {
    guard let outcome = register(id, dependant) else { return }
    Task { Settling.perform { dependant(outcome, &$0) } }
  }

  /// Forgets the dependant `id`, and cancels the promise when that was the last one.
  ///
  /// - Returns: the dependant, which is not going to be told; `nil` if it was told or has left before.
  func leave(_ id: DependantID, _ settling: inout Settling) -> Dependant? {
    let (dependant, isLast) = contents.withLock { contents in
      (contents.dependants.removeValue(forKey: id), contents.dependants.isEmpty)
    }
    if dependant != nil, isLast { cancel(&settling) }
    return dependant
  }

  /// The outcome, waited for as a dependant that leaves when its task is cancelled.
  func outcome() async -> Outcome {
    let id = DependantID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let outcome = register(id, { outcome, _ in continuation.resume(returning: outcome) }) {
          continuation.resume(returning: outcome)
        } else if Task.isCancelled {
          // The handler below may have come before there was anyone to leave.
          giveUp(id)
        }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  private func giveUp(_ id: DependantID) {
    Settling.perform { settling in
      leave(id, &settling)?(.failure(CancellationError()), &settling)
    }
  }

  /// Keeps `dependant`, unless there is an outcome to tell already.
  private func register(_ id: DependantID, _ dependant: @escaping Dependant) -> Outcome? {
    contents.withLock { contents in
      if contents.outcome == nil { contents.dependants[id] = dependant }
      return contents.outcome
    }
  }
}

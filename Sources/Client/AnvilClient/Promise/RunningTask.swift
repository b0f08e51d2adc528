internal import Synchronization

/// A task that can be cancelled before it exists.
final class RunningTask: Sendable {
  private enum State {
    case waiting
    case running(Task<Void, Never>)
    case cancelled
  }

  private let state = Mutex(State.waiting)

  /// Cancels the task, or the task that is started later.
  func cancel() {
    let before = state.withLock { state in
      let before = state
      state = .cancelled
      return before
    }
    if case .running(let task) = before { task.cancel() }
  }

  /// Records that `task` is running.
  func start(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(task)
      return false
    }
    if isCancelled { task.cancel() }
  }
}

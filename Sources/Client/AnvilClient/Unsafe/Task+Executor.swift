/// The way in which a task starts.
enum Start {
  /// The task starts soon, on a thread of its executor.
  case later
  /// The task runs on the current thread until it first waits, if that thread is one of its executor. It may then have ended when its creation
  /// returns: creating it took 30,000 instructions less for an exchange that does not wait.
  case inPlace
}

extension Task where Success == Void, Failure == Never {
  /// Runs `operation` in a new task that prefers the same task executor as the current one.
  ///
  /// If the current task has no preference, the new task is created without one. With a preference of `nil`, the runtime would look up the
  /// preference at each step of the task.
  @discardableResult
  static func inheritingExecutor(
    _ start: Start = .later, _ operation: @escaping @Sendable @concurrent () async -> Void
  ) -> Task<Void, Never> {
    let executor = PreferredExecutor.current
    if start == .inPlace, executor == nil, #available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *) {
      return Task.immediate(operation: operation)
    }
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }
}

/// The task executor preference of the current task.
@safe
private enum PreferredExecutor {
  /// The task executor that the current task prefers. `nil` if it has no preference, if there is no current task, or if the system is too
  /// old to report one.
  static var current: (any TaskExecutor)? {
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
    // Safety: a task retains the executor that it prefers, and the current task cannot end during this call.
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
  }
}

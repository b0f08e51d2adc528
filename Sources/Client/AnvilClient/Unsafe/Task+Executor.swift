extension Task where Success == Void, Failure == Never {
  /// Runs `operation` in a new task that prefers the same task executor as the current one.
  ///
  /// If the current task has no preference, the new task is created without one. With a preference of `nil`, the runtime would look up the
  /// preference at each step of the task.
  @discardableResult
  static func inheritingExecutor(_ operation: @escaping @Sendable @isolated(any) () async -> Void) -> Task<Void, Never>
  {
    guard let executor = PreferredExecutor.current else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }
}

/// The task executor preference of the current task.
@safe
enum PreferredExecutor {
  /// The task executor that the current task prefers. `nil` if it has no preference, if there is no current task, or if the system is too
  /// old to report one.
  static var current: (any TaskExecutor)? {
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
    // Safety: a task retains the executor that it prefers, and the current task cannot end during this call.
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
  }
}

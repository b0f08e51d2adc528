/// Where the current task prefers to run.
@safe
enum PreferredExecutor {
  /// The task executor that the current task prefers; `nil` where it prefers none, there is no task, or the system is too old to
  /// tell.
  static var current: (any TaskExecutor)? {
    guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
    // Safety: a task keeps the executor that it prefers, and the current one does not end here.
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
  }
}

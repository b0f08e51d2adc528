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

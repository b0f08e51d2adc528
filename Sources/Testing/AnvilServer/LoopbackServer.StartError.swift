extension LoopbackServer {
  /// An error thrown if a server cannot start to listen, for example because no file descriptor, port or thread is available.
  public struct StartError: Error, Hashable, CustomStringConvertible {
    /// The system call that failed, such as `bind`.
    package let operation: String
    /// The system's error message.
    package let reason: String

    /// The failed operation and the reason.
    public var description: String {
      "the loopback server cannot listen: \(operation): \(reason)"
    }
  }
}

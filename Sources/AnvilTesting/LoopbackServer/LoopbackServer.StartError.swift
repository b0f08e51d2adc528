extension LoopbackServer {
  /// Why a server could not start to listen; one for lack of file descriptors, ports or threads.
  public struct StartError: Error, Hashable, CustomStringConvertible {
    /// The system call that failed, such as `bind`.
    public let operation: String
    /// What the system said.
    public let reason: String

    /// What failed and why.
    public var description: String {
      "the loopback server cannot listen on loopback: \(operation): \(reason)"
    }
  }
}

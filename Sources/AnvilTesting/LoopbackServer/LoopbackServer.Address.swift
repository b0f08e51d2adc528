extension LoopbackServer {
  /// On which of the machine's own addresses a server listens.
  public enum Address: Hashable, Sendable {
    /// `127.0.0.1`.
    case ipv4
    /// `::1`, which not every machine has: where it is missing the server cannot start.
    case ipv6

    /// As it stands in a URL.
    var host: String {
      switch self {
      case .ipv4: "127.0.0.1"
      case .ipv6: "[::1]"
      }
    }
  }
}

extension LoopbackServer {
  /// A loopback address on which a server listens.
  public enum Address: Hashable, Sendable {
    /// `127.0.0.1`.
    case ipv4
    /// `::1`. The server cannot start on machines without IPv6.
    case ipv6

    /// The address in the form that a URL uses.
    var host: String {
      switch self {
      case .ipv4: "127.0.0.1"
      case .ipv6: "[::1]"
      }
    }
  }
}

extension LoopbackServer {
  /// The handling of request bodies by a server.
  public enum BodyPolicy: Hashable, Sendable {
    /// Keeps each body in ``Request/body``. A body of more than 64 MiB is answered with 413.
    case kept
    /// Counts the bytes of each body in ``Request/bodyByteCount`` and discards them. The length of a body is unlimited.
    case counted
  }
}

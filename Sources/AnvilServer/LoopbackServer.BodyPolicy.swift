extension LoopbackServer {
  /// The handling of request bodies by a server.
  public enum BodyPolicy: Hashable, Sendable {
    /// Keeps them in ``Request/body``. A body of more than 64 MiB is answered with 413.
    case kept
    /// Counts their bytes in ``Request/bodyByteCount`` and discards them. Their length is unlimited.
    case counted
  }
}

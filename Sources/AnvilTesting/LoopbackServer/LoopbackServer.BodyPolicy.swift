extension LoopbackServer {
  /// What a server does with the bodies of requests.
  public enum BodyPolicy: Hashable, Sendable {
    /// Keeps them: ``Request/body``. At most 64 MiB each, beyond which the answer is 413.
    case kept
    /// Counts their bytes and drops them: ``Request/bodyByteCount``. They can be of any length.
    case counted
  }
}

/// Coordinates the clients of several processes: they share rate limits, the pauses that servers request, and tokens.
///
/// `StoreCoordinator` of AnvilSync uses a database for this. Pass it to ``RateLimiter`` and ``TokenRefresher``.
public protocol ClientCoordinator: Sendable {
  /// Reserves the start of a request, so that at most `requests` start within any `interval` in all processes, and none during a pause.
  ///
  /// - Parameters:
  ///   - name: The name of the limit.
  ///   - requests: The maximum number of requests; `Int.max` if only pauses delay them.
  ///   - interval: The time for which a start counts.
  ///   - remaining: The longest time that the request may wait; `nil` for no limit. If it is too short, nothing is reserved.
  /// - Returns: The time until the start. If it is not less than `remaining`, nothing was reserved.
  func reserveStart(
    of name: String, requests: Int, per interval: Duration, within remaining: Duration?
  ) async throws -> Duration

  /// Prevents requests that count towards the limit `name` from starting for `duration`, in all processes.
  func pause(_ name: String, for duration: Duration) async throws

  /// Returns a valid token other than `old`. A stored token is used if it qualifies. Otherwise `refresh` is called, and
  /// its result is stored.
  ///
  /// `refresh` runs in only one process at a time, in the task of the caller.
  ///
  /// - Parameters:
  ///   - name: The name of the token.
  ///   - old: The token to replace; `nil` for any token.
  ///   - refresh: Returns a new token. It receives `old`, or the stored token.
  /// - Returns: The token, and whether `refresh` was called for it.
  func token(
    _ name: String, insteadOf old: TokenRefresher.Token?, refresh: TokenRefresher.Refresh
  ) async throws -> (token: TokenRefresher.Token, isNew: Bool)
}

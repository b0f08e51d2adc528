/// Coordinates the clients of several processes: they share rate limits, the pauses that servers request, and tokens.
///
/// `StoreCoordinator` of AnvilSync does so through a database. Pass it to ``RateLimiter`` and ``TokenRefresher``.
public protocol ClientCoordinator: Sendable {
  /// Reserves the start of a request, so that at most `requests` start within any `interval` in all processes, and none during a pause.
  ///
  /// - Parameters:
  ///   - name: The name of the limit.
  ///   - requests: The maximum number of requests; `Int.max` if only pauses delay them.
  ///   - interval: The time for which a start counts.
  ///   - remaining: The longest time that the request may wait; `nil` for no limit. If it is too short, nothing is reserved.
  /// - Returns: The time until the start.
  func reserveStart(
    of name: String, requests: Int, per interval: Duration, within remaining: Duration?
  ) async throws -> Duration

  /// Delays the requests of all processes.
  func pause(_ name: String, for duration: Duration) async throws

  /// Returns a token that is valid and not `old`: the stored one if there is such a token, and otherwise the result of `refresh`, which is
  /// stored. `refresh` runs in one process at a time, in the task of the caller.
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

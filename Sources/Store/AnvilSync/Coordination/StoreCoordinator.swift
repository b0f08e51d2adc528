public import AnvilClient
public import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A coordinator for the clients of all processes that use a database. The clients share rate limits, the pauses that servers request, and
/// tokens.
///
///     let coordinator = StoreCoordinator(store)
///     configuration.rateLimit = RateLimiter(requests: 10, per: .seconds(1), coordinator: coordinator)
///     configuration.authentication = [
///       .bearer(TokenRefresher(sharedAs: "github", by: coordinator) { old in try await newToken(insteadOf: old) })
///     ]
///
/// The state is in the tables `anvil_limits` and `anvil_tokens`, and times are those of the database's clock. Each request waits for one
/// transaction before it is sent. If a refresh takes longer than a minute, another process may start one as well.
///
/// - Important: Tokens are stored in clear text unless you pass `seal` and `open`. Everyone who can read the database can then use them.
public struct StoreCoordinator: ClientCoordinator {
  private let context: Store
  private let seal: @Sendable (String) throws -> String
  private let open: @Sendable (String) throws -> String

  /// Creates a coordinator of the processes that use the store's database.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - seal: Returns the text that is stored for a token, such as its encryption.
  ///   - open: Returns the token for a stored text. If it throws, the token is refreshed.
  public init(
    _ store: Store, seal: @escaping @Sendable (String) throws -> String = { $0 },
    open: @escaping @Sendable (String) throws -> String = { $0 }
  ) {
    context = store.context
    self.seal = seal
    self.open = open
  }

  /// Reserves the start of a request; see `ClientCoordinator`.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  public func reserveStart(
    of name: String, requests: Int, per interval: Duration, within remaining: Duration?
  ) async throws -> Duration {
    guard requests < .max else {
      return try await context.read { transaction in
        guard let limit = try transaction.fetch(SharedLimit.self, key: name) else { return .zero }
        return .delay(limit.pauseEnd - (try transaction.currentTime()))
      }
    }
    return try await change(name) { limit, now in
      .delay(
        limit.reserveStart(
          at: now, requests: requests, per: interval / .seconds(1), within: remaining.map { $0 / .seconds(1) }))
    }
  }

  /// Delays later requests of all processes; see `ClientCoordinator`.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  public func pause(_ name: String, for duration: Duration) async throws {
    try await change(name) { limit, now in limit.pause(until: now + duration / .seconds(1)) }
  }

  private func change<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable (inout SharedLimit, Double) -> Result
  ) async throws -> Result {
    try await context.perform { transaction in
      let stored = try transaction.sharedRow(SharedLimit.self, named: name)
      var limit = stored ?? SharedLimit(name: name)
      // Read after the row is locked, so that times do not go back.
      let result = body(&limit, try transaction.currentTime())
      if limit != stored { try transaction.save(limit) }
      return result
    }
  }
}

/// Shares tokens between processes.
extension StoreCoordinator {
  private enum Claim: Sendable {
    case stored(TokenRefresher.Token)
    /// The token must be refreshed. The value is the stored token.
    case refresh(TokenRefresher.Token?)
    /// Another process refreshes the token.
    case wait
  }

  private static let pause = Duration.milliseconds(100)

  /// Returns a valid token that is not equal to `old`; see `ClientCoordinator`. Refreshes the token if no such token is stored.
  ///
  /// - Throws: The errors of `refresh` and `seal`; `StoreError`; `CancellationError`.
  public func token(
    _ name: String, insteadOf old: TokenRefresher.Token?, refresh: TokenRefresher.Refresh
  ) async throws -> (token: TokenRefresher.Token, isNew: Bool) {
    let owner = UUID().uuidString
    while true {
      switch try await claim(name, insteadOf: old, for: owner) {
      case .stored(let token): return (token, false)
      case .wait: try await Task.sleep(for: Self.pause)
      case .refresh(let stored):
        do {
          let token = try await refresh(old ?? stored)
          let sealed = try seal(token.value)
          try await endClaim(name, of: owner) { row in
            row.token = sealed
            row.expiry = token.expiry?.timeIntervalSinceReferenceDate
          }
          return (token, true)
        } catch {
          // The claim also ends if the task was cancelled, so that other processes can refresh immediately.
          _ = await Task { try await endClaim(name, of: owner) { _ in } }.result
          throw error
        }
      }
    }
  }

  private func claim(
    _ name: String, insteadOf old: TokenRefresher.Token?, for owner: String
  ) async throws -> Claim {
    try await context.perform { [open] transaction in
      var row = try transaction.sharedRow(SharedToken.self, named: name) ?? SharedToken(name: name)
      let now = try transaction.currentTime()
      let stored = row.token.flatMap { try? open($0) }.map { value in
        TokenRefresher.Token(value, expiry: row.expiry.map(Date.init(timeIntervalSinceReferenceDate:)))
      }
      if let stored, stored.value != old?.value, row.expiry.map({ $0 > now }) ?? true { return .stored(stored) }
      if !row.owner.isEmpty, row.claimEnd > now { return .wait }
      row.owner = owner
      row.claimEnd = now + SharedToken.longestRefresh
      try transaction.save(row)
      return .refresh(stored)
    }
  }

  /// Ends the claim and changes the row. Does nothing if another process has claimed the refresh in the meantime.
  private func endClaim(
    _ name: String, of owner: String, _ change: @escaping @Sendable (inout SharedToken) -> Void
  ) async throws {
    try await context.perform { transaction in
      guard var row = try transaction.fetch(SharedToken.self, key: name), row.owner == owner else { return }
      (row.owner, row.claimEnd) = ("", 0)
      change(&row)
      try transaction.save(row)
    }
  }
}

extension Duration {
  /// Returns a delay of `seconds`, between zero and thirty years. A row that another program changed may contain any number.
  fileprivate static func delay(_ seconds: Double) -> Duration { .seconds(seconds > 0 ? min(seconds, 1e9) : 0) }
}

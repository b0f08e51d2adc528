internal import AnvilBase
public import AnvilClient
public import AnvilStore

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
    try await change(name) { limit, now in limit.pause(at: now, for: duration / .seconds(1)) }
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
      // A later end is of a clock that was set back since then.
      if !row.owner.isEmpty, row.claimEnd > now, row.claimEnd <= now + SharedToken.longestRefresh { return .wait }
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

/// The recent starts of requests under a rate limit that processes share. It is a row of the table `anvil_limits`.
///
/// Times are those of the database's clock, in seconds since the beginning of 2001.
package struct SharedLimit: Codable, Hashable, Sendable, ManagedDecodable {
  package static var entityName: String { "anvil_limits" }
  package static var matchKeys: [MatchKey]? { [.key(CodingKeys.name)] }

  /// Starts that follow each other within a small part of the limit's interval. All of them count until the interval after the last start
  /// has passed.
  struct Starts: Codable, Hashable, Sendable {
    var first: Double
    var last: Double
    var count: Int
  }

  /// The starts within an interval. Programs that share a limit may have different ones, which all count all starts.
  struct Interval: Codable, Hashable, Sendable {
    let length: Double
    /// The starts that still count, including reserved ones, in their order. There are at most two elements for each twentieth of the
    /// interval.
    var starts: [Starts]
    /// The time of the last reservation with this interval.
    var used: Double

    mutating func append(_ start: Double) {
      if let last = starts.indices.last, start - starts[last].first < length / SharedLimit.partsOfInterval {
        starts[last].last = max(starts[last].last, start)
        starts[last].count += 1
      } else {
        starts.append(Starts(first: start, last: start, count: 1))
      }
    }
  }

  var name: String
  /// `nil` in a row of an earlier version.
  private var intervals: [Interval]? = []
  private(set) var pauseEnd = 0.0
  /// The time of the last change; `nil` in a row of an earlier version.
  private var changed: Double?

  private static let partsOfInterval = 20.0
  /// The number of intervals that are kept, and how long an unused one is.
  private static let (keptIntervals, keepingTime) = (8, 86_400.0)

  package init(name: String) {
    self.name = name
  }

  /// Reserves the earliest start for which no `interval` contains more than `requests` starts. Returns the time until this start.
  ///
  /// - Parameters:
  ///   - requests: The maximum number of starts in an interval; `Int.max` if only pauses delay requests.
  ///   - remaining: The longest time to wait; `nil` for no limit. Nothing is reserved if the start is later.
  package mutating func reserveStart(
    at now: Double, requests: Int, per interval: Double, within remaining: Double?
  ) -> Double {
    followClock(now)
    let earliest = max(now, pauseEnd)
    guard requests < .max else { return earliest - now }
    var others = intervals ?? []
    for index in others.indices {
      let end = now - others[index].length
      others[index].starts.removeAll { $0.last <= end }
    }
    others.removeAll { $0.length != interval && $0.used < now - max($0.length, Self.keepingTime) }
    // A new interval begins with the starts that are known.
    var own = Interval(length: interval, starts: others.max { $0.length < $1.length }?.starts ?? [], used: now)
    if let index = others.firstIndex(where: { $0.length == interval }) { own = others.remove(at: index) }
    var start = max(earliest, own.starts.last?.last ?? earliest)
    var counted = own.starts.filter { $0.last > start - interval }[...]
    var count = counted.reduce(0) { $0 + $1.count }
    while count >= requests, let oldest = counted.popFirst() {
      start = oldest.last + interval
      count -= oldest.count
    }
    if let remaining, start - now >= remaining { return start - now }
    changed = now
    own.used = now
    for index in others.indices { others[index].append(start) }
    own.append(start)
    intervals = Array(others.suffix(Self.keptIntervals - 1)) + [own]
    return start - now
  }

  package mutating func pause(at now: Double, for duration: Double) {
    followClock(now)
    changed = now
    pauseEnd = max(pauseEnd, now + duration)
  }

  /// Moves all times by the time by which the clock was set back since the last change.
  private mutating func followClock(_ now: Double) {
    guard let changed, now < changed else { return }
    let difference = changed - now
    pauseEnd -= difference
    intervals = intervals?.map { interval in
      let starts = interval.starts.map {
        Starts(first: $0.first - difference, last: $0.last - difference, count: $0.count)
      }
      return Interval(length: interval.length, starts: starts, used: interval.used - difference)
    }
    self.changed = now
  }
}

/// A token that processes share, and the claim of the process that refreshes it. It is a row of the table `anvil_tokens`.
///
/// Times are in seconds since the beginning of 2001. All of them except the expiry are times of the database's clock.
struct SharedToken: Codable, Hashable, Sendable, ManagedDecodable {
  static var entityName: String { "anvil_tokens" }
  static var matchKeys: [MatchKey]? { [.key(CodingKeys.name)] }

  /// The time in seconds after which another process may refresh the token, because the refresh in progress counts as failed.
  static let longestRefresh = 60.0

  var name: String
  /// The token as it is stored, after `seal`; `nil` before the first refresh.
  var token: String?
  /// The expiry in seconds since the beginning of 2001; `nil` if it is not known.
  var expiry: Double?
  /// The identifier of the refresh in progress; empty if no refresh is in progress.
  var owner = ""
  /// The time after which the refresh in progress counts as failed.
  var claimEnd = 0.0
}

/// Rows that several processes change, one process at a time.
extension StoreTransaction {
  /// Returns the row with this name, and locks it until the transaction ends. Returns `nil` if the row does not exist; no other process can
  /// insert it until the transaction ends.
  func sharedRow<Row: ManagedDecodable & Codable>(_ type: Row.Type, named name: String) throws -> Row?
  where Row.Context == StoreTransaction {
    if let row = try fetch(type, key: name) { return row }
    // A missing row cannot be locked, and another process may be about to insert it.
    try lock(type)
    return try fetch(type, key: name)
  }
}

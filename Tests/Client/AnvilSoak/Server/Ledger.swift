import Foundation
import Synchronization

/// The record of the server's actions, with which the client's results are compared.
final class Ledger: Sendable {
  /// The server's record of one operation.
  struct Record: Sendable {
    /// The misbehaviours in responses to its requests.
    var faults: [String] = []
    /// The idempotency keys of its requests.
    var keys: Set<String> = []
    /// The number of executions of an action that must be executed once.
    var effects = 0
  }

  private struct Cached {
    var version = 1
    /// The times at which versions became outdated.
    var ends: [(version: Int, end: ContinuousClock.Instant)] = []
  }

  private struct State {
    var records: [String: Record] = [:]
    var ended: [(id: String, at: ContinuousClock.Instant)] = []
    var versions: [Int: Int] = [:]
    var orders: [String: Int] = [:]
    var cached: [Int: Cached] = [:]
    var tokens: [String] = []
    var tokenCount = 0
    var revoked = ContinuousClock.now
  }

  /// The time for which an operation's record is kept after its end, for requests that arrive late.
  private static let retention = Duration.seconds(60)

  private let state = Mutex(State())

  /// Begins a record of the operation `id` and removes expired records.
  func begin(_ id: String) {
    state.withLock { state in
      state.records[id] = Record()
      let now = ContinuousClock.now
      let old = state.ended.prefix { now - $0.at > Self.retention }
      for (id, _) in old {
        for key in state.records.removeValue(forKey: id)?.keys ?? [] { state.orders[key] = nil }
      }
      state.ended.removeFirst(old.count)
    }
  }

  /// Records that the client has ended the operation `id`.
  func end(_ id: String) {
    state.withLock { $0.ended.append((id, .now)) }
  }

  /// Returns the record of the operation `id`.
  func record(of id: String) -> Record { state.withLock { $0.records[id] ?? Record() } }

  /// Records a fault in the response to a request of the operation `id`.
  func add(fault: String, to id: String) {
    state.withLock { $0.records[id]?.faults.append(fault) }
  }

  /// Executes the action that must be executed once, and returns the number of executions so far.
  func act(for id: String) -> Int {
    state.withLock { state in
      state.records[id]?.effects += 1
      return state.records[id]?.effects ?? 0
    }
  }

  /// Accepts the order with `key`, only once for repeated requests, and returns its number.
  func order(key: String, for id: String) -> Int {
    state.withLock { state in
      state.records[id]?.keys.insert(key)
      if let number = state.orders[key] { return number }
      state.records[id]?.effects += 1
      state.orders[key] = state.orders.count + 1
      return state.orders.count
    }
  }

  /// Returns the entity's version, which is occasionally a new one.
  func version(of entity: Int, isNew: Bool) -> Int {
    state.withLock { state in
      if isNew || state.versions[entity] == nil { state.versions[entity, default: 0] += 1 }
      return state.versions[entity] ?? 0
    }
  }

  /// Returns the latest version of the entity; 0 if it was never requested.
  func latestVersion(of entity: Int) -> Int { state.withLock { $0.versions[entity] ?? 0 } }

  /// Returns the version of a cacheable resource, which is occasionally a new one.
  func cachedVersion(of resource: Int, isNew: Bool) -> Int {
    state.withLock { state in
      var cached = state.cached[resource] ?? Cached()
      if isNew {
        cached.ends.append((cached.version, .now))
        cached.ends = cached.ends.suffix(64)
        cached.version += 1
      }
      state.cached[resource] = cached
      return cached.version
    }
  }

  /// Returns the time since `version` of the resource became outdated; `nil` if it is current.
  func age(ofVersion version: Int, of resource: Int) -> Duration? {
    state.withLock { state in
      guard let cached = state.cached[resource], version != cached.version else { return nil }
      return cached.ends.first { $0.version == version }.map { .now - $0.end } ?? .seconds(1_000_000)
    }
  }

  /// Issues a token. The previous one remains valid for a short time.
  func issueToken(_ make: (Int) -> String) -> String {
    state.withLock { state in
      state.tokenCount += 1
      state.tokens = state.tokens.suffix(1) + [make(state.tokenCount)]
      return state.tokens[state.tokens.count - 1]
    }
  }

  /// Returns whether `token` is valid. All tokens are revoked occasionally, but not within `pause` of the last time.
  func isValid(_ token: String, isRevoking: Bool, pause: Duration) -> Bool {
    state.withLock { state in
      if isRevoking, .now - state.revoked > pause {
        state.revoked = .now
        state.tokens = []
      }
      return state.tokens.contains(token)
    }
  }
}

import Foundation
import Synchronization

/// What the server has done, which is what the client's word is held against.
final class Ledger: Sendable {
  /// What the server knows of one operation.
  struct Record: Sendable {
    /// What was done to its requests instead of a plain answer.
    var faults: [String] = []
    /// Idempotency keys that its requests had.
    var keys: Set<String> = []
    /// How many times something was done that must be done once.
    var effects = 0
  }

  private struct Cached {
    var version = 1
    /// Until when versions were the current one.
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

  /// How long what is known of an operation is kept after its end, for requests that arrive late.
  private static let retention = Duration.seconds(60)

  private let state = Mutex(State())

  /// Begins a record of the operation `id`, and forgets those that ended long ago.
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

  /// Notes that the client has ended the operation `id`.
  func end(_ id: String) {
    state.withLock { $0.ended.append((id, .now)) }
  }

  /// What is known of the operation `id`.
  func record(of id: String) -> Record { state.withLock { $0.records[id] ?? Record() } }

  /// Notes that a request of the operation `id` was treated badly.
  func add(fault: String, to id: String) {
    state.withLock { $0.records[id]?.faults.append(fault) }
  }

  /// Does what must be done once, and returns how many times it has now been done.
  func act(for id: String) -> Int {
    state.withLock { state in
      state.records[id]?.effects += 1
      return state.records[id]?.effects ?? 0
    }
  }

  /// Takes the order with `key`, once however often it comes, and returns its number.
  func order(key: String, for id: String) -> Int {
    state.withLock { state in
      state.records[id]?.keys.insert(key)
      if let number = state.orders[key] { return number }
      state.records[id]?.effects += 1
      state.orders[key] = state.orders.count + 1
      return state.orders.count
    }
  }

  /// Returns the entity's version, which is now and then a new one.
  func version(of entity: Int, isNew: Bool) -> Int {
    state.withLock { state in
      if isNew || state.versions[entity] == nil { state.versions[entity, default: 0] += 1 }
      return state.versions[entity] ?? 0
    }
  }

  /// Returns the latest version of the entity; 0 where it was never asked for.
  func latestVersion(of entity: Int) -> Int { state.withLock { $0.versions[entity] ?? 0 } }

  /// Returns the version of a resource that may be cached, which is now and then a new one.
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

  /// For how long `version` of the resource has been out of date; `nil` where it is the current one.
  func age(ofVersion version: Int, of resource: Int) -> Duration? {
    state.withLock { state in
      guard let cached = state.cached[resource], version != cached.version else { return nil }
      return cached.ends.first { $0.version == version }.map { .now - $0.end } ?? .seconds(1_000_000)
    }
  }

  /// Issues a token; the one before it holds a little longer.
  func issueToken(_ make: (Int) -> String) -> String {
    state.withLock { state in
      state.tokenCount += 1
      state.tokens = state.tokens.suffix(1) + [make(state.tokenCount)]
      return state.tokens[state.tokens.count - 1]
    }
  }

  /// Whether `token` holds. All tokens are revoked now and then, but not within `pause` of the last time.
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

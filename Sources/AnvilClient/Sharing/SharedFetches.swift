internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What makes two fetches one.
enum FetchIdentity: Hashable {
  /// The same request, with as much time for it. Fields that no response varies by count, too: that is known afterwards only.
  case request(URL, HTTP.Headers, Duration?)
  /// The background confirmation of an entry.
  case confirmation(UUID)
  /// Nothing: a fetch of one caller's own.
  case own(UInt64)

  /// The identity of a request, for which the fields that trace a single call do not count.
  init(_ request: HTTP.Request, timeout: Duration?) {
    var headers = request.headers
    for key: HTTP.HeaderKey in [.traceparent, "tracestate"] where headers.contains(key) { headers.remove(key) }
    self = .request(request.url, headers, timeout)
  }
}

/// The fetches that are under way, each under what makes another one the same.
final class SharedFetches<Shared: Sendable>: Sendable {
  private struct State {
    /// Those that may be joined, and some that cannot be any more.
    var joinable: [FetchIdentity: SharedFetch<Shared>] = [:]
    var all: [ObjectIdentifier: SharedFetch<Shared>] = [:]
    var lastNumber: UInt64 = 0

    mutating func add(_ identity: FetchIdentity, _ key: CacheKey, isBackground: Bool = false) -> SharedFetch<Shared> {
      let fetch = SharedFetch<Shared>(key: key, identity: identity, isBackground: isBackground)
      joinable[identity] = fetch
      all[ObjectIdentifier(fetch)] = fetch
      return fetch
    }
  }

  private let state = Mutex(State())

  /// The fetch to wait for: the one under way, joined, or a new one. For no identity it is one that nobody else can
  /// join.
  func joined(_ identity: FetchIdentity?, for key: CacheKey) -> SharedFetch<Shared> {
    state.withLock { state in
      if let identity, let known = state.joinable[identity], known.join() { return known }
      state.lastNumber += 1
      let fetch = state.add(identity ?? .own(state.lastNumber), key)
      _ = fetch.join()
      return fetch
    }
  }

  /// A new fetch that goes on without anyone; `nil` when there is one for the entry already.
  func background(for entry: CacheEntry, _ key: CacheKey) -> SharedFetch<Shared>? {
    state.withLock { state in
      let identity = FetchIdentity.confirmation(entry.id)
      guard state.joinable[identity] == nil else { return nil }
      return state.add(identity, key, isBackground: true)
    }
  }

  /// Forgets a fetch that has ended.
  func remove(_ fetch: SharedFetch<Shared>) {
    state.withLock { state in
      state.all[ObjectIdentifier(fetch)] = nil
      if state.joinable[fetch.identity] === fetch { state.joinable[fetch.identity] = nil }
    }
  }

  /// Keeps what is under way for a URL from being stored or joined: the target has changed meanwhile.
  func makeObsolete(_ key: CacheKey) {
    for fetch in state.withLock({ Array($0.all.values) }) where fetch.key == key { fetch.makeObsolete() }
  }

  /// How many callers are interested in what is under way, a background fetch counting as one.
  var interest: Int {
    state.withLock { Array($0.all.values) }.reduce(0) { $0 + ($1.isBackground ? 1 : $1.interest) }
  }
}

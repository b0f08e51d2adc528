internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The identity of a fetch. Fetches with the same identity can be shared.
enum FetchIdentity: Hashable {
  /// The same request with the same timeout. All fields are compared, because it is only known afterwards which of them the response
  /// varies by.
  case request(URL, HTTP.Headers, Duration?)
  /// The background revalidation of a cache entry.
  case confirmation(UUID)
  /// A fetch that is not shared.
  case own(UInt64)

  /// Creates the identity of a request. Fields that trace a single call are not compared.
  init(_ request: HTTP.Request, timeout: Duration?) {
    var headers = request.headers
    for key: HTTP.HeaderKey in [.traceparent, "tracestate"] where headers.contains(key) { headers.remove(key) }
    self = .request(request.url, headers, timeout)
  }
}

/// The fetches in progress, by identity.
final class SharedFetches<Shared: Sendable>: Sendable {
  private struct State {
    /// The latest fetch of each identity. If it can no longer be joined, a new fetch replaces it.
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

  /// Joins the fetch in progress with the same identity, or creates one, and returns it. Without an identity, the new fetch cannot be
  /// joined by other callers.
  @inline(never)
  func joined(_ identity: FetchIdentity?, for key: CacheKey) -> SharedFetch<Shared> {
    state.withLock { state in
      if let identity, let known = state.joinable[identity], known.join() { return known }
      state.lastNumber += 1
      let fetch = state.add(identity ?? .own(state.lastNumber), key)
      _ = fetch.join()
      return fetch
    }
  }

  /// Returns a new fetch that continues without callers; `nil` if there is already one for the entry.
  func background(for entry: CacheEntry, _ key: CacheKey) -> SharedFetch<Shared>? {
    state.withLock { state in
      let identity = FetchIdentity.confirmation(entry.id)
      guard state.joinable[identity] == nil else { return nil }
      return state.add(identity, key, isBackground: true)
    }
  }

  /// Removes a fetch that has ended.
  func remove(_ fetch: SharedFetch<Shared>) {
    state.withLock { state in
      state.all[ObjectIdentifier(fetch)] = nil
      if state.joinable[fetch.identity] === fetch { state.joinable[fetch.identity] = nil }
    }
  }

  /// Prevents fetches in progress for a URL from being stored or joined, because the target has changed.
  func makeObsolete(_ key: CacheKey) {
    for fetch in state.withLock({ Array($0.all.values) }) where fetch.key == key { fetch.makeObsolete() }
  }

  /// The number of callers of the fetches in progress. A background fetch counts as one.
  var callerCount: Int {
    state.withLock { Array($0.all.values) }.reduce(0) { $0 + ($1.isBackground ? 1 : $1.callerCount) }
  }
}

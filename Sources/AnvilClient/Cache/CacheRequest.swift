internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a request asks of the cache: the decisions, which need neither storage nor network.
struct CacheRequest {
  /// What is to be done for a request.
  enum Action: Equatable {
    /// Answer from the cache; `refreshes` says to ask the server in the background.
    case answer(CacheEntry, HTTP.History.CacheOutcome, refreshes: Bool)
    /// Ask the server; whether the entry still holds, where there is one.
    case fetch(CacheEntry?)
    /// The answer may only come from the cache, which has none. Source: RFC 9111 §5.2.1.7.
    case unavailable
  }

  private let directives: CacheControl
  private let policy: CachePolicy
  private let headers: HTTP.Headers
  private let sensitive: Set<HTTP.HeaderKey>

  init(_ request: HTTP.Request, _ options: TransportOptions) {
    headers = request.headers
    directives = CacheControl(request.headers)
    policy = options.cachePolicy
    sensitive = options.policy.sensitiveHeaders
  }

  /// Whether the cache has nothing to do with the request: it may change something, has a body, which is not in the key,
  /// has a condition that only the origin can check, or does not want to be kept.
  static func isBypassed(_ request: HTTP.Request) -> Bool {
    guard request.method == .get || request.method == .head, request.body.isEmpty else { return true }
    return request.headers.contains(.ifMatch) || request.headers.contains(.ifUnmodifiedSince)
      || CacheControl(request.headers).contains("no-store")
  }

  /// Whether the request has a condition of its own or asks for a part.
  ///
  /// The cache may answer such a request from an entry that needs no validation. It adds nothing to what it sends for one,
  /// and stores nothing of the response.
  static func isConditional(_ request: HTTP.Request) -> Bool {
    let own: [HTTP.HeaderKey] = [.ifNoneMatch, .ifModifiedSince, .ifRange, .range]
    return own.contains { request.headers.contains($0) }
  }

  /// Whether the caller wants what the server says from now on, and not what it said to another a moment before.
  var isReload: Bool {
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData: true
    default: directives.contains("no-cache") || hasPragma || directives.seconds("max-age") != .absent
    }
  }

  /// Of the entries for the URL the one that the request selects, the latest where there are several. Rule K1.
  func select(from entries: [CacheEntry]) -> CacheEntry? {
    entries.filter { variant(of: $0.varyingFields) == $0.variant }.max { $0.responseTime < $1.responseTime }
  }

  /// What stands for the request among those for the same URL, where a response varies by the fields `names`.
  func variant(of names: [String]) -> String {
    CacheVariant.text(of: headers, names: names, sensitive: sensitive)
  }

  /// What is to be done where `entry` is what the cache has.
  func action(for entry: CacheEntry?, at now: Date) -> Action {
    let isConfined = directives.contains("only-if-cached") || policy == .returnCacheDataDontLoad
    guard let entry, !ignoresEntries else { return isConfined ? .unavailable : .fetch(nil) }
    if let outcome = outcome(of: entry, at: now) { return .answer(entry, outcome, refreshes: false) }
    if mayRefreshLater(entry, at: now) { return .answer(entry, .stale, refreshes: !isConfined) }
    return isConfined ? .unavailable : .fetch(entry)
  }

  /// Whether a stale entry may stand in for an error of the server or on the way to it. Rule K8; RFC 5861 §4.
  func mayReplaceError(_ entry: CacheEntry, at now: Date) -> Bool {
    guard !wantsConfirmation, !entry.isNeverStale, directives.seconds("max-age") == .absent else { return false }
    let allowed = [entry.cacheControl, directives].compactMap { $0.seconds("stale-if-error").value }
    return allowed.contains { entry.staleness(at: now) <= $0 }
  }

  private var ignoresEntries: Bool {
    policy == .reloadIgnoringLocalCacheData || policy == .reloadIgnoringLocalAndRemoteCacheData
  }

  private var wantsConfirmation: Bool {
    directives.contains("no-cache") || hasPragma || policy == .reloadRevalidatingCacheData
  }

  /// Heard where there is no `Cache-Control`. Source: RFC 9111 §5.4.
  private var hasPragma: Bool {
    directives.isEmpty && !headers.contains(.cacheControl)
      && headers.values(for: .pragma).contains { value in
        FieldScanner.directives(in: value.rawValue).contains { $0.name == "no-cache" }
      }
  }

  /// How the entry may answer without a question to the server; `nil` where it may not. Rules K3, K5, K6.
  fileprivate func outcome(of entry: CacheEntry, at now: Date) -> HTTP.History.CacheOutcome? {
    guard !wantsConfirmation, !entry.cacheControl.contains("no-cache") else { return nil }
    let isFresh = entry.isFresh(at: now)
    let outcome = isFresh ? HTTP.History.CacheOutcome.hit : .stale
    if policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad {
      return isFresh || !entry.isNeverStale ? outcome : nil
    }
    let age = entry.age(at: now)
    var lifetime = entry.lifetime
    switch directives.seconds("max-age") {
    case .absent: break
    case .invalid: lifetime = 0
    case .value(let seconds): lifetime = min(lifetime, seconds)
    }
    if lifetime > age {
      switch directives.seconds("min-fresh") {
      case .absent: return outcome
      case .invalid: return nil
      case .value(let seconds): return lifetime - age >= seconds ? outcome : nil
      }
    }
    guard isFresh || !entry.isNeverStale else { return nil }
    if directives.containsBare("max-stale") { return outcome }
    return directives.seconds("max-stale").value.map { age - lifetime <= $0 } == true ? outcome : nil
  }

  /// Whether the entry, which is stale, may answer while the server is asked. Rule K8; RFC 5861 §3.
  private func mayRefreshLater(_ entry: CacheEntry, at now: Date) -> Bool {
    let directives = entry.cacheControl
    guard policy == .useProtocolCachePolicy, !wantsConfirmation, !directives.contains("no-cache"),
      !entry.isNeverStale, self.directives.seconds("max-age") == .absent,
      self.directives.seconds("min-fresh") == .absent, let allowed = directives.seconds("stale-while-revalidate").value
    else { return false }
    return entry.staleness(at: now) <= allowed
  }
}

extension CacheEntry {
  /// Whether the response may not be reused once it is stale, whatever anyone allows. Source: RFC 9111 §5.2.2.2.
  fileprivate var isNeverStale: Bool {
    cacheControl.contains("must-revalidate") || cacheControl.contains("no-cache")
  }
}

extension CacheRequest {
  /// Whether a response to this request answers the same request of others who asked meanwhile.
  func canShare(_ entry: CacheEntry, at now: Date) -> Bool {
    outcome(of: entry, at: now) == .hit
  }
}

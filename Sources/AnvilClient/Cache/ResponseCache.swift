internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Carries out what ``CacheRequest`` decides, between a storage and a session.
final class ResponseCache: Sendable {
  let storage: any CacheStorage
  let maximumBodyLength: Int
  let now: @Sendable () -> Date
  let fetches = SharedFetches<CacheAnswer>()
  /// What should have been removed when the storage failed to: it is as if it were not there.
  private let unremoved = Mutex<Set<CacheKey>>([])

  init(storage: any CacheStorage, maximumBodyLength: Int, now: @escaping @Sendable () -> Date) {
    self.storage = storage
    self.maximumBodyLength = maximumBodyLength
    self.now = now
  }

  func answer(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let key = CacheKey(request.url) else { return try await next.send(request, options: options) }
    guard request.method.isSafe else {
      let response = try await next.send(request, options: options)
      await invalidate(after: response.head, key)
      return response
    }
    // The session's own cache would answer without the rules that hold here, and hide a 304 that was asked for.
    var options = options
    let wanted = CacheRequest(request, options)
    if options.cachePolicy != .reloadIgnoringLocalAndRemoteCacheData {
      options.cachePolicy = .reloadIgnoringLocalCacheData
    }
    guard !CacheRequest.isBypassed(request) else { return try await next.send(request, options: options) }

    let exchange = CacheExchange(request: request, wanted: wanted, options: options, key: key, next: next, cache: self)
    // A session would have said so, too.
    if Task.isCancelled { throw TransportError(code: .cancelled) }
    let entry = wanted.select(from: await entries(for: key))
    let action = wanted.action(for: entry, at: now())
    if CacheRequest.isConditional(request) { return try await answerConditional(action, exchange) }
    switch action {
    case .answer(let entry, let outcome, let refreshes):
      if let body = await body(of: entry, for: request, key) {
        if refreshes { exchange.refresh(entry) }
        return exchange.response(entry, body, outcome, HTTP.History())
      }
      // What was there a moment ago is gone, or was damaged.
      try? await storage.remove(entry, for: key)
      return try await perform(wanted.action(for: nil, at: now()), exchange)
    case let action: return try await perform(action, exchange)
    }
  }

  /// Returns the response to a request with conditions of its own: from the entry where that needs no validation, or else
  /// the server's, unchanged and not stored. Rule K7.
  private func answerConditional(
    _ action: CacheRequest.Action, _ exchange: CacheExchange
  ) async throws(TransportError) -> TransportResponse {
    if case .answer(let entry, let outcome, refreshes: false) = action,
      let selection = CacheSelection(of: entry, for: exchange.request),
      let body = selection.hasBody ? await body(of: entry, for: exchange.request, exchange.key) : Data(),
      let part = selection.part(of: body)
    {
      return exchange.response(selection.entry, part, outcome, HTTP.History())
    }
    // Also where there is an entry that does not have what is asked for.
    let unanswered = exchange.wanted.action(for: nil, at: now())
    if unanswered == .unavailable { return try await perform(unanswered, exchange) }
    return try await exchange.next.send(exchange.request, options: exchange.options)
  }

  private func perform(
    _ action: CacheRequest.Action, _ exchange: CacheExchange
  ) async throws(TransportError) -> TransportResponse {
    guard case .fetch(let stale) = action else {
      return TransportResponse(HTTP.Response(request: exchange.request, status: 504), body: Data())
    }
    if exchange.request.method == .head { return try await exchange.fetchHead(stale) }
    return try await exchange.fetch(stale)
  }

  /// The entries for a URL, but for those that were to be removed.
  private func entries(for key: CacheKey) async -> [CacheEntry] {
    if unremoved.withLock({ $0.contains(key) }) {
      await removeAll(for: key)
      if unremoved.withLock({ $0.contains(key) }) { return [] }
    }
    return (try? await storage.entries(for: key)) ?? []
  }

  private func removeAll(for key: CacheKey) async {
    do {
      try await storage.removeAll(for: key)
      unremoved.withLock { _ = $0.remove(key) }
    } catch {
      unremoved.withLock { _ = $0.insert(key) }
    }
  }

  /// The body that is to be given; none for HEAD.
  func body(of entry: CacheEntry, for request: HTTP.Request, _ key: CacheKey) async -> Data? {
    if request.method == .head { return Data() }
    return (try? await storage.body(of: entry, for: key)) ?? nil
  }

  /// Removes what an unsafe request may have changed. Rule K9. Source: RFC 9111 §4.4.
  private func invalidate(after head: HTTP.Response, _ key: CacheKey) async {
    guard (200..<400).contains(head.code) else { return }
    let base = URIReference(head.request.url.absoluteString)
    var keys: Set = [key]
    for name: HTTP.HeaderKey in [.location, .contentLocation] {
      guard let value = head.headers.values(for: name).first,
        let url = URIReference(value.rawValue).resolved(against: base).url,
        HTTP.Origin(url) == HTTP.Origin(head.request.url), let other = CacheKey(url)
      else { continue }
      keys.insert(other)
    }
    for key in keys {
      fetches.makeObsolete(key)
      await removeAll(for: key)
    }
  }
}

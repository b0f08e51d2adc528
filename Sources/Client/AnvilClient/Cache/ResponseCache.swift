internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Executes the decisions of ``CacheRequest`` with a storage and a session.
final class ResponseCache: Sendable {
  let storage: any CacheStorage
  let maximumBodyLength: Int
  let now: @Sendable () -> Date
  let fetches = SharedFetches<CacheAnswer>()
  /// The keys whose entries could not be removed because the storage failed. These entries are treated as absent.
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
    // The session's own cache would apply other rules, and would hide a 304 that this cache requested.
    var options = options
    let wanted = CacheRequest(request, options)
    if options.cachePolicy != .reloadEndToEnd {
      options.cachePolicy = .reload
    }
    guard !CacheRequest.isBypassed(request) else { return try await next.send(request, options: options) }

    // A session would also fail with this error.
    if Task.isCancelled { throw TransportError(code: .cancelled) }
    let entry = wanted.select(from: await entries(for: key))
    let exchange = CacheExchange(
      request: request, wanted: wanted, options: options, key: key, selected: entry, next: next, cache: self)
    let action = wanted.action(for: entry, at: now())
    if CacheRequest.isConditional(request) { return try await answerConditional(action, exchange) }
    switch action {
    case .answer(let entry, let outcome, let refreshes):
      if let body = await body(of: entry, for: request, key) {
        if refreshes { exchange.refresh(entry) }
        return exchange.response(entry, body, outcome, HTTP.History())
      }
      // The entry was removed in the meantime or is damaged.
      try? await storage.remove(entry, for: key)
      return try await perform(wanted.action(for: nil, at: now()), exchange)
    case let action: return try await perform(action, exchange)
    }
  }

  /// Returns the response to a request with conditions: from the entry if it needs no validation, otherwise the server's response,
  /// unchanged and not stored. Rule K7.
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
    // This also applies if there is an entry that cannot answer the request.
    let unanswered = exchange.wanted.action(for: nil, at: now())
    if unanswered == .unavailable { return try await perform(unanswered, exchange) }
    return try await exchange.next.send(exchange.request, options: exchange.options)
  }

  @inline(never)
  private func perform(
    _ action: CacheRequest.Action, _ exchange: CacheExchange
  ) async throws(TransportError) -> TransportResponse {
    guard case .fetch(let stale) = action else {
      return TransportResponse(HTTP.Response(request: exchange.request, status: 504), body: Data())
    }
    if exchange.request.method == .head { return try await exchange.fetchHead(stale) }
    return try await exchange.fetch(stale)
  }

  /// Returns the entries for a URL, without those whose removal has failed.
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

  /// Returns the stored body; empty for HEAD, `nil` if it is not available.
  @inline(never)
  func body(of entry: CacheEntry, for request: HTTP.Request, _ key: CacheKey) async -> Data? {
    if request.method == .head { return Data() }
    return (try? await storage.body(of: entry, for: key)) ?? nil
  }

  /// Removes the stored responses that an unsafe request may have made obsolete. Rule K9. Source: RFC 9111 §4.4.
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

public import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// Answers requests from stored responses where HTTP allows it: ``ClientConfiguration/cache``. Executes the decisions of ``CacheRequest`` with
/// a storage and a session.
///
/// It comes after interceptors that add credentials and before those that repeat requests.
package final class CacheInterceptor: Interceptor {
  let storage: any CacheStorage
  let maximumBodyLength: Int
  let now: @Sendable () -> Date
  let fetches = SharedFetches<CacheAnswer>()
  /// The keys whose entries could not be removed because the storage failed. These entries are treated as absent.
  private let unremoved = Mutex<Set<CacheKey>>([])

  /// - Parameter maximumBodyLength: The maximum number of bytes of a stored body. Up to this number of bytes may be in memory for each
  ///   response in progress.
  package init(
    storage: any CacheStorage = MemoryCacheStorage(), maximumBodyLength: Int = 8 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.storage = storage
    self.maximumBodyLength = maximumBodyLength
    self.now = now
  }

  /// A storage that fails is treated as empty.
  package func intercept(
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
    let entries = await entries(for: key)
    let entry = wanted.select(from: entries)
    let exchange = CacheExchange(
      request: request, wanted: wanted, options: options, key: key, entries: entries, selected: entry, next: next,
      cache: self)
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
        let url = URIReference(value.rawValue).resolved(asTargetFrom: base).url,
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

/// The part of a stored response that a request with conditions selects: all of it, its head as a 304, or a range of its body as a 206.
///
/// Source: RFC 9110 §13.2.2 (precedence), §14.2 (ranges); RFC 9111 §4.3.2.
struct CacheSelection {
  /// The entry with the status and the fields of the response.
  let entry: CacheEntry
  private let content: Content

  private enum Content {
    case whole, none
    case range(Range<Int>)
  }

  var hasBody: Bool {
    if case .none = content { false } else { true }
  }

  /// Returns the selected part of the stored `body`; `nil` if the body is shorter than expected.
  func part(of body: Data) -> Data? {
    guard case .range(let range) = content else { return body }
    return range.upperBound <= body.count ? body.dropFirst(range.lowerBound).prefix(range.count) : nil
  }

  /// Creates the selection; `nil` if the request must be sent to the server. This is necessary for several ranges, for a range that cannot
  /// be satisfied, and for a range of a response that is not a 200. It is also necessary for a range of a response with a content coding,
  /// because the stored bytes may be the decoded ones.
  init?(of entry: CacheEntry, for request: HTTP.Request) {
    if entry.status == 200, entry.isUnmodified(for: request.headers) {
      self.entry = entry.with(status: 304, headers: entry.headers.filter { !Self.contentFields.contains($0.key) })
      content = .none
      return
    }
    guard request.method == .get, request.headers.contains(.range), entry.matchesIfRange(of: request.headers) else {
      self.entry = entry
      content = .whole
      return
    }
    guard entry.status == 200, !entry.headers.contains(.contentEncoding),
      let range = ByteRange(request.headers)?.range(in: entry.bodyLength)
    else { return nil }
    var headers = entry.headers
    headers[.contentLength] = "\(range.count)"
    headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(entry.bodyLength)"
    self.entry = entry.with(status: 206, headers: Array(headers))
    content = .range(range)
  }

  /// The fields that describe a body. They are removed from a 304. Source: RFC 9110 §15.4.5.
  private static let contentFields: Set<HTTP.HeaderKey> = [
    .contentLength, .contentType, .contentEncoding, .contentLanguage, .contentRange,
  ]
}

extension CacheEntry {
  fileprivate func with(status: Int, headers: [HTTP.Headers.Field]) -> CacheEntry {
    var entry = self
    entry.status = status
    entry.headers = HTTP.Headers(headers)
    return entry
  }

  /// Returns whether the request's conditions show that the client already has the response.
  ///
  /// `If-None-Match` has precedence. Tags are compared weakly. Without a `Last-Modified`, the creation time of the response is used
  /// instead.
  fileprivate func isUnmodified(for conditions: HTTP.Headers) -> Bool {
    if conditions.contains(.ifNoneMatch) {
      let tags = conditions.elements(of: .ifNoneMatch, quoting: .entityTags)
      let own = headers.values(for: .eTag).first.map(\.withoutWeakness)
      return tags.contains { $0 == "*" || HTTP.HeaderValue(rawValue: $0).withoutWeakness == own }
    }
    let dates = conditions.values(for: .ifModifiedSince)
    guard dates.count == 1, let since = date(dates[0].rawValue) else { return false }
    return (headers[.lastModified].flatMap { date($0.rawValue) } ?? date) <= since
  }

  /// Returns whether a `Range` applies: there is no `If-Range`, or it has this response's strong validator. Source: RFC 9110 §13.1.5.
  fileprivate func matchesIfRange(of conditions: HTTP.Headers) -> Bool {
    guard conditions.contains(.ifRange) else { return true }
    return conditions.values(for: .ifRange).map(\.rawValue) == [StrongValidator(headers)?.value]
  }
}

/// The single range of bytes that a request asks for. Source: RFC 9110 §14.1.2.
enum ByteRange: Hashable {
  /// From a position to the end or to another position, inclusive.
  case from(Int, through: Int?)
  /// The last bytes of the body.
  case suffix(Int)

  /// Parses the `Range` in `headers`; `nil` for several ranges, another unit, or an invalid range.
  init?(_ headers: HTTP.Headers) {
    let values = headers.values(for: .range)
    guard values.count == 1, let text = values.first?.rawValue, let equals = text.firstIndex(of: "="),
      text[..<equals].lowercased() == "bytes"
    else { return nil }
    let ends = text[text.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { $0.isDigit } }) else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let length?) where ends[0].isEmpty: self = .suffix(length)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
    case (let first?, let last?) where first <= last: self = .from(first, through: last)
    default: return nil
    }
  }

  /// Returns the positions in a body of `length` bytes; `nil` if the range contains none.
  func range(in length: Int) -> Range<Int>? {
    switch self {
    case .suffix(let count): count > 0 && length > 0 ? max(length - count, 0)..<length : nil
    case .from(let first, let last):
      first < length ? first..<(last.map { min($0, length - 1) + 1 } ?? length) : nil
    }
  }
}

/// A storage for the responses of a cache, by URL and variant.
///
/// The cache decides what to store, and when a stored response is fresh. The storage decides only which responses to remove when it is
/// full. The body that it returns must be, byte for byte, the one that was
/// stored with the entry. A body whose write was interrupted, or whose bytes have changed since, must be treated as absent. The cache
/// treats an error as an absent response; requests never fail because of it.
public protocol CacheStorage: Sendable {
  /// Returns the entries for a URL, in any order.
  func entries(for key: CacheKey) async throws -> [CacheEntry]

  /// Returns the body that was stored with the entry, and marks the entry as used; `nil` if it is no longer stored.
  func body(of entry: CacheEntry, for key: CacheKey) async throws -> Data?

  /// Stores an entry with its body, atomically, and replaces the URL's entry of the same variant.
  ///
  /// The least recently used entries are removed to make room. An entry that is larger than the storage is not stored, and the entry that
  /// it replaces is removed.
  func store(_ entry: CacheEntry, body: Data, for key: CacheKey) async throws

  /// Updates the metadata of the entry with the same ID, but not its body. Does nothing if it is no longer stored.
  func update(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Removes the entry with the same ID, if it is stored.
  func remove(_ entry: CacheEntry, for key: CacheKey) async throws

  /// Removes all entries for a URL.
  func removeAll(for key: CacheKey) async throws

  /// Removes all entries.
  func removeAll() async throws
}

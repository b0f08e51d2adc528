internal import AnvilBase
internal import AnvilHTTP

/// A stored response for one or more callers, with its outcome and history.
struct CacheAnswer: Sendable {
  let entry: CacheEntry
  let body: Data
  let outcome: HTTP.History.CacheOutcome
  let history: HTTP.History
}

/// A request that the cache forwards to the server.
struct CacheExchange: Sendable {
  var request: HTTP.Request
  let wanted: CacheRequest
  var options: TransportOptions
  let key: CacheKey
  /// The stored entries for the URL.
  let entries: [CacheEntry]
  /// The stored entry for the request, even if it is not used.
  var selected: CacheEntry?
  let next: any TransportSession
  let cache: CacheInterceptor

  /// Returns the response for a stored entry, and reports the event.
  @inline(never)
  func response(
    _ entry: CacheEntry, _ body: Data, _ outcome: HTTP.History.CacheOutcome, _ history: HTTP.History
  ) -> TransportResponse {
    var head = HTTP.Response(request: request, status: HTTP.Status(code: entry.status), headers: entry.headers)
    head.headers[.age] = "\(Int(clamping: min(entry.age(at: cache.now()), CacheControl.longest)))"
    head.history = history
    head.history.cacheOutcome = outcome
    options.eventHandler?(.cached(outcome))
    return TransportResponse(head, body: request.method == .head ? Data() : body)
  }

  /// Returns the server's response to a GET, or the stored response that it confirms. Concurrent callers with the same request share it.
  ///
  /// A shared fetch is not bound to the deadline of the caller that started it. Each caller's deadline ends only that caller's wait. Rules
  /// K10, R9. A streamed request does not share: it receives its body as it arrives, and its time limits apply only to its own transfer.
  func fetch(_ stale: CacheEntry?) async throws(TransportError) -> TransportResponse {
    let outgoing = outgoing(stale)
    let isAlone = wanted.isReload || options.responseDelivery == .streamed
    var identity = isAlone ? nil : FetchIdentity(outgoing, timeout: options.timeout)
    while true {
      let isShared = identity != nil
      let sharedFetch = cache.fetches.joined(identity, for: key)
      let exchange = isShared ? unbound : self
      let ending = await sharedFetch.wait { await exchange.run($0, stale, outgoing) }
      if sharedFetch.isAbandoned { cache.fetches.remove(sharedFetch) }
      switch ending {
      case .response(var response):
        response.head.request = request
        response.head.history.cacheOutcome = .miss
        options.eventHandler?(.cached(.miss))
        return response
      case .shared(let answer): return response(answer.entry, answer.body, answer.outcome, answer.history)
      case .failed(let error):
        throw isShared ? error.orTimedOut(by: options.expiry, in: .firstByte) : error
      case .alone: identity = nil
      }
    }
  }

  /// Validates a stale entry in the background while it is used, unless a validation is in progress. Rule K8.
  func refresh(_ entry: CacheEntry) {
    guard let sharedFetch = cache.fetches.background(for: entry, key) else { return }
    var exchange = unbound
    exchange.request.method = .get
    exchange.selected = entry
    exchange.options.eventHandler = nil
    exchange.options.progressHandler = nil
    // The caller does not wait for the validation, which has a separate limit of follow-up requests.
    exchange.options.followUps = nil
    // Nobody reads the body as it arrives, so the timeout of the attempt has to end a body that stalls.
    exchange.options.responseDelivery = .collected
    sharedFetch.start { [exchange] in await exchange.run($0, entry, exchange.outgoing(entry)) }
  }

  /// A copy of this exchange whose request has no deadline.
  private var unbound: CacheExchange {
    var exchange = self
    exchange.options.expiry = nil
    return exchange
  }

  /// Returns the server's response to a HEAD. It updates the stored response to GET that the request selects or, if the two do not match,
  /// removes it. After an error of the server or the network, the head of the stored response is returned if that is allowed.
  ///
  /// Source: RFC 9111 §4.3.5.
  func fetchHead(_ stale: CacheEntry?) async throws(TransportError) -> TransportResponse {
    let requestTime = cache.now()
    var response: TransportResponse
    do throws(TransportError) {
      response = try await next.send(outgoing(nil), options: options)
    } catch {
      guard let stale, error.isNetworkOrServerFailure, wanted.mayReplaceError(stale, at: cache.now()) else {
        throw error
      }
      return self.response(stale, Data(), .stale, error.history)
    }
    if let stale, response.head.code >= 500, wanted.mayReplaceError(stale, at: cache.now()) {
      return self.response(stale, Data(), .stale, response.head.history)
    }
    if let selected, response.head.code < 500 {
      let updated = selected.updated(
        with: response.head.headers, requestTime: requestTime, responseTime: cache.now())
      // A stored response that other requests select from now on is removed: without a fetch, an unsafe request that changes the target at
      // the same time could not prevent that it is stored again.
      if response.head.code == selected.status, selected.isDescribed(by: response.head.headers),
        let entry = updated.stored(for: wanted), entry.variant == selected.variant
      {
        try? await cache.storage.update(entry, for: key)
      } else {
        try? await cache.storage.remove(selected, for: key)
      }
    }
    response.head.request = request
    response.head.history.cacheOutcome = .miss
    options.eventHandler?(.cached(.miss))
    return response
  }

  /// Returns the request to send, with conditions if there is an entry to validate.
  func outgoing(_ stale: CacheEntry?) -> HTTP.Request {
    var request = stale.map { $0.validating(self.request) } ?? self.request
    if options.cachePolicy == .reloadEndToEnd, !request.headers.contains(.cacheControl) {
      request.headers.add(.cacheControl, "no-cache")
    }
    return request
  }
}

extension CacheEntry {
  /// Returns whether the head of a response to HEAD matches the stored response to GET.
  fileprivate func isDescribed(by headers: HTTP.Headers) -> Bool {
    for key: HTTP.HeaderKey in [.eTag, .lastModified, .contentLength, .contentMD5] {
      guard let value = headers[key] else { continue }
      guard value == self.headers[key] || (key == .contentLength && value.rawValue == "\(bodyLength)") else {
        return false
      }
    }
    return true
  }
}

/// The part of an exchange that fetches the response in a separate task.
extension CacheExchange {
  func run(_ sharedFetch: SharedFetch<CacheAnswer>, _ stale: CacheEntry?, _ outgoing: HTTP.Request) async {
    await fetch(for: sharedFetch, stale, outgoing)
    // Ends the fetch for all callers, whatever its outcome was.
    sharedFetch.end(.alone)
    cache.fetches.remove(sharedFetch)
  }

  private func fetch(for sharedFetch: SharedFetch<CacheAnswer>, _ stale: CacheEntry?, _ outgoing: HTTP.Request) async {
    let requestTime = cache.now()
    var response: TransportResponse
    do throws(TransportError) {
      response = try await next.send(outgoing, options: options)
    } catch {
      if error.isNetworkOrServerFailure, await end(sharedFetch, on: stale, error.history) { return }
      return sharedFetch.end(.failed(error))
    }
    if response.head.code == 304, let stale, stale.hasValidator {
      // The body is released before any wait: a rate limiter may allow no other request while this response is in progress.
      response.body = TransportBody(Data())
      if await confirm(sharedFetch, stale, by: response.head, requestTime: requestTime) { return }
      // The validated entry was removed or does not match the response, so the whole response is requested.
      try? await cache.storage.remove(stale, for: key)
      return await fetch(for: sharedFetch, nil, self.outgoing(nil))
    }
    if response.head.code >= 500 {
      if await end(sharedFetch, on: stale, response.head.history) { return }
    }
    guard isStorable(response.head) else {
      // The server's current response replaces the stored one. A server error does not.
      if let selected, response.head.code < 500 { try? await cache.storage.remove(selected, for: key) }
      sharedFetch.deliverToFirstCaller(response)
      return sharedFetch.end(.alone)
    }
    let entry = CacheEntry(response.head, for: wanted, requestTime: requestTime, responseTime: cache.now())
    await receive(response, entry, sharedFetch)
  }

  private func isStorable(_ head: HTTP.Response) -> Bool {
    CacheEntry.isStorable(head) && head.announcedLength.map { $0 <= cache.maximumBodyLength } ?? true
  }

  /// Updates the entry and ends the fetch with it, if the response confirms the entry and the stored body is available. Returns `false`
  /// otherwise.
  @inline(never)
  private func confirm(
    _ sharedFetch: SharedFetch<CacheAnswer>, _ stale: CacheEntry, by head: HTTP.Response, requestTime: Date
  ) async -> Bool {
    guard stale.hasValidators(of: head.headers), let body = await cache.body(of: stale, for: request, key) else {
      return false
    }
    let updated = stale.updated(with: head.headers, requestTime: requestTime, responseTime: cache.now())
    if !sharedFetch.isObsolete { await replace(stale, by: updated, body, sharedFetch) }
    sharedFetch.end(
      .shared(
        CacheAnswer(
          entry: updated.setting(cookiesOf: head.headers), body: body, outcome: .revalidated, history: head.history)))
    return true
  }

  /// Stores a validated entry, under another variant if it has another `Vary`, or removes it if it may no longer be stored.
  private func replace(
    _ old: CacheEntry, by updated: CacheEntry, _ body: Data, _ sharedFetch: SharedFetch<CacheAnswer>
  ) async {
    let entry = updated.stored(for: wanted)
    if let entry, entry.variant == old.variant {
      try? await cache.storage.update(entry, for: key)
      return
    }
    try? await cache.storage.remove(old, for: key)
    if let entry { await store(entry, body, sharedFetch) }
  }

  /// Stores an entry, and removes those that it replaces.
  private func store(_ entry: CacheEntry, _ body: Data, _ sharedFetch: SharedFetch<CacheAnswer>) async {
    for old in wanted.superseded(in: entries, by: entry) { try? await cache.storage.remove(old, for: key) }
    try? await cache.storage.store(entry, body: body, for: key)
    // The response may have been invalidated while it was stored.
    if sharedFetch.isObsolete { try? await cache.storage.remove(entry, for: key) }
  }

  /// Ends the fetch with the stale entry instead of an error, if that is allowed. Returns `false` otherwise.
  @inline(never)
  private func end(
    _ sharedFetch: SharedFetch<CacheAnswer>, on stale: CacheEntry?, _ history: HTTP.History
  ) async -> Bool {
    guard let stale, wanted.mayReplaceError(stale, at: cache.now()),
      let body = await cache.body(of: stale, for: request, key)
    else { return false }
    sharedFetch.end(.shared(CacheAnswer(entry: stale, body: body, outcome: .stale, history: history)))
    return true
  }

  /// Passes a body on as it is received, and stores it when it is complete. Rule K11.
  private func receive(
    _ response: TransportResponse, _ entry: CacheEntry, _ sharedFetch: SharedFetch<CacheAnswer>
  ) async {
    let isShared = wanted.outcome(of: entry, at: cache.now()) == .hit
    await sharedFetch.deliver(response, isShared: isShared, upTo: cache.maximumBodyLength) { collected in
      guard !sharedFetch.isObsolete else { return }
      var entry = entry
      entry.bodyLength = collected.count
      await store(entry, collected, sharedFetch)
      sharedFetch.end(.shared(CacheAnswer(entry: entry, body: collected, outcome: .hit, history: HTTP.History())))
    }
  }
}

extension TransportError {
  var isNetworkOrServerFailure: Bool {
    switch code {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .malformedResponse, .truncatedResponse, .tlsFailure,
      .circuitOpen, .other:
      true
    default: false
    }
  }
}

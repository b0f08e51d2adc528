internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
    let receipt = CacheReceipt(head: response.head, requestTime: requestTime, responseTime: cache.now())
    guard isStorable(response.head) else {
      // The server's current response replaces the stored one. A server error does not.
      if let selected, response.head.code < 500 { try? await cache.storage.remove(selected, for: key) }
      sharedFetch.deliverToFirstCaller(response)
      return sharedFetch.end(.alone)
    }
    await receive(response, receipt, sharedFetch)
  }

  /// Returns whether the response is stored if its body is complete.
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
    if !sharedFetch.isObsolete { try? await cache.storage.update(updated, for: key) }
    sharedFetch.end(
      .shared(CacheAnswer(updated.setting(cookiesOf: head.headers), body, .revalidated, head.history)))
    return true
  }

  /// Ends the fetch with the stale entry instead of an error, if that is allowed. Returns `false` otherwise.
  @inline(never)
  private func end(
    _ sharedFetch: SharedFetch<CacheAnswer>, on stale: CacheEntry?, _ history: HTTP.History
  ) async -> Bool {
    guard let stale, wanted.mayReplaceError(stale, at: cache.now()),
      let body = await cache.body(of: stale, for: request, key)
    else { return false }
    sharedFetch.end(.shared(CacheAnswer(stale, body, .stale, history)))
    return true
  }

  /// Passes a body on as it is received, and stores it when it is complete. Rule K11.
  private func receive(
    _ response: TransportResponse, _ receipt: CacheReceipt, _ sharedFetch: SharedFetch<CacheAnswer>
  ) async {
    let fresh = receipt.entry(for: wanted, bodyLength: 0)
    let isShared = wanted.canShare(fresh, at: cache.now())
    await sharedFetch.deliver(
      receipt.head, response.body, response.outcomeHandlers, isShared: isShared, upTo: cache.maximumBodyLength
    ) { collected in
      guard !sharedFetch.isObsolete else { return }
      let entry = receipt.entry(for: wanted, bodyLength: collected.count)
      try? await cache.storage.store(entry, body: collected, for: key)
      // The response may have been invalidated while it was stored.
      if sharedFetch.isObsolete { try? await cache.storage.remove(entry, for: key) }
      sharedFetch.end(.shared(CacheAnswer(entry, collected, .hit, HTTP.History())))
    }
  }
}

/// The head of a response, and the times of its request and arrival.
private struct CacheReceipt {
  let head: HTTP.Response
  let requestTime: Date
  let responseTime: Date

  func entry(for wanted: CacheRequest, bodyLength: Int) -> CacheEntry {
    CacheEntry(
      head, for: wanted, requestTime: requestTime, responseTime: responseTime, bodyLength: bodyLength)
  }
}

extension TransportError {
  /// A Boolean value that indicates whether the failure was caused by the network or the server, and not by the caller.
  var isNetworkOrServerFailure: Bool {
    switch code {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .malformedResponse, .truncatedResponse, .tlsFailure,
      .circuitOpen, .other:
      true
    default: false
    }
  }
}

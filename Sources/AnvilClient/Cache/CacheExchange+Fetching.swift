internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A fetch, in its own task.
extension CacheExchange {
  func run(_ sharedFetch: SharedFetch<CacheAnswer>, _ stale: CacheEntry?, _ outgoing: HTTP.Request) async {
    await fetch(for: sharedFetch, stale, outgoing)
    // Nobody is left without an end, however the fetch went.
    sharedFetch.end(.alone)
    cache.fetches.remove(sharedFetch)
  }

  private func fetch(for sharedFetch: SharedFetch<CacheAnswer>, _ stale: CacheEntry?, _ outgoing: HTTP.Request) async {
    let requestTime = cache.now()
    var response: TransportResponse
    do throws(TransportError) {
      response = try await next.send(outgoing, options: options)
    } catch {
      if error.isOfTheWay, await end(sharedFetch, on: stale, error.history) { return }
      return sharedFetch.end(.failed(error))
    }
    if response.head.code == 304, let stale, stale.hasValidator {
      // A rate limiter may have no other turn than this answer's: nothing is waited for while that is held.
      response.body = TransportBody(Data())
      if await confirm(sharedFetch, stale, by: response.head, requestTime: requestTime) { return }
      // What it confirms is gone, or is not what was asked about: only the whole response helps.
      try? await cache.storage.remove(stale, for: key)
      return await fetch(for: sharedFetch, nil, self.outgoing(nil))
    }
    if response.head.code >= 500 {
      if await end(sharedFetch, on: stale, response.head.history) { return }
    }
    let receipt = CacheReceipt(head: response.head, requestTime: requestTime, responseTime: cache.now())
    guard isStorable(response.head) else {
      // What the server says now is not what is stored; an error of its own says nothing of that.
      if let stale, response.head.code < 500 { try? await cache.storage.remove(stale, for: key) }
      sharedFetch.handOver(response)
      return sharedFetch.end(.alone)
    }
    await receive(response.body, receipt, sharedFetch)
  }

  /// Whether the response is stored if its body comes to its end.
  private func isStorable(_ head: HTTP.Response) -> Bool {
    CacheEntry.isStorable(head) && head.announcedLength.map { $0 <= cache.maximumBodyLength } ?? true
  }

  /// Whether the answer says that the entry holds, and the entry was there to be given.
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

  /// Whether the stale entry stands in for an error.
  private func end(
    _ sharedFetch: SharedFetch<CacheAnswer>, on stale: CacheEntry?, _ history: HTTP.History
  ) async -> Bool {
    guard let stale, wanted.mayReplaceError(stale, at: cache.now()),
      let body = await cache.body(of: stale, for: request, key)
    else { return false }
    sharedFetch.end(.shared(CacheAnswer(stale, body, .stale, history)))
    return true
  }

  /// Passes a body on as it comes, and stores it when it has come whole. Rule K11.
  private func receive(_ body: TransportBody, _ receipt: CacheReceipt, _ sharedFetch: SharedFetch<CacheAnswer>) async {
    let fresh = receipt.entry(for: wanted, bodyLength: 0)
    let isShared = wanted.canShare(fresh, at: cache.now())
    await sharedFetch.deliver(receipt.head, body, isShared: isShared, upTo: cache.maximumBodyLength) { collected in
      guard !sharedFetch.isObsolete else { return }
      let entry = receipt.entry(for: wanted, bodyLength: collected.count)
      try? await cache.storage.store(entry, body: collected, for: key)
      // The target may have changed while it was being stored.
      if sharedFetch.isObsolete { try? await cache.storage.remove(entry, for: key) }
      sharedFetch.end(.shared(CacheAnswer(entry, collected, .hit, HTTP.History())))
    }
  }
}

/// A response's head, and when it came.
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
  /// Whether it happened on the way to the server or back, as opposed to the caller's own doing.
  var isOfTheWay: Bool {
    switch code {
    case .noConnection, .hostNotFound, .connectionLost, .timedOut, .malformedResponse, .truncatedResponse, .tlsFailure,
      .circuitOpen, .other:
      true
    default: false
    }
  }
}

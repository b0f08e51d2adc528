internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A fetch, in its own task.
extension CacheExchange {
  func fly(_ flight: CacheFlight, _ stale: CacheEntry?, _ outgoing: HTTP.Request) async {
    await fetch(for: flight, stale, outgoing)
    // Nobody is left without an end, however the fetch went.
    flight.land(.alone)
    cache.flights.remove(flight)
  }

  private func fetch(for flight: CacheFlight, _ stale: CacheEntry?, _ outgoing: HTTP.Request) async {
    let requestTime = cache.now()
    var response: TransportResponse
    do throws(TransportError) {
      response = try await next.send(outgoing, options: options)
    } catch {
      if error.isOfTheWay, await land(flight, on: stale, error.history) { return }
      return flight.land(.failed(error))
    }
    if response.head.code == 304, let stale, stale.hasValidator {
      // A rate limiter may have no other turn than this answer's: nothing is waited for while that is held.
      response.body = TransportBody(Data())
      if await confirm(flight, stale, by: response.head, requestTime: requestTime) { return }
      // What it confirms is gone, or is not what was asked about: only the whole response helps.
      try? await cache.storage.remove(stale, for: key)
      return await fetch(for: flight, nil, self.outgoing(nil))
    }
    if response.head.code >= 500 {
      if await land(flight, on: stale, response.head.history) { return }
    }
    let receipt = CacheReceipt(head: response.head, requestTime: requestTime, responseTime: cache.now())
    guard isStorable(response.head) else {
      // What the server says now is not what is stored; an error of its own says nothing of that.
      if let stale, response.head.code < 500 { try? await cache.storage.remove(stale, for: key) }
      flight.handOver(response)
      return flight.land(.alone)
    }
    await receive(response.body, receipt, flight)
  }

  /// Whether the response is stored if its body comes to its end.
  private func isStorable(_ head: HTTP.Response) -> Bool {
    CacheEntry.isStorable(head) && head.announcedLength.map { $0 <= cache.maximumBodyLength } ?? true
  }

  /// Whether the answer says that the entry holds, and the entry was there to be given.
  private func confirm(
    _ flight: CacheFlight, _ stale: CacheEntry, by head: HTTP.Response, requestTime: Date
  ) async -> Bool {
    guard stale.hasValidators(of: head.headers), let body = await cache.body(of: stale, for: request, key) else {
      return false
    }
    let updated = stale.updated(with: head.headers, requestTime: requestTime, responseTime: cache.now())
    if !flight.isObsolete { try? await cache.storage.update(updated, for: key) }
    flight.land(.stored(updated.setting(cookiesOf: head.headers), body, .revalidated, head.history))
    return true
  }

  /// Whether the stale entry stands in for an error.
  private func land(_ flight: CacheFlight, on stale: CacheEntry?, _ history: HTTP.History) async -> Bool {
    guard let stale, wanted.mayReplaceError(stale, at: cache.now()),
      let body = await cache.body(of: stale, for: request, key)
    else { return false }
    flight.land(.stored(stale, body, .stale, history))
    return true
  }

  /// Passes a body on as it comes, and stores it when it has come whole. Rule K11.
  private func receive(_ body: TransportBody, _ receipt: CacheReceipt, _ flight: CacheFlight) async {
    let pace = CachePace()
    let writer = open(receipt.head, flight, pace)
    let fresh = receipt.entry(for: wanted, bodyLength: 0)
    if !wanted.canShare(fresh, at: cache.now()) { flight.land(.alone) }
    var collected: Data? = Data()
    do throws(TransportError) {
      for try await chunk in body {
        if let count = collected?.count, chunk.count > cache.maximumBodyLength - count {
          collected = nil
          flight.land(.alone)
          if flight.isBackground { return }
        }
        collected?.append(chunk)
        writer.yield(chunk)
        if collected == nil { await pace.wait() }
      }
    } catch {
      writer.finish(error)
      return flight.land(.failed(error))
    }
    defer { writer.finish() }
    guard let collected, receipt.head.announcedLength.map({ $0 == collected.count }) ?? true else { return }
    guard !flight.isObsolete else { return }
    let entry = receipt.entry(for: wanted, bodyLength: collected.count)
    try? await cache.storage.store(entry, body: collected, for: key)
    // The target may have changed while it was being stored.
    if flight.isObsolete { try? await cache.storage.remove(entry, for: key) }
    flight.land(.stored(entry, collected, .hit, HTTP.History()))
  }

  /// Hands a response over whose body is written to what this returns: nothing here may keep it from being abandoned.
  private func open(_ head: HTTP.Response, _ flight: CacheFlight, _ pace: CachePace) -> TransportBody.Writer {
    let (body, writer) = TransportBody.makeStream(
      onAbandon: {
        pace.end()
        flight.leave()
      }, onFlow: { pace.set($0) })
    flight.handOver(TransportResponse(head: head, body: body))
    return writer
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

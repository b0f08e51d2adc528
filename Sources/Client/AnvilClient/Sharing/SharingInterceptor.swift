package import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Lets identical GET requests that are in progress at the same time share one exchange: ``ClientConfiguration/sharesIdenticalRequests``.
///
/// It comes after interceptors that add credentials, and before ``CacheInterceptor`` and those that repeat requests.
package struct SharingInterceptor: Interceptor {
  /// The response for all callers except the first.
  private struct SharedResponse: Sendable {
    let head: HTTP.Response
    let body: Data
  }

  /// The default maximum number of bytes of a shared body.
  package static let defaultBodyLimit = 8 << 20

  private let fetches = SharedFetches<SharedResponse>()
  private let maximumBodyLength: Int

  /// Creates an interceptor with no exchange in progress.
  ///
  /// - Parameter maximumBodyLength: the maximum number of bytes of a shared body. For a longer one, each caller except the first starts
  ///   a separate exchange.
  package init(maximumBodyLength: Int = Self.defaultBodyLimit) {
    self.maximumBodyLength = maximumBodyLength
  }

  /// The number of callers that wait for an exchange or read its response.
  var callerCount: Int { fetches.callerCount }

  /// Sends `request`, or waits for the response to an identical request.
  ///
  /// - Throws: the error that `next` throws, `cancelled` when the task is cancelled, and `timedOut` when its deadline ends the wait.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let key = CacheKey(request.url) else { return try await next.send(request, options: options) }
    guard request.method.isSafe else {
      fetches.makeObsolete(key)
      // Exchanges that began while the target was being changed are not shared either.
      defer { fetches.makeObsolete(key) }
      return try await next.send(request, options: options)
    }
    guard isShareable(request, options) else {
      return try await next.send(request, options: options)
    }
    let fetch = fetches.joined(FetchIdentity(request, timeout: options.timeout), for: key)
    let ending = await fetch.wait { await run($0, request, options, next) }
    if fetch.isAbandoned { fetches.remove(fetch) }
    switch ending {
    case .response(let response): return response
    case .shared(let response):
      var head = response.head
      head.request = request
      return TransportResponse(head, body: response.body)
    case .failed(let error):
      throw error.orTimedOut(by: options.expiry, in: .firstByte)
    case .alone: return try await next.send(request, options: options)
    }
  }

  private func isShareable(_ request: HTTP.Request, _ options: TransportOptions) -> Bool {
    request.method == .get && request.body.isEmpty && options.responseDelivery == .collected
      && (options.cachePolicy ?? .standard) == .standard
      && options.idempotency != .notIdempotent
      && !request.headers.contains(.cacheControl) && !request.headers.contains(.pragma)
  }

  private func run(
    _ fetch: SharedFetch<SharedResponse>, _ request: HTTP.Request, _ options: TransportOptions,
    _ next: any TransportSession
  ) async {
    // Each caller's deadline ends only that caller's wait.
    var options = options
    options.expiry = nil
    do throws(TransportError) {
      let response = try await next.send(request, options: options)
      let head = response.head
      let isShared = !head.headers.contains(.setCookie)
      let handlers = response.outcomeHandlers
      await fetch.deliver(
        head, response.body, handlers, isShared: isShared, upTo: maximumBodyLength
      ) { body in
        fetch.end(.shared(SharedResponse(head: head, body: body)))
      }
    } catch {
      fetch.end(.failed(error))
    }
    // Ends all remaining waits if the exchange produced no result to share.
    fetch.end(.alone)
    fetches.remove(fetch)
  }
}

public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Has GET requests that are the same and under way at the same time share one exchange. Nothing is stored: a request that begins
/// when the exchange is over makes another one.
///
///     var configuration = ClientConfiguration.standard
///     configuration.sharesIdenticalRequests = true
///
/// Two requests are the same when their URLs, all their fields but `traceparent` and `tracestate`, and their timeouts are equal:
/// credentials and cookies as well, so that nobody is told what another caller may know. Only requests whose response is collected
/// share. The first to ask hears of progress and events, and has its response as it comes; the others have it when it has come
/// whole. All have its status and fields, or its error. Cancelling one does not cancel it for the others, and neither does its
/// deadline.
///
/// A request that may change its target (RFC 9110 §9.2.1), such as a POST, ends the sharing of what is under way for the same URL:
/// later requests do not get a response from before the change.
///
/// It stands behind what adds credentials and before what repeats requests, as ``CacheInterceptor`` does.
public struct SharingInterceptor: Interceptor {
  /// A response as all but the first have it.
  private struct SharedResponse: Sendable {
    let head: HTTP.Response
    let body: Data
  }

  private let fetches = SharedFetches<SharedResponse>()
  private let maximumBodyLength: Int

  /// Creates an interceptor under which no exchange is under way.
  ///
  /// - Parameter maximumBodyLength: how many bytes a shared body has at most. For a longer one each caller but the first makes an
  ///   exchange of its own.
  public init(maximumBodyLength: Int = 8 << 20) {
    self.maximumBodyLength = maximumBodyLength
  }

  /// How many callers wait for an exchange, or read its response.
  var interest: Int { fetches.interest }

  /// Sends `request`, or waits for the response to one that is the same.
  ///
  /// - Throws: what `next` throws; `cancelled` when the task is cancelled, and `timedOut` when its deadline ends the wait.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let key = CacheKey(request.url) else { return try await next.send(request, options: options) }
    guard request.method.isSafe else {
      fetches.makeObsolete(key)
      // Also what began while the target was being changed.
      defer { fetches.makeObsolete(key) }
      return try await next.send(request, options: options)
    }
    guard request.method == .get, request.body.isEmpty, options.responseDelivery == .collected else {
      return try await next.send(request, options: options)
    }
    let fetch = fetches.joined(FetchIdentity(request, timeout: options.timeout), for: key)
    let ending = await fetch.wait { await run($0, request, options, next) }
    if !fetch.isStarted { fetches.remove(fetch) }
    switch ending {
    case .response(let response): return response
    case .shared(let response):
      var head = response.head
      head.request = request
      return TransportResponse(head, body: response.body)
    case .failed(let error):
      guard error.code == .cancelled, let deadline = options.deadline, deadline.hasCancelled else { throw error }
      throw deadline.error(in: .firstByte)
    case .alone: return try await next.send(request, options: options)
    }
  }

  private func run(
    _ fetch: SharedFetch<SharedResponse>, _ request: HTTP.Request, _ options: TransportOptions,
    _ next: any TransportSession
  ) async {
    // Each caller's deadline ends its own wait.
    var options = options
    options.deadline = nil
    do throws(TransportError) {
      let response = try await next.send(request, options: options)
      await fetch.deliver(response.head, response.body, upTo: maximumBodyLength) { body in
        fetch.end(.shared(SharedResponse(head: response.head, body: body)))
      }
    } catch {
      fetch.end(.failed(error))
    }
    // Nobody is left without an end, however the exchange went.
    fetch.end(.alone)
    fetches.remove(fetch)
  }
}

public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Answers requests from stored responses where HTTP allows it: a private cache, of one user.
///
///     let cache = CacheInterceptor(storage: MemoryCacheStorage())
///     let service = TransportService(session: session, interceptors: [cache])
///
/// GET and HEAD are answered from what is fresh, and what is stale is confirmed with the server, whose 304 the caller
/// never sees. `TransportOptions.cachePolicy` and the request's own `Cache-Control` are followed.
/// `HTTP.History.cacheOutcome` of a response and `TransferEvent.cached(_:)` say what the cache had to do with it; a
/// reused response has an `Age`.
///
/// Of the policies, those that take what is stored whatever its age do not take what says `no-cache`, nor what says
/// `must-revalidate` and is stale; where nothing may be loaded the answer is 504, as for `only-if-cached`.
///
/// Responses to requests with credentials are stored, and reused for the same credentials only: `Authorization`,
/// `Cookie`, and what `RequestPolicy.sensitiveHeaders` names. Nothing is kept of these but a digest; of the
/// credentials of Digest authentication, which are others for each request, it is that of the user and the realm.
///
/// A request with `If-None-Match`, `If-Modified-Since` or one `Range` is answered from a stored response that needs no
/// validation: with a 304, a 206, or the whole. Otherwise it goes to the server as it is, as does one with `If-Match`,
/// `If-Unmodified-Since`, a body or `no-store`, and nothing of the response is stored. `Set-Cookie` is never stored: only
/// the caller that gets the server's own response gets its cookies.
///
/// A body is passed on as it comes and stored when its end has come; one that is larger than an entry may be is passed
/// on alone. Up to that size it is read at the server's pace and not at its reader's. Concurrent requests that are the
/// same in every field and miss are one fetch: the first to ask has its response as it comes, the others when it was
/// stored. Where it may not be reused they fetch for themselves. Cancelling one does not cancel it for the others, and
/// neither does its deadline.
///
/// It stands behind what adds credentials and before what repeats requests. The session's own cache, where it has one,
/// is told to keep out. Source: RFC 9111; RFC 5861 for `stale-while-revalidate` and `stale-if-error`.
public struct CacheInterceptor: Interceptor {
  let cache: ResponseCache

  /// A cache over `storage`.
  ///
  /// - Parameters:
  ///   - storage: where the responses are.
  ///   - maximumBodyLength: how many bytes the body of a stored response has at most. As many may be in memory
  ///     for each response that is under way.
  ///   - now: what time it is, by which ages are told.
  public init(
    storage: any CacheStorage = MemoryCacheStorage(), maximumBodyLength: Int = 8 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    cache = ResponseCache(storage: storage, maximumBodyLength: maximumBodyLength, now: now)
  }

  /// Answers `request` from the cache or by way of `next`.
  ///
  /// - Throws: what `next` throws. A storage that fails is taken for an empty one.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await cache.answer(request, options: options, next: next)
  }

  /// Removes every stored response.
  ///
  /// - Throws: what the storage throws.
  public func removeAll() async throws {
    try await cache.storage.removeAll()
  }

  /// Removes the stored responses for a URL, whatever they vary by.
  ///
  /// - Throws: what the storage throws.
  public func removeAll(for url: URL) async throws {
    guard let key = CacheKey(url) else { return }
    try await cache.storage.removeAll(for: key)
  }
}

public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A private HTTP cache, which answers requests from stored responses where HTTP allows it.
///
///     let cache = CacheInterceptor(storage: MemoryCacheStorage())
///     let service = TransportService(session: session, interceptors: [cache])
///
/// GET and HEAD are answered from fresh responses. Stale responses are validated with the server, whose 304 is not visible to the caller.
/// `TransportOptions.cachePolicy` and the request's own `Cache-Control` are applied. `HTTP.History.cacheOutcome` of a response and
/// `TransferEvent.cached(_:)` report how the cache was used. A reused response has an `Age`.
///
/// The policies that accept a stored response of any age do not accept one with `no-cache`, or a stale one with `must-revalidate`. If the
/// policy forbids loading, the response is a 504, as for `only-if-cached`.
///
/// Responses to requests with credentials are stored, and reused only for the same credentials: `Authorization`, `Cookie`, and the fields
/// that `RequestSettings.sensitiveHeaders` names. Only a digest of these is stored. Credentials of Digest authentication change with each
/// request, so the digest is computed from the user and the realm.
///
/// A request with `If-None-Match`, `If-Modified-Since` or one `Range` is answered from a stored response that needs no validation: with a
/// 304, a 206, or the whole response. Otherwise it is sent to the server unchanged and the response is not stored. Requests with
/// `If-Match`, `If-Unmodified-Since`, a body or `no-store` are always sent to the server unchanged, and their responses are not stored.
/// `Set-Cookie` is never stored: a stored response sets no cookies, except those of a 304 that has just confirmed it.
///
/// A body is passed on as it is received, and stored when it is complete. A body larger than the limit of an entry is only passed on. Up to
/// that limit the body is read without waiting for its reader. Concurrent requests that have the same fields and are not in the cache share
/// one fetch. The first caller receives the response as it arrives, the others when it is stored. If it may not be reused, the others send
/// separate requests. Cancellation and deadlines of one caller do not affect the others.
///
/// Install it after interceptors that add credentials and before those that repeat requests. The session's own cache, if there is one, is
/// bypassed. Source: RFC 9111; RFC 5861 for `stale-while-revalidate` and `stale-if-error`.
public struct CacheInterceptor: Interceptor {
  let cache: ResponseCache

  /// Creates a cache that uses `storage`.
  ///
  /// - Parameters:
  ///   - storage: The storage of the responses.
  ///   - maximumBodyLength: The maximum number of bytes of a stored body. Up to this number of bytes may be in memory for each response in
  ///     progress.
  ///   - now: Returns the current time, from which ages are computed.
  public init(
    storage: any CacheStorage = MemoryCacheStorage(), maximumBodyLength: Int = 8 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    cache = ResponseCache(storage: storage, maximumBodyLength: maximumBodyLength, now: now)
  }

  /// Answers `request` from the cache or with the response of `next`.
  ///
  /// - Throws: The errors of `next`. A storage that fails is treated as empty.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await cache.answer(request, options: options, next: next)
  }

  /// Removes all stored responses.
  ///
  /// - Throws: The errors of the storage.
  public func removeAll() async throws {
    try await cache.storage.removeAll()
  }

  /// Removes all variants of the stored responses for a URL.
  ///
  /// - Throws: The errors of the storage.
  public func removeAll(for url: URL) async throws {
    guard let key = CacheKey(url) else { return }
    try await cache.storage.removeAll(for: key)
  }
}

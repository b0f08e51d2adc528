package import AnvilHTTP

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Answers requests from stored responses where HTTP allows it: ``ClientConfiguration/cache``.
///
/// It comes after interceptors that add credentials and before those that repeat requests.
package struct CacheInterceptor: Interceptor {
  let cache: ResponseCache

  /// Creates a cache that uses `storage`.
  ///
  /// - Parameters:
  ///   - storage: The storage of the responses.
  ///   - maximumBodyLength: The maximum number of bytes of a stored body. Up to this number of bytes may be in memory for each response in
  ///     progress.
  ///   - now: Returns the current time, from which ages are computed.
  package init(
    storage: any CacheStorage = MemoryCacheStorage(), maximumBodyLength: Int = 8 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    cache = ResponseCache(storage: storage, maximumBodyLength: maximumBodyLength, now: now)
  }

  /// Answers `request` from the cache or with the response of `next`.
  ///
  /// - Throws: The errors of `next`. A storage that fails is treated as empty.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await cache.answer(request, options: options, next: next)
  }
}

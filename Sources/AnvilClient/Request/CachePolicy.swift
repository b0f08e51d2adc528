/// The way in which a cache may answer a request, in the terms of `URLRequest.CachePolicy`. It applies to the
/// ``ClientConfiguration/cache``, or without one to the cache of the session, if it has one.
public enum CachePolicy: Hashable, Sendable {
  /// Answer according to the protocol. Source: RFC 9111.
  case useProtocolCachePolicy
  /// Do not answer from the local cache.
  case reloadIgnoringLocalCacheData
  /// Do not answer from the local cache, and request that caches between client and server do not answer either.
  case reloadIgnoringLocalAndRemoteCacheData
  /// Answer from the cache regardless of age. If no usable response is cached, load from the server.
  case returnCacheDataElseLoad
  /// Answer from the cache regardless of age. If no usable response is cached, fail: the cache then answers 504.
  case returnCacheDataDontLoad
  /// Answer from the cache only after the server has revalidated the response.
  case reloadRevalidatingCacheData
}

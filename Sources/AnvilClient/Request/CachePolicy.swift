/// How a cache may answer a request, in the terms of `URLRequest.CachePolicy`: a ``CacheInterceptor``, or without one that of
/// a session that has its own.
public enum CachePolicy: Hashable, Sendable {
  /// As the protocol says. Source: RFC 9111.
  case useProtocolCachePolicy
  /// Do not answer from the local cache.
  case reloadIgnoringLocalCacheData
  /// Do not answer from the local cache, and ask caches on the way not to either.
  case reloadIgnoringLocalAndRemoteCacheData
  /// Answer from the cache whatever the age; else load.
  case returnCacheDataElseLoad
  /// Answer from the cache whatever the age; else fail. A ``CacheInterceptor`` answers 504 then.
  case returnCacheDataDontLoad
  /// Answer from the cache only what the server confirms.
  case reloadRevalidatingCacheData
}

/// The way in which a cache may answer a request, in the terms of the request directives of `Cache-Control`. It applies to the
/// ``ClientConfiguration/cache``, or without one to the cache of the session, if it has one.
///
/// Directives in the request's own `Cache-Control` apply as well. They are sent to the server, while a policy only changes what the cache of
/// the client does, except for ``reloadEndToEnd``. To store nothing, set the field: `request.headers[.cacheControl] = "no-store"`.
///
/// Source: RFC 9111 §5.2.1.
public enum CachePolicy: Hashable, Sendable {
  /// Answer as the directives of the request and of the stored response allow: with a fresh response, and with a stale one after it was
  /// validated.
  case standard
  /// Answer with the stored response only after the server has validated it, even if it is fresh. Like the directive `no-cache`.
  case noCache
  /// Answer with a stored response of any age, like the directive `max-stale`. If no usable response is stored, send the request.
  case maxStale
  /// Answer with a stored response of any age, like the directives `only-if-cached` and `max-stale`. If no usable response is stored, fail: the
  /// cache then answers 504.
  case onlyIfCached
  /// Do not use the stored response: send the request, and store the new response. Caches between client and server may answer.
  case reload
  /// Do not use the stored response: send the request, and store the new response. A request without `Cache-Control` is sent with the directive
  /// `no-cache`, so that caches between client and server do not answer either.
  case reloadEndToEnd
}

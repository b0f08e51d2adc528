/// Common field names. Source: the IANA HTTP Field Name Registry; `X-` names by common practice.
extension HTTP.HeaderKey {
  /// `Accept`
  public static let accept = HTTP.HeaderKey(rawValue: "Accept")
  /// `Accept-Encoding`
  public static let acceptEncoding = HTTP.HeaderKey(rawValue: "Accept-Encoding")
  /// `Accept-Language`
  public static let acceptLanguage = HTTP.HeaderKey(rawValue: "Accept-Language")
  /// `Accept-Ranges`
  public static let acceptRanges = HTTP.HeaderKey(rawValue: "Accept-Ranges")
  /// `Age`
  public static let age = HTTP.HeaderKey(rawValue: "Age")
  /// `Allow`
  public static let allow = HTTP.HeaderKey(rawValue: "Allow")
  /// `Authorization`
  public static let authorization = HTTP.HeaderKey(rawValue: "Authorization")
  /// `Cache-Control`
  public static let cacheControl = HTTP.HeaderKey(rawValue: "Cache-Control")
  /// `Content-Disposition`
  public static let contentDisposition = HTTP.HeaderKey(rawValue: "Content-Disposition")
  /// `Content-Encoding`
  public static let contentEncoding = HTTP.HeaderKey(rawValue: "Content-Encoding")
  /// `Content-Language`
  public static let contentLanguage = HTTP.HeaderKey(rawValue: "Content-Language")
  /// `Content-Length`
  public static let contentLength = HTTP.HeaderKey(rawValue: "Content-Length")
  /// `Content-Location`
  public static let contentLocation = HTTP.HeaderKey(rawValue: "Content-Location")
  /// `Content-Range`
  public static let contentRange = HTTP.HeaderKey(rawValue: "Content-Range")
  /// `Content-Type`
  public static let contentType = HTTP.HeaderKey(rawValue: "Content-Type")
  /// `Cookie`
  public static let cookie = HTTP.HeaderKey(rawValue: "Cookie")
  /// `Date`
  public static let date = HTTP.HeaderKey(rawValue: "Date")
  /// `ETag`
  public static let eTag = HTTP.HeaderKey(rawValue: "ETag")
  /// `Expires`
  public static let expires = HTTP.HeaderKey(rawValue: "Expires")
  /// `Host`
  public static let host = HTTP.HeaderKey(rawValue: "Host")
  /// `Idempotency-Key`
  public static let idempotencyKey = HTTP.HeaderKey(rawValue: "Idempotency-Key")
  /// `If-Match`
  public static let ifMatch = HTTP.HeaderKey(rawValue: "If-Match")
  /// `If-Modified-Since`
  public static let ifModifiedSince = HTTP.HeaderKey(rawValue: "If-Modified-Since")
  /// `If-None-Match`
  public static let ifNoneMatch = HTTP.HeaderKey(rawValue: "If-None-Match")
  /// `If-Range`
  public static let ifRange = HTTP.HeaderKey(rawValue: "If-Range")
  /// `If-Unmodified-Since`
  public static let ifUnmodifiedSince = HTTP.HeaderKey(rawValue: "If-Unmodified-Since")
  /// `Last-Modified`
  public static let lastModified = HTTP.HeaderKey(rawValue: "Last-Modified")
  /// `Link`
  public static let link = HTTP.HeaderKey(rawValue: "Link")
  /// `Location`
  public static let location = HTTP.HeaderKey(rawValue: "Location")
  /// `Origin`
  public static let origin = HTTP.HeaderKey(rawValue: "Origin")
  /// `Prefer`
  public static let prefer = HTTP.HeaderKey(rawValue: "Prefer")
  /// `Range`
  public static let range = HTTP.HeaderKey(rawValue: "Range")
  /// `Referer`
  public static let referer = HTTP.HeaderKey(rawValue: "Referer")
  /// `Retry-After`
  public static let retryAfter = HTTP.HeaderKey(rawValue: "Retry-After")
  /// `Server`
  public static let server = HTTP.HeaderKey(rawValue: "Server")
  /// `Set-Cookie`
  public static let setCookie = HTTP.HeaderKey(rawValue: "Set-Cookie")
  /// `User-Agent`
  public static let userAgent = HTTP.HeaderKey(rawValue: "User-Agent")
  /// `Vary`
  public static let vary = HTTP.HeaderKey(rawValue: "Vary")
  /// `WWW-Authenticate`
  public static let wwwAuthenticate = HTTP.HeaderKey(rawValue: "WWW-Authenticate")
  /// `X-Request-ID`
  public static let xRequestID = HTTP.HeaderKey(rawValue: "X-Request-ID")
}

/// Names of fields that the client, its session or a server handles. Callers write one as a literal: `"Connection"`.
extension HTTP.HeaderKey {
  /// `Accept-Charset`
  package static let acceptCharset = HTTP.HeaderKey(rawValue: "Accept-Charset")
  /// `Connection`
  package static let connection = HTTP.HeaderKey(rawValue: "Connection")
  /// `Content-MD5`
  package static let contentMD5 = HTTP.HeaderKey(rawValue: "Content-MD5")
  /// `Expect`
  package static let expect = HTTP.HeaderKey(rawValue: "Expect")
  /// `From`
  package static let from = HTTP.HeaderKey(rawValue: "From")
  /// `Keep-Alive`
  package static let keepAlive = HTTP.HeaderKey(rawValue: "Keep-Alive")
  /// `Last-Event-ID`
  package static let lastEventID = HTTP.HeaderKey(rawValue: "Last-Event-ID")
  /// `Pragma`
  package static let pragma = HTTP.HeaderKey(rawValue: "Pragma")
  /// `Proxy-Authenticate`
  package static let proxyAuthenticate = HTTP.HeaderKey(rawValue: "Proxy-Authenticate")
  /// `Proxy-Authorization`
  package static let proxyAuthorization = HTTP.HeaderKey(rawValue: "Proxy-Authorization")
  /// `Strict-Transport-Security`
  package static let strictTransportSecurity = HTTP.HeaderKey(rawValue: "Strict-Transport-Security")
  /// `TE`
  package static let te = HTTP.HeaderKey(rawValue: "TE")
  /// `traceparent`
  package static let traceparent = HTTP.HeaderKey(rawValue: "traceparent")
  /// `tracestate`
  package static let tracestate = HTTP.HeaderKey(rawValue: "tracestate")
  /// `Trailer`
  package static let trailer = HTTP.HeaderKey(rawValue: "Trailer")
  /// `Transfer-Encoding`
  package static let transferEncoding = HTTP.HeaderKey(rawValue: "Transfer-Encoding")
  /// `Upgrade`
  package static let upgrade = HTTP.HeaderKey(rawValue: "Upgrade")
  /// `Via`
  package static let via = HTTP.HeaderKey(rawValue: "Via")
}

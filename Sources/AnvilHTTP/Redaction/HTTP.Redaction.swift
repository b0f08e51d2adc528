#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// What may be shown of messages to those who read logs and recordings: the one place that decides.
  ///
  /// Of header fields the values that are known to be harmless are shown and no others; URLs without user and password. Of
  /// queries, forms and JSON everything is shown but the values whose names say that they are secret, such as `access_token`,
  /// `apiKey` or `password`, unless ``queryValues`` hides them all. What is hidden reads ``mark``; a number in JSON reads 0.
  public struct Redaction: Sendable {
    /// Which values of a query are shown.
    public enum QueryValues: Hashable, Sendable {
      /// None: for logs.
      case hidden
      /// Those whose names do not say that they are secret: for recordings.
      case shownUnlessSecret
    }

    /// What stands for a value that is hidden.
    public static let mark = "<redacted>"

    /// Fields whose values are shown beside the harmless ones.
    public var shownHeaders: Set<HeaderKey> = []
    /// Fields whose values are hidden whatever else holds.
    public var hiddenHeaders: Set<HeaderKey> = []
    /// Names of query items, form fields and JSON members that are secret beside those that sound so, without regard to case.
    public var secretNames: Set<String> = [] {
      didSet { lowercasedSecretNames = Set(secretNames.map { $0.lowercased() }) }
    }
    /// Which values of a query are shown.
    public var queryValues: QueryValues
    private(set) var lowercasedSecretNames: Set<String> = []

    /// The rules as they are above.
    public init(queryValues: QueryValues = .hidden) {
      self.queryValues = queryValues
    }
  }
}

extension HTTP.Redaction {
  /// The value of a field as it may be shown.
  public func shown(_ field: HTTP.Headers.Field) -> String {
    if hiddenHeaders.contains(field.key) { return Self.mark }
    if shownHeaders.contains(field.key) || Self.harmless.contains(field.key) { return field.value.rawValue }
    if field.key == .link { return shown(links: field.value.rawValue) }
    return Self.references.contains(field.key) ? shown(reference: field.value.rawValue) : Self.mark
  }

  /// The same rules, which hide the values of `fields`, too.
  package func hiding(_ fields: Set<HTTP.HeaderKey>) -> HTTP.Redaction {
    var redaction = self
    redaction.hiddenHeaders.formUnion(fields)
    return redaction
  }

  /// Whether any part of the field's value is hidden.
  package func hides(_ field: HTTP.Headers.Field) -> Bool {
    shown(field) != field.value.rawValue
  }

  /// The fields as they may be shown.
  public func shown(_ headers: HTTP.Headers) -> HTTP.Headers {
    HTTP.Headers(headers.map { HTTP.Headers.Field($0.key, HTTP.HeaderValue(rawValue: shown($0))) })
  }

  /// A URL as it may be shown: without user and password, its fragment and hidden values as ``mark``.
  public func shown(_ url: URL) -> String {
    switch queryValues {
    case .hidden: url.redactedDescription
    case .shownUnlessSecret: shown(reference: url.absoluteString)
    }
  }

  /// Fields whose values are URLs, which may have secrets in their queries.
  private static let references: Set<HTTP.HeaderKey> = [.location, .contentLocation, .referer]

  private static let harmless: Set<HTTP.HeaderKey> = [
    .accept, .acceptCharset, .acceptEncoding, .acceptLanguage, .acceptRanges, .age, .allow, .cacheControl, .connection,
    .contentDisposition, .contentEncoding, .contentLanguage, .contentLength, .contentRange, .contentType, .date, .eTag,
    .expect, .expires, .host, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .keepAlive,
    .lastEventID, .lastModified, .origin, .pragma, .range, .retryAfter, .server, .strictTransportSecurity, .te,
    .traceparent, .trailer,
    .transferEncoding, .upgrade, .userAgent, .vary, .via, .wwwAuthenticate, .xRequestID,
  ]
}

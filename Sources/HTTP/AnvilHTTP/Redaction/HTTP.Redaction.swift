#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// The rules that decide which parts of messages are shown in logs and recordings.
  ///
  /// Header field values are hidden unless they are known to be harmless. URLs are shown without user, password and fragment. Values with
  /// secret names, such as `access_token`, `apiKey` or `password`, are always hidden. Other values are shown in JSON and forms. In the
  /// query of a URL, ``queryValues`` determines whether they are shown. A hidden value is replaced by `<redacted>`, a hidden number in JSON
  /// by 0. Segments of paths that match a pattern in ``secretPaths`` are hidden, too.
  public struct Redaction: Sendable {
    /// The query values that are shown.
    public enum QueryValues: Hashable, Sendable {
      /// No values; for logs.
      case hidden
      /// Values whose names are not secret; for recordings.
      case shownUnlessSecret
    }

    /// The replacement for hidden values.
    package static let mark = "<redacted>"

    /// Fields whose values are shown in addition to the harmless ones.
    public var shownHeaders: Set<HeaderKey> = []
    /// Fields whose values are always hidden. Takes precedence over all other rules.
    public var hiddenHeaders: Set<HeaderKey> = []
    /// Additional secret names of query items, form fields and JSON members, compared case-insensitively.
    public var secretNames: Set<String> = [] {
      didSet { lowercasedSecretNames = Set(secretNames.map { $0.lowercased() }) }
    }
    /// The query values that are shown.
    public var queryValues: QueryValues
    private(set) var lowercasedSecretNames: Set<String> = []

    /// Creates the default rules.
    public init(queryValues: QueryValues = .hidden) {
      self.queryValues = queryValues
    }
  }
}

extension HTTP.Redaction {
  /// Returns the redacted value of a field.
  public func shown(_ field: HTTP.Headers.Field) -> String {
    if hiddenHeaders.contains(field.key) { return Self.mark }
    if shownHeaders.contains(field.key) || Self.harmless.contains(field.key) { return field.value.rawValue }
    if field.key == .link { return shown(links: field.value.rawValue) }
    return Self.references.contains(field.key) ? shown(reference: field.value.rawValue) : Self.mark
  }

  /// Returns a copy of these rules that also hides the values of `fields`.
  package func hiding(_ fields: Set<HTTP.HeaderKey>) -> HTTP.Redaction {
    var redaction = self
    redaction.hiddenHeaders.formUnion(fields)
    return redaction
  }

  /// Returns whether any part of the field's value is hidden.
  package func hides(_ field: HTTP.Headers.Field) -> Bool {
    shown(field) != field.value.rawValue
  }

  /// Returns the redacted fields.
  public func shown(_ headers: HTTP.Headers) -> HTTP.Headers {
    HTTP.Headers(headers.map { HTTP.Headers.Field($0.key, HTTP.HeaderValue(rawValue: shown($0))) })
  }

  /// Returns a redacted URL: the user and password, the fragment and hidden query values are replaced by `<redacted>`.
  public func shown(_ url: URL) -> String {
    shown(reference: url.absoluteString)
  }

  /// Fields whose values are URLs, which may contain secrets in their queries.
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

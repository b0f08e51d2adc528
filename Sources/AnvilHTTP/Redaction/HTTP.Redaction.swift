internal import AnvilJSON

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
    private var lowercasedSecretNames: Set<String> = []

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
    return Self.references.contains(field.key) ? shown(reference: field.value.rawValue) : Self.mark
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

  /// A body as it may be shown: JSON and forms without secret values, anything else as it is.
  ///
  /// - Returns: the same bytes where nothing is hidden.
  public func shown(body: Data, contentType: HTTP.HeaderValue?) -> Data {
    guard let contentType, !body.isEmpty else { return body }
    if contentType.isJSON {
      guard let json = try? JSON(parsing: body), let shown = shown(json) else { return body }
      return shown.serializedData()
    }
    guard contentType.isForm, let text = String(bytes: body, encoding: .utf8) else { return body }
    return Data(HTTP.Redaction.recording(self).shown(query: text).utf8)
  }

  /// The value without the secret ones in it; `nil` where there are none.
  private func shown(_ json: JSON) -> JSON? {
    var hasChanged = false
    switch json.kind {
    case .array:
      let elements = json.elements.map { element in
        let shown = shown(element)
        hasChanged = hasChanged || shown != nil
        return shown ?? element
      }
      return hasChanged ? .some(JSON(elements)) : .none
    case .object:
      let members = json.members.map { key, value -> (key: String, value: JSON) in
        let shown = isSecret(name: key) ? .some(hidden(value)) : shown(value)
        hasChanged = hasChanged || shown != nil
        return (key, shown ?? value)
      }
      return hasChanged ? .some(JSON(members)) : .none
    // Not `nil`, which is a value of JSON, too.
    default: return .none
    }
  }

  /// The value with every text in it hidden, and every number as 0, so that it still decodes.
  private func hidden(_ json: JSON) -> JSON {
    switch json.kind {
    case .string: JSON(Self.mark)
    case .number: JSON(0)
    case .array: JSON(json.elements.map(hidden))
    case .object: JSON(json.members.map { (key: $0.key, value: hidden($0.value)) })
    case .bool, .null: json
    }
  }

  private static func recording(_ redaction: HTTP.Redaction) -> HTTP.Redaction {
    var recording = redaction
    recording.queryValues = .shownUnlessSecret
    return recording
  }

  /// Whether a query item, a form field or a member of this name is secret.
  public func isSecret(name: String) -> Bool {
    let name = name.lowercased()
    if lowercasedSecretNames.contains(name) { return true }
    let letters = name.filter { $0.isLetter || $0.isNumber }
    return Self.secretWords.contains { letters.contains($0) } || Self.secretAbbreviations.contains(letters)
  }

  /// A URL, or a relative reference, as text, taken apart by its delimiters, since servers send what is no URL.
  package func shown(reference: String) -> String {
    let (rest, fragment) = reference.split(at: "#")
    var (path, query) = rest.split(at: "?")
    if let start = path.firstRange(of: "//"),
      let at = path[start.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
    {
      path.replaceSubrange(start.upperBound...at, with: "\(Self.mark)@")
    }
    let shownQuery = query.map { "?" + shown(query: $0) } ?? ""
    return path + shownQuery + (fragment == nil ? "" : "#\(Self.mark)")
  }

  /// A query or a form's body, percent-encoded, as it may be shown.
  package func shown(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      let (name, value) = String(item).split(at: "=")
      guard value != nil else { return queryValues == .hidden && !name.isEmpty ? Self.mark : name }
      let plain = URLForm.percentDecoded(Data(name.utf8)) ?? name
      let isHidden =
        queryValues == .hidden || isSecret(name: plain) || Self.secretQueryNames.contains(plain.lowercased())
      return isHidden ? "\(name)=\(Self.mark)" : String(item)
    }.joined(separator: "&")
  }

  // Parts of names; "key" alone would hide what tells pages apart.
  private static let secretWords = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential",
    "signature",
    "authorization", "session", "cookie", "otp", "jwt", "assertion",
  ]
  private static let secretAbbreviations: Set<String> = [
    "pwd", "pass", "pin", "sig", "auth", "sid", "ssn", "cvv", "cvc",
  ]
  // In a document these are too often something else.
  private static let secretQueryNames: Set<String> = ["code", "key", "state"]

  /// Fields whose values are URLs, which may have secrets in their queries.
  private static let references: Set<HTTP.HeaderKey> = [.location, .contentLocation, .link, .referer]

  private static let harmless: Set<HTTP.HeaderKey> = [
    .accept, .acceptCharset, .acceptEncoding, .acceptLanguage, .acceptRanges, .age, .allow, .cacheControl, .connection,
    .contentDisposition, .contentEncoding, .contentLanguage, .contentLength, .contentRange, .contentType, .date, .eTag,
    .expect, .expires, .host, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .keepAlive,
    .lastModified, .origin, .pragma, .range, .retryAfter, .server, .strictTransportSecurity, .te, .trailer,
    .transferEncoding, .upgrade, .userAgent, .vary, .via, .wwwAuthenticate, .xRequestID,
  ]
}

extension String {
  /// What stands before the first `delimiter`, and what behind it; `nil` where there is none.
  fileprivate func split(at delimiter: Character) -> (String, String?) {
    guard let index = firstIndex(of: delimiter) else { return (self, nil) }
    return (String(self[..<index]), String(self[self.index(after: index)...]))
  }
}

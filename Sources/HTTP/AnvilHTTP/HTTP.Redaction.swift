public import AnvilBase
internal import Synchronization

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
  package func shown(_ field: HTTP.Headers.Field) -> String {
    if hiddenHeaders.contains(field.key) { return Self.mark }
    if shownHeaders.contains(field.key) || Self.harmless.contains(field.key) { return field.value.rawValue }
    if field.key == .link { return shown(links: field.value.rawValue) }
    return Self.references.contains(field.key) ? shown(reference: field.value.rawValue) : Self.mark
  }

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

  // A retry depends on the fields of rate limits.
  private static let harmless: Set<HTTP.HeaderKey> = HTTP.Headers.rateLimitFields.union([
    .accept, .acceptCharset, .acceptEncoding, .acceptLanguage, .acceptRanges, .age, .allow, .cacheControl, .connection,
    .contentDisposition, .contentEncoding, .contentLanguage, .contentLength, .contentRange, .contentType, .date, .eTag,
    .expect, .expires, .host, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .keepAlive,
    .lastEventID, .lastModified, .origin, .pragma, .range, .retryAfter, .server, .strictTransportSecurity, .te,
    .traceparent, .trailer,
    .transferEncoding, .upgrade, .userAgent, .vary, .via, .wwwAuthenticate, .xRequestID, "Proxy-Authenticate",
  ])
}

/// The names that indicate secrets: those of fields, query items, form fields and JSON members.
extension HTTP.Redaction {
  /// Of a query item or a form field: `code` and `key` are secret there, too, and so is the `state` of OAuth, which is a random text. A short
  /// one is `open` or `closed`.
  package func isSecret(fieldName name: String, valueLength: Int) -> Bool {
    isSecret(name: name) || Self.secretQueryNames.contains(name.lowercased())
      || valueLength > 16 && name.lowercased() == "state"
  }

  package func isSecret(name: String) -> Bool {
    let lowercased = name.lowercased()
    if lowercasedSecretNames.contains(lowercased) || Self.secretNames.contains(lowercased) { return true }
    var words = name.words
    if words.count > 1, words.last.map(Self.harmlessEndings.contains) == true { return false }
    // A `nextPageToken` is a position in a list.
    if words.last == "token", words.dropLast().last.map(Self.positions.contains) == true { words.removeLast() }
    let letters = words.joined()
    return Self.secretParts.contains { letters.contains($0) } || words.contains(where: Self.secretWords.contains)
  }

  /// Returns whether a number with this name is a count, as `max_tokens` is.
  package static func isCount(name: String) -> Bool {
    name.words.last.map { ["tokens", "sessions", "cookies", "secrets", "credentials", "passwords"].contains($0) }
      ?? false
  }

  /// Names that are secret, but not as parts of other names: a `ticket_id` identifies a support ticket.
  private static let secretNames: Set<String> = ["ticket"]
  /// "key" and "code" alone are not among them: they would hide pagination keys and country codes.
  private static let secretParts = [
    // Credentials.
    "password", "passwd", "passphrase", "passcode", "secret", "token", "credential", "authorization", "bearer",
    "connectionstring", "mnemonic", "seedphrase", "webhookurl",
    // Keys.
    "apikey", "accesskey", "privatekey", "subscriptionkey", "functionkey", "functionskey", "signingkey",
    "encryptionkey",
    "symmetrickey", "masterkey", "accountkey", "sharedkey", "adminkey", "appkey", "applicationkey", "consumerkey",
    "writekey", "integrationkey", "routingkey", "licensekey", "licencekey", "activationkey", "recoverykey", "sshkey",
    // Sessions and single sign-on. Source: CAS protocol 3.0, SAML 2.0 bindings, RFC 7636 (code_verifier), RFC 8628 (device_code).
    "session", "sessid", "cookie", "signature", "assertion", "samlresponse", "samlrequest", "samlart", "relaystate",
    "verifier", "proxyticket", "serviceticket", "pgtiou", "pgtid", "devicecode", "usercode",
    // Codes that are used once.
    "verificationcode", "securitycode", "recoverycode", "backupcode", "accesscode", "activationcode", "mfacode",
    "pincode", "cardnumber",
  ]
  /// Words that make a name secret if it contains them as whole words.
  private static let secretWords: Set<String> = [
    "pwd", "pass", "pin", "sig", "auth", "sid", "ssn", "cvv", "cvc", "otp", "totp", "jwt", "hmac",
  ]
  /// Words at the end of a name that is not secret although its other words are, as in `token_type` and `passwordChangedAt`.
  private static let harmlessEndings: Set<String> = [
    "type", "at", "on", "in", "date", "expires", "expiry", "expiration", "ttl", "lifetime", "duration", "timeout",
    "age", "count", "length", "size", "limit",
  ]
  /// Names that are secret only in queries and forms: in documents they usually have a different meaning.
  private static let secretQueryNames: Set<String> = ["code", "key"]
  /// Words before "token" that make it a position: of a page, or of what has changed since the last request.
  private static let positions: Set<String> = [
    "page", "next", "previous", "prev", "start", "continuation", "continue", "cursor", "skip", "sync", "delta",
    "resume", "scroll", "pagination", "list",
  ]
}

extension String {
  /// The words of a name in lower case. `userPwd`, `user_pwd` and `user[pwd]` have the same words.
  fileprivate var words: [String] {
    var words: [String] = []
    var word = ""
    var wasLowercase = false
    for character in self {
      if !character.isLetter && !character.isNumber || character.isUppercase && wasLowercase {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
      wasLowercase = character.isLowercase || character.isNumber
    }
    return word.isEmpty ? words : words + [word]
  }
}

extension HTTP.Redaction {
  /// A pattern of URL paths that contain secrets, such as the token of a bot or the key of a webhook.
  ///
  ///     HTTP.Redaction.secretPaths = ["/bot{token}", "hooks.example.com/services/*/*/{key}"]
  ///
  /// A pattern consists of segments. Text in braces is secret; the name in the braces has no effect. `*` matches any text that is not
  /// secret. A segment has text before and after its first and last variable at most: in `v*-{key}`, everything after `v` is hidden.
  ///
  /// The segments are compared with each part of a path, so that a base path may precede them and others may follow. Percent-encoded
  /// characters are decoded for the comparison. A pattern that does not begin with a slash begins with a host, which is compared without
  /// its port and without regard to case; `*.example.com` matches every subdomain.
  public struct SecretPath: Hashable, Sendable, ExpressibleByStringLiteral {
    private struct Segment: Hashable {
      var prefix: [UInt8] = []
      /// The text after the last variable; `nil` for a segment without variables.
      var suffix: [UInt8]?
      var isSecret = false

      init(_ text: Substring) {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 == .openBrace || $0 == .asterisk }),
          let last = bytes.lastIndex(where: { $0 == .closeBrace || $0 == .asterisk }), first <= last
        else {
          prefix = PercentEncoding.decode(bytes)
          return
        }
        prefix = PercentEncoding.decode(bytes[..<first])
        suffix = PercentEncoding.decode(bytes[bytes.index(after: last)...])
        isSecret = bytes[first...last].contains(.openBrace)
      }

      /// Returns whether the pattern matches a segment with these decoded bytes. A variable matches at least one byte.
      func matches(_ bytes: [UInt8]) -> Bool {
        guard let suffix else { return bytes == prefix }
        return bytes.count > prefix.count + suffix.count && bytes.starts(with: prefix)
          && bytes.suffix(suffix.count).elementsEqual(suffix)
      }

      var shown: String {
        PercentEncoding.encode(prefix[...], keeping: .reserved) + HTTP.Redaction.mark
          + PercentEncoding.encode((suffix ?? [])[...], keeping: .reserved)
      }
    }

    /// The host in lower case; empty for any host.
    private let host: String
    private let segments: [Segment]

    /// Creates a pattern.
    public init(_ pattern: String) {
      let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
      host = parts.first.map { $0.lowercased() } ?? ""
      segments = parts.dropFirst().filter { !$0.isEmpty }.map(Segment.init)
    }

    /// Creates a pattern.
    public init(stringLiteral pattern: String) {
      self.init(pattern)
    }

    private func matches(host other: String) -> Bool {
      if host.isEmpty { return true }
      let name = other.lowercased().prefix { $0 != ":" }
      return host.hasPrefix("*.") ? name.hasSuffix(host.dropFirst()) : name == host
    }

    /// Adds the texts that replace segments of `path` on `host`, by the positions of the segments.
    fileprivate func hide(in path: [[UInt8]], host: String, _ hidden: inout [Int: String]) {
      guard !segments.isEmpty, segments.count <= path.count, matches(host: host) else { return }
      for start in 0...(path.count - segments.count)
      where segments.indices.allSatisfy({ segments[$0].matches(path[start + $0]) }) {
        for (index, segment) in segments.enumerated() where segment.isSecret { hidden[start + index] = segment.shown }
      }
    }
  }

  private static let ownSecretPaths = Mutex<[SecretPath]>([])

  /// The patterns of URL paths that contain secrets. Initially none.
  ///
  /// The patterns apply to the whole process, because descriptions of requests and errors know no configuration: everything that shows a URL
  /// hides these segments, with the exceptions that show secrets on request. Set them once, at start.
  public static var secretPaths: [SecretPath] {
    get { ownSecretPaths.withLock { $0 } }
    set { ownSecretPaths.withLock { $0 = newValue } }
  }

  /// Returns the path of a URL on `host` with its secret segments hidden.
  static func shown(segments path: Substring, host: String) -> String {
    let patterns = secretPaths
    guard !patterns.isEmpty else { return String(path) }
    let parts = path.utf8.split(omittingEmptySubsequences: false, whereSeparator: \.isSlash)
    // Empty segments are left out, because servers usually ignore them.
    let positions = parts.indices.filter { !parts[$0].isEmpty }
    let decoded = positions.map { PercentEncoding.decode(parts[$0]) }
    var hidden: [Int: String] = [:]
    for pattern in patterns { pattern.hide(in: decoded, host: host, &hidden) }
    guard !hidden.isEmpty else { return String(path) }
    var shown = ""
    var end = path.startIndex
    for (index, position) in positions.enumerated() {
      guard let text = hidden[index] else { continue }
      shown += path[end..<parts[position].startIndex] + text
      end = parts[position].endIndex
    }
    return shown + path[end...]
  }
}

extension HTTP.Redaction.SecretPath: CustomStringConvertible {
  /// The host and the number of segments.
  public var description: String { "\(host)/ (\(segments.count) segments)" }
}

extension URL {
  /// The URL with credentials, query values and fragment replaced by `<redacted>`. The names in the query are kept.
  package var redactedDescription: String { HTTP.Redaction().shown(self) }
}

extension String {
  /// The first 40 Unicode scalars, made printable, for use in a log line. Text from a server must not flood a log or control a terminal.
  package var loggable: String { printable(limit: 40) }
}

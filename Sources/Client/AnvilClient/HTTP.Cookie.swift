public import AnvilBase
public import AnvilHTTP

/// The parsed value of one `Set-Cookie` line, without its context. Source: RFC 6265bis §5.6.
struct SetCookie: Hashable {
  /// The maximum number of bytes of the name and the value together.
  static let sizeLimit = 4096
  /// The maximum number of bytes of an attribute's value.
  private static let attributeLimit = 1024
  /// The maximum lifetime of a cookie in seconds: 400 days.
  static let ageLimit = 34_560_000

  var name: String
  var value: String
  /// The domain, in lower case and without a leading dot; `nil` without a `Domain` attribute.
  var domain: String?
  /// The path; `nil` without a `Path` attribute that begins with a slash.
  var path: String?
  /// The expiry date; `nil` for a cookie that ends with the session. A date in the past removes the cookie.
  var expiry: Date?
  var isSecure = false
  var isHTTPOnly = false
  var sameSite: HTTP.Cookie.SameSite?

  /// Parses `text` at the time `now`. The result is `nil` if the line must be ignored, because it has control characters, is too long or is
  /// empty.
  init?(_ text: String, now: Date) {
    guard !text.utf8.contains(where: \.isFieldControl) else { return nil }
    let parts = text.utf8.split(separator: .semicolon, omittingEmptySubsequences: false)
    guard let pair = parts.first else { return nil }
    let (first, second) = Self.split(pair)
    (name, value) = second.map { (first, $0) } ?? ("", first)
    guard !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= Self.sizeLimit else { return nil }
    var (expires, maxAge): (Date?, Date?)
    for part in parts.dropFirst() {
      let (attribute, argument) = Self.split(part)
      let text = argument ?? ""
      guard text.utf8.count <= Self.attributeLimit else { continue }
      switch attribute.lowercased() {
      case "expires": expires = Self.expiry(text, now: now) ?? expires
      case "max-age": maxAge = Self.expiry(maxAge: text, now: now) ?? maxAge
      case "domain": domain = (text.utf8.first == .period ? String(text.dropFirst()) : text).lowercased()
      case "path": path = text.utf8.first == .slash ? text : nil
      case "secure": isSecure = true
      case "httponly": isHTTPOnly = true
      case "samesite": sameSite = HTTP.Cookie.SameSite(rawValue: text.lowercased())
      default: break
      }
    }
    if domain?.isEmpty == true { domain = nil }
    // Tabs around names and values are allowed, and have been removed.
    let text = name + value + (domain ?? "") + (path ?? "")
    guard !text.utf8.contains(where: \.isControl) else { return nil }
    expiry = maxAge ?? expires
  }

  /// Returns the parts before and after the first equals sign, without surrounding white space. The second part is `nil` if there is no
  /// equals sign.
  private static func split(_ part: Substring.UTF8View) -> (String, String?) {
    guard let mark = part.firstIndex(of: .equalsSign) else { return (trimmed(part), nil) }
    return (trimmed(part[..<mark]), trimmed(part[part.index(after: mark)...]))
  }

  private static func trimmed(_ part: Substring.UTF8View) -> String {
    String(decoding: part.trimmingBlanks, as: UTF8.self)
  }

  private static func expiry(_ text: String, now: Date) -> Date? {
    CookieDate.seconds(text).map { seconds in
      min(Date(timeIntervalSince1970: Double(seconds)), now.addingTimeInterval(Double(ageLimit)))
    }
  }

  private static func expiry(maxAge text: String, now: Date) -> Date? {
    let digits = text.utf8.first == .minus ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0.isDigit }) else { return nil }
    if digits.count < text.utf8.count || digits.allSatisfy({ $0 == .digit0 }) { return .distantPast }
    // A number with too many digits counts as the longest lifetime.
    return now.addingTimeInterval(Double(min(Int(text) ?? ageLimit, ageLimit)))
  }
}

/// A parser for the time of an `Expires` attribute, which accepts many formats. Source: RFC 6265bis §5.1.1.
enum CookieDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Returns the seconds since 1970; `nil` if the time, the day, the month or the year is missing or invalid, or if the date does not
  /// exist.
  static func seconds(_ text: some StringProtocol) -> Int? {
    var time: [Int]?
    var (day, month, year): (Int?, Int?, Int?)
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      let token = Array(token)
      if time == nil, let found = self.time(token) {
        time = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = self.month(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 }
    if (0...69).contains(year) { year += 2000 }
    guard year >= 1601, let date = GregorianDay(year: year, month: month + 1, day: day), time[0] < 24, time[1] < 60,
      time[2] < 60
    else { return nil }
    return date.daysSince1970 * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case .tab, .space ... .slash, .semicolon ... .atSign, .openBracket ... .graveAccent, .openBrace ... .tilde: true
    default: false
    }
  }

  /// Returns the leading digits as a number; `nil` if their count is not in `digits`.
  private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
    let leading = token.prefix { $0.isDigit }
    guard digits.contains(leading.count) else { return nil }
    return leading.reduce(0) { $0 * 10 + Int($1 - .digit0) }
  }

  private static func time(_ token: [UInt8]) -> [Int]? {
    let fields = token.split(separator: .colon, maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0].allSatisfy({ $0.isDigit }),
      fields[1].allSatisfy({ $0.isDigit })
    else { return nil }
    let numbers = fields.compactMap { number(Array($0), digits: 1...2) }
    return numbers.count == 3 ? numbers : nil
  }

  private static func month(_ token: [UInt8]) -> Int? {
    months.firstIndex(of: String(decoding: token.prefix(3), as: UTF8.self).lowercased())
  }
}

extension HTTP {
  /// A cookie that a server has set, and the scope in which it is sent. Source: RFC 6265bis §5.
  public struct Cookie: Hashable, Sendable, Codable {
    /// The server's restriction of the cookie in requests that other sites cause. This client does not distinguish sites and only stores the
    /// value.
    public enum SameSite: String, Hashable, Sendable, Codable {
      /// The cookie is never sent with requests that other sites cause.
      case strict
      /// Of the requests that other sites cause, the cookie is sent with top-level navigations only.
      case lax
      /// The cookie is sent with all requests.
      case none
    }

    /// The name; empty for a cookie without a name.
    public var name: String
    /// The value, including any quotation marks from the server.
    public var value: String
    /// The host, or the domain if ``isHostOnly`` is false, in lower case, without a leading dot.
    public var domain: String
    /// A Boolean value that indicates whether the cookie applies to the host only, and not to its subdomains.
    public var isHostOnly: Bool
    /// The path to which the cookie applies, together with its subpaths.
    public var path: String
    /// The expiry date; `nil` for a cookie that ends with the session.
    public var expiry: Date?
    /// A Boolean value that indicates whether the cookie is sent only over https and on the loopback interface.
    public var isSecure: Bool
    /// A Boolean value that indicates whether a browser hides the cookie from scripts.
    public var isHTTPOnly: Bool
    /// The `SameSite` attribute, if there is one.
    public var sameSite: SameSite?

    /// Creates a cookie. By default it applies to the host `domain` and all of its paths, until the session ends.
    public init(
      name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/", expiry: Date? = nil,
      isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil
    ) {
      self.name = name
      self.value = value
      self.domain = domain.lowercased()
      self.isHostOnly = isHostOnly
      self.path = path
      self.expiry = expiry
      self.isSecure = isSecure
      self.isHTTPOnly = isHTTPOnly
      self.sameSite = sameSite
    }
  }
}

extension HTTP.Cookie {
  /// A Boolean value that indicates whether a server could have set the cookie: it can be sent in a well-formed message and parsed to the
  /// same cookie, and follows the rules of its name's prefix.
  var isWellFormed: Bool {
    let text = name + value + domain + path
    return !(name.isEmpty && value.isEmpty) && name.utf8.count + value.utf8.count <= SetCookie.sizeLimit
      && !text.utf8.contains { $0.isControl || $0 == .semicolon }
      && !name.utf8.contains(.equalsSign) && path.utf8.first == .slash && !domain.isEmpty
      && !domain.utf8.contains { " #/?@".utf8.contains($0) } && followsPrefixRules(namesPath: true)
  }

  /// Returns whether the cookie meets the requirements of its name's prefix. Source: RFC 6265bis §4.1.3, §5.7; the Layered Cookies draft, for
  /// the prefixes with `Http-`.
  ///
  /// - Parameter namesPath: Whether the server named the path.
  func followsPrefixRules(namesPath: Bool) -> Bool {
    let text = pair.lowercased()
    guard let prefix = ["__host-http-", "__host-", "__http-", "__secure-"].first(where: text.hasPrefix) else {
      return true
    }
    return !name.isEmpty && isSecure && (isHTTPOnly || !prefix.hasSuffix("http-"))
      && (isHostOnly && namesPath && path == "/" || !prefix.hasPrefix("__host-"))
  }

  /// The cookie as it is sent. Source: RFC 6265bis §5.8.3.
  var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension HTTP.Cookie: CustomStringConvertible, CustomReflectable {
  /// The name and the scope. The value is not shown.
  public var description: String { "\(name.loggable)=<redacted> for \(domain.loggable)\(path.loggable)" }
  /// A mirror without children, so that `dump` does not show the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

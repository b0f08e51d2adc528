internal import AnvilBase
internal import AnvilHTTP

/// The cookies of a jar, and the rules by which they are stored, removed and sent. Source: RFC 6265bis §5.7, §5.8.
struct CookieStore {
  /// The maximum number of cookies per domain. Source: RFC 6265bis §6.1.
  static let domainLimit = 50
  static let totalLimit = 3000

  private struct Entry {
    var cookie: HTTP.Cookie
    /// The position in the order in which cookies were first set.
    let number: Int
    /// The time of the last use, as a count of events in which cookies were set or sent.
    var lastUse: Int
  }

  /// The entries by domain.
  private var entries: [String: [Entry]] = [:]
  private var count = 0
  private var lastNumber = 0
  private let suffixes: CookieJar.PublicSuffixes

  init(suffixes: CookieJar.PublicSuffixes) {
    self.suffixes = suffixes
  }

  /// Returns all cookies that have not expired, in the order in which they were first set.
  func cookies(now: Date) -> [HTTP.Cookie] {
    entries.values.joined().filter { !$0.cookie.isOver(at: now) }.sorted(on: \.number).map(\.cookie)
  }

  /// Returns the cookies for a request, in the order in which they are sent, and marks them as used.
  mutating func cookies(for scope: CookieScope, now: Date) -> [HTTP.Cookie] {
    lastNumber += 1
    var found: [Entry] = []
    for domain in scope.domains {
      guard var inDomain = entries[domain] else { continue }
      for index in inDomain.indices where inDomain[index].cookie.isFor(scope, now: now) {
        inDomain[index].lastUse = lastNumber
        found.append(inDomain[index])
      }
      entries[domain] = inDomain
    }
    return found.sorted(on: \.number).sorted(on: { -$0.cookie.path.utf8.count }).map(\.cookie)
  }

  mutating func set(_ line: SetCookie, from scope: CookieScope, now: Date) {
    var domain = line.domain
    if let named = domain {
      guard named.utf8.allSatisfy({ $0 < 0x80 }) else { return }
      if suffixes.contains(named) {
        guard named == scope.host else { return }
        domain = nil
      } else if !CookieScope.matches(scope.host, domain: named) {
        return
      }
    }
    let cookie = HTTP.Cookie(
      name: line.name, value: line.value, domain: domain ?? scope.host, isHostOnly: domain == nil,
      path: line.path ?? scope.defaultPath, expiry: line.expiry, isSecure: line.isSecure,
      isHTTPOnly: line.isHTTPOnly, sameSite: line.sameSite)
    guard scope.isSecure || !cookie.isSecure && !hides(cookie, now: now) else { return }
    guard cookie.followsPrefixRules(namesPath: line.path != nil) else { return }
    set(cookie, now: now)
  }

  /// Stores `cookie` and replaces one with the same name, domain and path. An expired cookie removes the existing one.
  mutating func set(_ cookie: HTTP.Cookie, now: Date) {
    lastNumber += 1
    var entry = Entry(cookie: cookie, number: lastNumber, lastUse: lastNumber)
    if let index = entries[cookie.domain]?.firstIndex(where: { $0.cookie.isSame(as: cookie) }),
      let old = entries[cookie.domain]?.remove(at: index)
    {
      count -= 1
      if !old.cookie.isOver(at: now) { entry = Entry(cookie: cookie, number: old.number, lastUse: lastNumber) }
    }
    guard !cookie.isOver(at: now) else { return removeDomain(ifEmpty: cookie.domain) }
    entries[cookie.domain, default: []].append(entry)
    count += 1
    evict(from: cookie.domain, now: now)
  }

  mutating func remove(where isRemoved: (HTTP.Cookie) -> Bool) {
    for domain in Array(entries.keys) {
      entries[domain]?.removeAll { isRemoved($0.cookie) }
      removeDomain(ifEmpty: domain)
    }
    count = entries.values.reduce(0) { $0 + $1.count }
  }

  private mutating func removeDomain(ifEmpty domain: String) {
    if entries[domain]?.isEmpty == true { entries[domain] = nil }
  }

  /// Returns whether a cookie from an insecure origin would shadow a secure cookie.
  private func hides(_ cookie: HTTP.Cookie, now: Date) -> Bool {
    entries.values.joined().contains { entry in
      let old = entry.cookie
      return old.isSecure && old.name.hasSameBytes(as: cookie.name) && !old.isOver(at: now)
        && (CookieScope.matches(old.domain, domain: cookie.domain)
          || CookieScope.matches(cookie.domain, domain: old.domain))
        && CookieScope.matches(cookie.path, cookiePath: old.path)
    }
  }

  /// Removes cookies that exceed the limits. In a domain with too many cookies, expired ones are removed first, then those that are not
  /// secure, then the others. Of each of these, the least recently used are removed first. If there are too many cookies in total, expired
  /// ones are removed, and then the least recently used one.
  private mutating func evict(from domain: String, now: Date) {
    if let inDomain = entries[domain], inDomain.count > Self.domainLimit {
      var kept = inDomain.filter { !$0.cookie.isOver(at: now) }
      while kept.count > Self.domainLimit {
        let oldest = kept.indices.min { left, right in
          let (left, right) = (kept[left], kept[right])
          return left.cookie.isSecure == right.cookie.isSecure
            ? left.lastUse < right.lastUse : !left.cookie.isSecure
        }
        if let oldest { kept.remove(at: oldest) }
      }
      count -= inDomain.count - kept.count
      entries[domain] = kept
    }
    guard count > Self.totalLimit else { return }
    remove { $0.isOver(at: now) }
    guard count > Self.totalLimit else { return }
    // Only one cookie was added, so removing one is enough.
    let oldest = entries.values.joined().min { $0.lastUse < $1.lastUse }
    guard let oldest else { return }
    entries[oldest.cookie.domain]?.removeAll { $0.number == oldest.number }
    removeDomain(ifEmpty: oldest.cookie.domain)
    count -= 1
  }
}

extension HTTP.Cookie {
  fileprivate func isOver(at now: Date) -> Bool { expiry.map { $0 <= now } ?? false }

  fileprivate func isSame(as other: HTTP.Cookie) -> Bool {
    name.hasSameBytes(as: other.name) && domain == other.domain && isHostOnly == other.isHostOnly
      && path.hasSameBytes(as: other.path)
  }

  fileprivate func isFor(_ scope: CookieScope, now: Date) -> Bool {
    (!isHostOnly || domain == scope.host) && (!isSecure || scope.isSecure) && !isOver(at: now)
      && CookieScope.matches(scope.path, cookiePath: path)
  }
}

/// The parts of a request's URL that decide which cookies apply. Source: RFC 6265bis §5.1.
struct CookieScope {
  /// The host in lower case, or an IPv6 address without brackets.
  let host: String
  /// The path; `/` if it is empty.
  let path: String
  /// A Boolean value that indicates whether secure cookies may be sent: over https, and on the local machine.
  let isSecure: Bool

  /// Creates the scope of `url`; `nil` if it has no host.
  init?(_ url: URL) {
    guard let origin = HTTP.Origin(url) else { return nil }
    host = origin.host
    isSecure = origin.scheme == "https" || origin.isLoopback
    let path = url.path(percentEncoded: true)
    self.path = path.utf8.first == .slash ? path : "/"
  }

  /// The path of a cookie without a `Path` attribute. Source: RFC 6265bis §5.1.4.
  var defaultPath: String {
    guard let slash = path.utf8.lastIndex(of: .slash), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The host and its parent domains, starting with the host. Cookies of these domains may apply.
  var domains: [String] {
    guard !Self.isAddress(host) else { return [host] }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.indices.map { labels[$0...].joined(separator: ".") }
  }

  /// Returns whether a cookie of `domain` may be sent to `host`. Source: RFC 6265bis §5.1.3.
  static func matches(_ host: String, domain: String) -> Bool {
    host == domain || host.hasSuffix(".\(domain)") && !isAddress(host)
  }

  /// Returns whether a cookie of `cookiePath` may be sent to `path`. Source: RFC 6265bis §5.1.4.
  static func matches(_ path: String, cookiePath: String) -> Bool {
    let (path, cookiePath) = (path.utf8, cookiePath.utf8)
    guard path.starts(with: cookiePath) else { return false }
    return path.count == cookiePath.count || cookiePath.last == .slash
      || path.dropFirst(cookiePath.count).first == .slash
  }

  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.utf8.endsInNumber
  }
}

extension CookieJar {
  /// The domains under which anyone can register a name, such as `com` and `co.uk`. A cookie for one of them would be sent to unrelated
  /// servers.
  ///
  /// The list is maintained at publicsuffix.org and changes every week. It should come from the system, which updates it.
  public struct PublicSuffixes: Sendable {
    private let isSuffix: @Sendable (String) -> Bool

    /// Creates a list from a function that receives a domain in lower-case ASCII. The function is called on any thread.
    public init(isSuffix: @escaping @Sendable (_ domain: String) -> Bool) {
      self.isSuffix = isSuffix
    }

    /// A list of all domains without a dot, as a fallback when no other list is available. It does not contain `co.uk`.
    public static let singleLabels = PublicSuffixes { !$0.contains(".") }

    package func contains(_ domain: String) -> Bool { isSuffix(domain) }
  }
}

public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

/// Stores the cookies that servers set, by the rules of RFC 6265bis. A jar can be used concurrently.
///
///     let jar = CookieJar()
///     configuration.cookies = jar
///     …
///     try jar.save(to: file)
///
/// At most 50 cookies are stored per domain and 3000 in total; the least recently used ones are removed first. The name and value of a
/// cookie have at most 4096 bytes together, and a cookie that a server sets is stored for at most 400 days. Secure cookies are sent only
/// over https and on the loopback interface.
public final class CookieJar: Sendable {
  struct UnknownFormat: Error, Hashable, CustomStringConvertible {
    let format: Int

    var description: String { "the cookies are in an unknown format: \(format)" }
  }

  private struct Archive: Codable {
    static let currentFormat = 1

    var format = currentFormat
    var cookies: [HTTP.Cookie]
  }

  private let store: Mutex<CookieStore>
  fileprivate let time: SharedTime

  /// Creates an empty jar.
  ///
  /// - Parameters:
  ///   - publicSuffixes: The domains that a cookie may not be set for, except by the host of that name for itself. `Anvil` has an
  ///     initialiser that uses the system's list.
  ///   - now: Returns the current time, which expiry dates are compared with. `nil` for that of the configuration whose request uses the
  ///     jar first.
  public init(publicSuffixes: PublicSuffixes, now: (@Sendable () -> Date)? = nil) {
    store = Mutex(CookieStore(suffixes: publicSuffixes))
    time = SharedTime(nil, now: now)
  }

  /// All cookies that have not expired, in the order in which they were first set.
  public var cookies: [HTTP.Cookie] {
    let now = time.now()
    return store.withLock { $0.cookies(now: now) }
  }

  /// Returns the cookies for a request to `url`. Longer paths come first, then cookies that were set earlier.
  public func cookies(for url: URL) -> [HTTP.Cookie] {
    guard let scope = CookieScope(url) else { return [] }
    let now = time.now()
    return store.withLock { $0.cookies(for: scope, now: now) }
  }

  /// Stores the cookies that the `Set-Cookie` lines of a response from `url` set. Invalid and forbidden lines are ignored, and so are cookies
  /// with control characters, including tabs.
  package func store(_ headers: HTTP.Headers, from url: URL) {
    let lines = headers.values(for: .setCookie)
    guard !lines.isEmpty, let scope = CookieScope(url) else { return }
    let now = time.now()
    store.withLock { store in
      for line in lines {
        if let line = SetCookie(line.rawValue, now: now) { store.set(line, from: scope, now: now) }
      }
    }
  }

  /// Stores `cookie` and replaces one with the same name, domain and path. An expired cookie removes the existing one. A cookie that no
  /// server could have set is ignored: one with a control character, including a tab, one that would make a message malformed, and one that
  /// breaks the rules of a prefix such as `__Host-`.
  public func set(_ cookie: HTTP.Cookie) {
    guard cookie.isWellFormed else { return }
    let now = time.now()
    store.withLock { $0.set(cookie, now: now) }
  }

  /// Removes the cookies for which `isRemoved` returns `true`; by default all of them.
  public func remove(where isRemoved: (HTTP.Cookie) -> Bool = { _ in true }) {
    store.withLock { $0.remove(where: isRemoved) }
  }

  /// Writes the cookies to a file, as JSON, and replaces an existing file.
  ///
  /// The file is readable by its owner only and is replaced atomically. The call blocks until the file is written.
  ///
  /// - Parameter includesSessionCookies: True to write cookies without an expiry date as well, for a session of several processes.
  /// - Throws: The errors of the system.
  public func save(to file: URL, includesSessionCookies: Bool = false) throws {
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    let data = try encoder.encode(Archive(cookies: cookies.filter { includesSessionCookies || $0.expiry != nil }))
    try PrivateFile.write(data, to: file)
  }

  /// Adds the cookies of a file that ``save(to:includesSessionCookies:)`` wrote. Cookies that have expired since, and cookies that no
  /// server could have set, are left out. The call blocks until the file is read.
  ///
  /// - Throws: The errors of the system, a `DecodingError` for a malformed file, and an error that names the format for a file in an
  ///   unknown format.
  public func load(from file: URL) throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let saved = try decoder.decode(Archive.self, from: Data(contentsOf: file))
    guard saved.format == Archive.currentFormat else { throw UnknownFormat(format: saved.format) }
    let now = time.now()
    store.withLock { store in
      for cookie in saved.cookies where cookie.isWellFormed && cookie.expiry.map({ $0 > now }) ?? true {
        store.set(cookie, now: now)
      }
    }
  }
}

/// Sends the cookies of a jar and stores those that responses set: ``ClientConfiguration/cookies``.
///
/// It comes after ``RetryInterceptor``, so that the cookies of each response are stored, whatever becomes of it, and each attempt is sent
/// with those that the jar then has for its target.
package struct CookieInterceptor: Interceptor {
  /// The maximum length of the field in bytes, with its name: the default of Apache's `LimitRequestFieldSize`.
  static let fieldLimit = 8_190

  private let jar: CookieJar

  package init(jar: CookieJar) {
    self.jar = jar
  }

  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    jar.time.begin(options)
    let own = options.ownCookies ?? request.headers.values(for: .cookie)
    var request = request
    if let field = jar.field(for: request.url, after: own) {
      request.headers[.cookie] = field
    } else if options.ownCookies != nil {
      // The jar may have lost the cookies that the field was made of.
      request.headers.remove(.cookie)
      for value in own { request.headers.add(.cookie, value) }
    }
    let response = try await next.send(request, options: options)
    jar.store(response.head.headers, from: response.head.url)
    return response
  }
}

/// Adds the cookies of a jar to a request before ``SharingInterceptor`` and ``CacheInterceptor``, which compare the field.
/// ``CookieInterceptor`` then makes the field again for each attempt.
struct CookieSelection: Interceptor {
  let jar: CookieJar

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    jar.time.begin(options)
    var (request, options) = (request, options)
    let own = request.headers.values(for: .cookie)
    options.ownCookies = own
    if let field = jar.field(for: request.url, after: own) { request.headers[.cookie] = field }
    return try await next.send(request, options: options)
  }
}

extension CookieJar {
  /// Returns the value of `Cookie` in a request for `url` that has the values `own`; `nil` if the jar adds nothing.
  fileprivate func field(for url: URL, after own: [HTTP.HeaderValue]) -> HTTP.HeaderValue? {
    let cookies = cookies(for: url)
    guard !cookies.isEmpty else { return nil }
    let own = own.map(\.rawValue)
    let names = Set(own.flatMap { $0.utf8.split(separator: .semicolon).map(Self.name(of:)) })
    let added = Self.fitting(cookies.filter { !names.contains(ScalarKey($0.name)) }.map(\.pair), after: own)
    return added.isEmpty ? nil : .init(rawValue: (own + added).joined(separator: "; "))
  }

  /// Returns the pairs that fit into the field after `own`. Earlier pairs take precedence, because they are more specific.
  private static func fitting(_ pairs: [String], after own: [String]) -> [String] {
    var size = own.reduce("Cookie: ".utf8.count) { $0 + $1.utf8.count + 2 }
    return pairs.filter { pair in
      guard size + pair.utf8.count <= CookieInterceptor.fieldLimit else { return false }
      size += pair.utf8.count + 2
      return true
    }
  }

  /// Returns the name in `name=value`; empty if there is no name.
  private static func name(of pair: Substring.UTF8View) -> ScalarKey {
    guard let mark = pair.firstIndex(of: .equalsSign) else { return ScalarKey("") }
    return ScalarKey(String(decoding: pair[..<mark].drop { $0 == .space }, as: UTF8.self))
  }
}

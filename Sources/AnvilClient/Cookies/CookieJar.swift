public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies that servers have set, kept by the rules of RFC 6265bis. Used from any number of tasks.
///
///     let jar = CookieJar()
///     let service = TransportService(interceptors: [RedirectInterceptor(), CookieInterceptor(jar: jar)])
///     …
///     try jar.save(to: file)
///
/// At most 50 cookies are kept of a domain and 3000 in all, the ones longest unused go; each has at most 4096 bytes of
/// name and value and lives at most 400 days. Secure ones go over https and to the loopback.
public final class CookieJar: Sendable {
  /// Why a file is not read.
  public struct UnknownFormat: Error, Hashable, CustomStringConvertible {
    /// The format that the file says it has.
    public let format: Int
    /// The reason in words.
    public var description: String { "cookies in format \(format), which is not known" }
  }

  private struct Saved: Codable {
    static let currentFormat = 1

    var format = currentFormat
    var cookies: [HTTP.Cookie]
  }

  private let store: Mutex<CookieStore>
  private let now: @Sendable () -> Date

  /// An empty jar.
  ///
  /// - Parameters:
  ///   - publicSuffixes: the domains for which no cookie is kept. `Anvil` has an initialiser that takes the system's
  ///     list.
  ///   - now: the time by which cookies end.
  public init(publicSuffixes: PublicSuffixes, now: @escaping @Sendable () -> Date = { Date() }) {
    store = Mutex(CookieStore(suffixes: publicSuffixes))
    self.now = now
  }

  /// All cookies, in the order in which they came.
  public var cookies: [HTTP.Cookie] {
    let now = now()
    return store.withLock { $0.cookies(now: now) }
  }

  /// The cookies that are sent with a request for `url`: those of longer paths first, then those that came first.
  public func cookies(for url: URL) -> [HTTP.Cookie] {
    guard let scope = CookieScope(url) else { return [] }
    let now = now()
    return store.withLock { $0.cookies(for: scope, now: now) }
  }

  /// Keeps what the `Set-Cookie` lines of an answer from `url` set; lines that must not be followed are ignored.
  public func store(_ headers: HTTP.Headers, from url: URL) {
    let lines = headers.values(for: .setCookie)
    guard !lines.isEmpty, let scope = CookieScope(url) else { return }
    let now = now()
    store.withLock { store in
      for line in lines {
        if let line = SetCookie(line.rawValue, now: now) { store.set(line, from: scope, now: now) }
      }
    }
  }

  /// Keeps `cookie`, in place of one of the same name, domain and path. One that has ended removes that; one that would
  /// break a message is ignored.
  public func set(_ cookie: HTTP.Cookie) {
    guard cookie.isWellFormed else { return }
    let now = now()
    store.withLock { $0.set(cookie, now: now) }
  }

  /// Removes the cookies that `isRemoved` picks; all of them unless told otherwise.
  public func remove(where isRemoved: (HTTP.Cookie) -> Bool = { _ in true }) {
    store.withLock { $0.remove(where: isRemoved) }
  }

  /// Writes the cookies that outlive the session to a file, as JSON, in place of what is there.
  ///
  /// The file is readable by its owner only and at no time half written. Waits for the disk.
  ///
  /// - Throws: what the system refused.
  public func save(to file: URL) throws {
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    let data = try encoder.encode(Saved(cookies: cookies.filter { $0.expiry != nil }))
    try PrivateFile.write(data, to: file)
  }

  /// Adds the cookies of a file that ``save(to:)`` wrote; those that have ended meanwhile, and any that could not have
  /// come from a server, are left out. Waits for the disk.
  ///
  /// - Throws: what the system refused, a `DecodingError` for what is no such file, and ``UnknownFormat``.
  public func load(from file: URL) throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let saved = try decoder.decode(Saved.self, from: Data(contentsOf: file))
    guard saved.format == Saved.currentFormat else { throw UnknownFormat(format: saved.format) }
    let now = now()
    store.withLock { store in
      for cookie in saved.cookies where cookie.isWellFormed && cookie.expiry.map({ $0 > now }) ?? false {
        store.set(cookie, now: now)
      }
    }
  }
}

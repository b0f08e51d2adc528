@testable import AnvilClient
@testable import AnvilHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FuzzTarget {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)
  private static let site = URL(string: "https://www.example.com/a/b?c=d")
  private static let elsewhere = URL(string: "https://www.example.org/a/b")

  /// Lines of `Set-Cookie`: what is kept can be sent, comes back, and goes where it may and nowhere else.
  static let cookies = FuzzTarget(name: "cookies") { bytes in
    guard let site, let elsewhere else { return }
    let jar = CookieJar(publicSuffixes: .singleLabels) { now }
    var headers: HTTP.Headers = [:]
    for line in bytes.split(separator: 0x0A) {
      headers.add(.setCookie, .init(rawValue: String(decoding: line, as: UTF8.self)))
    }
    jar.store(headers, from: site)
    require(jar.cookies(for: elsewhere).isEmpty, "cookies for another site: \(jar.cookies)")
    for cookie in jar.cookies {
      require(cookie.isWellFormed, "kept what cannot be sent: \(cookie)")
      require(cookie.expiry.map { $0 > now } ?? true, "kept what has ended: \(cookie)")
      guard !cookie.name.isEmpty else { continue }
      let again = SetCookie(cookie.pair, now: now)
      require(again?.name == cookie.name && again?.value == cookie.value, "\(cookie) comes back as another")
    }
    let count = jar.cookies.count
    jar.store(headers, from: site)
    require(jar.cookies.count == count, "the same lines again make \(jar.cookies.count) of \(count) cookies")
  } growth: { bytes in
    _ = SetCookie(String(decoding: bytes, as: UTF8.self), now: now)
    _ = CookieDate.seconds(String(decoding: bytes, as: UTF8.self))
  }

  /// Files of a jar: loaded cookies are ones that a server could have set, and are the same after saving and loading.
  static let jars = FuzzTarget(name: "jars") { bytes in
    // Foundation leaks 4 KiB each time it reads an empty file.
    guard !bytes.isEmpty else { return }
    let file = jarFile
    let jar = CookieJar(publicSuffixes: .singleLabels) { now }
    requireSuccess("the file cannot be written") { try Data(bytes).write(to: file) }
    guard (try? jar.load(from: file)) != nil else { return }
    for cookie in jar.cookies {
      require(cookie.isWellFormed && cookie.expiry.map { $0 > now } ?? true, "loaded \(cookie)")
    }
    let again = CookieJar(publicSuffixes: .singleLabels) { now }
    requireSuccess("what was loaded cannot be saved") { try jar.save(to: file, includesSessionCookies: true) }
    requireSuccess("what was saved cannot be loaded") { try again.load(from: file) }
    require(again.cookies.count == jar.cookies.count, "\(jar.cookies) come back as \(again.cookies)")
  } growth: { bytes in
    let jar = CookieJar(publicSuffixes: .singleLabels) { now }
    requireSuccess("the file cannot be written") { try Data(bytes).write(to: jarFile) }
    try? jar.load(from: jarFile)
  }

  /// In memory where the system has a place for that.
  private static let jarFile: URL = {
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    return URL(filePath: "\(folder)/anvil-fuzz-\(getpid()).json")
  }()
}

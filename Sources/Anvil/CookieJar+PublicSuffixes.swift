#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
  /// An empty jar with the system's list of public suffixes: libpsl's on Linux. Without one, domains without a dot are
  /// those for which no cookie is kept.
  ///
  /// - Parameter now: the time by which cookies end.
  public convenience init(now: @escaping @Sendable () -> Date = { Date() }) {
    #if os(Linux)
    self.init(publicSuffixes: .installed ?? .singleLabels, now: now)
    #else
    self.init(publicSuffixes: .singleLabels, now: now)
    #endif
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
  /// Creates an empty jar with the system's list of public suffixes, which is libpsl's on Linux. Without such a list, domains without a dot
  /// are treated as public suffixes: a cookie cannot apply to their subdomains.
  ///
  /// - Parameter now: returns the current time, with which expiry dates are compared.
  public convenience init(now: @escaping @Sendable () -> Date = { Date() }) {
    #if os(Linux)
    self.init(publicSuffixes: .installed ?? .singleLabels, now: now)
    #else
    self.init(publicSuffixes: .singleLabels, now: now)
    #endif
  }
}

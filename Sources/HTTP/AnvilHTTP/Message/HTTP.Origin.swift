#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// The origin of a URL: scheme, host and effective port. Credentials and budgets are bound to origins.
  ///
  /// Schemes and hosts are compared case-insensitively. A missing port is the default port of the scheme. Source: RFC 6454 §4, §5.
  public struct Origin: Hashable, Sendable {
    /// The scheme in lower case, such as `https`.
    public let scheme: String
    /// The host, percent-encoded and in lower case; an IPv6 address has no brackets.
    public let host: String
    /// The port; 0 if the URL has none and the scheme has no known default.
    public let port: Int

    /// Creates the origin of `url`. Returns `nil` if the URL has no scheme or no host.
    public init?(_ url: URL) {
      guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty else {
        return nil
      }
      self.scheme = scheme
      self.host = host
      port = url.port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : 0)
    }
  }
}

extension HTTP.Origin: CustomStringConvertible {
  /// The origin as text, with the port if it is not the scheme's default: `https://api.example.com`.
  public var description: String {
    let isDefault = port == 0 || (scheme == "https" && port == 443) || (scheme == "http" && port == 80)
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(isDefault ? "" : ":\(port)")"
  }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// Whom a URL belongs to: scheme, host and effective port. Credentials and budgets are bound to origins.
  ///
  /// Scheme and host are compared without case, an absent port is the scheme's own. Source: RFC 6454 §4, §5.
  public struct Origin: Hashable, Sendable {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host, percent-encoded, in lower case, an IPv6 address without brackets.
    public let host: String
    /// The port; 0 for a scheme without a known one.
    public let port: Int

    /// The origin of `url`; `nil` when it has no scheme or no host.
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
  /// `https://api.example.com`, with the port where it is not the scheme's own.
  public var description: String {
    let isDefault = port == 0 || (scheme == "https" && port == 443) || (scheme == "http" && port == 80)
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(isDefault ? "" : ":\(port)")"
  }
}

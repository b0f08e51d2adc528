public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
      && !text.utf8.contains { $0.isControl || $0 == UInt8(ascii: ";") }
      && !name.utf8.contains(UInt8(ascii: "=")) && path.utf8.first == UInt8(ascii: "/") && !domain.isEmpty
      && !domain.utf8.contains { " #/?@".utf8.contains($0) } && followsPrefixRules(namesPath: true)
  }

  /// Returns whether the cookie meets the requirements of its name's prefix. Source: RFC 6265bis §4.1.3, §5.7.
  ///
  /// - Parameter namesPath: Whether the server named the path.
  func followsPrefixRules(namesPath: Bool) -> Bool {
    let (name, value) = (name.lowercased(), value.lowercased())
    if name.isEmpty { return !value.hasPrefix("__secure-") && !value.hasPrefix("__host-") }
    if name.hasPrefix("__secure-") { return isSecure }
    if name.hasPrefix("__host-") { return isSecure && isHostOnly && namesPath && path == "/" }
    return true
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

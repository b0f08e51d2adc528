public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// What a server has given to be sent back, and where to. Source: RFC 6265bis §5.
  public struct Cookie: Hashable, Sendable, Codable {
    /// What a server says about requests that other sites cause. A client without sites only keeps it.
    public enum SameSite: String, Hashable, Sendable, Codable {
      /// Never.
      case strict
      /// With navigations.
      case lax
      /// Always.
      case none
    }

    /// The name; empty for a cookie without one.
    public var name: String
    /// The value, with the quotation marks it came with.
    public var value: String
    /// The host, or the domain where ``isHostOnly`` is false, in lower case, without a dot in front.
    public var domain: String
    /// Whether it is for the host alone, and not for those below it.
    public var isHostOnly: Bool
    /// The path it is for, and those below it.
    public var path: String
    /// When it ends; `nil` for a cookie that ends with the session.
    public var expiry: Date?
    /// Whether it is sent over https and to the loopback only.
    public var isSecure: Bool
    /// Whether scripts of a browser must not see it.
    public var isHTTPOnly: Bool
    /// What was said about other sites, if anything was.
    public var sameSite: SameSite?

    /// A cookie for the host `domain` and all of its paths, until the session ends, unless said otherwise.
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
  /// Whether the cookie can be sent without breaking a message, and would be read back as what it is.
  var isWellFormed: Bool {
    let text = name + value + domain + path
    return !(name.isEmpty && value.isEmpty) && name.utf8.count + value.utf8.count <= SetCookie.sizeLimit
      && !text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F || $0 == UInt8(ascii: ";") }
      && !name.utf8.contains(UInt8(ascii: "=")) && path.utf8.first == UInt8(ascii: "/") && !domain.isEmpty
  }

  /// The cookie as it is sent. Source: RFC 6265bis §5.8.3.
  var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension HTTP.Cookie: CustomStringConvertible, CustomReflectable {
  /// The name and where it goes; the value is not shown.
  public var description: String { "\(name.loggable)=<redacted> for \(domain.loggable)\(path.loggable)" }
  /// A mirror without children, so that `dump` does not show the value either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

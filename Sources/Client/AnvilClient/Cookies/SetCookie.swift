internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The parsed value of one `Set-Cookie` line, without its context. Source: RFC 6265bis §5.6.
struct SetCookie: Hashable {
  /// The maximum number of bytes of the name and the value together.
  static let sizeLimit = 4096
  /// The maximum number of bytes of an attribute's value.
  private static let attributeLimit = 1024
  /// The maximum lifetime of a cookie in seconds: 400 days.
  private static let ageLimit = 34_560_000

  var name: String
  var value: String
  /// The domain, in lower case and without a leading dot; `nil` without a `Domain` attribute.
  var domain: String?
  /// The path; `nil` without a `Path` attribute that begins with a slash.
  var path: String?
  /// The expiry date; `nil` for a cookie that ends with the session. A date in the past removes the cookie.
  var expiry: Date?
  var isSecure = false
  var isHTTPOnly = false
  var sameSite: HTTP.Cookie.SameSite?

  /// Parses `text` at the time `now`. The result is `nil` if the line must be ignored, because it has control characters, is too long or is
  /// empty.
  init?(_ text: String, now: Date) {
    guard !text.utf8.contains(where: \.isFieldControl) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first else { return nil }
    let (first, second) = Self.split(pair)
    (name, value) = second.map { (first, $0) } ?? ("", first)
    guard !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= Self.sizeLimit else { return nil }
    var (expires, maxAge): (Date?, Date?)
    for part in parts.dropFirst() {
      let (attribute, argument) = Self.split(part)
      let text = argument ?? ""
      guard text.utf8.count <= Self.attributeLimit else { continue }
      switch attribute.lowercased() {
      case "expires": expires = Self.expiry(text, now: now) ?? expires
      case "max-age": maxAge = Self.expiry(maxAge: text, now: now) ?? maxAge
      case "domain": domain = (text.utf8.first == UInt8(ascii: ".") ? String(text.dropFirst()) : text).lowercased()
      case "path": path = text.utf8.first == UInt8(ascii: "/") ? text : nil
      case "secure": isSecure = true
      case "httponly": isHTTPOnly = true
      case "samesite": sameSite = HTTP.Cookie.SameSite(rawValue: text.lowercased())
      default: break
      }
    }
    if domain?.isEmpty == true { domain = nil }
    // Tabs around names and values are allowed, and have been removed.
    let text = name + value + (domain ?? "") + (path ?? "")
    guard !text.utf8.contains(where: \.isControl) else { return nil }
    expiry = maxAge ?? expires
  }

  /// Returns the parts before and after the first equals sign, without surrounding white space. The second part is `nil` if there is no
  /// equals sign.
  private static func split(_ part: Substring.UTF8View) -> (String, String?) {
    guard let mark = part.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(part), nil) }
    return (trimmed(part[..<mark]), trimmed(part[part.index(after: mark)...]))
  }

  private static func trimmed(_ part: Substring.UTF8View) -> String {
    String(decoding: part.trimmingBlanks, as: UTF8.self)
  }

  private static func expiry(_ text: String, now: Date) -> Date? {
    CookieDate.seconds(text).map { seconds in
      min(Date(timeIntervalSince1970: Double(seconds)), now.addingTimeInterval(Double(ageLimit)))
    }
  }

  private static func expiry(maxAge text: String, now: Date) -> Date? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if digits.count < text.utf8.count || digits.allSatisfy({ $0 == 0x30 }) { return .distantPast }
    // A number with too many digits counts as the longest lifetime.
    return now.addingTimeInterval(Double(min(Int(text) ?? ageLimit, ageLimit)))
  }
}

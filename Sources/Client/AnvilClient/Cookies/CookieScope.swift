internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The parts of a request's URL that decide which cookies apply. Source: RFC 6265bis §5.1.
struct CookieScope {
  /// The host in lower case, or an IPv6 address without brackets.
  let host: String
  /// The path; `/` if it is empty.
  let path: String
  /// A Boolean value that indicates whether secure cookies may be sent: over https, and on the local machine.
  let isSecure: Bool

  /// Creates the scope of `url`; `nil` if it has no host.
  init?(_ url: URL) {
    guard let origin = HTTP.Origin(url) else { return nil }
    host = origin.host
    isSecure = origin.scheme == "https" || origin.isLoopback
    let path = url.path(percentEncoded: true)
    self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
  }

  /// The path of a cookie without a `Path` attribute. Source: RFC 6265bis §5.1.4.
  var defaultPath: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The host and its parent domains, starting with the host. Cookies of these domains may apply.
  var domains: [String] {
    guard !Self.isAddress(host) else { return [host] }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.indices.map { labels[$0...].joined(separator: ".") }
  }

  /// Returns whether a cookie of `domain` may be sent to `host`. Source: RFC 6265bis §5.1.3.
  static func matches(_ host: String, domain: String) -> Bool {
    host == domain || host.hasSuffix(".\(domain)") && !isAddress(host)
  }

  /// Returns whether a cookie of `cookiePath` may be sent to `path`. Source: RFC 6265bis §5.1.4.
  static func matches(_ path: String, cookiePath: String) -> Bool {
    let (path, cookiePath) = (path.utf8, cookiePath.utf8)
    guard path.starts(with: cookiePath) else { return false }
    let slash = UInt8(ascii: "/")
    return path.count == cookiePath.count || cookiePath.last == slash || path.dropFirst(cookiePath.count).first == slash
  }

  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.isIPv4Address
  }
}

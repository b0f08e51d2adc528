internal import AnvilBase
internal import AnvilHTTP

/// The URL of a proxy, as a configuration or an environment variable contains it.
///
/// Libraries quote a proxy's URL in their errors if they cannot parse it, and take a part of the password for the host or the port if the
/// password contains an unencoded delimiter: the host of `http://smith:12#34@proxy:3128` is `smith`. An invalid URL is therefore
/// detected here and never passed to a library.
package struct ProxyURL: Sendable, Equatable {
  /// The URL, which may contain a password.
  package let text: String
  /// The place of the URL, for errors: `the environment variable http_proxy`.
  private let place: String

  package init(_ text: String, in place: String) {
    self.text = text
    self.place = place
  }

  /// The error for every request that would use this proxy; `nil` if the URL is valid. The error quotes nothing of the URL, because any part
  /// may belong to a password.
  package var error: TransportError? {
    guard let problem else { return nil }
    return TransportError(
      code: .invalidRequest, phase: .connect, reason: "the proxy's URL in \(place) is invalid: \(problem)")
  }

  private static let advice =
    "; in a user name or password, characters such as \"@\", \"/\", \"#\", \"?\" and blanks are percent-encoded"

  private var problem: String? {
    // libcurl ignores a proxy whose decoded user name or password contains a control character, and connects directly.
    let bytes = Array(text.utf8)
    guard !bytes.contains(where: { $0 == .space || $0.isControl }),
      !PercentEncoding.decode(bytes).contains(where: \.isControl)
    else { return "it contains a blank or a control character" + Self.advice }
    var rest = bytes[...]
    if let mark = text.firstRange(of: "://") {
      guard Self.schemes.contains(text[..<mark.lowerBound].lowercased()) else {
        return "its scheme is not http, https, socks4, socks4a, socks5 or socks5h"
      }
      rest = bytes[text.utf8.distance(from: text.startIndex, to: mark.upperBound)...]
    }
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    // A proxy has no path, query or fragment: what ended the authority may belong to a user name or a password, whose first part the library
    // would take for the host.
    guard rest[end...].isEmpty || rest[end...].elementsEqual("/".utf8) else {
      return "it has a path, a query or a fragment" + Self.advice
    }
    let parts = authority.split(separator: .atSign, omittingEmptySubsequences: false)
    guard parts.count <= 2, let last = parts.last else {
      return "it contains more than one \"@\"" + Self.advice
    }
    return Self.problem(ofHostAndPort: last).map { $0 + Self.advice }
  }

  private static func problem(ofHostAndPort text: ArraySlice<UInt8>) -> String? {
    let port: ArraySlice<UInt8>
    if text.first == .openBracket {
      guard let end = text.firstIndex(of: .closeBracket), end > text.startIndex + 2 else {
        return "its IPv6 address is invalid"
      }
      let address = text[(text.startIndex + 1)..<end].prefix { $0 != .percentSign }
      guard address.isIPv6Address else { return "its IPv6 address is invalid" }
      port = text[(end + 1)...]
      guard port.isEmpty || port.first == .colon else { return "its IPv6 address is invalid" }
    } else {
      let end = text.firstIndex(of: .colon) ?? text.endIndex
      guard isHost(PercentEncoding.decode(text[..<end])) else { return "its host is missing or invalid" }
      port = text[end...]
    }
    let digits = port.dropFirst()
    guard !digits.isEmpty else { return nil }
    guard digits.allSatisfy({ $0.isDigit }),
      let number = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(number)
    else { return "its port is not a number from 1 to 65535" }
    return nil
  }

  /// Returns whether the decoded `host` can be the name of a host or an IPv4 address. A resolver reports other texts as names that do not
  /// exist, which may change.
  ///
  /// Names may contain underscores and characters beyond ASCII. A name does not end with a number. Source: RFC 1034 §3.1, RFC 1123 §2.1.
  private static func isHost(_ host: [UInt8]) -> Bool {
    // The last dot stands for the root.
    let name = host.last == .period ? host.dropLast() : host[...]
    let labels = name.split(separator: .period, omittingEmptySubsequences: false)
    guard name.count <= 253, labels.allSatisfy({ (1...63).contains($0.count) }),
      !name.contains(where: { " @:/?#%[]{}\\$'\"^`*<>=;,!|&()+".utf8.contains($0) })
    else { return false }
    guard name.endsInNumber else { return true }
    let numbers = labels.map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
    // Addresses of fewer than four numbers, such as 127.1, have larger ones.
    return numbers.count <= 4 && numbers.allSatisfy { (0...(numbers.count == 4 ? 255 : Int(UInt32.max))).contains($0) }
  }

  private static let schemes: Set<String> = ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"]
}

extension ProxyURL {
  /// Returns the proxy that the environment specifies for requests with TLS or without, before `no_proxy` is considered; `nil` if the
  /// environment specifies none.
  ///
  /// `HTTP_PROXY` is ignored, because a CGI server sets it to a value that the client sends. Source: curl's manual, "Environment".
  package static func ofEnvironment(isSecure: Bool) -> ProxyURL? {
    for name in isSecure ? secureVariables : variables {
      if let value = value(of: name) { return ProxyURL(value, in: "the environment variable \(name)") }
    }
    return nil
  }

  /// Returns the error for a request to `host` whose proxy in the environment is invalid; `nil` if the request can be sent.
  ///
  /// For a library that reads the environment by itself: libcurl uses some invalid URLs in part, or ignores them and connects directly. Hosts
  /// that `no_proxy` lists by name need no proxy; networks in `no_proxy` are not considered.
  package static func environmentError(forHost host: String, isSecure: Bool) -> TransportError? {
    guard let error = ofEnvironment(isSecure: isSecure)?.error else { return nil }
    let entries = ["no_proxy", "NO_PROXY"].lazy.compactMap(value(of:)).first?.lowercased() ?? ""
    return exempts(host.lowercased(), entries) ? nil : error
  }

  /// Returns whether libcurl certainly connects directly to `host` with this value of `no_proxy`. An asterisk includes all hosts only if it is
  /// the whole value, and addresses have no subdomains.
  private static func exempts(_ host: String, _ list: String) -> Bool {
    if list == "*" { return true }
    let isAddress = host.contains(":") || host.utf8.endsInNumber
    return list.split(whereSeparator: { ", \t".contains($0) }).contains { entry in
      let name = entry.drop { $0 == "." }
      return host == name || !isAddress && host.hasSuffix(".\(name)")
    }
  }

  /// Returns the value of an environment variable; `nil` if it is unset or empty.
  private static func value(of name: String) -> String? {
    // Safety: the text is copied at once. As with any reading of the environment, no other thread may change it at the same time.
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  private static let variables = ["http_proxy", "all_proxy", "ALL_PROXY"]
  private static let secureVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
}

extension TransportError {
  /// Returns a library's description of a failure, or `nil` if it quotes a URL, which may contain a password.
  ///
  /// Libraries quote the whole URL of a proxy, with or without its scheme, so that a user name and a password are recognised by their `@`.
  package static func safeText(ofLibrary text: String) -> String? {
    text.contains("@") || text.containsSchemeEnd ? nil : text
  }
}

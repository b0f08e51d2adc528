public import AnvilBase
internal import Synchronization

extension HTTP {
  /// The target URI of a request. Source: RFC 9110 §7.1.
  package enum TargetURI: Sendable {
    case url(URL)
    /// The text of a URL, which is parsed when the URL is first read.
    case text(UnparsedURL)

    package var url: URL {
      switch self {
      case .url(let url): url
      case .text(let text): text.url
      }
    }

    package var text: String {
      switch self {
      case .url(let url): url.absoluteString
      case .text(let text): text.text
      }
    }
  }

  /// Parsing took 3,500 of the 47,000 instructions of a short call, and a session that sends text needs no parsed URL.
  package final class UnparsedURL: Sendable {
    private final class Parsed: Sendable {
      let url: URL

      init(_ url: URL) {
        self.url = url
      }
    }

    package let text: String
    private let parsed = AtomicLazyReference<Parsed>()

    /// Creates a URL from `text`. `URL(string:)` must accept the text and leave it unchanged.
    package init(_ text: String) {
      self.text = text
    }

    package var url: URL {
      if let parsed = parsed.load() { return parsed.url }
      guard let url = URL(string: text) else { preconditionFailure("the text is not a valid URL") }
      return parsed.storeIfNil(Parsed(url)).url
    }
  }

  /// The origin of a URL: scheme, host and effective port. Credentials and budgets are bound to origins.
  ///
  /// Schemes and hosts are compared case-insensitively. A missing port is the default port of the scheme. Source: RFC 6454 §4, §5.
  public struct Origin: Hashable, Sendable {
    private struct Contents: Hashable, Sendable {
      let scheme: String
      let host: String
      let port: Int
    }

    @Shared private var contents: Contents

    /// The scheme in lower case, such as `https`.
    package var scheme: String { contents.scheme }
    /// The host as it is sent, in lower case; an IPv6 address has no brackets.
    package var host: String { contents.host }
    /// The port; 0 if the URL has none and the scheme has no known default.
    package var port: Int { contents.port }

    /// Creates the origin of `url`. Returns `nil` if the URL has no scheme or no host.
    public init?(_ url: URL) {
      guard let scheme = url.scheme?.lowercased(), let host = url.sentHost?.lowercased(), !host.isEmpty else {
        return nil
      }
      let port = url.port ?? URIReference.defaultPort(ofScheme: scheme) ?? 0
      _contents = Shared(wrappedValue: Contents(scheme: scheme, host: host, port: port))
    }

    /// Returns whether scheme, host and port are equal.
    public static func == (lhs: Origin, rhs: Origin) -> Bool {
      lhs._contents.isSame(as: rhs._contents) || lhs.contents == rhs.contents
    }

    /// Hashes scheme, host and port.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(contents)
    }
  }
}

extension HTTP.Origin: CustomStringConvertible {
  /// The origin as text, with the port if it is not the scheme's default: `https://api.example.com`.
  public var description: String {
    let isDefault = port == URIReference.defaultPort(ofScheme: scheme) ?? 0
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(isDefault ? "" : ":\(port)")"
  }
}

extension URIReference {
  package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// The URL with exactly this text; `nil` for an HTTP URL without a host, and for an invalid port.
  package var url: URL? {
    let text = description
    guard let url = URL(string: text, encodingInvalidCharacters: false), url.absoluteString == text,
      !isHTTP || url.host()?.isEmpty == false, url.port.map({ (0...65_535).contains($0) }) ?? true
    else { return nil }
    return url
  }

  /// Returns the target of a reference in a response to a request for `base`. If both have the same origin and the reference has no
  /// credentials, the target has those of `base`, because servers do not repeat them in the URLs that they write.
  package func resolved(asTargetFrom base: URIReference) -> URIReference {
    var target = resolved(against: base)
    target.encodeHost()
    guard let home = base.authority, let mark = home.lastIndex(of: "@"), let authority = target.authority,
      !authority.contains("@"), let url = target.url, let homeURL = base.url, HTTP.Origin(url) == HTTP.Origin(homeURL)
    else { return target }
    target.authority = "\(home[...mark])\(authority)"
    return target
  }

  /// Replaces a host in Unicode, which is percent-encoded here, by its form in ASCII, as Foundation does in a URL. Other hosts are unchanged.
  /// Source: RFC 5891 §5; the URL standard, "domain to ASCII".
  private mutating func encodeHost() {
    guard let authority, let rest = hostAndPort, rest.utf8.contains(.percentSign) else { return }
    let end = rest.utf8.lastIndex(of: .colon) ?? rest.endIndex
    let bytes = PercentEncoding.decode(rest[..<end].utf8)
    guard bytes.contains(where: { $0 >= 0x80 }), let host = String(validating: bytes, as: UTF8.self),
      let text = URL(string: "http://\(host)")?.absoluteString
    else { return }
    let encoded = text.dropFirst("http://".count)
    guard !encoded.isEmpty, encoded.utf8.allSatisfy(PercentEncoding.isUnreserved) else { return }
    self.authority = "\(authority[..<rest.startIndex])\(encoded)\(rest[end...])"
  }
}

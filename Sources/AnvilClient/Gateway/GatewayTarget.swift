internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where a gateway's request goes, relative to the gateway's base URL.
enum GatewayTarget: Hashable, Sendable {
  /// Segments of a path, as they were given.
  case components([String])
  /// A path with or without a query, or a whole URL, percent-encoded.
  case reference(String)
  /// A whole URL with its own query, of the base URL's server.
  case url(URL)
  /// A path that no request can be made of, and why.
  case invalid(reason: String)

  /// The target of `path`.
  init(_ path: HTTP.Path) {
    self = path.problem.map { .invalid(reason: $0) } ?? .reference(path.percentEncoded)
  }

  /// Why there is no URL for a target.
  struct Invalid: Error, CustomStringConvertible {
    let description: String
  }

  /// The URL under `base`, with the items of its query, of the target's, and of `query`.
  func url(under base: GatewayBase, query: HTTP.Query) throws(Invalid) -> URL {
    // Else the first component would be taken for the host.
    guard base.hasHost else { throw Invalid(description: "the base URL has no host") }
    var target: GatewayBase.Parts
    switch self {
    case .invalid(let reason): throw Invalid(description: reason)
    case .components(let components):
      let path = components.map { "/" + PercentEncoding.encode($0) }.joined()
      target = GatewayBase.Parts(path: components.isEmpty ? base.parts.path : try Self.join(base, path))
    case .url(let url):
      guard HTTP.Origin(url) == base.origin else { throw Invalid(description: "the URL is of another server") }
      return url
    case .reference(let text):
      target = GatewayBase.Parts(text)
      // Hardly one is a whole URL: parsing each would be a URL more for every request.
      if target.path.utf8.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":")),
        let url = URL(string: text), url.scheme != nil, url.host() != nil
      {
        guard HTTP.Origin(url) == base.origin else {
          throw Invalid(description: "the path or template leads to another server")
        }
        try Self.checkSegments(of: url.path()[...])
      } else {
        target.path = target.path.isEmpty ? base.parts.path : try Self.join(base, target.path)
      }
    }
    var text = target.path
    var separator = "?"
    for part in [base.parts.query, target.query, query.percentEncoded] where !part.isEmpty {
      text += separator + part
      separator = "&"
    }
    guard let url = URL(string: text) else { throw Invalid(description: "path and query make no URL") }
    return url
  }

  private static func join(_ base: GatewayBase, _ path: String) throws(Invalid) -> String {
    let relative = path.utf8.first == UInt8(ascii: "/") ? path.dropFirst() : path[...]
    try checkSegments(of: relative)
    return base.folder + relative
  }

  /// Servers and clients on the way take `.` and `..` out, and the segment before it, also when they are written `%2E`.
  private static func checkSegments(of path: Substring) throws(Invalid) {
    for segment in path.utf8.split(separator: UInt8(ascii: "/")) where segment.count <= "%2e%2e".utf8.count {
      guard segment.first == UInt8(ascii: ".") || segment.first == UInt8(ascii: "%") else { continue }
      let plain = Substring(segment).lowercased().replacing("%2e", with: ".")
      if plain == "." || plain == ".." {
        throw Invalid(description: "\"\(plain)\" cannot be a segment of a path: it means another place")
      }
    }
  }
}

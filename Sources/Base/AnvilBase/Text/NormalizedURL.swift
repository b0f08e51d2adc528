/// A URL in a form in which equivalent URLs are equal. Stubs and recordings compare requests with it.
///
/// The path is compared as a list of decoded segments, and the query as a list of decoded names and values. `?f[]=1` therefore equals
/// `?f%5B%5D=1`, `%7e` equals `~`, and in a query `+` equals `%20`. A delimiter that is part of a segment, a name or a value is no
/// delimiter: `/a%2Fb` differs from `/a/b`. Not compared are the case of scheme and host, the default port, dot segments, empty items of
/// the query (`?a&&b`), and the fragment, which is not sent. The order of the items, repeated items, a slash at the end, and `?a` and
/// `?a=` are compared.
///
/// Source: RFC 3986 §6.2.2 and §6.2.3; the URL standard, "application/x-www-form-urlencoded parsing", for the query.
package struct NormalizedURL: Hashable, Sendable {
  /// A component of a URL, which is compared in its normalized form and shown as it was written.
  package struct Component: Hashable, Sendable {
    package let written: String
    /// ASCII text, so that comparing it does not apply the equivalences of Unicode.
    package let normalized: String

    package static func == (lhs: Component, rhs: Component) -> Bool { lhs.normalized == rhs.normalized }

    package func hash(into hasher: inout Hasher) { hasher.combine(normalized) }
  }

  /// The scheme and the authority. Empty for a request target without them, such as `/users?page=2`.
  package let origin: Component
  /// The path, which is not empty.
  package let path: Component
  package let items: [Component]

  /// Creates the normalized form of a URL or a request target. Every text is accepted.
  package init(_ text: String) {
    let target = text.withoutOrigin
    origin = Self.origin(String(text[..<target.startIndex]))
    let rest = target.utf8.prefix { $0 != .numberSign }
    let mark = rest.firstIndex(of: .questionMark) ?? rest.endIndex
    path = Self.path(String(decoding: rest[..<mark], as: UTF8.self))
    items = mark < rest.endIndex ? Self.items(of: rest[rest.index(after: mark)...]) : []
  }

  package static func items(of query: some Collection<UInt8>) -> [Component] {
    query.split(separator: .ampersand).map { item in
      let parts = item.split(separator: .equalsSign, maxSplits: 1, omittingEmptySubsequences: false)
      let normalized = parts.map { PercentEncoding.encode(FormEncoding.bytes($0)[...], keeping: .unreserved) }
      return Component(written: String(decoding: item, as: UTF8.self), normalized: normalized.joined(separator: "="))
    }
  }

  private static func path(_ written: String) -> Component {
    let segments = written.utf8.split(separator: .slash, omittingEmptySubsequences: false).map {
      PercentEncoding.encode(PercentEncoding.decode($0)[...], keeping: .unreserved)
    }
    let normalized = URIReference.removingDotSegments(segments.joined(separator: "/"))
    return Component(written: written.isEmpty ? "/" : written, normalized: normalized.isEmpty ? "/" : normalized)
  }

  private static func origin(_ written: String) -> Component {
    guard let separator = written.firstRange(of: "://") else { return Component(written: written, normalized: written) }
    let scheme = written[..<separator.lowerBound].lowercased()
    var user = ""
    var host = String(written[separator.upperBound...])
    if let mark = host.utf8.lastIndex(of: .atSign) {
      user = String(host[...mark])
      host = String(host[host.utf8.index(after: mark)...])
    }
    if let mark = host.utf8.lastIndex(of: .colon), !host[mark...].utf8.contains(.closeBracket) {
      let port = host[mark...].dropFirst()
      if port.isEmpty || port == URIReference.defaultPort(ofScheme: scheme).map({ "\($0)" }) ?? "" {
        host = String(host[..<mark])
      }
    }
    let parts = [user, host.lowercased()].map {
      PercentEncoding.encode(PercentEncoding.decode($0.utf8)[...], keeping: .unreserved)
    }
    return Component(written: written, normalized: "\(scheme)://\(parts[0])\(parts[1])")
  }
}

extension NormalizedURL {
  /// Whether the origins are equal, and the paths differ at most by case, a slash at the end, or encoded slashes.
  package func hasSimilarPath(to other: NormalizedURL) -> Bool {
    origin == other.origin && (path == other.path || path.simplified == other.path.simplified)
  }

  /// Returns whether `other` has the same origin, and a path that is below the path of this URL or equal to it.
  package func contains(_ other: NormalizedURL) -> Bool {
    let base = path.normalized.hasSuffix("/") ? String(path.normalized.dropLast()) : path.normalized
    return origin == other.origin && (other.path.normalized == base || other.path.normalized.hasPrefix(base + "/"))
  }

  /// Returns what this URL has and `expected` has not, for messages: `the query has page=2, not page=1`. Returns `nil` if they are equal.
  package func difference(from expected: NormalizedURL) -> String? {
    if origin != expected.origin { return "the origin is \(origin.written), not \(expected.origin.written)" }
    if path != expected.path { return "the path is \(path.written), not \(expected.path.written)" }
    guard items != expected.items else { return nil }
    let extra = Self.text(of: items, without: expected.items)
    let missing = Self.text(of: expected.items, without: items)
    return switch (extra.isEmpty, missing.isEmpty) {
    case (false, false): "the query has \(extra), not \(missing)"
    case (false, true): "the query also has \(extra)"
    case (true, false): "the query lacks \(missing)"
    case (true, true): "the query's items are in another order"
    }
  }

  private static func text(of items: [Component], without others: [Component]) -> String {
    var counts: [Component: Int] = [:]
    for item in others { counts[item, default: 0] += 1 }
    return items.filter { item in
      let count = counts[item] ?? 0
      counts[item] = count - 1
      return count <= 0
    }.map(\.written).joined(separator: "&")
  }
}

extension NormalizedURL.Component {
  fileprivate var simplified: String {
    let text = PercentEncoding.decode(normalized).lowercased()
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension URL {
  /// The host as it is sent. `host()` of a URL that was created from a host in Unicode returns another one than that in its text.
  package var sentHost: String? {
    let host = host()
    guard let host, host.utf8.contains(.percentSign) else { return host }
    return URL(string: absoluteString)?.host() ?? host
  }
}

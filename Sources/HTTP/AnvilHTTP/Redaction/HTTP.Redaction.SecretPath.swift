internal import AnvilBase
internal import Synchronization

extension HTTP.Redaction {
  /// A pattern of URL paths that contain secrets, such as the token of a bot or the key of a webhook.
  ///
  ///     HTTP.Redaction.secretPaths = ["/bot{token}", "hooks.example.com/services/*/*/{key}"]
  ///
  /// A pattern consists of segments. Text in braces is secret; the name in the braces has no effect. `*` matches any text that is not
  /// secret. A segment has text before and after its first and last variable at most: in `v*-{key}`, everything after `v` is hidden.
  ///
  /// The segments are compared with each part of a path, so that a base path may precede them and others may follow. Percent-encoded
  /// characters are decoded for the comparison. A pattern that does not begin with a slash begins with a host, which is compared without
  /// its port and without regard to case; `*.example.com` matches every subdomain.
  public struct SecretPath: Hashable, Sendable, ExpressibleByStringLiteral {
    private struct Segment: Hashable {
      var prefix: [UInt8] = []
      /// The text after the last variable; `nil` for a segment without variables.
      var suffix: [UInt8]?
      var isSecret = false

      init(_ text: Substring) {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "*") }),
          let last = bytes.lastIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "*") }), first <= last
        else {
          prefix = PercentEncoding.decode(bytes)
          return
        }
        prefix = PercentEncoding.decode(bytes[..<first])
        suffix = PercentEncoding.decode(bytes[bytes.index(after: last)...])
        isSecret = bytes[first...last].contains(UInt8(ascii: "{"))
      }

      /// Returns whether the pattern matches a segment with these decoded bytes. A variable matches at least one byte.
      func matches(_ bytes: [UInt8]) -> Bool {
        guard let suffix else { return bytes == prefix }
        return bytes.count > prefix.count + suffix.count && bytes.starts(with: prefix)
          && bytes.suffix(suffix.count).elementsEqual(suffix)
      }

      /// The text that replaces a matching segment.
      var shown: String {
        PercentEncoding.encode(prefix[...], keeping: .reserved) + HTTP.Redaction.mark
          + PercentEncoding.encode((suffix ?? [])[...], keeping: .reserved)
      }
    }

    /// The host in lower case; empty for any host.
    private let host: String
    private let segments: [Segment]

    /// Creates a pattern.
    public init(_ pattern: String) {
      let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
      host = parts.first.map { $0.lowercased() } ?? ""
      segments = parts.dropFirst().filter { !$0.isEmpty }.map(Segment.init)
    }

    /// Creates a pattern.
    public init(stringLiteral pattern: String) {
      self.init(pattern)
    }

    private func matches(host other: String) -> Bool {
      if host.isEmpty { return true }
      let name = other.lowercased().prefix { $0 != ":" }
      return host.hasPrefix("*.") ? name.hasSuffix(host.dropFirst()) : name == host
    }

    /// Adds the texts that replace segments of `path` on `host`, by the positions of the segments.
    fileprivate func hide(in path: [[UInt8]], host: String, _ hidden: inout [Int: String]) {
      guard !segments.isEmpty, segments.count <= path.count, matches(host: host) else { return }
      for start in 0...(path.count - segments.count)
      where segments.indices.allSatisfy({ segments[$0].matches(path[start + $0]) }) {
        for (index, segment) in segments.enumerated() where segment.isSecret { hidden[start + index] = segment.shown }
      }
    }
  }

  private static let ownSecretPaths = Mutex<[SecretPath]>([])

  /// The patterns of URL paths that contain secrets. Initially none.
  ///
  /// The patterns apply to the whole process, because descriptions of requests and errors know no configuration: everything that shows a URL
  /// hides these segments, with the exceptions that show secrets on request. Set them once, at start.
  public static var secretPaths: [SecretPath] {
    get { ownSecretPaths.withLock { $0 } }
    set { ownSecretPaths.withLock { $0 = newValue } }
  }

  /// Returns the path of a URL on `host` with its secret segments hidden.
  static func shown(segments path: Substring, host: String) -> String {
    let patterns = secretPaths
    guard !patterns.isEmpty else { return String(path) }
    let parts = path.utf8.split(omittingEmptySubsequences: false, whereSeparator: \.isSlash)
    // Empty segments are left out, because servers usually ignore them.
    let positions = parts.indices.filter { !parts[$0].isEmpty }
    let decoded = positions.map { PercentEncoding.decode(parts[$0]) }
    var hidden: [Int: String] = [:]
    for pattern in patterns { pattern.hide(in: decoded, host: host, &hidden) }
    guard !hidden.isEmpty else { return String(path) }
    var shown = ""
    var end = path.startIndex
    for (index, position) in positions.enumerated() {
      guard let text = hidden[index] else { continue }
      shown += path[end..<parts[position].startIndex] + text
      end = parts[position].endIndex
    }
    return shown + path[end...]
  }
}

extension HTTP.Redaction.SecretPath: CustomStringConvertible {
  /// The host and the number of segments.
  public var description: String { "\(host)/ (\(segments.count) segments)" }
}

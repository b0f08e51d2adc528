internal import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a cache finds the responses for one URL by.
///
/// It is a digest of the URL without its fragment, so that no storage holds a URL's secrets in clear. Scheme and host
/// count without case, the scheme's own port as none, and an empty path as `/`; all else byte for byte.
///
/// Source: RFC 9111 §2; RFC 9110 §4.2.3.
public struct CacheKey: Hashable, Sendable {
  /// The digest, 64 hexadecimal digits.
  public let rawValue: String

  /// The key of `url`; `nil` for one that no cache is asked for, of another scheme than `http` and `https` or without a
  /// host.
  public init?(_ url: URL) {
    guard let origin = HTTP.Origin(url), origin.scheme == "https" || origin.scheme == "http",
      let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    var digest = CacheDigest()
    digest.add(origin.description)
    digest.add("\(parts.percentEncodedUser ?? ""):\(parts.percentEncodedPassword ?? "")")
    digest.add(parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
    digest.add(parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    rawValue = digest.text
  }
}

/// Which requests for a URL a stored response may answer, beyond the URL.
enum CacheVariant {
  /// What identifies the caller to the server: never shared between callers, who may be told different things.
  private static let credentials: [HTTP.HeaderKey] = [.authorization, .cookie]

  /// The names of the fields that select a response, in lower case and in order; `nil` where nothing can match it: `*`.
  ///
  /// Source: RFC 9111 §4.1; RFC 9110 §12.5.5.
  static func names(in headers: HTTP.Headers) -> [String]? {
    let names = headers.elements(of: .vary).map { $0.lowercased() }
    guard !names.contains("*") else { return nil }
    return Set(names).sorted()
  }

  /// A digest of the credentials of a request and of its values of the fields `names`.
  ///
  /// - Parameter sensitive: fields that hold credentials, too.
  static func text(
    of headers: HTTP.Headers, names: [String], sensitive: Set<HTTP.HeaderKey>
  ) -> String {
    var digest = CacheDigest()
    let others = sensitive.map { $0.rawValue.lowercased() }.sorted().map(HTTP.HeaderKey.init(rawValue:))
    for key in credentials + others.filter({ !credentials.contains($0) }) {
      // A field that is marked and absent is no credential: who does not mark it has the same key.
      guard headers.contains(key) else { continue }
      digest.add(key.rawValue.lowercased())
      for value in headers.values(for: key) { digest.add(identity(of: value, in: key) ?? value.rawValue) }
    }
    digest.add("")
    for name in names {
      let key = HTTP.HeaderKey(rawValue: name)
      digest.add(name)
      digest.add(headers.contains(key) ? "=" : "")
      // Lines and blanks do not count: `a, b` is `a,b`, and `a` followed by `b`. What else may mean the same only the
      // server knows.
      let values = headers.values(for: key).flatMap { value in
        identity(of: value, in: key).map { [$0] } ?? FieldScanner.elements(in: value.rawValue)
      }
      digest.add("\(values.count)")
      for value in values { digest.add(value) }
    }
    return digest.text
  }

  /// What stays the same, from one request to the next, of a credential for Digest authentication, which counts and signs
  /// each: the user and the realm. `nil` for any other value, of which all counts.
  ///
  /// Source: RFC 7616 §3.4.
  private static func identity(of value: HTTP.HeaderValue, in key: HTTP.HeaderKey) -> String? {
    guard key == .authorization else { return nil }
    var scanner = FieldScanner(value.rawValue)
    scanner.skipBlanks()
    guard scanner.token()?.lowercased() == "digest", scanner.next == 0x20 else { return nil }
    let rest = String(decoding: value.rawValue.utf8.dropFirst(scanner.position), as: UTF8.self)
    let parameters = FieldScanner.directives(in: rest)
    let users = parameters.filter { ["username", "username*", "userhash"].contains($0.name) }
    let realms = parameters.filter { $0.name == "realm" }
    guard users.contains(where: { $0.name != "userhash" }), !realms.isEmpty else { return nil }
    var digest = CacheDigest()
    for parameter in users + realms {
      digest.add(parameter.name)
      digest.add(parameter.argument ?? "")
    }
    // No field has a line break: nothing that was sent is taken for this.
    return "Digest\n\(digest.text)"
  }
}

internal import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The key of the responses for a URL in a cache.
///
/// It is a digest of the URL without its fragment, so that a storage contains no secrets of URLs in clear text. Scheme and host are
/// case-insensitive, the default port equals no port, and an empty path equals `/`. Everything else is compared byte for byte.
///
/// Source: RFC 9111 §2; RFC 9110 §4.2.3.
public struct CacheKey: Hashable, Sendable {
  /// The digest, 64 hexadecimal digits.
  public let rawValue: String

  /// Creates the key of `url`; `nil` for a URL that cannot be cached, because it has a scheme other than `http` and `https` or no host.
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

/// The variants of a URL's responses, which select the requests that a stored response may answer.
enum CacheVariant {
  /// The fields that identify the caller to the server. A response is reused only for the same values, because callers may get different
  /// responses.
  private static let credentials: [HTTP.HeaderKey] = [.authorization, .cookie]

  /// Returns the names of the fields in `Vary`, in lower case and sorted; `nil` for `*`, which no request matches.
  ///
  /// Source: RFC 9111 §4.1; RFC 9110 §12.5.5.
  static func names(in headers: HTTP.Headers) -> [String]? {
    let names = headers.elements(of: .vary).map { $0.lowercased() }
    guard !names.contains("*") else { return nil }
    return Set(names).sorted()
  }

  /// Returns a digest of the credentials of a request and of its values of the fields `names`.
  ///
  /// - Parameter sensitive: Further fields that contain credentials.
  static func text(
    of headers: HTTP.Headers, names: [String], sensitive: Set<HTTP.HeaderKey>
  ) -> String {
    var digest = CacheDigest()
    let others = sensitive.map { $0.rawValue.lowercased() }.sorted().map(HTTP.HeaderKey.init(rawValue:))
    for key in credentials + others.filter({ !credentials.contains($0) }) {
      // A sensitive field that is absent is skipped, so that requests that do not mark it as sensitive have the same key.
      guard headers.contains(key) else { continue }
      digest.add(key.rawValue.lowercased())
      for value in headers.values(for: key) { digest.add(identity(of: value, in: key) ?? value.rawValue) }
    }
    digest.add("")
    for name in names {
      let key = HTTP.HeaderKey(rawValue: name)
      digest.add(name)
      digest.add(headers.contains(key) ? "=" : "")
      // Line breaks between values and blanks are ignored: `a, b` equals `a,b`, and `a` followed by `b`. Other equivalences are known only
      // to the server.
      let values = headers.values(for: key).flatMap { value in
        identity(of: value, in: key).map { [$0] } ?? FieldScanner.elements(in: value.rawValue)
      }
      digest.add("\(values.count)")
      for value in values { digest.add(value) }
    }
    return digest.text
  }

  /// Returns a digest of the user and the realm of a Digest credential, which are constant while its count and signature change with each
  /// request. `nil` for any other value, which is used in full.
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
    // A field value cannot contain a line break, so no value from a request equals this one.
    return "Digest\n\(digest.text)"
  }
}

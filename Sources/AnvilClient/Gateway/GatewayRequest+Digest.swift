internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TypedGatewayRequest {
  /// Returns the SHA-256 of the method, the URL and `texts`; `nil` for a request without a valid URL. The result is the same in all
  /// processes.
  ///
  /// The order of the query items has no effect, because callers may keep them in a dictionary. Credentials in the URL, fields, the body
  /// and settings are not included.
  package func digest(with texts: [String]) -> String? {
    guard let request = try? makeHTTPRequest() else { return nil }
    let url = request.url
    var digest = CacheDigest()
    digest.add(request.method.rawValue)
    digest.add(url.scheme?.lowercased() ?? "")
    digest.add(url.host()?.lowercased() ?? "")
    digest.add(url.port.map { "\($0)" } ?? "")
    digest.add(url.path())
    digest.add((url.query() ?? "").split(separator: "&").sorted().joined(separator: "&"))
    for text in texts { digest.add(text) }
    return digest.text
  }
}

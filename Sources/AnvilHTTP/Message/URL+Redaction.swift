#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
  /// The URL with credentials, query values and fragment replaced by `<redacted>`. The names in the query are kept.
  package var redactedDescription: String {
    guard let parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "<redacted>" }
    var text = parts.scheme.map { "\($0)://" } ?? ""
    if parts.user != nil || parts.password != nil { text += "<redacted>@" }
    text += parts.percentEncodedHost ?? ""
    if let port = parts.port { text += ":\(port)" }
    text += parts.percentEncodedPath
    if let query = parts.percentEncodedQuery {
      text +=
        "?" + query.split(separator: "&", omittingEmptySubsequences: false).map(Self.redacted).joined(separator: "&")
    }
    if parts.percentEncodedFragment != nil { text += "#<redacted>" }
    return text
  }

  private static func redacted(queryItem: Substring) -> String {
    guard let name = queryItem.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first,
      name.endIndex != queryItem.endIndex
    else { return queryItem.isEmpty ? "" : "<redacted>" }
    return "\(name)=<redacted>"
  }
}

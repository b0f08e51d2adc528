package import AnvilBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URIReference {
  /// A Boolean value that indicates whether the scheme is `http` or `https`.
  package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// The URL with exactly this text; `nil` for an HTTP URL without a host, and for an invalid port.
  package var url: URL? {
    let text = description
    guard let url = URL(string: text, encodingInvalidCharacters: false), url.absoluteString == text,
      !isHTTP || url.host()?.isEmpty == false, url.port.map({ (0...65_535).contains($0) }) ?? true
    else { return nil }
    return url
  }
}

internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The parts of a gateway's base URL. The URL is parsed once rather than for every request.
final class GatewayBase: Sendable {
  let url: URL
  let origin: HTTP.Origin?
  let hasHost: Bool
  let components: Components
  /// The text before the query, with a slash at its end.
  let folder: String
  /// True if a path of unreserved characters can be appended to ``folder`` without parsing the result.
  let takesPlainPaths: Bool

  init(_ url: URL) {
    self.url = url
    origin = HTTP.Origin(url)
    hasHost = url.host()?.isEmpty == false
    components = Components(url.absoluteString)
    folder = components.path.utf8.last == UInt8(ascii: "/") ? components.path : components.path + "/"
    let example = folder + "a"
    takesPlainPaths = components.query.isEmpty && URL(string: example)?.absoluteString == example
  }
}

extension GatewayBase {
  /// A URL split into the text before the query, and the query. The fragment is removed.
  struct Components: Sendable {
    var path: String
    var query = ""

    init(path: String) {
      self.path = path
    }

    init(_ text: String) {
      // Splits the UTF-8 view: splitting characters took 0.6 µs of a request's 35 µs on loopback.
      let text = text.utf8.prefix { $0 != UInt8(ascii: "#") }
      let end = text.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
      path = String(Substring(text[..<end]))
      query = String(Substring(text[end...].dropFirst()))
    }
  }
}

internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// The first lines of a message as `--include` and `--verbose` print them.
///
/// Sessions keep neither the version of HTTP nor, on Linux, the order of fields: the first line names no version, and a
/// response's fields are sorted by name so that the same response prints the same text.
/// A request's fields are those it was given; what a session adds, such as `Host`, it does not tell.
struct MessageHead {
  private let start: String
  private let fields: [HTTP.Headers.Field]

  /// The head of `request`; its URL without a password, and secrets in the query redacted.
  init(_ request: HTTP.Request) {
    start = "\(request.method) \(request.url.withoutSecrets)"
    fields = Array(request.headers)
  }

  /// The head of `response`.
  init(_ response: HTTP.Response) {
    start = "HTTP \(response.status)"
    fields = response.headers.sorted { $0.key.rawValue.lowercased() < $1.key.rawValue.lowercased() }
  }

  /// The lines with every value, without line ends.
  var lines: [String] {
    [start] + fields.map { "\($0.key): \($0.value)".escapingControlCharacters }
  }

  /// The lines with the values of secret fields as `<redacted>`, without line ends.
  var redactedLines: [String] {
    [start] + fields.map { "\($0.key): \($0.key.isSecret ? "<redacted>" : "\($0.value)")".escapingControlCharacters }
  }
}

extension HTTP.HeaderKey {
  /// Whether a field of this name is likely to let whoever reads it act as somebody else.
  fileprivate var isSecret: Bool {
    switch self {
    case .authorization, .proxyAuthorization, .cookie, .setCookie: true
    default: rawValue.soundsSecret
    }
  }
}

extension URL {
  /// The URL as text, without user and password, and with the values of secret query items as `<redacted>`.
  fileprivate var withoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "<redacted>" }
    parts.user = nil
    parts.password = nil
    let query = parts.percentEncodedQuery
    parts.percentEncodedQuery = nil
    parts.fragment = nil
    guard let query else { return parts.string ?? "<redacted>" }
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      let name = item.prefix { $0 != "=" }
      return String(name).soundsSecret && name.endIndex != item.endIndex ? "\(name)=<redacted>" : String(item)
    }
    return "\(parts.string ?? "<redacted>")?\(items.joined(separator: "&"))"
  }
}

extension String {
  fileprivate var soundsSecret: Bool {
    let name = lowercased()
    return ["token", "secret", "key", "password"].contains { name.contains($0) }
  }
}

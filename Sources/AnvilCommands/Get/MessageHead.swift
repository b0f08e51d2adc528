internal import Anvil
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilText
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
    [start] + fields.map { "\($0.key): \($0.value)".printable }
  }

  /// The lines with the values of all fields that are not known to be harmless as `<redacted>`, without line ends.
  var redactedLines: [String] {
    [start] + fields.map { "\($0.key): \(HTTP.Redaction().shown($0))".printable }
  }
}

extension URL {
  /// The URL as text, without user and password, and with query values as `<redacted>`.
  fileprivate var withoutSecrets: String {
    HTTP.Request(url: self).description.dropFirst("GET ".count).description
  }
}

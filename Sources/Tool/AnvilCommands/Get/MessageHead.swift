internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

/// The first lines of a message, for `--include` and `--verbose`.
///
/// Sessions report neither the version of HTTP nor, on Linux, the order of fields. Therefore the first line contains no
/// version, and the fields of a response are sorted by name. A request has the fields that it was given, without those
/// that the session adds, such as `Host`.
struct MessageHead {
  private let start: String
  private let fields: [HTTP.Headers.Field]

  /// Creates the head of `request`. Its URL has no password, and secrets in the query are redacted.
  init(_ request: HTTP.Request) {
    start = "\(request.method) \(request.url.withoutSecrets)"
    fields = Array(request.headers)
  }

  /// Creates the head of `response`.
  init(_ response: HTTP.Response) {
    start = "HTTP \(response.status)".printable
    fields = response.headers.sorted { $0.key.rawValue.lowercased() < $1.key.rawValue.lowercased() }
  }

  /// The lines with all values, without line ends.
  var lines: [String] {
    [start] + fields.map { "\($0.key): \($0.value)".printable }
  }

  /// The lines without line ends. Values are replaced by `<redacted>`, except in fields that are known to contain no
  /// secrets.
  var redactedLines: [String] {
    [start] + fields.map { "\($0.key): \(HTTP.Redaction().shown($0))".printable }
  }
}

extension URL {
  /// The URL as text, without user and password, and with `<redacted>` for the values of the query.
  fileprivate var withoutSecrets: String {
    HTTP.Request(url: self).description.dropFirst("GET ".count).description
  }
}

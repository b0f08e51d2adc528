internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

/// Prints the heads of each attempt to standard error in their form on the wire, and the events between attempts.
///
/// Lines of a request begin with `>`, those of a response with `<`, and others with `*`. If a session does not report the
/// heads on the wire, the given request and the returned response are printed, without the fields that the session adds.
struct WireLog: Interceptor {
  enum Secrets: Sendable {
    case shown, redacted
  }

  let secrets: Secrets
  let reportsHeads: Bool
  let console: Console

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard !reportsHeads else {
      var options = options
      options.headHandler = { head in
        switch head {
        case .sent(let text): write(text, mark: ">")
        case .received(let line): write(line, mark: "<")
        }
      }
      return try await next.send(request, options: options)
    }
    write(MessageHead(request), mark: ">")
    let response = try await next.send(request, options: options)
    write(MessageHead(response.head), mark: "<")
    return response
  }

  var handler: TransferEvent.Handler { { write($0) } }

  func write(_ event: TransferEvent) {
    switch event {
    case .redirecting(let redirection): console.writeError("* \("\(redirection)".printable)\n")
    case .retrying(let attempt): console.writeError("* attempt failed: \("\(attempt)".printable)\n")
    case .authenticating(let scheme): console.writeError("* sent again with credentials (\(scheme.printable))\n")
    case .finished(let metrics):
      let address = metrics.remoteAddress.map { "\($0), " } ?? ""
      console.writeError("* \("\(address)\(metrics)".printable)\n")
    default: break
    }
  }

  private func write(_ head: MessageHead, mark: String) {
    for line in secrets == .shown ? head.lines : head.redactedLines { console.writeError("\(mark) \(line)\n") }
    console.writeError("\(mark)\n")
  }

  private func write(_ text: String, mark: String) {
    var text = text[...]
    while !text.isEmpty {
      let end = text.firstIndex { $0.isNewline } ?? text.endIndex
      let line = shown(String(text[..<end])).printable
      console.writeError(line.isEmpty ? "\(mark)\n" : "\(mark) \(line)\n")
      text = text[end...].dropFirst()
    }
  }

  /// Returns a line of a head, with its secrets redacted unless they are shown.
  private func shown(_ line: String) -> String {
    guard secrets == .redacted else { return line }
    let redaction = HTTP.Redaction()
    if let match = line.wholeMatch(of: /([!-~]+) (\S+) (HTTP\/[0-9.]+)/) {
      return "\(match.1) \(redaction.shown(reference: String(match.2))) \(match.3)"
    }
    guard !line.hasPrefix("HTTP/"), let colon = line.firstIndex(of: ":") else { return line }
    let value = String(line[line.index(after: colon)...]).trimmingBlanks
    let field = HTTP.Headers.Field(
      HTTP.HeaderKey(rawValue: String(line[..<colon])), HTTP.HeaderValue(rawValue: value))
    return "\(line[..<colon]): \(redaction.shown(field))"
  }
}

/// The first lines of a message, for `--include` and `--verbose`. Sessions report neither the version of HTTP nor, on Linux, the order of
/// fields: there is no version, and the fields of a response are sorted. A request lacks the fields that the session adds, such as `Host`.
struct MessageHead {
  private let start: String
  private let fields: [HTTP.Headers.Field]

  /// Creates the head of `request`. Its URL has no password, and secrets in the query are redacted.
  init(_ request: HTTP.Request) {
    start = "\(request)"
    fields = Array(request.headers)
  }

  init(_ response: HTTP.Response) {
    start = "HTTP \(response.status)".printable
    fields = response.headers.sorted { $0.key.rawValue.lowercased() < $1.key.rawValue.lowercased() }
  }

  /// The lines with all values, without line ends.
  var lines: [String] {
    [start] + fields.map { "\($0.key): \($0.value)".printable }
  }

  /// The lines without line ends, with `<redacted>` for values that may be secrets.
  var redactedLines: [String] {
    [start] + fields.map { "\($0.key): \(HTTP.Redaction().shown($0))".printable }
  }
}

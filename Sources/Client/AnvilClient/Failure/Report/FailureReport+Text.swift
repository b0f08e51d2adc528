internal import AnvilBase
public import AnvilDiagnosis
internal import AnvilHTTP
public import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FailureReport: CustomStringConvertible {
  /// The full form, safe to log. Its lines have at most 100 columns, unless a name is longer.
  public var description: String { rendered(JSON.Diagnosis.Style()) }

  /// The full form with the complete URL and the values of the body.
  public var detailedDescription: String { rendered(JSON.Diagnosis.Style(values: .shown)) }

  /// Returns the full form in `style`. The first line contains the request, the status, the media type, the size, the attempts and the
  /// time. Further details follow, then the problems of the body.
  public func rendered(_ style: JSON.Diagnosis.Style) -> String {
    var text = StyledText(width: style.columns)
    text.write("error[\(code)] ", .error)
    text.writeWords(exchange(style.values).printable, .strong, indentation: 2, breaking: .atSpaces)
    text.endLine()
    if let diagnosis {
      text.write("  \(diagnosis.title)")
      text.endLine()
    }
    func note(_ name: String, _ content: String) {
      text.write("  = ", .gutter)
      text.write("\(name): ", .strong)
      text.writeWords(content.printable, indentation: 4)
      text.endLine()
    }
    if let reason { note("reason", reason) }
    for (index, attempt) in attempts.enumerated() {
      note("attempt \(index + 1)", "\(attempt.outcome), then \(attempt.delay.shortDescription)")
    }
    for redirection in redirections {
      note("redirect", "\(redirection.method) \(shown(redirection.url, style.values)) → \(redirection.status)")
    }
    if let cacheOutcome { note("cache", cacheOutcome.rawValue) }
    if let requestID { note("request id", requestID.loggable) }
    for hint in hints { note("hint", hint) }
    diagnosis?.write(to: &text, style)
    return text.rendered(style.colors)
  }

  /// The form for logs, in one line, such as `decode.type-mismatch $[3].zip expected String found number @118:12 GET /users 200 (+1 more)`
  /// or `http.404 GET /users/1 404`.
  public var line: String {
    let path = url.map(HTTP.Redaction.shownPath(of:))
    let request = [method?.rawValue.printable, path?.printable, status.map { "\($0.code)" }].compactMap { $0 }
    if let diagnosis { return diagnosis.line(context: request.joined(separator: " ")) }
    let attempt = attempts.isEmpty ? nil : "attempt \(attempts.count + 1)"
    return [([code] + request).joined(separator: " "), reason?.printable, attempt].compactMap { $0 }.joined(
      separator: ", ")
  }

  /// Returns the request line and its outcome.
  private func exchange(_ values: JSON.Diagnosis.Style.Values) -> String {
    var text = "request unknown"
    if let method, let url { text = "\(method) \(shown(url, values))" }
    if let status { text += " → " + (status.isSuccess ? "\(status.code)" : "\(status)") }
    if let contentType { text += " \(contentType.rawValue.loggable)" }
    let details = [
      bodyLength.map { "\($0.grouped) B" }, "attempt \(attempts.count + 1)", elapsed.map(\.shortDescription),
    ]
    return text + " (\(details.compactMap { $0 }.joined(separator: ", ")))"
  }

  private func shown(_ url: URL, _ values: JSON.Diagnosis.Style.Values) -> String {
    values == .shown ? url.absoluteString.printable : url.redactedDescription
  }
}

extension FailureReport {
  /// The form for programs, safe to log: `code`, `message`, `method`, `url`, `status`, `contentType`, `bodyLength`, `requestID`,
  /// `attempts`, `redirections`, `cache`, `seconds`, `reason`, `hints` and `diagnosis`. Unknown members are omitted.
  public var json: JSON { json(.redacted) }

  /// Returns the form for programs, with the complete URL and the values of the body, or with both redacted, according to `values`.
  public func json(_ values: JSON.Diagnosis.Style.Values) -> JSON {
    func list(_ elements: [JSON]) -> JSON? { elements.isEmpty ? .none : .some(JSON(elements)) }
    let attempts = attempts.map { attempt in
      JSON.object([("outcome", JSON(attempt.outcome.printable)), ("delay", JSON(attempt.delay.inSeconds))])
    }
    let redirections = redirections.map { redirection in
      JSON.object(
        [
          ("method", JSON(redirection.method.rawValue)), ("url", JSON(shown(redirection.url, values))),
          ("status", JSON(redirection.status.code)),
        ])
    }
    return JSON.object(
      [
        ("code", JSON(code)),
        ("message", JSON(line)),
        ("method", method.map { JSON($0.rawValue.printable) }),
        ("url", url.map { JSON(shown($0, values)) }),
        ("status", status.map { JSON($0.code) }),
        ("contentType", contentType.map { JSON($0.rawValue.loggable) }),
        ("bodyLength", bodyLength.map { JSON($0) }),
        ("requestID", requestID.map { JSON($0.loggable) }),
        ("attempts", list(attempts)),
        ("redirections", list(redirections)),
        ("cache", cacheOutcome.map { JSON($0.rawValue) }),
        ("seconds", elapsed.map { JSON($0.inSeconds) }),
        ("reason", reason.map { JSON($0.printable) }),
        ("hints", list(hints.map { JSON($0.printable) })),
        ("diagnosis", diagnosis.map { $0.json(values) }),
      ])
  }
}

extension FailureReport: CustomReflectable {
  /// A mirror without children, so that `dump` shows no more than ``description``.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

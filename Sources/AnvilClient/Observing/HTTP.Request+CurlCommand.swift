public import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Request {
  /// A command line by which the curl tool sends the same request, for a POSIX shell.
  ///
  ///     print(request.curlCommand())     // curl 'https://api.example.com/users/1' -H 'Accept: application/json'
  ///
  /// Secrets are hidden as `redaction` says; with `nil` the line has all of them and works as it stands. A body that is a stream or
  /// a form of files is named in a comment behind the command, as it cannot be read without being spent; a value is encoded.
  ///
  /// A request does not know its policy: fields that only ``RequestPolicy/sensitiveHeaders`` names are hidden by the redaction's
  /// `hiddenHeaders`.
  ///
  /// - Parameter redaction: what is shown; `nil` for everything.
  public func curlCommand(redaction: HTTP.Redaction? = HTTP.Redaction(queryValues: .shownUnlessSecret)) -> String {
    let body = (try? body.encoded()) ?? body
    var fields = headers
    if let type = body.contentType, !fields.contains(.contentType) { fields.add(.contentType, type) }
    if let coding = body.contentEncoding, !fields.contains(.contentEncoding) { fields.add(.contentEncoding, coding) }
    let (data, comment) = Self.data(of: body, redaction, contentType: fields[.contentType])
    var words = ["curl"]
    switch method {
    case .get: if !body.isEmpty { words += ["-X", "GET"] }
    case .head: words.append("--head")
    // What data makes of a request anyway.
    case .post where !data.isEmpty: break
    default: words += ["-X", method.rawValue]
    }
    words.append(redaction?.shown(url) ?? url.absoluteString)
    for field in redaction?.shown(fields) ?? fields {
      // A field without a value is written with a semicolon; with a colon it would be left out.
      words += ["-H", field.value.rawValue.isEmpty ? "\(field.key);" : "\(field.key): \(field.value)"]
    }
    // Which curl would add of its own to a body.
    if !body.isEmpty, !fields.contains(.contentType) { words += ["-H", "Content-Type:"] }
    return (words + data).map(\.quotedForShell).joined(separator: " ") + comment
  }

  /// The words that give the tool `body`, and the comment for one that cannot be written.
  private static func data(
    of body: HTTP.Body, _ redaction: HTTP.Redaction?, contentType: HTTP.HeaderValue?
  ) -> (words: [String], comment: String) {
    if let file = body.fileURL { return (["--data-binary", "@\(file.path)"], "") }
    guard let data = body.data else { return ([], "  # and a body: \(body)") }
    if data.isEmpty { return ([], "") }
    let shown = redaction?.shown(body: data, contentType: contentType) ?? data
    if let text = String(bytes: shown, encoding: .utf8), !text.contains("\0") { return (["--data-raw", text], "") }
    return ([], "  # and a body that is not text, \(data.count) B")
  }
}

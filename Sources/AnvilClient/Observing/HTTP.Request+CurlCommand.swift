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
  /// a form of files is named in a comment behind the command, as it cannot be read without being spent.
  ///
  /// - Parameter redaction: what is shown; `nil` for everything.
  public func curlCommand(redaction: HTTP.Redaction? = HTTP.Redaction(queryValues: .shownUnlessSecret)) -> String {
    var words = ["curl"]
    switch method {
    case .get: if !body.isEmpty { words += ["-X", "GET"] }
    case .head: words.append("--head")
    // What a body makes of a request anyway.
    case .post where body.length != 0: break
    default: words += ["-X", method.rawValue]
    }
    words.append(redaction?.shown(url) ?? url.absoluteString)
    var fields = headers
    if let type = body.contentType, !fields.contains(.contentType) { fields.add(.contentType, type) }
    if let coding = body.contentEncoding, !fields.contains(.contentEncoding) { fields.add(.contentEncoding, coding) }
    for field in redaction?.shown(fields) ?? fields {
      // A field without a value is written with a semicolon; with a colon it would be left out.
      words += ["-H", field.value.rawValue.isEmpty ? "\(field.key);" : "\(field.key): \(field.value)"]
    }
    // Which curl would add of its own to a body.
    if !body.isEmpty, !fields.contains(.contentType) { words += ["-H", "Content-Type:"] }

    var comment = ""
    if let file = body.fileURL {
      words += ["--data-binary", "@\(file.path)"]
    } else if let data = body.data, !data.isEmpty {
      let shown = redaction?.shown(body: data, contentType: fields[.contentType]) ?? data
      if let text = String(bytes: shown, encoding: .utf8), !text.contains("\0") {
        words += ["--data-raw", text]
      } else {
        comment = "  # and a body that is not text, \(data.count) B"
      }
    } else if body.data == nil {
      comment = "  # and a body: \(body)"
    }
    return words.map(\.quotedForShell).joined(separator: " ") + comment
  }
}

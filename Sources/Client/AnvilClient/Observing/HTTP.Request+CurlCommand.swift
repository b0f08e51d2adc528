internal import AnvilBase
internal import AnvilBodies
public import AnvilHTTP
internal import AnvilJSON

extension HTTP.Request {
  /// Returns a curl command line that sends the same request, for a POSIX shell.
  ///
  ///     print(request.curlCommand())     // curl 'https://api.example.com/users/1' -H 'Accept: application/json'
  ///
  /// `redaction` hides secrets. With `nil` the line contains them and works without changes. A body that is a stream or a form with files
  /// is only described in a comment after the command, because reading it here would consume it. A body that is not text is described in
  /// the same way. A body that is a model is encoded.
  ///
  /// A request does not contain its policy. To hide fields that only ``RequestConfigurable/sensitiveHeaders`` names, add them to the redaction's
  /// `hiddenHeaders`.
  ///
  /// - Parameter redaction: Decides which parts are shown; `nil` shows everything.
  public func curlCommand(redaction: HTTP.Redaction? = HTTP.Redaction(queryValues: .shownUnlessSecret)) -> String {
    curlCommand(words: [], redaction: redaction)
  }

  /// Returns the command line with more arguments, which are not yet quoted. They precede the comment.
  package func curlCommand(
    words more: [String], redaction: HTTP.Redaction? = HTTP.Redaction(queryValues: .shownUnlessSecret)
  ) -> String {
    var message = self
    // A body that cannot be encoded is described in the comment.
    try? message.prepareBody(in: nil)
    let body = message.body
    var fields = message.headers
    var (data, comment) = Self.data(of: body, redaction, contentType: fields[.contentType])
    var words = ["curl"]
    switch method {
    case .get: if !body.isEmpty { words += ["-X", "GET"] }
    case .head:
      words.append("--head")
      if !data.isEmpty { (data, comment) = ([], "  # and a body, which curl cannot send with HEAD") }
    // curl uses POST for a request with data.
    case .post where !data.isEmpty: break
    default: words += ["-X", method.rawValue]
    }
    let shownURL = redaction?.shown(url) ?? url.absoluteString
    // curl would remove the segments "." and "..", and would take brackets and braces for a pattern of several URLs.
    if url.path().split(separator: "/").contains(where: \.isDotSegment) { words.append("--path-as-is") }
    let reference =
      shownURL.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
    if reference.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    words.append(shownURL)
    // Sessions send one line of cookies. Source: RFC 6265 §5.4.
    let cookies = fields.values(for: .cookie).map { $0.rawValue.trimmingBlanks }
    if cookies.count > 1 { fields[.cookie] = HTTP.HeaderValue(rawValue: cookies.joined(separator: "; ")) }
    for field in redaction?.shown(fields) ?? fields {
      // A field without a value is written with a semicolon; with a colon curl would leave it out.
      let value = field.value.rawValue.trimmingBlanks
      words += ["-H", value.isEmpty ? "\(field.key);" : "\(field.key): \(value)"]
    }
    // curl would add a Content-Type to a body without one.
    if !body.isEmpty, !fields.contains(.contentType) { words += ["-H", "Content-Type:"] }
    return (words + data + more).map(\.quotedForShell).joined(separator: " ") + comment
  }

  /// Returns the arguments that pass `body` to curl, and a comment for a body that cannot be written.
  private static func data(
    of body: HTTP.Body, _ redaction: HTTP.Redaction?, contentType: HTTP.HeaderValue?
  ) -> (words: [String], comment: String) {
    if let path = try? body.fileURL?.filePath { return (["--data-binary", "@\(path)"], "") }
    guard let data = body.data else { return ([], "  # and a body: \(body)") }
    if data.isEmpty { return ([], "") }
    let shown = redaction?.shown(body: data, contentType: contentType) ?? data
    // The redaction replaces bytes that cannot be parsed by a text.
    if [data, shown].allSatisfy({ String(validating: $0, as: UTF8.self)?.contains("\0") == false }) {
      return (["--data-raw", String(decoding: shown, as: UTF8.self)], "")
    }
    return ([], "  # and a body that is not text, \(data.count) B")
  }
}

extension Substring {
  /// True for the path segments `.` and `..`, also if their dots are percent-encoded. Source: RFC 3986 §5.2.4, §6.2.2.2.
  fileprivate var isDotSegment: Bool { [".", ".."].contains(lowercased().replacing("%2e", with: ".")) }
}

extension String {
  /// The string as one word of a POSIX shell command. It is put in single quotation marks if a character requires them.
  ///
  /// A string with characters that could control a terminal or are invisible is written as `$'\033[31m'`: each of their bytes is escaped in
  /// octal. Shells support this form since POSIX.1-2024. Line feeds and tabs alone do not require this form, because every shell accepts
  /// them between single quotation marks.
  ///
  /// Source: POSIX.1-2024 XCU 2.2.2 and 2.2.4.
  package var quotedForShell: String {
    if unicodeScalars.contains(where: \.needsOctal) { return "$'\(octalForShell)'" }
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { $0.isLetter || $0.isDigit || [.minus, .period, .slash, .underscore].contains($0) }
    if isPlain { return self }
    return "'\(replacingScalars { $0 == "'" ? #"'\''"# : nil })'"
  }

  private var octalForShell: String {
    replacingScalars { scalar in
      switch scalar {
      case "\\": #"\\"#
      case "'": #"\'"#
      case "\n": #"\n"#
      case "\t": #"\t"#
      case _ where scalar.needsOctal:
        // Always three digits, so that a digit that follows is not part of the escape.
        (UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter).map { "\\" + $0.text(digits: 3, radix: 8) }.joined()
      default: nil
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var needsOctal: Bool { self != "\n" && self != "\t" && isUnprintable }
}

package import AnvilBase

extension HTTP.Redaction {
  /// The maximum nesting depth of references in values of query items. Deeper ones are hidden, to avoid exhausting the stack.
  private static let referenceDepthLimit = 8

  /// Returns a redacted URL or relative reference. It is split at its delimiters, because servers also send invalid URLs.
  ///
  /// Delimiters are bytes: a combining character after one belongs to the same `Character`, but not to the delimiter.
  ///
  /// - Parameter depth: The number of references that contain this one.
  package func shown(reference: String, depth: Int = 0) -> String {
    var reference = reference
    if let userInfo = Self.delimitedUserInfo(in: reference) { reference.replaceSubrange(userInfo, with: Self.mark) }
    let (rest, fragment) = reference.split(at: UInt8.numberSign)
    let (path, query) = rest.split(at: UInt8.questionMark)
    let shownQuery = query.map { "?" + shown(query: $0, depth: depth) } ?? ""
    return shown(path: path) + shownQuery + (fragment == nil ? "" : "#\(Self.mark)")
  }

  /// Returns the part of a reference before its query, without user information and secret segments.
  private func shown(path: String) -> String {
    let bytes = path.utf8
    guard let start = path.authorityStart else { return Self.shown(segments: path[...], host: "") }
    let end = bytes[start...].firstIndex(where: \.isSlash) ?? bytes.endIndex
    let at = bytes[start..<end].lastIndex(of: .atSign)
    let host = path[(at.map(bytes.index(after:)) ?? start)..<end]
    let user = at == nil ? "" : "\(Self.mark)@"
    return path[..<start] + user + host + Self.shown(segments: path[end...], host: String(host))
  }

  /// Returns the path of a URL without secret segments, percent-encoded; `/` for an empty path.
  package static func shownPath(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    return path.isEmpty ? "/" : shown(segments: path[...], host: url.sentHost ?? "")
  }

  /// Returns the range of a user name and password that contain an unencoded `/`, `?` or `#`; `nil` without such
  /// a user name and password.
  ///
  /// The delimiter ends the authority, whose port is then the first part of the password. If this part is a number, the reference is a valid
  /// URL, which cannot be distinguished from others.
  private static func delimitedUserInfo(in reference: String) -> Range<String.Index>? {
    let bytes = reference.utf8
    guard let start = reference.authorityStart, !bytes[..<start].contains(where: { $0.endsPath }) else { return nil }
    let end = bytes[start...].firstIndex { $0.isSlash || $0.endsPath } ?? bytes.endIndex
    let authority = bytes[start..<end]
    guard !authority.contains(.atSign), let colon = authority.lastIndex(of: .colon),
      let at = bytes[end...].lastIndex(of: .atSign)
    else { return nil }
    let port = authority[bytes.index(after: colon)...]
    // The last colon of an IPv6 address without a port is in brackets.
    guard !port.contains(.closeBracket), !port.allSatisfy({ $0.isDigit }) else { return nil }
    return start..<at
  }

  /// Returns a redacted value of a `Link` field. Targets in angle brackets are redacted; the rest is unchanged.
  func shown(links value: String) -> String {
    var shown = ""
    var rest = value[...]
    while let open = rest.utf8.firstIndex(of: .lessThan) {
      let start = rest.utf8.index(after: open)
      guard let close = rest.utf8[start...].firstIndex(of: .greaterThan) else { return Self.mark }
      shown += rest[..<start]
      // The target ends at the first ">".
      shown += self.shown(reference: String(rest[start..<close])).replacing(Self.mark, with: "%3Credacted%3E") + ">"
      rest = rest[rest.utf8.index(after: close)...]
    }
    return shown + rest
  }

  /// - Parameter depth: The number of references that contain the one with this query.
  package func shown(query: String, depth: Int = 0) -> String {
    var shown = ""
    var rest = query[...]
    while true {
      let end = rest.utf8.firstIndex { $0 == .ampersand || $0 == .semicolon } ?? rest.endIndex
      shown += self.shown(queryItem: String(rest[..<end]), depth: depth)
      guard end < rest.endIndex else { return shown }
      let next = rest.utf8.index(after: end)
      shown += rest[end..<next]
      rest = rest[next...]
    }
  }

  private func shown(queryItem item: String, depth: Int) -> String {
    let (name, value) = item.split(at: UInt8.equalsSign)
    guard let value else {
      // A name without a value is usually a flag, but a long one is probably a key.
      return !name.isEmpty && (queryValues == .hidden || name.count > 16) ? Self.mark : name
    }
    let plain = FormEncoding.decode(name.utf8) ?? name
    if queryValues == .hidden || isSecret(fieldName: plain, valueLength: value.utf8.count) {
      return "\(name)=\(Self.mark)"
    }
    // A URL or a path in the value of a query item.
    let plainValue = FormEncoding.decode(value.utf8) ?? value
    guard plainValue.containsSchemeEnd || plainValue.utf8.first == .slash else { return item }
    let isShown = depth < Self.referenceDepthLimit && shown(reference: plainValue, depth: depth + 1) == plainValue
    return isShown ? item : "\(name)=\(Self.mark)"
  }
}

extension UInt8 {
  /// Whether the byte is a slash, or a backslash, which some clients treat as a slash.
  var isSlash: Bool { self == .slash || self == .backslash }

  fileprivate var endsPath: Bool { self == .questionMark || self == .numberSign }
}

extension String {
  /// Returns the text before and after the first `delimiter`. Without a delimiter, the second text is `nil`.
  fileprivate func split(at delimiter: UInt8) -> (String, String?) {
    guard let index = utf8.firstIndex(of: delimiter) else { return (self, nil) }
    return (String(self[..<index]), String(self[utf8.index(after: index)...]))
  }

  /// The position after the first two slashes, where an authority begins.
  fileprivate var authorityStart: String.Index? {
    var wasSlash = false
    for index in utf8.indices {
      let isSlash = utf8[index].isSlash
      if isSlash, wasSlash { return utf8.index(after: index) }
      wasSlash = isSlash
    }
    return nil
  }
}

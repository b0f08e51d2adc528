internal import AnvilText

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Redaction {
  /// The maximum nesting depth of references in values of query items. Deeper ones are hidden, to avoid exhausting the stack.
  private static let referenceDepthLimit = 8

  /// Returns a redacted URL or relative reference. It is split at its delimiters, because servers also send invalid URLs.
  ///
  /// - Parameter depth: The number of references that contain this one.
  package func shown(reference: String, depth: Int = 0) -> String {
    let (rest, fragment) = reference.split(at: "#")
    var (path, query) = rest.split(at: "?")
    // Some clients treat backslashes as slashes.
    let isSlash = { (character: Character) in character == "/" || character == "\\" }
    if let start = path.firstRange(of: /[\/\\]{2}/)?.upperBound,
      let at = path[start...].prefix(while: { !isSlash($0) }).lastIndex(of: "@")
    {
      path.replaceSubrange(start...at, with: "\(Self.mark)@")
    }
    let shownQuery = query.map { "?" + shown(query: $0, depth: depth) } ?? ""
    return path + shownQuery + (fragment == nil ? "" : "#\(Self.mark)")
  }

  /// Returns a redacted value of a `Link` field. Targets in angle brackets are redacted; the rest is unchanged.
  func shown(links value: String) -> String {
    var shown = ""
    var rest = value[...]
    while let open = rest.firstIndex(of: "<") {
      guard let close = rest[open...].firstIndex(of: ">") else { return Self.mark }
      shown += rest[...open]
      shown += self.shown(reference: String(rest[rest.index(after: open)..<close])) + ">"
      rest = rest[rest.index(after: close)...]
    }
    return shown + rest
  }

  /// Returns a redacted percent-encoded query or form body.
  ///
  /// - Parameter depth: The number of references that contain the one with this query.
  package func shown(query: String, depth: Int = 0) -> String {
    var shown = ""
    var rest = query[...]
    while true {
      let end = rest.firstIndex { $0 == "&" || $0 == ";" } ?? rest.endIndex
      shown += self.shown(queryItem: String(rest[..<end]), depth: depth)
      guard end < rest.endIndex else { return shown }
      shown.append(rest[end])
      rest = rest[rest.index(after: end)...]
    }
  }

  private func shown(queryItem item: String, depth: Int) -> String {
    let (name, value) = item.split(at: "=")
    guard let value else {
      // A name without a value is usually a flag, but a long one is probably a key.
      return !name.isEmpty && (queryValues == .hidden || name.count > 16) ? Self.mark : name
    }
    let plain = FormEncoding.decode(name.utf8) ?? name
    if queryValues == .hidden || isSecret(fieldName: plain) {
      return "\(name)=\(Self.mark)"
    }
    // A URL or a path in the value of a query item.
    let plainValue = FormEncoding.decode(value.utf8) ?? value
    guard plainValue.contains("://") || plainValue.hasPrefix("/") else { return item }
    let isShown = depth < Self.referenceDepthLimit && shown(reference: plainValue, depth: depth + 1) == plainValue
    return isShown ? item : "\(name)=\(Self.mark)"
  }

  /// Returns whether a query item or a form field with this name is secret. In addition to the names that are secret everywhere, `code`,
  /// `key` and `state` are secret here.
  package func isSecret(fieldName name: String) -> Bool {
    isSecret(name: name) || Self.secretQueryNames.contains(name.lowercased())
  }

  /// Returns whether any value with this name is secret: a query item, a form field or a member of a JSON object.
  package func isSecret(name: String) -> Bool {
    if lowercasedSecretNames.contains(name.lowercased()) { return true }
    let words = name.words
    let letters = words.joined()
    return Self.secretParts.contains { letters.contains($0) } || words.contains(where: Self.secretWords.contains)
  }

  /// Fragments that make a name secret wherever they occur in it. "key" alone is not one of them: it would hide pagination keys.
  private static let secretParts = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey", "privatekey",
    "credential",
    "signature", "authorization", "session", "cookie", "bearer", "assertion", "verificationcode", "pincode",
    "cardnumber",
  ]
  /// Words that make a name secret if it contains them as whole words.
  private static let secretWords: Set<String> = [
    "pwd", "pass", "pin", "sig", "auth", "sid", "ssn", "cvv", "cvc", "otp", "jwt", "hmac",
  ]
  /// Names that are secret only in queries and forms: in documents they usually have a different meaning.
  private static let secretQueryNames: Set<String> = ["code", "key", "state"]
}

extension String {
  /// Returns the text before and after the first `delimiter`. Without a delimiter, the second text is `nil`.
  fileprivate func split(at delimiter: Character) -> (String, String?) {
    guard let index = firstIndex(of: delimiter) else { return (self, nil) }
    return (String(self[..<index]), String(self[self.index(after: index)...]))
  }

  /// The words of a name in lower case. `userPwd`, `user_pwd` and `user[pwd]` have the same words.
  fileprivate var words: [String] {
    var words: [String] = []
    var word = ""
    var wasLowercase = false
    for character in self {
      if !character.isLetter && !character.isNumber || character.isUppercase && wasLowercase {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
      wasLowercase = character.isLowercase || character.isNumber
    }
    return word.isEmpty ? words : words + [word]
  }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Redaction {
  /// A URL, or a relative reference, as text, taken apart by its delimiters, since servers send what is no URL.
  package func shown(reference: String) -> String {
    let (rest, fragment) = reference.split(at: "#")
    var (path, query) = rest.split(at: "?")
    // Some clients take backslashes for slashes.
    let isSlash = { (character: Character) in character == "/" || character == "\\" }
    if let start = path.firstRange(of: /[\/\\]{2}/)?.upperBound,
      let at = path[start...].prefix(while: { !isSlash($0) }).lastIndex(of: "@")
    {
      path.replaceSubrange(start...at, with: "\(Self.mark)@")
    }
    let shownQuery = query.map { "?" + shown(query: $0) } ?? ""
    return path + shownQuery + (fragment == nil ? "" : "#\(Self.mark)")
  }

  /// The value of a `Link` field: each target between its angle brackets as it may be shown, and the rest as it is.
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

  /// A query or a form's body, percent-encoded, as it may be shown.
  package func shown(query: String) -> String {
    var shown = ""
    var rest = query[...]
    while true {
      let end = rest.firstIndex { $0 == "&" || $0 == ";" } ?? rest.endIndex
      shown += self.shown(queryItem: String(rest[..<end]))
      guard end < rest.endIndex else { return shown }
      shown.append(rest[end])
      rest = rest[rest.index(after: end)...]
    }
  }

  private func shown(queryItem item: String) -> String {
    let (name, value) = item.split(at: "=")
    guard let value else {
      // A name that stands alone is a flag; a long one is more likely a key.
      return !name.isEmpty && (queryValues == .hidden || name.count > 16) ? Self.mark : name
    }
    let plain = URLForm.percentDecoded(Data(name.utf8)) ?? name
    if queryValues == .hidden || isSecret(fieldName: plain) {
      return "\(name)=\(Self.mark)"
    }
    // A URL within the URL.
    let plainValue = URLForm.percentDecoded(Data(value.utf8)) ?? value
    return plainValue.contains("://") && shown(reference: plainValue) != plainValue ? "\(name)=\(Self.mark)" : item
  }

  /// Whether a query item or a form's field of this name is secret.
  func isSecret(fieldName name: String) -> Bool {
    isSecret(name: name) || Self.secretQueryNames.contains(name.lowercased())
  }

  /// Whether a query item, a form field or a member of this name is secret.
  public func isSecret(name: String) -> Bool {
    if lowercasedSecretNames.contains(name.lowercased()) { return true }
    let words = name.words
    let letters = words.joined()
    return Self.secretParts.contains { letters.contains($0) } || words.contains(where: Self.secretWords.contains)
  }

  /// What makes a name secret wherever in it it stands; "key" alone would hide what tells pages apart.
  private static let secretParts = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey", "privatekey",
    "credential",
    "signature", "authorization", "session", "cookie", "bearer", "assertion", "verificationcode", "pincode",
    "cardnumber",
  ]
  /// What makes a name secret as one of its words.
  private static let secretWords: Set<String> = [
    "pwd", "pass", "pin", "sig", "auth", "sid", "ssn", "cvv", "cvc", "otp", "jwt", "hmac",
  ]
  /// In a document these are too often something else.
  private static let secretQueryNames: Set<String> = ["code", "key", "state"]
}

extension String {
  /// What stands before the first `delimiter`, and what behind it; `nil` where there is none.
  fileprivate func split(at delimiter: Character) -> (String, String?) {
    guard let index = firstIndex(of: delimiter) else { return (self, nil) }
    return (String(self[..<index]), String(self[self.index(after: index)...]))
  }

  /// The words of a name in any of the usual spellings, in lower case: `userPwd`, `user_pwd` and `user[pwd]` have the same.
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

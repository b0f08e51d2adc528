/// The names that indicate secrets: those of fields, query items, form fields and JSON members.
extension HTTP.Redaction {
  /// Returns whether a query item or a form field with this name is secret. In addition to the names that are secret everywhere, `code`,
  /// `key` and `state` are secret here.
  package func isSecret(fieldName name: String) -> Bool {
    isSecret(name: name) || Self.secretQueryNames.contains(name.lowercased())
  }

  /// Returns whether any value with this name is secret: a query item, a form field or a member of a JSON object.
  package func isSecret(name: String) -> Bool {
    let lowercased = name.lowercased()
    if lowercasedSecretNames.contains(lowercased) || Self.secretNames.contains(lowercased) { return true }
    let words = name.words
    let letters = words.joined()
    return Self.secretParts.contains { letters.contains($0) } || words.contains(where: Self.secretWords.contains)
  }

  /// Names that are secret, but not as parts of other names: a `ticket_id` identifies a support ticket.
  private static let secretNames: Set<String> = ["ticket"]
  /// Fragments that make a name secret wherever they occur in it. "key" and "code" alone are not among them: they would hide pagination
  /// keys and country codes.
  private static let secretParts = [
    // Credentials.
    "password", "passwd", "passphrase", "passcode", "secret", "token", "credential", "authorization", "bearer",
    "connectionstring", "mnemonic", "seedphrase", "webhookurl",
    // Keys.
    "apikey", "accesskey", "privatekey", "subscriptionkey", "functionkey", "functionskey", "signingkey",
    "encryptionkey",
    "symmetrickey", "masterkey", "accountkey", "sharedkey", "adminkey", "appkey", "applicationkey", "consumerkey",
    "writekey", "integrationkey", "routingkey", "licensekey", "licencekey", "activationkey", "recoverykey", "sshkey",
    // Sessions and single sign-on. Source: CAS protocol 3.0, SAML 2.0 bindings, RFC 7636 (code_verifier), RFC 8628 (device_code).
    "session", "sessid", "cookie", "signature", "assertion", "samlresponse", "samlrequest", "samlart", "relaystate",
    "verifier", "proxyticket", "serviceticket", "pgtiou", "pgtid", "devicecode", "usercode",
    // Codes that are used once.
    "verificationcode", "securitycode", "recoverycode", "backupcode", "accesscode", "activationcode", "mfacode",
    "pincode", "cardnumber",
  ]
  /// Words that make a name secret if it contains them as whole words.
  private static let secretWords: Set<String> = [
    "pwd", "pass", "pin", "sig", "auth", "sid", "ssn", "cvv", "cvc", "otp", "totp", "jwt", "hmac",
  ]
  /// Names that are secret only in queries and forms: in documents they usually have a different meaning.
  private static let secretQueryNames: Set<String> = ["code", "key", "state"]
}

extension String {
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

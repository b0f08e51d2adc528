internal import AnvilBase
internal import AnvilHTTP

/// An answer to a Digest challenge. Source: RFC 7616 §3.4.
struct DigestAnswer {
  let challenge: DigestChallenge
  /// The nonce count of this answer, starting with 1.
  let count: UInt32
  /// The client's nonce.
  let clientNonce: String

  /// Returns the value of `Authorization` or `Proxy-Authorization` for a request of `method`. `target` is the target in the request line.
  ///
  /// - Parameter bodyHash: The hash of the request's body by the challenge's algorithm, if the challenge's protection includes it.
  func authorization(
    username: String, password: String, method: HTTP.Method, target: String, bodyHash: String = ""
  ) -> HTTP.HeaderValue {
    let digits = String(count, radix: 16)
    let nonceCount = String(repeating: "0", count: 8 - digits.count) + digits
    let hash = challenge.algorithm.hash
    var fields = [usernameField(username), "realm=\(quoted(challenge.realm))", "uri=\(quoted(target))"]
    if let name = challenge.algorithmName { fields.append("algorithm=\(name)") }
    fields.append("nonce=\(quoted(challenge.nonce))")
    var secret = hash("\(username):\(challenge.realm):\(password)")
    if challenge.isSession { secret = hash("\(secret):\(challenge.nonce):\(clientNonce)") }
    let signsBody = challenge.protection == .requestAndBody
    let action = hash(signsBody ? "\(method):\(target):\(bodyHash)" : "\(method):\(target)")
    if let quality = challenge.protection?.rawValue {
      fields += ["nc=\(nonceCount)", "cnonce=\(quoted(clientNonce))", "qop=\(quality)"]
      let proof = hash("\(secret):\(challenge.nonce):\(nonceCount):\(clientNonce):\(quality):\(action)")
      fields.append("response=\"\(proof)\"")
    } else {
      if challenge.isSession { fields.append("cnonce=\(quoted(clientNonce))") }
      fields.append("response=\"\(hash("\(secret):\(challenge.nonce):\(action)"))\"")
    }
    if let opaque = challenge.opaque { fields.append("opaque=\(quoted(opaque))") }
    if challenge.hashesUsername { fields.append("userhash=true") }
    return HTTP.HeaderValue(rawValue: "Digest \(fields.joined(separator: ", "))")
  }

  /// Returns the field with the user name. Source: RFC 7616 §3.4.4; for names that are not ASCII, RFC 8187 §3.2.
  private func usernameField(_ username: String) -> String {
    if challenge.hashesUsername {
      return "username=\"\(challenge.algorithm.hash("\(username):\(challenge.realm)"))\""
    }
    if challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
      return "username*=UTF-8''\(PercentEncoding.encode(username))"
    }
    return "username=\(quoted(username))"
  }

  /// Returns `text` as a quoted string. Source: RFC 9110 §5.6.4.
  private func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }
}

internal import AnvilHTTP

/// One way that a server offers to prove who asks. Source: RFC 9110 §11.3.
struct AuthChallenge: Hashable {
  /// The scheme, in lower case.
  var scheme: String
  /// What follows the scheme where that is one word in place of parameters.
  var token68: String?
  /// The parameters, by their names in lower case, without quotation marks; of several of one name the first.
  var parameters: [String: String] = [:]

  /// The challenges in the values of `WWW-Authenticate` or `Proxy-Authenticate`, in their order.
  ///
  /// A list's commas part challenges as well as their parameters: a word is a parameter where an equals sign and a
  /// value follow it, else a scheme. What is neither is left out.
  static func challenges(in values: [HTTP.HeaderValue]) -> [AuthChallenge] {
    values.flatMap { challenges(in: $0.rawValue) }
  }

  private static func challenges(in text: String) -> [AuthChallenge] {
    var scanner = FieldScanner(text)
    var challenges: [AuthChallenge] = []
    scanner.forEachElement { scanner in
      if let (name, value) = scanner.parameter() {
        if let last = challenges.indices.last, challenges[last].parameters[name] == nil {
          challenges[last].parameters[name] = value
        }
      } else if let scheme = scanner.token() {
        var challenge = AuthChallenge(scheme: scheme.lowercased())
        scanner.skipBlanks()
        challenge.token68 = scanner.token68()
        if challenge.token68 == nil, let (name, value) = scanner.parameter() {
          challenge.parameters[name] = value
        }
        challenges.append(challenge)
      }
    }
    return challenges
  }
}

extension FieldScanner {
  /// The name, in lower case, and the value of the parameter that comes next; `nil`, and nothing read, when none does.
  fileprivate mutating func parameter() -> (name: String, value: String)? {
    var ahead = self
    guard let name = ahead.token() else { return nil }
    ahead.skipBlanks()
    guard ahead.take("=") else { return nil }
    ahead.skipBlanks()
    guard let value = ahead.tokenOrQuotedString() else { return nil }
    self = ahead
    return (name.lowercased(), value)
  }

  /// The word that comes next and ends the list's element; `nil`, and nothing read, when none does. Source: RFC 9110
  /// §11.2.
  fileprivate mutating func token68() -> String? {
    var ahead = self
    let word = ahead.text { byte in
      byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 < 26 || Array("-._~+/".utf8).contains(byte)
    }
    guard var word else { return nil }
    word += ahead.text { $0 == UInt8(ascii: "=") } ?? ""
    ahead.skipBlanks()
    guard ahead.isAtEnd || ahead.next == UInt8(ascii: ",") else { return nil }
    self = ahead
    return word
  }
}

internal import AnvilHTTP

/// An authentication challenge of a server or a proxy. Source: RFC 9110 §11.3.
struct AuthChallenge: Hashable {
  /// The scheme, in lower case.
  var scheme: String
  /// The single word after the scheme, if it is used instead of parameters.
  var token68: String?
  /// The parameters, with names in lower case and values without quotation marks. For a repeated name the first value is used.
  var parameters: [String: String] = [:]

  /// Returns the challenges in the values of `WWW-Authenticate` or `Proxy-Authenticate`, in their order.
  ///
  /// Commas separate challenges as well as their parameters. A word followed by an equals sign and a value is a parameter; any other word
  /// is a scheme. Anything else is ignored.
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
  /// Reads a parameter and returns its name, in lower case, and its value. Returns `nil` and reads nothing if there is no parameter.
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

  /// Reads a word that ends the list element. Returns `nil` and reads nothing if there is no such word. Source: RFC 9110 §11.2.
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

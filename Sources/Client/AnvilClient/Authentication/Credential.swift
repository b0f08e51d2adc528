internal import AnvilHTTP

/// A credential that authenticates a client to a server: a name and a password, or a token.
///
/// Descriptions show the kind, but no secrets.
public struct Credential: Sendable {
  /// The reason why a credential cannot be sent.
  @nonexhaustive
  public enum Invalid: Error, Hashable, Sendable {
    /// The user name contains a colon, which separates the name from the password.
    ///
    /// What to do: correct the user name.
    case colonInUsername
    /// The name or the password contains a control character.
    ///
    /// What to do: trim the text, which often ends in a line break.
    case controlCharacter
    /// The token is empty, or contains a character other than visible ASCII.
    ///
    /// What to do: check that the text is the token and not a JSON document around it.
    case malformedToken
  }

  enum Kind: Hashable, Sendable {
    case basic
    case digest
    case password
    case bearer
  }

  let kind: Kind
  let username: String
  let password: String
  /// The value of the field, for schemes whose value is constant.
  let fixedValue: HTTP.HeaderValue?

  /// Returns a credential whose name and password are sent with every request to its origin, before any challenge. Source: RFC 7617.
  ///
  /// The password is readable in the request. Over plain HTTP it is visible to anyone on the network.
  ///
  /// - Throws: ``Invalid`` for a name with a colon, and for control characters.
  public static func basic(username: String, password: String) throws(Invalid) -> Credential {
    try Credential(.basic, username, password)
  }

  /// Returns a credential that is used only with Digest. The password is never sent. Source: RFC 7616.
  ///
  /// - Throws: ``Invalid`` for a name with a colon, and for control characters.
  public static func digest(username: String, password: String) throws(Invalid) -> Credential {
    try Credential(.digest, username, password)
  }

  /// Returns a credential for the strongest scheme that the server offers: Digest with SHA-512-256, with SHA-256, with MD5, then Basic.
  ///
  /// Nothing is sent before the server's first challenge. Basic is answered only over https and on the loopback interface, so that an
  /// attacker on the network cannot request the password. Use ``basic(username:password:)`` if Basic over plain HTTP is required.
  ///
  /// - Throws: ``Invalid`` for a name with a colon, and for control characters.
  public static func password(username: String, password: String) throws(Invalid) -> Credential {
    try Credential(.password, username, password)
  }

  /// Returns a credential whose token is sent with every request to its origin. Source: RFC 6750 §2.1. For tokens that can be refreshed,
  /// use ``Authentication/bearer(_:origins:)``.
  ///
  /// - Throws: ``Invalid`` for a token that cannot be sent in a field.
  public static func bearer(_ token: String) throws(Invalid) -> Credential {
    guard token.isVisibleASCII else { throw .malformedToken }
    return Credential(kind: .bearer, username: "", password: "", fixedValue: .authorizationBearer(token: token))
  }

  private init(kind: Kind, username: String, password: String, fixedValue: HTTP.HeaderValue?) {
    self.kind = kind
    self.username = username
    self.password = password
    self.fixedValue = fixedValue
  }

  private init(_ kind: Kind, _ username: String, _ password: String) throws(Invalid) {
    guard !"\(username)\(password)".utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .controlCharacter }
    guard let value = HTTP.HeaderValue.authorizationBasic(username: username, password: password) else {
      throw .colonInUsername
    }
    self.init(kind: kind, username: username, password: password, fixedValue: kind == .digest ? nil : value)
  }
}

extension Credential: CustomStringConvertible, CustomReflectable {
  /// The kind, such as `digest credential`.
  public var description: String { "\(kind) credential" }
  /// A mirror without children, so that `dump` does not show the secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credential.Invalid: CustomStringConvertible {
  /// A description of the problem, without the value.
  public var description: String {
    switch self {
    case .colonInUsername: "the user name contains a colon, which Basic authentication does not allow"
    case .controlCharacter: "the user name or the password contains a control character"
    case .malformedToken: "the token is empty or contains a character other than visible ASCII"
    }
  }
}

extension String {
  /// A Boolean value that indicates whether the string is not empty and contains only characters from `!` to `~`.
  var isVisibleASCII: Bool { !utf8.isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

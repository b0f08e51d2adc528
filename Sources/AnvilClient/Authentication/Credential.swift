internal import AnvilHTTP

/// What proves to a server who asks: a name and a password, or a token.
///
/// Descriptions show the kind and nothing of what is secret.
public struct Credential: Sendable {
  /// Why a credential cannot be sent.
  @nonexhaustive
  public enum Invalid: Error, Hashable, Sendable {
    /// The user's name has a colon, which would be taken for the end of it.
    case colonInUsername
    /// The name or the password has a control character.
    case controlCharacter
    /// The token is empty, or has a character other than visible ASCII.
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
  /// The value of the field, for the schemes in which it is always the same.
  let fixedValue: HTTP.HeaderValue?

  /// A name and a password, sent with every request to its origin, before any challenge. Source: RFC 7617.
  ///
  /// Whoever can read the request has the password: over plain HTTP that is everyone on the way.
  ///
  /// - Throws: ``Invalid`` for a name with a colon, and for control characters.
  public static func basic(username: String, password: String) throws(Invalid) -> Credential {
    try Credential(.basic, username, password)
  }

  /// A name and a password that are only proven by Digest, and never sent. Source: RFC 7616.
  ///
  /// - Throws: ``Invalid`` for a name with a colon, and for control characters.
  public static func digest(username: String, password: String) throws(Invalid) -> Credential {
    try Credential(.digest, username, password)
  }

  /// A name and a password for the strongest that the server offers: Digest with SHA-512-256, with SHA-256, with
  /// MD5, Basic.
  ///
  /// Nothing is sent before a challenge. Basic is answered over https and to the loopback only, so that nobody on the
  /// way can ask for the password; where it has to go over plain HTTP, say ``basic(username:password:)``.
  ///
  /// - Throws: ``Invalid`` for a name with a colon, and for control characters.
  public static func password(username: String, password: String) throws(Invalid) -> Credential {
    try Credential(.password, username, password)
  }

  /// A token, sent with every request to its origin. Source: RFC 6750 §2.1. For one that can be renewed see
  /// ``BearerAuthentication``.
  ///
  /// - Throws: ``Invalid`` for a token that no field can carry.
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
  /// The kind: `digest credential`.
  public var description: String { "\(kind) credential" }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credential.Invalid: CustomStringConvertible {
  /// What is wrong, without the value.
  public var description: String {
    switch self {
    case .colonInUsername: "the user's name has a colon, which Basic cannot carry"
    case .controlCharacter: "the user's name or the password has a control character"
    case .malformedToken: "the token is empty or has a character other than visible ASCII"
    }
  }
}

extension String {
  /// Whether there is at least one character, and none but those from `!` to `~`.
  var isVisibleASCII: Bool { !utf8.isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

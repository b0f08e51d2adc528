internal import AnvilBase
package import AnvilHTTP

/// Authenticates requests to the given origins, and to no others, as ``Authentication/credentials(_:proxy:)`` describes.
///
/// It comes after ``RedirectInterceptor``, so that each redirected request is authenticated for its origin. Redirects and answers to
/// challenges count towards the same limit. The proofs of Digest are made by ``ProofInterceptor`` for each attempt.
package struct AuthenticationInterceptor: Interceptor {
  private let credentials: [HTTP.Origin: Credential]
  /// The credential for the server of the gateway that a request comes from.
  private let home: Credential?
  private let proxy: Credential?
  private let schemes: PreemptiveSchemes

  /// The parameters are those of ``Authentication/credentials(_:proxy:)``. A client nonce must be unpredictable and contain no quotation marks.
  package init(
    credentials: [HTTP.Origin: Credential] = [:], home: Credential? = nil, proxy: Credential? = nil,
    makeClientNonce: (@Sendable () -> String)? = nil
  ) {
    self.credentials = credentials
    self.home = home
    self.proxy = proxy
    schemes = PreemptiveSchemes(makeClientNonce: makeClientNonce ?? Self.randomNonce)
  }

  /// Returns 128 random bits from the system.
  private static func randomNonce() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
  }

  /// Sends `request` with its credentials, and again to answer challenges.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = request.origin else { return try await next.send(request, options: options) }
    var server: ChallengeMachine?
    if let credential = credentials[origin] ?? (origin == options.home ? home : nil),
      !request.headers.contains(.authorization)
    {
      server = ChallengeMachine(credential, for: .origin(origin), schemes: schemes)
    }
    var gateway: ChallengeMachine?
    if let proxy, origin.scheme == "http", !request.headers.contains(.proxyAuthorization) {
      gateway = ChallengeMachine(proxy, for: .proxy, schemes: schemes)
    }
    guard server != nil || gateway != nil else { return try await next.send(request, options: options) }

    var options = options
    let followUps = options.followUps ?? FollowUpLimit()
    options.followUps = followUps
    let otherProofs = options.proofs
    var attempts: [HTTP.History.Attempt] = []
    while true {
      var sent = request
      options.proofs = otherProofs
      let proofs: [(HTTP.HeaderKey, ChallengeMachine.Proof?)] = [
        (.authorization, server?.nextProof()), (.proxyAuthorization, gateway?.nextProof()),
      ]
      for (field, proof) in proofs {
        switch proof {
        case .fixed(let value): sent.headers[field] = value
        case .digest(let proof):
          proof.reserve(in: &sent)
          options.proofs.append(proof)
        case nil: break
        }
      }
      var response = try await next.send(sent, options: options, following: &attempts)
      // After redirects, the response may come from another origin.
      guard HTTP.Origin(response.head.url) == origin else { return response }
      let challenges = response.head.challenges
      guard request.body.isReplayable else {
        let machine = response.head.code == 401 ? server : response.head.code == 407 ? gateway : nil
        guard machine?.needsBody(for: challenges) != true else {
          throw TransportError.bodyCannotBeHashed.following(attempts: attempts)
        }
        return response
      }
      let action: ChallengeMachine.Action? =
        switch response.head.code {
        case 401: server?.receive(challenges)
        case 407: gateway?.receive(challenges)
        default: nil
        }
      guard case .answer(let scheme) = action else { return response }
      await response.discard(options)
      guard followUps.take() else { throw followUps.exceeded.following(attempts: attempts) }
      if let scheme { options.eventHandler?(.authenticating(scheme: scheme)) }
    }
  }
}

extension HTTP.Response {
  fileprivate var challenges: [AuthChallenge] {
    switch code {
    case 401: AuthChallenge.challenges(in: headers.values(for: .wwwAuthenticate))
    case 407: AuthChallenge.challenges(in: headers.values(for: .proxyAuthenticate))
    default: []
    }
  }
}

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
      byte.isDigit || byte.isLetter || Array("-._~+/".utf8).contains(byte)
    }
    guard var word else { return nil }
    word += ahead.text { $0 == .equalsSign } ?? ""
    ahead.skipBlanks()
    guard ahead.isAtEnd || ahead.next == .comma else { return nil }
    self = ahead
    return word
  }
}

/// A credential that authenticates a client to a server: a name and a password, or a token.
///
/// Descriptions show the kind, but no secrets.
public struct Credential: Sendable {
  /// The reason why a credential cannot be sent.
  @nonexhaustive
  public enum FormatError: Error, Hashable, Sendable {
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
  /// - Throws: ``FormatError`` for a name with a colon, and for control characters.
  public static func basic(username: String, password: String) throws(FormatError) -> Credential {
    try Credential(.basic, username, password)
  }

  /// Returns a credential that is used only with Digest. The password is never sent. Source: RFC 7616.
  ///
  /// - Throws: ``FormatError`` for a name with a colon, and for control characters.
  public static func digest(username: String, password: String) throws(FormatError) -> Credential {
    try Credential(.digest, username, password)
  }

  /// Returns a credential for the strongest scheme that the server offers: Digest with SHA-512-256, with SHA-256, with MD5, then Basic.
  ///
  /// Nothing is sent before the server's first challenge. Basic is answered only over https and on the loopback interface, so that an
  /// attacker on the network cannot request the password. Use ``basic(username:password:)`` if Basic over plain HTTP is required.
  ///
  /// - Throws: ``FormatError`` for a name with a colon, and for control characters.
  public static func password(username: String, password: String) throws(FormatError) -> Credential {
    try Credential(.password, username, password)
  }

  /// Returns a credential whose token is sent with every request to its origin. Source: RFC 6750 §2.1. For tokens that can be refreshed,
  /// use ``Authentication/bearer(_:origins:)``.
  ///
  /// - Throws: ``FormatError`` for a token that cannot be sent in a field.
  public static func bearer(_ token: String) throws(FormatError) -> Credential {
    guard token.isVisibleASCII else { throw .malformedToken }
    return Credential(kind: .bearer, username: "", password: "", fixedValue: .authorizationBearer(token: token))
  }
}

extension Credential {
  private init(_ kind: Kind, _ username: String, _ password: String) throws(FormatError) {
    guard !"\(username)\(password)".utf8.contains(where: \.isControl) else {
      throw .controlCharacter
    }
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

extension Credential.FormatError: CustomStringConvertible {
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
  var isVisibleASCII: Bool { !utf8.isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}

internal import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// Decides how one request is authenticated and how challenges are answered, for its origin or for the proxy. Rules A1–A3, A5.
struct ChallengeMachine {
  enum Action: Equatable {
    /// Return the response, because no further answer is possible.
    case deliver
    /// Send the request again with the result of ``ChallengeMachine/nextProof()``.
    ///
    /// - Parameter announcing: The scheme to report to the caller; `nil` if only the nonce was renewed.
    case answer(announcing: String?)
  }

  private let credential: Credential
  private let space: PreemptiveSchemes.Space
  private let schemes: PreemptiveSchemes
  /// A Boolean value that indicates whether the request is protected from others on the network.
  private let isSecret: Bool
  private var sent: Sent?
  private var hasAnswered = false
  private var hasRenewedNonce = false

  /// The kind of proof in the latest request.
  private enum Sent {
    case fixed
    case digest
  }

  init(_ credential: Credential, for space: PreemptiveSchemes.Space, schemes: PreemptiveSchemes) {
    self.credential = credential
    self.space = space
    self.schemes = schemes
    isSecret = if case .origin(let origin) = space { origin.scheme == "https" || origin.isLoopback } else { false }
  }

  /// The proof of a request.
  enum Proof {
    /// The value of the field.
    case fixed(HTTP.HeaderValue)
    /// A value that ``ProofInterceptor`` makes for each attempt.
    case digest(DigestProof)
  }

  /// Returns the proof for the next request; `nil` for a request that is sent without credentials.
  @inline(never)
  mutating func nextProof() -> Proof? {
    sent = nil
    switch credential.kind {
    case .basic, .bearer:
      // Credentials are sent to a proxy only after a challenge, because there may be no proxy.
      if space == .proxy && !schemes.takesBasic(space) { return nil }
    case .password where schemes.takesBasic(space): break
    case .password, .digest:
      guard schemes.takesDigest(space) else { return nil }
      sent = .digest
      return .digest(DigestProof(credential: credential, space: space, schemes: schemes))
    }
    sent = .fixed
    return credential.fixedValue.map { .fixed($0) }
  }

  /// Returns whether the answer to `challenges` requires the hash of the request's body.
  func needsBody(for challenges: [AuthChallenge]) -> Bool {
    strongestDigest(of: challenges)?.protection == .requestAndBody
  }

  mutating func receive(_ challenges: [AuthChallenge]) -> Action {
    let digest = strongestDigest(of: challenges)
    if sent == .digest, let digest, digest.isStale {
      guard !hasRenewedNonce else { return .deliver }
      hasRenewedNonce = true
      schemes.begin(space, digest)
      return .answer(announcing: nil)
    }
    // The nonce from an earlier request's challenge may have expired without being marked as stale.
    guard !hasAnswered else { return .deliver }
    if let digest {
      hasAnswered = true
      schemes.begin(space, digest)
      return .answer(announcing: "Digest")
    }
    guard canAnswerBasic, sent != .fixed, challenges.contains(where: { $0.scheme == "basic" }) else {
      return .deliver
    }
    hasAnswered = true
    schemes.begin(space)
    return .answer(announcing: "Basic")
  }

  private func strongestDigest(of challenges: [AuthChallenge]) -> DigestChallenge? {
    canAnswerDigest ? challenges.compactMap(DigestChallenge.init).max { $0.strength < $1.strength } : nil
  }

  private var canAnswerDigest: Bool { credential.kind == .digest || credential.kind == .password }

  /// A Boolean value that indicates whether Basic may be answered. A credential that ``Credential/password(username:password:)`` created is
  /// sent with Basic only over a protected connection.
  private var canAnswerBasic: Bool {
    switch credential.kind {
    case .basic: true
    case .password: isSecret
    case .digest, .bearer: false
    }
  }
}

extension HTTP.Origin {
  /// Source: RFC 6761 §6.3; RFC 1122 §3.2.1.3.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" || host.hasSuffix(".localhost") { return true }
    return host.hasPrefix("127.") && host.utf8.isIPv4Address
  }
}

/// A proof that is made for each attempt of a request, because its count increases. Source: RFC 7616 §3.4.
struct DigestProof: Sendable {
  fileprivate let credential: Credential
  fileprivate let space: PreemptiveSchemes.Space
  fileprivate let schemes: PreemptiveSchemes

  private var field: HTTP.HeaderKey { space == .proxy ? .proxyAuthorization : .authorization }

  /// Puts a value in the place of the proof that is the same for all requests of this client to an origin. It is never sent.
  func reserve(in request: inout HTTP.Request) {
    request.headers[field] = schemes.placeholder
  }

  /// Replaces the value of ``reserve(in:)`` by a new proof of `request`.
  ///
  /// - Returns: The nonce of the proof; `nil` without a proof.
  /// - Throws: The errors of hashing the body.
  func prove(_ request: inout HTTP.Request) async throws(TransportError) -> String? {
    // A concurrent request may have begun another scheme meanwhile. The server then challenges this one.
    guard let answer = schemes.nextDigest(space) else {
      request.headers.remove(field)
      return nil
    }
    let challenge = answer.challenge
    let bodyHash =
      challenge.protection == .requestAndBody ? try await request.body.hash(by: challenge.algorithm) : ""
    let target = RequestTarget(request.url)
    request.headers[field] = answer.authorization(
      username: credential.username, password: credential.password, method: request.method,
      target: space == .proxy ? target.absolute : target.origin, bodyHash: bodyHash)
    return challenge.nonce
  }

  /// Uses the nonce that the response names for later requests, if it names one and they would have `nonce`. Source: RFC 7616 §3.5.
  func renew(_ nonce: String, by response: HTTP.Response) {
    let field: HTTP.HeaderKey = space == .proxy ? "Proxy-Authentication-Info" : "Authentication-Info"
    let directives = response.headers.values(for: field).flatMap { FieldScanner.directives(in: $0.rawValue) }
    guard let next = directives.first(where: { $0.name == "nextnonce" })?.argument, !next.isEmpty else { return }
    schemes.renew(space, nonce, with: next)
  }
}

/// The forms of the target in a request line. Source: RFC 9112 §3.2.
private struct RequestTarget {
  /// The path and the query, as sent to a server.
  let origin: String
  /// The URL without credentials and fragment, as sent to a proxy.
  let absolute: String

  init(_ url: URL) {
    let parts = URIReference(url.absoluteString)
    origin = (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?\($0)" } ?? "")
    absolute = "\(parts.scheme ?? "http")://\(parts.hostAndPort ?? "")\(origin)"
  }
}

/// Proves each attempt of a request to which ``AuthenticationInterceptor`` assigned a Digest credential. It comes after
/// ``RetryInterceptor``: a server accepts a count once. Rule A3.
package struct ProofInterceptor: Interceptor {
  package init() {}

  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard !options.proofs.isEmpty else { return try await next.send(request, options: options) }
    var (request, options) = (request, options)
    var proved: [(proof: DigestProof, nonce: String)] = []
    for proof in options.proofs {
      if let nonce = try await proof.prove(&request) { proved.append((proof, nonce)) }
    }
    options.proofs = []
    let response = try await next.send(request, options: options)
    for (proof, nonce) in proved { proof.renew(nonce, by: response.head) }
    return response
  }
}

/// An answer to a Digest challenge. Source: RFC 7616 §3.4.
struct DigestAnswer {
  let challenge: DigestChallenge
  /// The nonce count of this answer, starting with 1.
  let count: UInt32
  let clientNonce: String

  /// Returns the value of `Authorization` or `Proxy-Authorization` for a request of `method`. `target` is the target in the request line.
  ///
  /// - Parameter bodyHash: The hash of the request's body by the challenge's algorithm, if the challenge's protection includes it.
  func authorization(
    username: String, password: String, method: HTTP.Method, target: String, bodyHash: String = ""
  ) -> HTTP.HeaderValue {
    let nonceCount = count.text(digits: 8, radix: 16)
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

  /// Source: RFC 7616 §3.4.4; for names that are not ASCII, RFC 8187 §3.2.
  private func usernameField(_ username: String) -> String {
    if challenge.hashesUsername {
      return "username=\"\(hash("\(username):\(challenge.realm)"))\""
    }
    if challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
      return "username*=UTF-8''\(PercentEncoding.encode(username))"
    }
    return "username=\(quoted(username))"
  }

  private func hash(_ text: String) -> String { challenge.algorithm.hexadecimal(of: text.utf8) }

  /// Source: RFC 9110 §5.6.4.
  private func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }
}

/// The parameters of a Digest challenge. Source: RFC 7616 §3.3.
struct DigestChallenge: Hashable {
  /// The parts of a request that the hash in an answer covers.
  enum Protection: String {
    /// The method and the target.
    case request = "auth"
    /// The method, the target and the body.
    case requestAndBody = "auth-int"
  }

  let realm: String
  fileprivate(set) var nonce: String
  /// The index of the algorithm in ``algorithms``.
  let strength: Int
  /// Whether the key is derived from the server's and the client's nonce, as in algorithms with the suffix `-sess`.
  let isSession: Bool
  /// The algorithm's name as in the challenge; `nil` if the challenge does not name one.
  let algorithmName: String?
  /// The protection of the answer; `nil` for an answer as in RFC 2069, without a count of requests.
  ///
  /// The body's hash is used only if the challenge offers nothing weaker, because few servers compute it correctly.
  let protection: Protection?
  /// The value to send back unchanged.
  let opaque: String?
  /// A Boolean value that indicates whether the credentials were correct and only the nonce had expired.
  let isStale: Bool
  let hashesUsername: Bool
  /// A Boolean value that indicates whether names and passwords are encoded as UTF-8.
  let isUTF8: Bool

  /// The supported algorithms, from the weakest to the strongest. Source: RFC 7616 §3.3, §6.1.
  private static let algorithms: [(name: String, function: HashFunction)] = [
    ("md5", .md5), ("sha-256", .sha256), ("sha-512-256", .sha512Truncated256),
  ]

  var algorithm: HashFunction { Self.algorithms[strength].function }

  /// Creates a Digest challenge; `nil` for another scheme, without a realm or a nonce, or if the algorithm or the protection is not
  /// supported.
  init?(_ challenge: AuthChallenge) {
    algorithmName = challenge.parameters["algorithm"]
    let name = (algorithmName ?? "MD5").lowercased()
    isSession = name.hasSuffix("-sess")
    let baseName = isSession ? name.dropLast("-sess".count) : name[...]
    guard challenge.scheme == "digest", let realm = challenge.parameters["realm"],
      let nonce = challenge.parameters["nonce"],
      let strength = Self.algorithms.firstIndex(where: { $0.name == baseName })
    else { return nil }
    let qualities = challenge.parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    let offered = qualities?.compactMap { Protection(rawValue: String($0)) }
    guard offered?.isEmpty != true else { return nil }
    protection = offered.map { $0.contains(.request) ? .request : .requestAndBody }
    self.realm = realm
    self.nonce = nonce
    self.strength = strength
    opaque = challenge.parameters["opaque"]
    isStale = challenge.parameters["stale"]?.lowercased() == "true"
    hashesUsername = challenge.parameters["userhash"]?.lowercased() == "true"
    isUTF8 = challenge.parameters["charset"]?.lowercased() == "utf-8"
  }
}

extension HTTP.Body {
  /// Returns the hash of the body's bytes, in lower-case hexadecimal digits. A file is read in chunks.
  ///
  /// - Throws: ``TransportError`` of code `authenticationFailed` for a body that can be read only once, and `requestBodyFailed` for a file
  ///   that cannot be read.
  func hash(by function: HashFunction) async throws(TransportError) -> String {
    guard isReplayable else { throw .bodyCannotBeHashed }
    var hash = function.begin()
    do {
      for try await chunk in self { hash.update(chunk) }
    } catch {
      throw TransportError(
        code: .requestBodyFailed, phase: .delay, reason: "while hashing the body for authentication",
        underlyingError: error)
    }
    return HashFunction.hexadecimal(hash.finish())
  }
}

extension TransportError {
  static var bodyCannotBeHashed: TransportError {
    TransportError(
      code: .authenticationFailed,
      reason: "the server requires the hash of the body (qop=auth-int), but the body can be read only once")
  }
}

/// The authentication schemes that servers and proxies have requested. They are used to authenticate later requests before a challenge.
///
/// There is at most one entry for each origin that a credential is sent to, and one for the proxy.
final class PreemptiveSchemes: Sendable {
  /// The protection space of a challenge: an origin or the proxy.
  enum Space: Hashable, Sendable {
    case origin(HTTP.Origin)
    case proxy
  }

  private enum Scheme {
    case basic
    case digest(DigestChallenge, clientNonce: String, count: UInt32)
  }

  private let schemes = Mutex<[Space: Scheme]>([:])
  /// The value in the place of a proof that is not made yet. Unique, so that clients that share a cache do not share responses to
  /// requests with different credentials.
  fileprivate let placeholder = HTTP.HeaderValue(rawValue: "Digest \(UUID().uuidString)")
  private let makeClientNonce: @Sendable () -> String

  init(makeClientNonce: @escaping @Sendable () -> String) {
    self.makeClientNonce = makeClientNonce
  }

  @inline(never)
  func takesBasic(_ space: Space) -> Bool {
    schemes.withLock { schemes in if case .basic = schemes[space] { true } else { false } }
  }

  func takesDigest(_ space: Space) -> Bool {
    schemes.withLock { schemes in
      if case .digest(_, _, let count) = schemes[space] { count < .max } else { false }
    }
  }

  /// Returns an answer to the latest Digest challenge, with an incremented count so that no two answers are the same; `nil` without a
  /// Digest challenge. Rule A3.
  func nextDigest(_ space: Space) -> DigestAnswer? {
    schemes.withLock { schemes in
      guard case .digest(let challenge, let clientNonce, let count) = schemes[space], count < .max else { return nil }
      schemes[space] = .digest(challenge, clientNonce: clientNonce, count: count + 1)
      return DigestAnswer(challenge: challenge, count: count + 1, clientNonce: clientNonce)
    }
  }

  /// Uses Basic for `space` from now on.
  func begin(_ space: Space) {
    schemes.withLock { $0[space] = .basic }
  }

  /// Uses `challenge` for `space` from now on. If its nonce is already in use, the count continues, because a concurrent request may have
  /// received the same challenge.
  ///
  /// The client's nonce is kept as long as the server's, because servers differ in whether the session key changes with the client's nonce.
  func begin(_ space: Space, _ challenge: DigestChallenge) {
    let clientNonce = makeClientNonce()
    schemes.withLock { schemes in
      if case .digest(let current, _, _) = schemes[space], current.nonce == challenge.nonce,
        current.realm == challenge.realm, current.algorithm == challenge.algorithm,
        current.protection == challenge.protection
      {
        return
      }
      schemes[space] = .digest(challenge, clientNonce: clientNonce, count: 0)
    }
  }

  /// Replaces `nonce` by `next`, unless it was replaced before: a late response names a nonce that may be replaced already. The nonce remains
  /// if the key depends on the first one, as in algorithms with the suffix `-sess`.
  func renew(_ space: Space, _ nonce: String, with next: String) {
    let clientNonce = makeClientNonce()
    schemes.withLock { schemes in
      guard case .digest(var challenge, _, _) = schemes[space], challenge.nonce == nonce, nonce != next,
        !challenge.isSession
      else { return }
      challenge.nonce = next
      schemes[space] = .digest(challenge, clientNonce: clientNonce, count: 0)
    }
  }
}

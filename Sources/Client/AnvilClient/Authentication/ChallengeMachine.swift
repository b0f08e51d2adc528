internal import AnvilBase
internal import AnvilHTTP

/// Decides how one request is authenticated and how challenges are answered, for its origin or for the proxy. Rules A1–A3, A5.
struct ChallengeMachine {
  /// The decision about a response with challenges.
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

  /// The proof for the next request.
  enum Proof {
    case fixed(HTTP.HeaderValue)
    /// An answer that is computed for the request.
    case digest(DigestAnswer)
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
      guard let answer = schemes.nextDigest(space) else { return nil }
      sent = .digest
      return .digest(answer)
    }
    sent = .fixed
    return credential.fixedValue.map { .fixed($0) }
  }

  /// Returns the value of the authorization field for the next request of `method` for `target`; `nil` for a request that is sent without
  /// credentials.
  ///
  /// - Parameter body: The request's body, which is hashed if a challenge requires it.
  /// - Throws: The errors of hashing the body.
  @inline(never)
  mutating func value(
    for method: HTTP.Method, target: String, body: HTTP.Body
  ) async throws(TransportError) -> HTTP.HeaderValue? {
    switch nextProof() {
    case nil: return nil
    case .fixed(let value): return value
    case .digest(let answer):
      let challenge = answer.challenge
      let bodyHash =
        challenge.protection == .requestAndBody ? try await body.hash(by: challenge.algorithm.function) : ""
      return answer.authorization(
        username: credential.username, password: credential.password, method: method, target: target,
        bodyHash: bodyHash)
    }
  }

  /// Returns whether the answer to `challenges` requires the hash of the request's body.
  func needsBody(for challenges: [AuthChallenge]) -> Bool {
    strongestDigest(of: challenges)?.protection == .requestAndBody
  }

  /// Returns the decision about `challenges`, which the latest request received.
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
    canAnswerDigest ? challenges.compactMap(DigestChallenge.init).max { $0.algorithm < $1.algorithm } : nil
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
  /// A Boolean value that indicates whether requests to this origin stay on the local machine. Source: RFC 6761 §6.3;
  /// RFC 1122 §3.2.1.3.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" || host.hasSuffix(".localhost") { return true }
    return host.hasPrefix("127.") && host.isIPv4Address
  }
}

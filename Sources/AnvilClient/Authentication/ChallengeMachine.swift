internal import AnvilHTTP

/// What one request says about who sends it, and how it answers challenges: to its origin, or to the proxy. Rules
/// A1–A3, A5.
struct ChallengeMachine {
  /// What is to be done with a response that has challenges.
  enum Action: Equatable {
    /// It is the answer: there is nothing more to say.
    case deliver
    /// The request is sent again with what ``ChallengeMachine/nextProof()`` then gives.
    ///
    /// - Parameter announcing: the scheme, where the caller is to hear of it.
    case answer(announcing: String?)
  }

  private let credential: Credential
  private let space: ProvenSchemes.Space
  private let schemes: ProvenSchemes
  /// Whether others on the way could read what is sent.
  private let isSecret: Bool
  private var sent: Sent?
  private var hasAnswered = false
  private var hasRenewedNonce = false

  /// What the last request said.
  private enum Sent {
    case fixed
    case digest
  }

  init(_ credential: Credential, for space: ProvenSchemes.Space, schemes: ProvenSchemes) {
    self.credential = credential
    self.space = space
    self.schemes = schemes
    isSecret = if case .origin(let origin) = space { origin.scheme == "https" || origin.isLoopback } else { false }
  }

  /// What the next request says.
  enum Proof {
    case fixed(HTTP.HeaderValue)
    /// An answer that is to be computed for the request.
    case digest(DigestAnswer)
  }

  /// What the request that is sent next is to say; `nil` for nothing.
  mutating func nextProof() -> Proof? {
    sent = nil
    switch credential.kind {
    case .basic, .bearer:
      // A proxy is told nothing that it has not asked for: there may be none.
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

  /// The field's value for the request of `method` for `target` that is sent next; `nil` for none.
  ///
  /// - Parameter body: hashed where a challenge asks for that.
  /// - Throws: what hashing the body throws.
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

  /// Whether `challenges` could be answered with the hash of the request's body only.
  func needsBody(for challenges: [AuthChallenge]) -> Bool {
    strongestDigest(of: challenges)?.protection == .requestAndBody
  }

  /// What to do about `challenges`, which the latest request met.
  mutating func receive(_ challenges: [AuthChallenge]) -> Action {
    let digest = strongestDigest(of: challenges)
    if sent == .digest, let digest, digest.isStale {
      guard !hasRenewedNonce else { return .deliver }
      hasRenewedNonce = true
      schemes.begin(space, digest)
      return .answer(announcing: nil)
    }
    // What the challenge of an earlier request led to may be too old without being called so.
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

  /// A password that anything may be asked for is not given away in clear.
  private var canAnswerBasic: Bool {
    switch credential.kind {
    case .basic: true
    case .password: isSecret
    case .digest, .bearer: false
    }
  }
}

extension HTTP.Origin {
  /// Whether what is sent there does not leave the machine. Source: RFC 6761 §6.3; RFC 1122 §3.2.1.3.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" || host.hasSuffix(".localhost") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

internal import AnvilHTTP

/// What one request says about who sends it, and how it answers challenges: to its origin, or to the proxy. Rules
/// A1–A3, A5.
struct ChallengeMachine {
  /// What is to be done with a response that has challenges.
  enum Action: Equatable {
    /// It is the answer: there is nothing more to say.
    case deliver
    /// The request is sent again with what ``ChallengeMachine/value(for:target:)`` then gives.
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

  /// The field's value for the request that is sent next; `nil` for none.
  mutating func value(for method: HTTP.Method, target: String) -> HTTP.HeaderValue? {
    switch credential.kind {
    case .basic, .bearer:
      // A proxy is told nothing that it has not asked for: there may be none.
      sent = space == .proxy && !schemes.takesBasic(space) ? nil : .fixed
    case .password where schemes.takesBasic(space): sent = .fixed
    case .password, .digest:
      guard let answer = schemes.nextDigest(space) else {
        sent = nil
        return nil
      }
      sent = .digest
      return answer.authorization(
        username: credential.username, password: credential.password, method: method, target: target)
    }
    return sent == nil ? nil : credential.fixedValue
  }

  /// What to do about `challenges`, which the latest request met.
  mutating func receive(_ challenges: [AuthChallenge]) -> Action {
    let digest = canAnswerDigest ? challenges.compactMap(DigestChallenge.init).max { $0.algorithm < $1.algorithm } : nil
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

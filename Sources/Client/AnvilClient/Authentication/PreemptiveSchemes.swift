internal import AnvilHTTP
internal import Synchronization

/// The authentication schemes that servers and proxies have requested. They are used to authenticate later requests before a challenge.
///
/// There is at most one entry for each origin that a credential is sent to, and one for the proxy.
final class PreemptiveSchemes: Sendable {
  /// The protection space of a challenge: an origin or the proxy.
  enum Space: Hashable, Sendable {
    case origin(HTTP.Origin)
    case proxy
  }

  /// The scheme that a protection space uses.
  private enum Scheme {
    case basic
    case digest(DigestChallenge, clientNonce: String, count: UInt32)
  }

  private let schemes = Mutex<[Space: Scheme]>([:])
  private let makeClientNonce: @Sendable () -> String

  init(makeClientNonce: @escaping @Sendable () -> String) {
    self.makeClientNonce = makeClientNonce
  }

  /// Returns whether the space has requested Basic.
  @inline(never)
  func takesBasic(_ space: Space) -> Bool {
    schemes.withLock { schemes in if case .basic = schemes[space] { true } else { false } }
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
}

internal import AnvilHTTP
internal import Synchronization

/// What servers and proxies have asked for, so that the next request need not be refused first.
///
/// It has an entry for each origin that a credential is sent to.
final class ProvenSchemes: Sendable {
  /// Where a challenge came from: an origin, or the proxy on the way to all of them.
  enum Space: Hashable, Sendable {
    case origin(HTTP.Origin)
    case proxy
  }

  /// How a space is answered.
  private enum Scheme {
    case basic
    case digest(DigestChallenge, clientNonce: String, count: UInt32)
  }

  private let schemes = Mutex<[Space: Scheme]>([:])
  private let makeClientNonce: @Sendable () -> String

  init(makeClientNonce: @escaping @Sendable () -> String) {
    self.makeClientNonce = makeClientNonce
  }

  /// Whether Basic has been asked for.
  func takesBasic(_ space: Space) -> Bool {
    schemes.withLock { schemes in if case .basic = schemes[space] { true } else { false } }
  }

  /// An answer to the latest Digest challenge, counted: no two are the same. Rule A3.
  func nextDigest(_ space: Space) -> DigestAnswer? {
    schemes.withLock { schemes in
      guard case .digest(let challenge, let clientNonce, let count) = schemes[space], count < .max else { return nil }
      schemes[space] = .digest(challenge, clientNonce: clientNonce, count: count + 1)
      return DigestAnswer(challenge: challenge, count: count + 1, clientNonce: clientNonce)
    }
  }

  /// Takes up Basic.
  func begin(_ space: Space) {
    schemes.withLock { $0[space] = .basic }
  }

  /// Takes up `challenge`. One with the nonce that is in use goes on counting: a request beside this one may have begun
  /// it.
  ///
  /// The client's nonce stays with the server's: servers differ in whether a session's key is made anew with each.
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

/// What a server wants to see proven by Digest. Source: RFC 7616 §3.3.
struct DigestChallenge: Hashable {
  /// What an answer proves beside the password.
  enum Protection: String {
    /// The method and the target.
    case request = "auth"
    /// The body, too.
    case requestAndBody = "auth-int"
  }

  /// What the credentials are for.
  let realm: String
  /// The server's nonce.
  let nonce: String
  let algorithm: DigestAlgorithm
  /// Whether the key is made of both nonces.
  let isSession: Bool
  /// The algorithm as the challenge wrote it; `nil` when it named none.
  let algorithmName: String?
  /// What the answer is to prove; `nil` for one that is computed as RFC 2069 did, without a count of requests.
  ///
  /// The body's hash only where nothing less is offered: few servers compute it as they should.
  let protection: Protection?
  /// What is to be sent back as it is.
  let opaque: String?
  /// Whether the credentials were right and only the nonce was too old.
  let isStale: Bool
  /// Whether the user's name is to be hashed.
  let hashesUsername: Bool
  /// Whether names and passwords are UTF-8.
  let isUTF8: Bool

  /// The challenge, if it is one that can be answered: one of an unknown algorithm or protection cannot.
  init?(_ challenge: AuthChallenge) {
    guard challenge.scheme == "digest", let realm = challenge.parameters["realm"],
      let nonce = challenge.parameters["nonce"],
      let (algorithm, isSession) = DigestAlgorithm.named(challenge.parameters["algorithm"] ?? "MD5")
    else { return nil }
    let qualities = challenge.parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    let offered = qualities?.compactMap { Protection(rawValue: String($0)) }
    guard offered?.isEmpty != true else { return nil }
    protection = offered.map { $0.contains(.request) ? .request : .requestAndBody }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    self.isSession = isSession
    algorithmName = challenge.parameters["algorithm"]
    opaque = challenge.parameters["opaque"]
    isStale = challenge.parameters["stale"]?.lowercased() == "true"
    hashesUsername = challenge.parameters["userhash"]?.lowercased() == "true"
    isUTF8 = challenge.parameters["charset"]?.lowercased() == "utf-8"
  }
}

/// What a server wants to see proven by Digest. Source: RFC 7616 §3.3.
struct DigestChallenge: Hashable {
  /// What the credentials are for.
  let realm: String
  /// The server's nonce.
  let nonce: String
  let algorithm: DigestAlgorithm
  /// Whether the key is made of both nonces.
  let isSession: Bool
  /// The algorithm as the challenge wrote it; `nil` when it named none.
  let algorithmName: String?
  /// Whether the response counts its requests (`qop=auth`). Without it, it is computed as RFC 2069 did.
  let countsRequests: Bool
  /// What is to be sent back as it is.
  let opaque: String?
  /// Whether the credentials were right and only the nonce was too old.
  let isStale: Bool
  /// Whether the user's name is to be hashed.
  let hashesUsername: Bool
  /// Whether names and passwords are UTF-8.
  let isUTF8: Bool

  /// The challenge, if it is one that can be answered: an unknown algorithm or only `qop=auth-int` cannot.
  init?(_ challenge: AuthChallenge) {
    guard challenge.scheme == "digest", let realm = challenge.parameters["realm"],
      let nonce = challenge.parameters["nonce"],
      let (algorithm, isSession) = DigestAlgorithm.named(challenge.parameters["algorithm"] ?? "MD5")
    else { return nil }
    let qualities = challenge.parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    guard qualities?.contains("auth") ?? true else { return nil }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    self.isSession = isSession
    algorithmName = challenge.parameters["algorithm"]
    countsRequests = qualities != nil
    opaque = challenge.parameters["opaque"]
    isStale = challenge.parameters["stale"]?.lowercased() == "true"
    hashesUsername = challenge.parameters["userhash"]?.lowercased() == "true"
    isUTF8 = challenge.parameters["charset"]?.lowercased() == "utf-8"
  }
}

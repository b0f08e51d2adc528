/// The parameters of a Digest challenge. Source: RFC 7616 §3.3.
struct DigestChallenge: Hashable {
  /// The parts of a request that the hash in an answer covers.
  enum Protection: String {
    /// The method and the target.
    case request = "auth"
    /// The method, the target and the body.
    case requestAndBody = "auth-int"
  }

  /// The name of the protection space.
  let realm: String
  /// The server's nonce.
  let nonce: String
  let algorithm: DigestAlgorithm
  /// A Boolean value that indicates whether the key is derived from the server's and the client's nonce, as in
  /// algorithms with the suffix `-sess`.
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
  /// A Boolean value that indicates whether the user name is hashed.
  let hashesUsername: Bool
  /// A Boolean value that indicates whether names and passwords are encoded as UTF-8.
  let isUTF8: Bool

  /// Creates a Digest challenge; `nil` for another scheme, without a realm or a nonce, or if the algorithm or the protection is not
  /// supported.
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

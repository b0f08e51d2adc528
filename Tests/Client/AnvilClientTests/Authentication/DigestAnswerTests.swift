import AnvilBase
import AnvilHTTP
import Testing

@testable import AnvilClient

@Suite struct DigestAnswerTests {
  private func authorization(
    _ challenge: String, username: String = "Mufasa", password: String = "Circle of Life", clientNonce: String,
    count: UInt32 = 1, method: HTTP.Method = .get, target: String = "/dir/index.html", bodyHash: String = ""
  ) throws -> String {
    let challenge = try #require(
      AuthChallenge.challenges(in: [.init(rawValue: challenge)]).lazy.compactMap(DigestChallenge.init).first)
    return DigestAnswer(challenge: challenge, count: count, clientNonce: clientNonce)
      .authorization(username: username, password: password, method: method, target: target, bodyHash: bodyHash)
      .rawValue
  }

  private let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

  private func example(_ algorithm: String) -> String {
    #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), "#
      + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
  }

  /// Source: RFC 7616 §3.9.1.
  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func a3_theExamplesOfRFC7616AreAnswered(algorithm: String, response: String) throws {
    #expect(
      try authorization(example(algorithm), clientNonce: clientNonce)
        == #"Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\#(algorithm), "#
        + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, "#
        + #"cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\#(response)", "#
        + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#)
  }

  /// The expected values are from another implementation of the formulas, with Python's hashlib.
  @Test(arguments: [
    ("MD5-sess", "e783283f46242139c486a698fec7211d"),
    ("SHA-256-SESS", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
  ])
  func a3_sessionKeysAreDerivedFromBothNonces(algorithm: String, response: String) throws {
    let value = try authorization(example(algorithm), clientNonce: clientNonce)
    #expect(value.contains("response=\"\(response)\"") && value.contains("algorithm=\(algorithm),"))
  }

  /// Source: RFC 2617 §3.5.
  @Test func a3_theDefaultAlgorithmIsMD5() throws {
    let value = try authorization(
      #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#,
      password: "Circle Of Life", clientNonce: "0a4f113b")
    #expect(value.contains(#"response="6629fae49393a05397450978507c4ef1""#) && !value.contains("algorithm"))
  }

  @Test func a3_challengesWithoutQopAreAnsweredAsInRFC2069() throws {
    let value = try authorization(
      #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#, password: "Circle Of Life",
      clientNonce: "0a4f113b")
    #expect(
      value == #"Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", "#
        + #"nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", response="670fd8c2df070c60b045671b8b24ff02""#)
  }

  /// Source: RFC 7616 §3.9.2, with the values of erratum 4897: the printed values are truncated SHA-512.
  @Test func a3_theExampleWithSHA512256IsAnswered() throws {
    let value = try authorization(
      #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, userhash=true, "#
        + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS""#,
      username: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", target: "/doe.json")
    #expect(
      value == #"Digest username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", "#
        + #"realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, "#
        + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, "#
        + #"cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", qop=auth, "#
        + #"response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", "#
        + #"opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", userhash=true"#)
  }

  /// The expected values are from another implementation of the formulas, with Python's hashlib.
  @Test(arguments: [
    ("MD5", "935b4dbcd30cd2161322c257df32c14c"),
    ("SHA-256", "30a3945ac6a1f0a9a43e6d72eb1ee639d6d01d7c7f74737ea9dbcb9fdda0bc3f"),
    ("SHA-512-256", "3407cae14973e6f7b26c1be0bb9f14406cb9f5ae2dfc19eb0af9e7ded49c0f98"),
  ])
  func a3_theBodyIsHashedIfOnlyAuthIntIsOffered(algorithm: String, response: String) throws {
    let challenge = example(algorithm).replacing("auth, auth-int", with: "AUTH-INT")
    let function = try #require(
      AuthChallenge.challenges(in: [HTTP.HeaderValue(rawValue: challenge)]).compactMap(DigestChallenge.init).first
    ).algorithm
    let value = try authorization(
      challenge, clientNonce: clientNonce, method: .post, bodyHash: function.hexadecimal(of: "name=value".utf8))
    #expect(value.contains("qop=auth-int, response=\"\(response)\""))
  }

  @Test func a3_aChallengeWithAnUnknownQopIsSkipped() {
    let challenges = AuthChallenge.challenges(in: ["Digest realm=r, nonce=n, qop=auth-future"])
    #expect(challenges.count == 1 && challenges.compactMap(DigestChallenge.init).isEmpty)
  }

  /// The names of RFC 7616 §3.9.2 with SHA-256: the printed values are truncated SHA-512, not SHA-512/256 as stated
  /// there.
  @Test func a3_userNamesAreHashedIfRequested() throws {
    let value = try authorization(
      #"Digest realm="api@example.org", qop="auth", algorithm=SHA-256, userhash=true, charset=UTF-8, "#
        + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK""#,
      username: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm",
      target: "/doe.json")
    #expect(value.contains(#"username="5a1a8a47df5c298551b9b42ba9b05835174a5bd7d511ff7fe9191d8e946fc4e7""#))
    #expect(value.contains(#"response="06d0c14162099f487a92ebceaf71097534ee5f90d858386449c337ab69f7f6b8""#))
    #expect(value.hasSuffix("userhash=true"))
  }

  @Test func a3_nonASCIIUserNamesAreSentAsExtendedValues() throws {
    let challenge = "Digest realm=r, nonce=n, charset=UTF-8"
    let value = try authorization(challenge, username: "J\u{E4}s\u{F8}n Doe", clientNonce: "c")
    #expect(value.hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm"))
  }

  @Test func a3_quotationMarksAreEscaped() throws {
    let value = try authorization(#"Digest realm="a \"b\" \\c", nonce="n""#, username: "x\"y", clientNonce: "c")
    #expect(value.hasPrefix(#"Digest username="x\"y", realm="a \"b\" \\c", "#))
  }

  @Test func a3_nonceCountsHaveEightDigits() throws {
    let value = try authorization("Digest realm=r, nonce=n, qop=auth", clientNonce: "c", count: .max)
    #expect(value.contains("nc=ffffffff,"))
    #expect(
      try authorization("Digest realm=r, nonce=n, qop=auth", clientNonce: "c", count: 26).contains("nc=0000001a,"))
  }
}

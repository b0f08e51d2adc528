import AnvilHTTP
import Testing

@testable import AnvilClient

@Suite struct AuthChallengeTests {
  private func challenges(_ values: String...) -> [AuthChallenge] {
    AuthChallenge.challenges(in: values.map { .init(rawValue: $0) })
  }

  /// Source: RFC 9110 §11.6.1.
  @Test func a2_severalChallengesInOneLineAreSeparated() {
    let found = challenges(
      #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\", or not""#)
    #expect(
      found == [
        AuthChallenge(scheme: "basic", parameters: ["realm": "simple"]),
        AuthChallenge(
          scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps", or not"#]),
      ])
  }

  @Test func a2_severalLinesAreRead() {
    let found = challenges("Negotiate", #"Digest REALM=a, nonce="b, c", qop="auth,auth-int""#, "Basic")
    #expect(found.map(\.scheme) == ["negotiate", "digest", "basic"])
    #expect(found[1].parameters == ["realm": "a", "nonce": "b, c", "qop": "auth,auth-int"])
  }

  @Test(arguments: [
    ("Negotiate YII==", "YII=="), ("NTLM TlRM/+~._-", "TlRM/+~._-"), ("Basic realm", "realm"), ("X a= , Y", "a="),
  ])
  func a2_aToken68IsParsed(text: String, expected: String) {
    #expect(challenges(text).first?.token68 == expected)
  }

  @Test func a2_schemesWithoutParametersAreChallenges() {
    let found = challenges("Negotiate, NTLM  ,, Basic realm=x ,, charset=UTF-8")
    #expect(found.map(\.scheme) == ["negotiate", "ntlm", "basic"])
    #expect(found.last?.parameters == ["realm": "x", "charset": "UTF-8"])
  }

  @Test func a2_blanksAroundEqualsSignsAreAllowed() {
    #expect(challenges("Basic  realm = \"x\" , a\t=\tb").first?.parameters == ["realm": "x", "a": "b"])
  }

  @Test(arguments: [
    "", ",", " , ,", "=x", "\"", "realm=\"x\"", "Basic realm=\"open", "Basic =", "a=b, c=d", "\u{E9}", "Digest ,=,",
    "Basic realm=\"x\"y, z", "((", "Basic \u{0}",
  ])
  func a2_malformedTextIsParsedLeniently(text: String) {
    #expect(challenges(text).allSatisfy { !$0.scheme.isEmpty })
  }

  @Test func a2_theFirstOfDuplicateParametersIsUsed() {
    #expect(challenges("Basic realm=a, realm=b").first?.parameters == ["realm": "a"])
  }

  @Test func a3_challengesWithUnknownAlgorithmsAreIgnored() {
    #expect(challenges("Digest realm=a, nonce=b, algorithm=SHA-3").compactMap(DigestChallenge.init).isEmpty)
    #expect(challenges("Digest realm=a, nonce=b, qop=auth-conf").compactMap(DigestChallenge.init).isEmpty)
    #expect(challenges("Digest realm=a", "Digest nonce=b", "Basic realm=a").compactMap(DigestChallenge.init).isEmpty)
    #expect(challenges("Digest realm=a, nonce=b, qop=\"auth-int, auth\"").compactMap(DigestChallenge.init).count == 1)
  }
}

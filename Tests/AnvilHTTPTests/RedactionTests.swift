import AnvilHTTP
import Foundation
import Testing

/// The redaction of messages.
struct RedactionTests {
  private let log = HTTP.Redaction()
  private let recording = HTTP.Redaction(queryValues: .shownUnlessSecret)

  @Test(arguments: [
    ("Authorization", "Bearer t0p"), ("Cookie", "a=b"), ("Set-Cookie", "a=b"), ("Proxy-Authorization", "Basic x"),
    ("X-Api-Key", "k"), ("X-Anything", "v"),
  ])
  func valuesOfUnknownFieldsAreHidden(name: String, value: String) {
    let field = HTTP.Headers.Field(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: value))
    #expect(log.shown(field) == "<redacted>")
    #expect(recording.shown(field) == "<redacted>")
  }

  @Test func callersCanShowAndHideFields() {
    var redaction = recording
    redaction.shownHeaders = ["X-Version"]
    redaction.hiddenHeaders = [.server]
    #expect(redaction.shown(HTTP.Headers.Field("x-version", "7")) == "7")
    #expect(redaction.shown(HTTP.Headers.Field(.server, "secretd/1")) == "<redacted>")
  }

  @Test(arguments: [
    (
      "https://u:p@e.com:81/a?page=2&access_token=t0p&x#frag",
      "https://<redacted>@e.com:81/a?page=<redacted>&access_token=<redacted>&<redacted>#<redacted>",
      "https://<redacted>@e.com:81/a?page=2&access_token=<redacted>&x#<redacted>"
    ),
    ("/next?code=abc&n=1", "/next?code=<redacted>&n=<redacted>", "/next?code=<redacted>&n=1"),
    (
      "//u@e.com/a@b?%61pi_key=1", "//<redacted>@e.com/a@b?%61pi_key=<redacted>",
      "//<redacted>@e.com/a@b?%61pi_key=<redacted>"
    ),
    ("plain", "plain", "plain"),
  ])
  func urlsAreShownWithoutSecrets(text: String, logged: String, recorded: String) {
    #expect(log.shown(HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: text))) == logged)
    #expect(recording.shown(HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: text))) == recorded)
  }

  @Test(arguments: [
    "password", "user_password", "accessToken", "access-token", "API_KEY", "x-api-key", "clientSecret", "refresh_token",
    "sig",
    "X-Amz-Signature", "sessionId", "pwd", "otp", "user_pwd", "user[pass]", "userPwd", "hmac", "passcode",
  ])
  func namesThatIndicateSecretsAreSecret(name: String) {
    #expect(recording.isSecret(name: name))
  }

  @Test(arguments: [
    "page", "name", "footprint", "compass", "keyword", "design", "author", "codec", "passenger", "id", "code",
  ])
  func otherNamesAreNotSecret(name: String) {
    #expect(!recording.isSecret(name: name))
  }

  @Test func urlsInURLsAreRedacted() {
    let nested = "/login?to=https%3A%2F%2Fe.com%2F%3Faccess_token%3Dt0p&a=1;token=t0p"
    let field = HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: nested))
    #expect(recording.shown(field) == "/login?to=<redacted>&a=1;token=<redacted>")
    #expect(recording.shown(HTTP.Headers.Field(.location, #"http:\\u:t0p@h\a"#)) == #"http:\\<redacted>@h\a"#)
  }

  @Test(arguments: [
    ("/login?next=%2Fa%3Fpage%3D2", "/login?next=%2Fa%3Fpage%3D2"),
    ("/login?next=%2Fa%3Fsession_id%3Dt0p", "/login?next=<redacted>"),
    ("/login?next=%2F%2Fu:t0p%40e.com%2F", "/login?next=<redacted>"),
    ("/login?to=https%3A%2F%2Fe.com%2F%3Fpage%3D2", "/login?to=https%3A%2F%2Fe.com%2F%3Fpage%3D2"),
    ("/search?q=what%3Fa_name_without_a_value", "/search?q=what%3Fa_name_without_a_value"),
  ])
  func queryValuesAreHiddenIfTheyAreReferencesWithSecrets(reference: String, recorded: String) {
    let field = HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: reference))
    #expect(recording.shown(field) == recorded)
  }

  @Test(arguments: ["a=/?", "a=x://?"]) func referencesInReferencesAreHiddenBeyondADepth(part: String) {
    func shown(_ count: Int) -> String { recording.shown(reference: "/?" + String(repeating: part, count: count)) }
    #expect(shown(8) == "/?" + String(repeating: part, count: 8))
    #expect(shown(9) == "/?a=<redacted>")
    #expect(shown(20_000) == "/?a=<redacted>")
  }

  @Test func eachTargetOfALinkFieldIsRedacted() {
    let link = #"<https://h/a?page=2>; rel="next", <https://u:t0p@h/a?access_token=t0p&page=9>; rel="last""#
    #expect(
      recording.shown(HTTP.Headers.Field(.link, HTTP.HeaderValue(rawValue: link)))
        == #"<https://h/a?page=2>; rel="next", <https://<redacted>@h/a?access_token=<redacted>&page=9>; rel="last""#)
    #expect(recording.shown(HTTP.Headers.Field(.link, "<https://u:t0p@h")) == "<redacted>")
  }
}

import AnvilHTTP
import Foundation
import Testing

/// What may be seen of a message, and what must not.
struct RedactionTests {
  private let log = HTTP.Redaction()
  private let recording = HTTP.Redaction(queryValues: .shownUnlessSecret)

  @Test(arguments: [
    ("Authorization", "Bearer t0p"), ("Cookie", "a=b"), ("Set-Cookie", "a=b"), ("Proxy-Authorization", "Basic x"),
    ("X-Api-Key", "k"), ("X-Anything", "v"),
  ])
  func valuesOfFieldsThatAreNotKnownAreHidden(name: String, value: String) {
    let field = HTTP.Headers.Field(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: value))
    #expect(log.shown(field) == "<redacted>")
    #expect(recording.shown(field) == "<redacted>")
  }

  @Test func fieldsAreShownOrHiddenAsTheCallerSays() {
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
  func namesThatSoundSecretAre(name: String) {
    #expect(recording.isSecret(name: name))
  }

  @Test(arguments: [
    "page", "name", "footprint", "compass", "keyword", "design", "author", "codec", "passenger", "id", "code",
  ])
  func otherNamesAreNot(name: String) {
    #expect(!recording.isSecret(name: name))
  }

  @Test func secretsAreTakenOutOfJSON() {
    let body = Data(
      #"{"user":"ada","password":"t0p","list":[{"token":7,"n":1.50}],"tokens":["a"],"pin":{"a":null}}"#.utf8)
    let shown = String(decoding: recording.shown(body: body, contentType: "application/vnd.x+json; a=b"), as: UTF8.self)
    #expect(
      shown
        == #"{"user":"ada","password":"<redacted>","list":[{"token":0,"n":1.50}],"tokens":["<redacted>"],"pin":{"a":null}}"#
    )
  }

  @Test func secretsAreTakenOutOfForms() {
    let body = Data("user=ada&password=t0p&x=%20".utf8)
    for redaction in [log, recording] {
      let shown = redaction.shown(body: body, contentType: .applicationFormURLEncoded)
      #expect(String(decoding: shown, as: UTF8.self) == "user=ada&password=<redacted>&x=%20")
    }
  }

  @Test(
    arguments: [
      (#"{ "a" : 1 }"#, "application/json"), ("[not JSON] password", "text/plain"), ("password=1", "text/plain"),
      ("", "application/json"),
    ] as [(String, HTTP.HeaderValue)])
  func whatHasNoSecretsStaysByteForByte(text: String, type: HTTP.HeaderValue) {
    #expect(recording.shown(body: Data(text.utf8), contentType: type) == Data(text.utf8))
  }

  @Test func namesOfTheCallersOwnAreSecret() {
    var redaction = recording
    redaction.secretNames = ["Badge"]
    let shown = redaction.shown(body: Data(#"{"badge":"x"}"#.utf8), contentType: .applicationJSON)
    #expect(String(decoding: shown, as: UTF8.self) == #"{"badge":"<redacted>"}"#)
  }

  @Test(arguments: [
    #"{"access_token":"t0p","x":"#, #")]}',{"token":"t0p"}"#, #"{"password":"t0p",}"#,
    String(repeating: "[", count: 5_000) + #"{"token":"t0p"}"#,
  ])
  func jsonThatCannotBeReadIsHidden(text: String) {
    #expect(recording.shown(body: Data(text.utf8), contentType: .applicationJSON) == Data("<redacted>".utf8))
  }

  @Test(arguments: ["text/plain", nil, "application/x-ndjson"] as [HTTP.HeaderValue?])
  func jsonByAnotherNameIsFound(type: HTTP.HeaderValue?) {
    let whole = Data(#"{"token":"t0p"}"#.utf8)
    #expect(recording.shown(body: whole, contentType: type) == Data(#"{"token":"<redacted>"}"#.utf8))
    let lines = Data("{\"token\":\"t0p\"}\n[1 , 2]\n\n".utf8)
    #expect(recording.shown(body: lines, contentType: type) == Data("{\"token\":\"<redacted>\"}\n[1 , 2]\n\n".utf8))
  }

  @Test(
    arguments: [
      #"{"access_token":"t0p","x":"#, "[{\"a\": {\"pass\\u0077ord\" : \"t0p",
      "{\"user\":\"a\"}\n{\"token\":\"t0p\",\"b\"",
      #"{"a":"x","b":y","password":"t0p"}"#, "{password: 't0p'}", "\u{FEFF}{\"token\":\"t0p",
      #"{"next":"https://e.com/?access_token=t0p","x":"#, #"{"next":"https:\/\/u:t0p@e.com\/","x":"#,
      String(repeating: "[", count: 5_000) + #"{"token":"t0p"}"#,
    ], ["text/plain", nil, "text/html"] as [HTTP.HeaderValue?])
  func cutJSONByAnotherNameIsHiddenWhereItNamesASecret(text: String, type: HTTP.HeaderValue?) {
    #expect(recording.shown(body: Data(text.utf8), contentType: type) == Data("<redacted>".utf8))
  }

  @Test(arguments: [
    #"{"access_"#, #"{"id": 7, "name": "Ada", "#, "[2026-11-22 10:00:01] GET / took: 3 ms", "{{ template: page }}",
    #"{"next":"https://e.com/?page=2","x":"#,
  ])
  func cutJSONWithoutSecretsStaysByteForByte(text: String) {
    #expect(recording.shown(body: Data(text.utf8), contentType: .textPlain) == Data(text.utf8))
  }

  @Test func everyCutOfADocumentHidesItsSecret() {
    let whole = Data(#"{"id": 1, "user": {"name": "ü", "password": "t0psecret", "n": [1, true]}, "z": null}"#.utf8)
    for length in 0...whole.count {
      let shown = recording.shown(body: whole.prefix(length), contentType: .textPlain)
      #expect(!String(decoding: shown, as: UTF8.self).contains("t0p"), "\(length)")
    }
  }

  @Test func urlsInDocumentsAndURLsAreTakenApart() {
    let body = Data(#"{"next":"https://u:t0p@e.com/?page=2&token=t0p","page":"https://e.com/?page=2"}"#.utf8)
    let shown = String(decoding: recording.shown(body: body, contentType: .applicationJSON), as: UTF8.self)
    #expect(
      shown
        == #"{"next":"https://<redacted>@e.com/?page=2&token=<redacted>","page":"https://e.com/?page=2"}"#)
    let nested = "/login?to=https%3A%2F%2Fe.com%2F%3Faccess_token%3Dt0p&a=1;token=t0p"
    let field = HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: nested))
    #expect(recording.shown(field) == "/login?to=<redacted>&a=1;token=<redacted>")
    #expect(recording.shown(HTTP.Headers.Field(.location, #"http:\\u:t0p@h\a"#)) == #"http:\\<redacted>@h\a"#)
  }

  @Test func eachTargetOfALinkIsTakenApart() {
    let link = #"<https://h/a?page=2>; rel="next", <https://u:t0p@h/a?access_token=t0p&page=9>; rel="last""#
    #expect(
      recording.shown(HTTP.Headers.Field(.link, HTTP.HeaderValue(rawValue: link)))
        == #"<https://h/a?page=2>; rel="next", <https://<redacted>@h/a?access_token=<redacted>&page=9>; rel="last""#)
    #expect(recording.shown(HTTP.Headers.Field(.link, "<https://u:t0p@h")) == "<redacted>")
  }
}

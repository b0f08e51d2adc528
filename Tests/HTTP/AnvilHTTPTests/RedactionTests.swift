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

  /// An unencoded delimiter in a password ends the authority for a parser.
  @Test(arguments: [
    ("http://smith:p/7Word@h/x", "http://<redacted>@h/x"), ("http://smith:p#7Word@h:1", "http://<redacted>@h:1"),
    ("http://smith:p?7Word@h", "http://<redacted>@h"), (#"http:\\smith:p\7Word@h"#, #"http:\\<redacted>@h"#),
    ("//smith:p/7@Word@h", "//<redacted>@h"), ("http://h:80/@scope/x", "http://h:80/@scope/x"),
    ("http://h/a:b@c", "http://h/a:b@c"), ("http://[::1]/a@b", "http://[::1]/a@b"), ("http://h:/a@b", "http://h:/a@b"),
    ("/a//b:c/d@e", "/a//<redacted>@e"), ("mailto:a@b", "mailto:a@b"), ("/x?u=//a:b/c@d", "/x?u=<redacted>"),
  ])
  func passwordsWithDelimitersAreHidden(text: String, shown: String) {
    #expect(log.shown(HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: text))) == shown)
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
    // Delimiters that a combining character follows.
    ("https:/\u{301}/u:t0p@h/a", "https:/\u{301}/u:t0p@h/a", "https:/\u{301}/u:t0p@h/a"),
    ("https://\u{301}u:t0p@h/a", "https://<redacted>@h/a", "https://<redacted>@h/a"),
    ("https://u:t0p@\u{301}h/a", "https://<redacted>@\u{301}h/a", "https://<redacted>@\u{301}h/a"),
    ("/a?\u{301}token=t0p", "/a?\u{301}token=<redacted>", "/a?\u{301}token=<redacted>"),
    ("/a?token=\u{301}t0p", "/a?token=<redacted>", "/a?token=<redacted>"),
    ("/a?b=1&\u{301}token=t0p", "/a?b=<redacted>&\u{301}token=<redacted>", "/a?b=1&\u{301}token=<redacted>"),
    ("/a#\u{301}token=t0p", "/a#<redacted>", "/a#<redacted>"),
    ("https://u:t0p@h/a\u{301}/b", "https://<redacted>@h/a\u{301}/b", "https://<redacted>@h/a\u{301}/b"),
  ])
  func urlsAreShownWithoutSecrets(text: String, logged: String, recorded: String) {
    #expect(log.shown(HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: text))) == logged)
    #expect(recording.shown(HTTP.Headers.Field(.location, HTTP.HeaderValue(rawValue: text))) == recorded)
  }

  @Test(arguments: [
    "password", "user_password", "accessToken", "access-token", "API_KEY", "x-api-key", "clientSecret", "refresh_token",
    "sig",
    "X-Amz-Signature", "sessionId", "pwd", "otp", "user_pwd", "user[pass]", "userPwd", "hmac", "passcode",
    "subscription-key", "Ocp-Apim-Subscription-Key", "subscriptionKey", "ticket", "SAMLResponse", "SAMLRequest",
    "SAMLart",
    "code_verifier", "codeVerifier", "oauth_verifier", "pgtIou", "proxyTicket", "RelayState", "device_code",
    "user_code",
    "recovery_code", "backupCode", "security_code", "mfa_code", "signing_key", "encryptionKey", "master_key",
    "account-key", "sharedKey", "x-functions-key", "license_key", "routing_key", "integrationKey", "consumer_key",
    "app_key", "PHPSESSID", "totp", "mnemonic", "seed_phrase", "connectionString", "webhook_url", "next_access_token",
    "session_page_token", "token",
  ])
  func namesThatIndicateSecretsAreSecret(name: String) {
    #expect(recording.isSecret(name: name))
  }

  @Test(arguments: [
    "page", "name", "footprint", "compass", "keyword", "design", "author", "codec", "passenger", "id", "code",
    "tickets", "ticket_id", "key", "keys", "sort_key", "primary_key", "next_page_key", "partitionKey", "public_key",
    "country_code", "zip_code", "status_code", "error_code", "verified", "state", "sample", "project_key",
    "postal_code", "nextPageToken", "page_token", "NextToken", "continuationToken", "syncToken", "delta-token",
    "token_expires_at", "passwordChangedAt", "secret_count", "refresh_token_expires_in", "session_timeout", "token_ttl",
    "password_min_length", "sessionDuration", "token_limit", "secret_rotated_on", "cookie_expires",
  ])
  func otherNamesAreNotSecret(name: String) {
    #expect(!recording.isSecret(name: name))
  }

  @Test func onlyTheLongStateOfAQueryIsSecret() throws {
    #expect(recording.shown(try #require(URL(string: "/issues?state=closed"))) == "/issues?state=closed")
    let random = try #require(URL(string: "/callback?state=af0ifjsldkj02njs9"))
    #expect(recording.shown(random) == "/callback?state=<redacted>")
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
        == #"<https://h/a?page=2>; rel="next", <https://%3Credacted%3E@h/a?access_token=%3Credacted%3E&page=9>; rel="last""#
    )
    #expect(recording.shown(HTTP.Headers.Field(.link, "<https://u:t0p@h")) == "<redacted>")
  }

  @Test func delimitersOfLinksAreBytes() {
    let link = "<\u{301}https://u:t0p@h/a?token=t0p>\u{301}; rel=next"
    #expect(
      recording.shown(HTTP.Headers.Field(.link, HTTP.HeaderValue(rawValue: link)))
        == "<\u{301}https://%3Credacted%3E@h/a?token=%3Credacted%3E>\u{301}; rel=next")
  }

  /// The patterns apply to the process, so they name segments that no other test uses.
  @Suite(.serialized) struct SecretPaths {
    init() {
      HTTP.Redaction.secretPaths = [
        "/botx{token}", "hooks.secret.example/services/*/*/{key}", "*.hook.example/{a}/send",
        "/wh-\u{E9}/v*-{key}.json",
      ]
    }

    @Test(arguments: [
      ("https://api.example.com/botx123:SECRET/getMe", "https://api.example.com/botx<redacted>/getMe"),
      ("https://u:p@h/base/botx1?page=2", "https://<redacted>@h/base/botx<redacted>?page=2"),
      ("/botx1%3AS", "/botx<redacted>"), ("/b%6Ftx1", "/botx<redacted>"), ("//h//botx1//a", "//h//botx<redacted>//a"),
      (#"http:\\h\botx1\a"#, #"http:\\h\botx<redacted>\a"#), ("/botx", "/botx"), ("/xbotx1", "/xbotx1"),
      ("/botx1/botx2/", "/botx<redacted>/botx<redacted>/"), ("botx1", "botx<redacted>"),
      ("/a/\u{301}/botx\u{301}1", "/a/\u{301}/botx<redacted>"),
      (
        "https://hooks.secret.example:8443/services/T1/B1/KEY",
        "https://hooks.secret.example:8443/services/T1/B1/<redacted>"
      ),
      (
        "https://HOOKS.secret.example/services/T1/B1/KEY/x#f",
        "https://HOOKS.secret.example/services/T1/B1/<redacted>/x#<redacted>"
      ),
      (
        "https://u@hooks.secret.example/services/T1/B1/KEY",
        "https://<redacted>@hooks.secret.example/services/T1/B1/<redacted>"
      ),
      ("https://other.example/services/T1/B1/KEY", "https://other.example/services/T1/B1/KEY"),
      ("https://hooks.secret.example/services/T1/KEY", "https://hooks.secret.example/services/T1/KEY"),
      ("https://a.b.hook.example/KEY/send", "https://a.b.hook.example/<redacted>/send"),
      ("https://hook.example/KEY/send", "https://hook.example/KEY/send"),
      ("/wh-%C3%A9/v2-K.json", "/wh-%C3%A9/v<redacted>.json"), ("/wh-%C3%A9/v2", "/wh-%C3%A9/v2"),
    ])
    func secretSegmentsAreHidden(reference: String, shown: String) {
      let recording = HTTP.Redaction(queryValues: .shownUnlessSecret)
      #expect(recording.shown(reference: reference) == shown)
    }

    @Test func allTextsHideSecretSegments() throws {
      let url = try #require(URL(string: "https://api.example.com/botx123:SECRET/getMe?to=1"))
      let request = HTTP.Request(url: url, headers: [.referer: "https://h/botx9:SECRET"])
      var dumped = ""
      dump(request, to: &dumped)
      let query = "https://h/?next=https%3A%2F%2Fh%2Fbotx9%3ASECRET"
      for text in [
        "\(request)", dumped, "\(request.headers)", "\(HTTP.Response(request: request, status: 404))",
        HTTP.Redaction().shown(url), HTTP.Redaction.shownPath(of: url),
        HTTP.Redaction(queryValues: .shownUnlessSecret).shown(reference: query),
        HTTP.Redaction().shown(HTTP.Headers.Field(.link, "<https://h/botx9:SECRET>; rel=next")),
      ] {
        #expect(!text.contains("SECRET") && text.contains("redacted"))
      }
    }

    @Test func manyPatternsAndSegmentsTakeLinearTime() {
      let path = String(repeating: "/botx", count: 20_000) + "/botx1"
      #expect(HTTP.Redaction().shown(reference: path).hasSuffix("/botx<redacted>"))
    }
  }
}

import AnvilBodies
import AnvilHTTP
import Foundation
import Testing

/// The redaction of bodies.
struct BodyRedactionTests {
  private let log = HTTP.Redaction()
  private let recording = HTTP.Redaction(queryValues: .shownUnlessSecret)

  @Test func secretsInJSONAreHidden() {
    let body = Data(
      #"{"user":"ada","password":"t0p","list":[{"token":7,"n":1.50}],"tokens":["a"],"pin":{"a":null}}"#.utf8)
    let shown = String(decoding: recording.shown(body: body, contentType: "application/vnd.x+json; a=b"), as: UTF8.self)
    #expect(
      shown
        == #"{"user":"ada","password":"<redacted>","list":[{"token":0,"n":1.50}],"tokens":["<redacted>"],"pin":{"a":null}}"#
    )
  }

  @Test func secretsInFormsAreHidden() {
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
  func bodiesWithoutSecretsAreUnchanged(text: String, type: HTTP.HeaderValue) {
    #expect(recording.shown(body: Data(text.utf8), contentType: type) == Data(text.utf8))
  }

  @Test func callersCanAddSecretNames() {
    var redaction = recording
    redaction.secretNames = ["Badge"]
    let shown = redaction.shown(body: Data(#"{"badge":"x"}"#.utf8), contentType: .applicationJSON)
    #expect(String(decoding: shown, as: UTF8.self) == #"{"badge":"<redacted>"}"#)
  }

  @Test(arguments: [
    #"{"access_token":"t0p","x":"#, #")]}',{"token":"t0p"}"#, #"{"password":"t0p",}"#,
    String(repeating: "[", count: 5_000) + #"{"token":"t0p"}"#,
  ])
  func invalidJSONIsHidden(text: String) {
    #expect(recording.shown(body: Data(text.utf8), contentType: .applicationJSON) == Data("<redacted>".utf8))
  }

  @Test(arguments: ["text/plain", nil, "application/x-ndjson"] as [HTTP.HeaderValue?])
  func jsonWithAnotherMediaTypeIsRedacted(type: HTTP.HeaderValue?) {
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
  func truncatedJSONWithASecretNameIsHidden(text: String, type: HTTP.HeaderValue?) {
    #expect(recording.shown(body: Data(text.utf8), contentType: type) == Data("<redacted>".utf8))
  }

  @Test(arguments: [
    #"{"access_"#, #"{"id": 7, "name": "Ada", "#, "[2026-11-22 10:00:01] GET / took: 3 ms", "{{ template: page }}",
    #"{"next":"https://e.com/?page=2","x":"#,
  ])
  func truncatedJSONWithoutSecretsIsUnchanged(text: String) {
    #expect(recording.shown(body: Data(text.utf8), contentType: .textPlain) == Data(text.utf8))
  }

  @Test func everyTruncationOfADocumentHidesItsSecret() {
    let whole = Data(#"{"id": 1, "user": {"name": "ü", "password": "t0psecret", "n": [1, true]}, "z": null}"#.utf8)
    for length in 0...whole.count {
      let shown = recording.shown(body: whole.prefix(length), contentType: .textPlain)
      #expect(!String(decoding: shown, as: UTF8.self).contains("t0p"), "\(length)")
    }
  }

  @Test func urlsInDocumentsAreRedacted() {
    let body = Data(#"{"next":"https://u:t0p@e.com/?page=2&token=t0p","page":"https://e.com/?page=2"}"#.utf8)
    let shown = String(decoding: recording.shown(body: body, contentType: .applicationJSON), as: UTF8.self)
    #expect(
      shown
        == #"{"next":"https://<redacted>@e.com/?page=2&token=<redacted>","page":"https://e.com/?page=2"}"#)
  }
}

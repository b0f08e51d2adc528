import AnvilBodies
import AnvilHTTP
import Foundation
import Testing

/// The redaction of multipart forms.
struct MultipartRedactionTests {
  private let recording = HTTP.Redaction(queryValues: .shownUnlessSecret)

  private func shown(_ body: String, boundary: String = "B") -> String {
    shown(Data(body.utf8), "multipart/form-data; boundary=\(boundary)")
  }

  private func shown(_ body: Data, _ type: HTTP.HeaderValue) -> String {
    String(decoding: recording.shown(body: body, contentType: type), as: UTF8.self)
  }

  /// Returns a form with one part that has this head.
  private func form(_ head: String, _ content: String) -> String { "--B\r\n\(head)\r\n\r\n\(content)\r\n--B--\r\n" }

  @Test func secretPartsAreHiddenAndOthersUnchanged() throws {
    let parts: [HTTP.FormPart] = [
      .text("Ada", name: "user"), .text("t0p\r\nt0p", name: "password"), .text("t0p", name: "code"),
      .data(Data(#"{"token":"t0p","n":1.50}"#.utf8), name: "info", contentType: .applicationJSON),
      .data(Data("t0p".utf8), name: "user[api_key]", filename: "key.pem"),
    ]
    let body = HTTP.Body.multipart(parts, boundary: "B")
    let expected = HTTP.Body.multipart(
      [
        .text("Ada", name: "user"), .text("<redacted>", name: "password"), .text("<redacted>", name: "code"),
        .data(Data(#"{"token":"<redacted>","n":1.50}"#.utf8), name: "info", contentType: .applicationJSON),
        .data(Data("<redacted>".utf8), name: "user[api_key]", filename: "key.pem"),
      ], boundary: "B")
    #expect(shown(try #require(body.data), try #require(body.contentType)) == expected.string)
  }

  @Test func aFormWithoutSecretsIsUnchanged() throws {
    let parts: [HTTP.FormPart] = [
      .text("a\r\n\r\nb\n--C\r\n", name: "text"), .text("", name: "empty"), .text("", name: "password"),
      .data(
        Data([0xFF, 0, 0x0A, 0x0D, 0x0A, 0x2D, 0x2D]), name: "photo", filename: "token.png", contentType: "image/png"),
    ]
    let body = HTTP.Body.multipart(parts, boundary: "B")
    let data = try #require(body.data)
    #expect(recording.shown(body: data, contentType: body.contentType) == data)
  }

  @Test(arguments: [
    #"Content-Disposition: form-data; name="password""#, "content-disposition:form-data;name=password",
    #"Content-Disposition: form-data; filename="a;b"; name="pass%77ord""#,
    "Content-Disposition: form-data; name*=UTF-8''pass%77ord", "Content-Disposition: form-data;\r\n name=password",
    "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"token\"",
    #"Content-Disposition: form-data; name="user"#, "Content-Disposition: form-data", "no field",
    "Content-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64",
    "Content-Type: application/json\r\nContent-Disposition: form-data; name=\"a\"",
  ])
  func partsWithSecretOrUnreadableHeadersAreHidden(head: String) {
    #expect(shown(form(head, "t0p")) == form(head, "<redacted>"))
  }

  @Test func everyTruncationOfAFormHidesItsSecrets() throws {
    let secret = HTTP.FormPart.text("t0psecret", name: "password")
    let body = HTTP.Body.multipart([.text("Ada", name: "user"), secret, .text("x", name: "y"), secret], boundary: "B")
    let data = try #require(body.data)
    for length in 0...data.count {
      #expect(!shown(data.prefix(length), try #require(body.contentType)).contains("t0p"), "\(length)")
    }
  }

  @Test(arguments: ["multipart/form-data", "multipart/form-data; boundary=C", #"multipart/form-data; boundary="B"#])
  func aFormWithoutItsBoundaryIsHidden(type: String) {
    let body = Data(form(#"Content-Disposition: form-data; name="a""#, "t0p").utf8)
    #expect(shown(body, HTTP.HeaderValue(rawValue: type)) == "<redacted>")
  }

  // The last slash and the mark are one character.
  @Test func aURLWithACombiningMarkIsRedacted() {
    let head = #"Content-Disposition: form-data; name="a""#
    #expect(shown(form(head, "https://\u{301}ada:t0p@h/x")) == form(head, "https://<redacted>@h/x"))
  }

  @Test func textAroundThePartsIsHidden() {
    let part = form(#"Content-Disposition: form-data; name="a""#, "x")
    #expect(shown("t0p\r\n" + part + "t0p") == "<redacted>\r\n" + part + "<redacted>")
  }

  @Test(arguments: [#"boundary="a b:c""#, "charset=utf-8; BOUNDARY=\"a b:c\"; x=y"])
  func boundaryParametersAreParsed(parameters: String) {
    let body = "--a b:c\nContent-Disposition: form-data; name=pin\n\n7\n--a b:c--\n"
    #expect(
      shown(Data(body.utf8), "multipart/form-data; \(parameters)")
        == body.replacing("\n7\n", with: "\n<redacted>\n"))
  }

  @Test func nestedFormsAreRedactedUpToADepth() {
    let secret = form(#"Content-Disposition: form-data; name="password""#, "t0p")
    let nested = "--A\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n\(secret)\r\n--A--\r\n"
    #expect(shown(nested, boundary: "A") == nested.replacing("t0p", with: "<redacted>"))
    let deep = (0..<20_000).map { "--B\($0)\r\nContent-Type: multipart/mixed; boundary=B\($0 + 1)\r\n\r\n" }.joined()
    #expect(shown(deep, boundary: "B0").hasSuffix("<redacted>"))
  }

  @Test func urlsInFieldsAreRedacted() {
    let head = #"Content-Disposition: form-data; name="callback""#
    #expect(
      shown(form(head, "https://u:t0p@e.com/?token=t0p&page=2"))
        == form(head, "https://<redacted>@e.com/?token=<redacted>&page=2"))
  }
}

import AnvilHTTP
import Foundation
import Testing

@Suite struct MessageTests {
  private func request(
    _ url: String = "https://api.example.com/users", method: HTTP.Method = .get, headers: HTTP.Headers = [:]
  ) throws -> HTTP.Request {
    HTTP.Request(method: method, url: try #require(URL(string: url)), headers: headers)
  }

  @Test func theDefaultMethodIsGET() throws {
    let request = HTTP.Request(url: try #require(URL(string: "https://example.com")))
    #expect(request.method == .get && request.headers.isEmpty && request.body.isEmpty)
  }

  @Test func copiesAreIndependent() throws {
    let original = try request(headers: ["A": "1"])
    var copy = original
    #expect(copy == original)
    copy.headers.add("B", "2")
    copy.method = .post
    copy.body = HTTP.Body("text")
    copy.url.append(path: "1")
    #expect(original.headers.count == 1 && original.method == .get && original.body.isEmpty)
    #expect(original.url.path() == "/users" && copy.url.path() == "/users/1")
    #expect(copy.headers.count == 2 && copy.method == .post && copy.body.string == "text")
    #expect(copy != original)
    let response = HTTP.Response(request: copy, status: 200)
    copy.method = .put
    #expect(response.request.method == .post)
  }

  @Test func anyMethodNameIsAllowed() {
    let purge: HTTP.Method = "PURGE"
    #expect(purge.rawValue == "PURGE" && !purge.isSafe && !purge.isIdempotent)
    #expect(HTTP.Method.get != "get")
    #expect(HTTP.Method.put.isIdempotent && !HTTP.Method.put.isSafe)
    #expect(!HTTP.Method.post.isIdempotent && !HTTP.Method.patch.isIdempotent)
    #expect(HTTP.Method.head.isSafe && HTTP.Method.delete.isIdempotent)
  }

  @Test func validRequestsPass() throws {
    try request(headers: [.accept: .applicationJSON, "X-Empty": ""]).validate()
    try request("http://[::1]:8080/", method: "M-SEARCH").validate()
    try request("HTTPS://EXAMPLE.COM:65535").validate()
  }

  @Test(arguments: ["GET / HTTP/1.1\r\nX: y", "", "a b", "GET\n"])
  func methodsThatSplitTheMessageAreRejected(method: String) throws {
    #expect(throws: HTTP.MessageError.method(method)) {
      try request(method: HTTP.Method(rawValue: method)).validate()
    }
  }

  @Test(arguments: [
    "ftp://example.com/", "file:///etc/passwd", "/users", "http:///users", "data:,x", "mailto:a@b.c", "http://a:65536/",
    "https://[::1]:99999",
  ])
  func URLsOtherThanHTTPWithAHostAreRejected(url: String) throws {
    #expect(throws: HTTP.MessageError.url) { try request(url).validate() }
  }

  @Test func fieldsThatSplitTheMessageAreRejectedByName() throws {
    let value = "tok\r\nX-Injected: yes"
    let error = #expect(throws: HTTP.MessageError.self) {
      try request(headers: ["X-Token": "\(value)"]).validate()
    }
    #expect(error == .headerValue("X-Token", offset: 3))
    let description = try #require(error).description
    #expect(
      description
        == "the value of header X-Token has a control character at byte 3, which would break the message")
    #expect(throws: HTTP.MessageError.headerKey("X Token")) {
      try request(headers: ["X Token": "a"]).validate()
    }
  }

  @Test func framingFieldsMustMatchTheBody() throws {
    var request = try request(method: .post, headers: [.transferEncoding: "chunked"])
    #expect(throws: HTTP.MessageError.framing(.transferEncoding)) { try request.validate() }
    request.body = HTTP.Body("four")
    for value in ["3", "5", "+4", "4, 4", "04", "four", ""] {
      request.headers = [.contentLength: "\(value)"]
      #expect(throws: HTTP.MessageError.framing(.contentLength), "\(value)") { try request.validate() }
    }
    request.headers = [.contentLength: "4"]
    try request.validate()
    request.headers = [.contentLength: "4", "content-length": "5"]
    #expect(throws: HTTP.MessageError.framing(.contentLength)) { try request.validate() }
  }

  @Test func descriptionsEscapeControlCharacters() throws {
    let response = HTTP.Response(request: try request(), status: 200, headers: [.contentType: "text/\u{1B}[31mred"])
    #expect(response.description == #"GET https://api.example.com/users → 200 OK text/\u{1b}[31mred"#)
  }

  @Test func aMethodCannotAddALineToALog() throws {
    let request = try request(method: HTTP.Method(rawValue: "GET\n\u{202E}"))
    #expect(request.description == #"GET\u{a}\u{202e} https://api.example.com/users"#)
  }

  @Test(arguments: [(39, ""), (40, ""), (41, "…"), (400, "…")])
  func longMediaTypesAreTruncatedInDescriptions(length: Int, end: String) throws {
    let type = String(repeating: "x", count: length)
    let response = HTTP.Response(request: try request(), status: 200, headers: [.contentType: "\(type)"])
    #expect(
      response.description == "GET https://api.example.com/users → 200 OK \(type.prefix(40))\(end)")
  }

  @Test func errorsHaveALocalizedDescription() {
    #expect((HTTP.MessageError.url as any Error).localizedDescription == HTTP.MessageError.url.description)
  }

  @Test(arguments: [
    (
      "https://api.example.com/users?page=2&token=s3cret",
      "https://api.example.com/users?page=<redacted>&token=<redacted>"
    ),
    ("https://user:pw@example.com:8443/a#frag", "https://<redacted>@example.com:8443/a#<redacted>"),
    ("https://example.com/?flag&a=", "https://example.com/?<redacted>&a=<redacted>"),
    ("https://example.com/caf%C3%A9", "https://example.com/caf%C3%A9"),
  ])
  func descriptionRedactsTheURL(url: String, expected: String) throws {
    #expect(try request(url).description == "GET \(expected)")
  }

  @Test func detailedDescriptionShowsAll() throws {
    let request = try request("https://example.com/?a=b", headers: [.authorization: "Bearer x"])
    #expect(request.detailedDescription == "GET https://example.com/?a=b\nAuthorization: Bearer x")
  }

  @Test func responseDescribesTheExchange() throws {
    let response = HTTP.Response(request: try request(), status: 404, headers: [.contentType: "text/html"])
    #expect(response.description == "GET https://api.example.com/users → 404 Not Found text/html")
    #expect(response.code == 404 && response.url == response.request.url)
  }
}

#if HTTPTypes
import Anvil
import AnvilEcosystem
import Foundation
import HTTPTypes
import Testing

@Suite struct HTTPTypesTests {
  @Test func fieldsKeepTheirOrderSpellingAndDuplicates() throws {
    var headers: HTTP.Headers = ["X-B": "1", "accept": "text/html"]
    headers.add("x-b", "2")
    headers.add("Set-Cookie", "a=1")
    headers.add("Set-Cookie", "b=2, c")
    let fields = try HTTPFields(headers)
    #expect(fields.map { "\($0.name.rawName): \($0.value)" } == headers.map { "\($0.key): \($0.value)" })
    #expect(HTTP.Headers(fields).map { "\($0.key): \($0.value)" } == headers.map { "\($0.key): \($0.value)" })
  }

  @Test(arguments: ["", "a b", "a:b", "ä", "a\n"]) func aNameThatIsNoTokenIsAnError(name: String) {
    let headers: HTTP.Headers = [HTTP.HeaderKey(rawValue: name): "value"]
    #expect(throws: HTTP.MessageError.headerKey(HTTP.HeaderKey(rawValue: name))) { try HTTPFields(headers) }
  }

  @Test func aValueThatWouldBeReplacedIsAnError() {
    for (value, offset) in [("a\r\nb: c", 1), ("\0", 0), ("ä\u{7F}", 2)] {
      #expect(throws: HTTP.MessageError.headerValue("x-a", offset: offset)) {
        try HTTPFields(["x-a": HTTP.HeaderValue(rawValue: value)])
      }
    }
  }

  @Test func blanksAroundAValueAreDropped() throws {
    #expect(try HTTPFields(["x-a": " \tb c\t "]).map(\.value) == ["b c"])
    #expect(try HTTPFields(["x-a": "", "x-b": " "]).map(\.value) == ["", ""])
    #expect(try HTTPFields(["x-a": "ümläut"]).map(\.value) == ["ümläut"])
  }

  @Test(arguments: [
    "https://api.example.com/users/1?page=2&q=a%20b", "http://localhost:8080/", "http://[::1]:8080/a",
    "https://example.com/a%2Fb//c?",
    "https://example.com/a;b=c/%C3%A4",
  ])
  func requestsRoundTrip(text: String) throws {
    let url = try #require(URL(string: text))
    let request = HTTP.Request(method: "PURGE", url: url, headers: ["a": "1", "A": "2"])
    let other = try HTTPTypes.HTTPRequest(request)
    #expect(other.method.rawValue == "PURGE")
    #expect("\(other.scheme ?? "")://\(other.authority ?? "")\(other.path ?? "")" == text)
    let back = try HTTP.Request(other)
    #expect(back.url.absoluteString == text)
    #expect(back.method == request.method && back.headers == request.headers)
  }

  @Test func aURLWithoutAPathHasThePathOfTheRoot() throws {
    let url = try #require(URL(string: "https://user:secret@example.com#part"))
    let request = try HTTPTypes.HTTPRequest(HTTP.Request(url: url))
    #expect(request.path == "/")
    #expect(request.authority == "example.com")
  }

  @Test func aRequestThatIsNotForAnAbsoluteURLIsAnError() throws {
    let get = try #require(HTTPTypes.HTTPRequest.Method(.get))
    for (scheme, authority, path) in [
      (nil, "example.com", "/"), ("https", nil, "/"), ("https", "", "/"), ("https", "example.com", nil),
      ("https", "example.com", "users"), ("https", "exa mple.com", "/"), ("https", "example.com", "/a b"),
    ] as [(String?, String?, String?)] {
      let request = HTTPTypes.HTTPRequest(method: get, scheme: scheme, authority: authority, path: path)
      #expect(throws: HTTP.MessageError.url) { try HTTP.Request(request) }
    }
    let relative = HTTP.Request(url: try #require(URL(string: "users/1")))
    #expect(throws: HTTP.MessageError.url) { try HTTPTypes.HTTPRequest(relative) }
  }

  @Test func aMethodThatIsNoTokenIsAnError() throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(HTTPTypes.HTTPRequest.Method(HTTP.Method(rawValue: "a b")) == nil)
    #expect(throws: HTTP.MessageError.method("")) { try HTTPTypes.HTTPRequest(HTTP.Request(method: "", url: url)) }
  }

  @Test func statusesRoundTripAndCodesOutsideOfTheRangeDoNotTrap() throws {
    for code in [0, 100, 204, 418, 599, 999] {
      let status = try #require(HTTPTypes.HTTPResponse.Status(HTTP.Status(code: code)))
      #expect(status.code == code)
      #expect(HTTP.Status(status).code == code)
    }
    #expect(HTTPTypes.HTTPResponse.Status(HTTP.Status.notFound)?.reasonPhrase == "Not Found")
    for code in [-1, 1000, Int.max] { #expect(HTTPTypes.HTTPResponse.Status(HTTP.Status(code: code)) == nil) }
  }

  @Test(arguments: [-1, 1000, Int.max]) func aResponseWithACodeOutsideOfTheRangeIsNil(code: Int) throws {
    let request = HTTP.Request(url: try #require(URL(string: "https://example.com")))
    #expect(try HTTPTypes.HTTPResponse(HTTP.Response(request: request, status: HTTP.Status(code: code))) == nil)
  }

  @Test(arguments: ["ftp://example.com/", "file://host/a", "ws://example.com/"])
  func aRequestForAnotherSchemeIsAnError(text: String) throws {
    let request = HTTP.Request(url: try #require(URL(string: text)))
    #expect(throws: HTTP.MessageError.url) { try HTTPTypes.HTTPRequest(request) }
    let other = HTTPTypes.HTTPRequest(
      method: try #require(.init(.get)), scheme: request.url.scheme, authority: "example.com", path: "/")
    #expect(throws: HTTP.MessageError.url) { try HTTP.Request(other) }
  }

  @Test func theSchemeMayHaveUpperCaseLetters() throws {
    let request = HTTP.Request(url: try #require(URL(string: "HTTPS://example.com/")))
    #expect(try HTTPTypes.HTTPRequest(request).scheme?.lowercased() == "https")
  }

  @Test func aRequestForAnotherProtocolIsAnError() throws {
    var request = HTTPTypes.HTTPRequest(
      method: try #require(.init(.connect)), scheme: "https", authority: "example.com", path: "/chat")
    request.extendedConnectProtocol = "websocket"
    #expect(throws: HTTP.MessageError.method("CONNECT")) { try HTTP.Request(request) }
  }

  @Test func responsesRoundTrip() throws {
    let request = HTTP.Request(url: try #require(URL(string: "https://example.com")))
    let response = HTTP.Response(request: request, status: 404, headers: ["a": "1", "b": "2"])
    let other = try #require(try HTTPTypes.HTTPResponse(response))
    #expect(other.status.code == 404)
    let back = HTTP.Response(other, to: request, body: HTTP.Body("text"))
    #expect(back.status == response.status && back.headers == response.headers && back.body.string == "text")
  }
}
#endif

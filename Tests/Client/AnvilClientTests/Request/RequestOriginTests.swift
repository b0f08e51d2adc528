import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// A request's origin is always that of its URL, even after changes to the request. Credentials depend on it.
@Suite(.timeLimit(.minutes(15))) struct RequestOriginTests {
  private let home: HTTP.Origin
  private let elsewhere: URL

  init() throws {
    home = try #require(URL(string: "https://api.example.com").flatMap(HTTP.Origin.init))
    elsewhere = try #require(URL(string: "https://other.example/users"))
  }

  private func request() -> UntypedRequest {
    var request = UntypedRequest(method: .get, url: elsewhere, body: .empty)
    request.setTarget(.text(HTTP.UnparsedURL("https://api.example.com/users")), at: home)
    return request
  }

  @Test func aGatewaysRequestHasTheOriginOfItsServer() {
    #expect(request().httpRequest.origin == home)
    #expect(HTTP.Origin(request().httpRequest.url) == home)
  }

  @Test func changingTheURLChangesTheOrigin() {
    var changed = request()
    changed.url = elsewhere
    #expect(changed.httpRequest.origin == HTTP.Origin(elsewhere))
    var sent = request().httpRequest
    sent.url = elsewhere
    #expect(sent.origin == HTTP.Origin(elsewhere) && sent.urlText == elsewhere.absoluteString)
  }

  @Test func changingTheGatewaysOriginDoesNotChangeTheRequestsOrigin() {
    var changed = request()
    changed.home = HTTP.Origin(elsewhere)
    #expect(changed.httpRequest.origin == home)
  }

  @Test(arguments: ["users", "users/1", "a-b/c_d~e.json", "users/"])
  func aPlainPathHasTheSameMeaningAsItsParsedURL(path: String) throws {
    let base = try #require(URL(string: "https://api.example.com/v1"))
    let gateway = Gateway(baseURL: base, session: StubSession())
    let request = try gateway.request(HTTP.Path(syntax: path)).makeHTTPRequest()
    let parsed = try #require(URL(string: "https://api.example.com/v1/\(path)"))
    #expect(request.url == parsed && request.urlText == parsed.absoluteString && request.origin == HTTP.Origin(parsed))
  }
}

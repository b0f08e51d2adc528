import AnvilClient
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The URLs of a gateway's requests.
@Suite struct GatewayTargetTests {
  private func gateway(_ base: String) throws -> Gateway {
    Gateway(
      baseURL: try #require(URL(string: base)),
      backend: BackendService(transportService: TransportService(session: StubSession())))
  }

  @Test(arguments: [
    ("https://a.example", "https://a.example/users/1"),
    ("https://a.example/", "https://a.example/users/1"),
    ("https://a.example/v1", "https://a.example/v1/users/1"),
    ("https://a.example/v1/", "https://a.example/v1/users/1"),
    ("https://a.example/v1?key=k", "https://a.example/v1/users/1?key=k"),
    ("https://a.example/v1?key=k#part", "https://a.example/v1/users/1?key=k"),
    ("https://[::1]:8443/v%201", "https://[::1]:8443/v%201/users/1"),
  ])
  func pathsAreAppendedToTheBaseURL(base: String, url: String) throws {
    #expect(try gateway(base).request("users", 1).makeHTTPRequest().url.absoluteString == url)
  }

  @Test func emptySegmentsAreSent() throws {
    let gateway = try gateway("https://a.example/v1/")
    #expect(try gateway.request("").makeHTTPRequest().url.absoluteString == "https://a.example/v1/")
    #expect(try gateway.request("", "x").makeHTTPRequest().url.absoluteString == "https://a.example/v1/x")
    #expect(try gateway.request("x", "", "").makeHTTPRequest().url.absoluteString == "https://a.example/v1/x//")
  }

  @Test func withoutComponentsTheTargetIsTheBaseURL() throws {
    #expect(
      try gateway("https://a.example/v1/?a=1").request().makeHTTPRequest().url.absoluteString
        == "https://a.example/v1/?a=1")
  }

  @Test(arguments: [
    ("a/b", "a%2Fb"), ("100%", "100%25"), ("%2F", "%252F"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("", ""),
    ("naïve", "na%C3%AFve"), ("日本", "%E6%97%A5%E6%9C%AC"), ("👩‍🚀", "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"),
    ("a?b#c", "a%3Fb%23c"), ("a;b=c,d&e", "a%3Bb%3Dc%2Cd%26e"), ("..a", "..a"), ("a..", "a.."), ("...", "..."),
    ("../etc", "..%2Fetc"), ("-._~", "-._~"), (":@!$'()*[]", "%3A%40%21%24%27%28%29%2A%5B%5D"),
    ("\r\n\0", "%0D%0A%00"), ("http://x", "http%3A%2F%2Fx"), ("e\u{301}", "e%CC%81"),
  ])
  func aComponentIsOneSegmentWhateverItHolds(component: String, segment: String) throws {
    let url = try gateway("https://a.example").request("x", component, "y").makeHTTPRequest().url
    #expect(url.absoluteString == "https://a.example/x/\(segment)/y")
  }

  @Test(arguments: [".", ".."])
  func dotSegmentsAreRejected(component: String) throws {
    let failure = #expect(throws: TransportFailure.self) {
      try gateway("https://a.example").request("x", component, "y").makeHTTPRequest()
    }
    #expect(failure?.error.code == .invalidRequest)
    #expect(failure?.error.reason == "\"\(component)\" cannot be a segment of a path: it would change the path")
  }

  @Test func componentsAreSentAsTheirDescriptions() throws {
    let id = UUID()
    let request = try gateway("https://a.example").request("a", 7, 1.5, true, id)
    #expect(try request.makeHTTPRequest().url.absoluteString == "https://a.example/a/7/1.5/true/\(id)")
  }

  // MARK: Query

  @Test(arguments: [
    ("a b", "a%20b"), ("a+b", "a%2Bb"), ("100%", "100%25"), ("a/b?c", "a%2Fb%3Fc"), ("", ""),
    ("ä&b=c", "%C3%A4%26b%3Dc"),
    ("#;,", "%23%3B%2C"),
  ])
  func queryItemsCanContainAnyText(text: String, encoded: String) throws {
    var request = try gateway("https://a.example").request("x", query: ["q": text])
    request.query.add(text, 1)
    #expect(
      try request.makeHTTPRequest().url.absoluteString == "https://a.example/x?q=\(encoded)&\(encoded)=1")
  }

  @Test func queriesOfBaseURLTemplateAndRequestAreJoined() throws {
    let request = try gateway("https://a.example?key=k")
      .request(template: "users{?page}", ["page": 2], query: ["sort": "name", "flag": true])
    #expect(
      try request.makeHTTPRequest().url.absoluteString == "https://a.example/users?key=k&page=2&sort=name&flag=true")
  }

  @Test func aValueWithoutTextFailsTheRequest() throws {
    let gateway = try gateway("https://a.example")
    let late = Date(timeIntervalSince1970: .infinity)
    let query = #expect(throws: TransportFailure.self) {
      try gateway.request("x", query: ["at": late]).makeHTTPRequest()
    }
    let segment = #expect(throws: TransportFailure.self) { try gateway.request("x", Double.nan).makeHTTPRequest() }
    let variable = #expect(throws: AnyError.self) { try gateway.request(template: "x{?at}", ["at": late]) }
    let errors = [query?.error, segment?.error, variable?.transportError]
    #expect(errors.map { $0?.code } == [.invalidRequest, .invalidRequest, .invalidRequest])
    #expect(
      errors.map { $0?.reason } == [
        "the query item \"at\" cannot be sent: the date is not in the years 0 to 9999",
        "a segment of the path cannot be sent: the number is not finite",
        "a variable of the template cannot be sent: the date is not in the years 0 to 9999",
      ])
  }

  /// Programs keep these digests in databases: they were computed for the queries that earlier versions sent.
  @Test func digestsOfRequestsStayTheSame() throws {
    let gateway = try gateway("https://a.example/v1")
    let id = try #require(UUID(uuidString: "11111111-2222-3333-4444-555555555555"))
    let request = gateway.request(
      "members", query: ["team": "a b&c", "page": 2, "size": Optional(20), "archived": false, "ratio": 0.5, "id": id])
    #expect(request.digest(with: ["x"]) == "b7bdf455dd44313ed35c2e30ecf5fafe842dd4b8d071d7b075564a3c7d955511")
    #expect(request.digest(with: ["x"], dates: .described) == request.digest(with: ["x"]))
    let described = "a74a97b2b952418eacc8c471781713ee4ce052eba89fa4b66e32226606abb4e4"
    for fraction in [0, 0.25] {
      let date = Date(timeIntervalSinceReferenceDate: 791_784_306 + fraction)
      let request = gateway.request("members", query: ["since": date, "page": 2])
      #expect(request.digest(with: ["x"], dates: .described) == described)
      #expect(request.digest(with: ["x"]) != described)
    }
    for text in ["2026-02-03T04:05:06+00:00", "2026-02-03T04:05:06", "2026-02-03", "x2026-02-03T04:05:06Z", "", "é"] {
      let request = gateway.request("members", query: ["since": text, "page": 2])
      #expect(request.digest(with: ["x"], dates: .described) == request.digest(with: ["x"]))
    }
  }

  // MARK: Templates

  @Test(arguments: [
    ("users/{id}", "https://a.example/v1/users/a%2Fb"),
    ("/users/{id}", "https://a.example/v1/users/a%2Fb"),
    ("{/id}", "https://a.example/v1/a%2Fb"),
    ("{?id}", "https://a.example/v1?id=a%2Fb"),
    ("files/{+id}", "https://a.example/v1/files/a/b"),
    ("https://a.example/users{/id}{?page}", "https://a.example/users/a%2Fb?page=2"),
    ("https://A.example:443/users{#id}", "https://A.example:443/users"),
  ])
  func templatesAreRelativeToTheBaseURL(template: String, url: String) throws {
    let request = try gateway("https://a.example/v1").request(template: template, ["id": "a/b", "page": 2])
    #expect(try request.makeHTTPRequest().url.absoluteString == url)
  }

  @Test(arguments: [
    ("{+path}", "https://evil.example/"), ("{+path}", "http://a.example/"), ("{+path}", "https://a.example:444/"),
    ("https://{host}/", "evil.example"), ("users/{path}", ".."), ("users/{+path}", "../admin"),
    ("users/{+path}", "%2e%2E/admin"), ("https://a.example/{path}/x", ".."),
  ])
  func templateValuesCannotLeadToAnotherServer(template: String, value: String) throws {
    let request = try gateway("https://a.example")
      .request(template: template, ["path": value, "host": value])
    #expect(throws: TransportFailure.self) { try request.makeHTTPRequest() }
  }

  @Test func aPathWithTwoSlashesIsNotAnAuthority() throws {
    let request = try gateway("https://a.example").request(template: "{+path}", ["path": "//evil.example/x"])
    #expect(try request.makeHTTPRequest().url.host() == "a.example")
  }

  @Test func templateVariablesCanHaveManyTypes() throws {
    let (owner, page, topics, none) = ("ada", 2, ["a", "b"], String?.none)
    let id = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 791_784_306)
    let request = try gateway("https://a.example").request(
      template: "{owner}/{id}{?page,topics*,flags*,none,ratio,pairs*,since,dates}",
      [
        "owner": owner, "page": page, "topics": topics, "none": none, "id": id, "ratio": 0.5, "flags": [true, false],
        "pairs": ["y": 2, "x": 1], "since": date, "dates": [date],
      ])
    let written = "2026-02-03T04%3A05%3A06Z"
    #expect(
      try request.makeHTTPRequest().url.absoluteString
        == "https://a.example/ada/\(id)?page=2&topics=a&topics=b&flags=true&flags=false&ratio=0.5&x=1&y=2&since=\(written)&dates=\(written)"
    )
  }

  @Test func invalidTemplatesThrowImmediately() throws {
    let gateway = try gateway("https://a.example")
    let unclosed = #expect(throws: AnyError.self) { try gateway.request(template: "users/{id", [:]) }
    #expect(unclosed?.transportError?.underlyingError is URITemplate.SyntaxError)
    let prefix = #expect(throws: AnyError.self) { try gateway.request(template: "{a:3}", ["a": ["x", "y"]]) }
    #expect(prefix?.transportError?.underlyingError is URITemplate.PrefixError)
  }

  @Test func aBaseURLWithoutAHostIsRejected() throws {
    for base in ["http://", "https:///v1", "users"] {
      #expect(throws: TransportFailure.self) { try gateway(base).request("x.example").makeHTTPRequest() }
    }
  }

  @Test func descriptionsRevealNoSecrets() throws {
    #expect(
      "\(try gateway("https://u:p@a.example/v1?key=k"))" == "Gateway to https://<redacted>@a.example/v1?key=<redacted>")
    #expect("\(HTTP.Query.Item("q", "secret"))" == "q=<redacted>")
    #expect(
      "\(try gateway("https://u:p@a.example?key=k").request("x", query: ["q": "secret"]))"
        == "GET https://<redacted>@a.example/x?key=<redacted>&q=<redacted>")
  }
}

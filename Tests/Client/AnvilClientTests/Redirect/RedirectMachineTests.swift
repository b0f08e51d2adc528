import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

@Suite struct RedirectMachineTests {
  private let full: HTTP.Headers = [
    .accept: "x/y", .contentType: "a/b", .contentLength: "4", .contentEncoding: "gzip", .contentLanguage: "de",
    .contentLocation: "/x", "Digest": "md5=x", .authorization: "a", .cookie: "b", .proxyAuthorization: "c",
    .origin: "http://d", "X-Key": "e", .userAgent: "f",
  ]

  private func request(
    _ method: HTTP.Method = .get, _ url: String = "https://a.example/p/q?r=s", body: HTTP.Body = .empty
  ) throws -> HTTP.Request {
    HTTP.Request(method: method, url: try #require(URL(string: url)), headers: full, body: body)
  }

  private func machine(
    _ request: HTTP.Request, _ policy: RedirectPolicy = .follow(), headers: RequestSettings = RequestSettings(),
    insecureTargets: RedirectPolicy.InsecureTargets = .refused, followUps: FollowUpLimit = FollowUpLimit()
  ) -> RedirectMachine {
    RedirectMachine(
      request, policy: policy, headers: CrossOriginHeaders(headers), insecureTargets: insecureTargets,
      followUps: followUps)
  }

  private func response(_ status: Int, _ locations: String..., to request: HTTP.Request) -> HTTP.Response {
    HTTP.Response(
      request: request, status: HTTP.Status(code: status),
      headers: HTTP.Headers(locations.map { .init(.location, .init(rawValue: $0)) }))
  }

  /// Returns the action after one redirect of `request`.
  private func action(_ status: Int, _ location: String, of request: HTTP.Request) -> RedirectMachine.Action {
    var machine = machine(request)
    return machine.receive(response(status, location, to: request))
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
    (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "DELETE", "GET"), (303, "HEAD", "HEAD"),
    (301, "HEAD", "HEAD"), (302, "GET", "GET"), (303, "GET", "GET"), (307, "PATCH", "PATCH"), (308, "HEAD", "HEAD"),
  ])
  func d1_theMethodAfterARedirectFollowsTheRFC(status: Int, method: String, expected: String) throws {
    let request = try request(HTTP.Method(rawValue: method), body: HTTP.Body("body"))
    let next = try #require(action(status, "/x", of: request).next)
    #expect(next.method.rawValue == expected)
    let keepsBody = status != 303 && method == expected
    #expect(next.body == (keepsBody ? request.body : .empty))
  }

  @Test(arguments: [200, 201, 300, 304, 305, 306, 399, 401, 503])
  func d1_otherStatusesAreNotFollowed(status: Int) throws {
    #expect(action(status, "/x", of: try request()).isDelivery)
  }

  @Test func d2_fieldsOfADroppedBodyAreRemoved() throws {
    let request = try request(.post, body: HTTP.Body("body"))
    let next = try #require(action(302, "/x", of: request).next)
    #expect(
      next.headers.map(\.key.rawValue) == [
        "Accept", "Authorization", "Cookie", "Proxy-Authorization", "Origin", "X-Key", "User-Agent",
      ])
    #expect(try #require(action(307, "/x", of: request).next).headers == full)
  }

  @Test func d3_theFragmentIsInherited() throws {
    let request = try request(.get, "https://a.example/p#part")
    #expect(action(302, "/x", of: request).next?.url.absoluteString == "https://a.example/x#part")
    #expect(action(302, "/x#own", of: request).next?.url.absoluteString == "https://a.example/x#own")
    #expect(action(302, "/x#", of: request).next?.url.absoluteString == "https://a.example/x#")
  }

  @Test func d3_aRedirectWithoutALocationIsReturned() throws {
    let request = try request()
    for policy in [RedirectPolicy.follow(), .error, .manual] {
      var machine = machine(request, policy)
      #expect(machine.receive(response(302, to: request)).isDelivery)
    }
  }

  /// The URL would redirect to itself up to the limit.
  @Test(arguments: ["", " ", "\t "]) func d3_anEmptyLocationIsNotFollowed(location: String) throws {
    #expect(action(302, location, of: try request()).isDelivery)
  }

  @Test(arguments: [
    "https://", "https://h:99999/", "https:x", "//", "https://h:99999999999999999999/", "https://h:8a/", "https://a b/",
    "https://b\u{FC}cher%2F.example/", "https://%FC.example/", "https://a%20b/", "https://a,b/", "https://[::1/",
    "https://[::1]x/",
    "https://:80/",
  ])
  func d3_anInvalidLocationIsRejectedWithAReason(location: String) throws {
    let error = action(302, location, of: try request()).error
    #expect(error?.code == .redirectRefused)
    #expect(error?.reason == "302 Found: its Location \(location) is not a valid URL with a host")
  }

  @Test(arguments: [
    ("https://b\u{FC}cher.example/stra\u{DF}e", "https://xn--bcher-kva.example/stra%C3%9Fe"),
    ("//B\u{DC}CHER.example:8080?\u{FC}#\u{FC}", "https://xn--bcher-kva.example:8080?%C3%BC#%C3%BC"),
    ("https://b%C3%BCcher.example/%FC", "https://xn--bcher-kva.example/%FC"),
    ("https://\u{FC}:\u{FC}@b\u{FC}cher.example:/", "https://xn--bcher-kva.example:/"),
  ])
  func d3_aHostInUnicodeIsFollowedInASCII(location: String, target: String) throws {
    #expect(action(302, location, of: try request()).next?.url.absoluteString == target)
  }

  @Test func d3_theReasonContainsNoSecretsOfTheLocation() throws {
    let error = action(302, "https://u:word@a b/?token=word", of: try request()).error
    #expect(error?.reason?.contains("word") == false, "\(error as Any)")
  }

  @Test(arguments: [
    "https://h:65535/", "https://h:/", "https://a_b.example./", "https://[::1]:8080/", "https://u:p@h:1/", "//h",
    "https://127.0.0.1:8/",
  ])
  func d3_aLocationWithAHostIsFollowed(location: String) throws {
    #expect(action(302, location, of: try request()).next != nil)
  }

  @Test func d3_differentLocationsAreRejected() throws {
    let request = try request()
    var machine = machine(request)
    #expect(machine.receive(response(302, "/x", "/y", to: request)).error?.code == .redirectRefused)
    #expect(machine.receive(response(302, "/x", "/x", to: request)).next?.url.path == "/x")
  }

  @Test(arguments: [
    ("https://a.example/x", true), ("https://A.EXAMPLE:443/x", true), ("//a.example/x", true),
    ("https://b.example/x", false), ("https://a.example:444/x", false), ("https://x.a.example/", false),
    ("https://a.example./", false),
  ])
  func d4_credentialsStayWithTheirOrigin(location: String, isSame: Bool) throws {
    let request = try request()
    let next = try #require(action(307, location, of: request).next)
    for key in [.authorization, .cookie, .proxyAuthorization, .origin, "X-Key"] as [HTTP.HeaderKey] {
      #expect(next.headers.contains(key) == isSame, "\(key)")
    }
    for key in [.accept, .userAgent, .contentType] as [HTTP.HeaderKey] {
      #expect(next.headers.contains(key), "\(key)")
    }
  }

  @Test(
    arguments: [
      ("X-Api-Key", "k", false), ("Api-Key", "k", false), ("X-Anything", "v", false), ("Idempotency-Key", "1", false),
      ("Referer", "https://a.example/x", true), ("Referer", "https://a.example/x?token=t0p", false),
      ("Accept-Language", "de", true), ("Range", "bytes=1-", true), ("If-None-Match", "\"x\"", true),
      ("Last-Event-ID", "7", true), ("traceparent", "00-1-2-01", true),
    ] as [(HTTP.HeaderKey, HTTP.HeaderValue, Bool)])
  func d4_fieldsThatALogHidesStayWithTheirOrigin(key: HTTP.HeaderKey, value: HTTP.HeaderValue, isTaken: Bool) throws {
    var request = try request()
    request.headers = [key: value]
    let next = try #require(action(302, "https://b.example/", of: request).next)
    #expect(next.headers == (isTaken ? request.headers : [:]))
  }

  @Test func d4_theSettingsAllowFurtherFieldsForOtherOrigins() throws {
    var settings = RequestSettings()
    settings.crossOriginHeaders = ["x-key", .authorization, .host, .userAgent]
    settings.sensitiveHeaders = [.userAgent]
    let request = try request()
    var machine = machine(request, headers: settings)
    let next = try #require(machine.receive(response(307, "https://b.example/", to: request)).next)
    #expect(next.headers.contains("X-Key"))
    #expect(!next.headers.contains(.authorization) && !next.headers.contains(.userAgent))
  }

  @Test func d4_theIdempotencyKeyOfAKeyedRequestIsKept() throws {
    var settings = RequestSettings()
    settings.idempotency = .keyed
    var request = try request()
    request.headers = [.idempotencyKey: "1"]
    var machine = machine(request, headers: settings)
    #expect(machine.receive(response(307, "https://b.example/", to: request)).next?.headers == request.headers)
  }

  @Test func d4_anotherSchemeIsAnotherOrigin() throws {
    let next = try #require(action(302, "https://a.example/", of: try request(.get, "http://a.example/")).next)
    #expect(!next.headers.contains(.authorization) && !next.headers.contains(.cookie))
  }

  @Test func d4_removedFieldsAreNotRestored() throws {
    let request = try request()
    var machine = machine(request)
    let away = try #require(machine.receive(response(307, "https://b.example/", to: request)).next)
    let back = try #require(machine.receive(response(307, "https://a.example/", to: away)).next)
    #expect(back.url.host() == "a.example")
    #expect(
      !back.headers.contains(.authorization) && !back.headers.contains("X-Key") && !back.headers.contains(.cookie))
  }

  @Test func d4_credentialsInURLsStayWithTheirOrigin() throws {
    let request = try request(.get, "https://u:p@a.example/x")
    #expect(action(302, "/y", of: request).next?.url.absoluteString == "https://u:p@a.example/y")
    for location in ["https://a.example/y", "//a.example/y", "HTTPS://A.example:443/y"] {
      let next = try #require(action(302, location, of: request).next)
      #expect(next.url.user() == "u" && next.url.password() == "p" && next.url.path() == "/y", "\(location)")
    }
    #expect(action(302, "https://v:w@a.example/y", of: request).next?.url.absoluteString == "https://v:w@a.example/y")
    #expect(action(302, "https://a.example:444/y", of: request).next?.url.absoluteString == "https://a.example:444/y")
    #expect(action(302, "https://b.example/y", of: request).next?.url.absoluteString == "https://b.example/y")
    #expect(action(302, "https://v:w@b.example/y", of: request).next?.url.absoluteString == "https://b.example/y")
  }

  @Test func d5_redirectsFromHTTPSToHTTPAreRejectedByDefault() throws {
    let request = try request()
    let error = action(301, "http://a.example/", of: request).error
    #expect(error?.description == "redirect refused: 301 Moved Permanently: it redirects from https to http")
    var lenient = machine(request, insecureTargets: .followed)
    #expect(lenient.receive(response(301, "http://a.example/", to: request)).next?.url.scheme == "http")
  }

  @Test(arguments: ["ftp://a.example/", "file:///etc/passwd", "javascript:alert(1)", "data:,x", "mailto:a@b"])
  func d5_onlyHTTPIsFollowed(location: String) throws {
    let error = action(302, location, of: try request()).error
    #expect(error?.code == .redirectRefused)
    #expect(error?.reason == "302 Found: its target has the scheme \(location.prefix { $0 != ":" })")
  }

  @Test func d5_aLoopEndsAtTheLimit() throws {
    var request = try request()
    var machine = machine(request)
    for _ in 0..<20 { request = try #require(machine.receive(response(302, "/p/q?r=s", to: request)).next) }
    let error = machine.receive(response(302, "/p/q?r=s", to: request)).error
    #expect(error?.description == "too many redirects: 20 redirects were followed")
    #expect(machine.redirections.count == 20)
  }

  @Test func d5_aPolicyLimitsTheNumberOfRedirects() throws {
    let request = try request()
    var none = machine(request, .follow(limit: 0))
    #expect(none.receive(response(302, "/x", to: request)).error?.code == .tooManyRedirects)
    var one = machine(request, .follow(limit: 1))
    #expect(one.receive(response(302, "/x", to: request)).next != nil)
    #expect(one.receive(response(302, "/x", to: request)).error?.code == .tooManyRedirects)
  }

  @Test func d5_aPolicyCanReturnOrRejectRedirects() throws {
    let request = try request()
    var manual = machine(request, .manual)
    #expect(manual.receive(response(302, "/x", to: request)).isDelivery)
    var error = machine(request, .error)
    #expect(error.receive(response(302, "/x", to: request)).error?.code == .redirectRefused)
  }

  @Test func d5_aClosureDecides() throws {
    let request = try request()
    var machine = machine(
      request,
      .custom { response, proposed in
        switch response.code {
        case 301: return .return
        case 302: return .fail(reason: "no")
        default:
          var request = proposed
          request.headers["X-Hop"] = "\(response.code)"
          return .follow(request)
        }
      })
    #expect(machine.receive(response(301, "/x", to: request)).isDelivery)
    #expect(machine.receive(response(302, "/x", to: request)).error?.reason == "302 Found: no")
    let next = try #require(machine.receive(response(307, "/x", to: request)).next)
    #expect(next.headers["X-Hop"] == "307" && next.url.path == "/x")
    // The handler is not called for a redirect that cannot be followed.
    #expect(machine.receive(response(301, "ftp://x", to: request)).error != nil)
  }

  @Test(arguments: [307, 308])
  func d1_aOneShotBodyIsRejectedWithAReason(status: Int) throws {
    let stream = HTTP.Body.stream(AsyncStream<Data> { $0.finish() })
    let error = action(status, "/x", of: try request(.post, body: stream)).error
    #expect(error?.code == .redirectRefused)
    #expect(error?.reason?.hasSuffix("the body is a stream, which cannot be sent a second time") == true)
    // If the body is dropped, it need not be replayable.
    #expect(action(303, "/x", of: try request(.post, body: stream)).next?.body.isEmpty == true)
  }

  @Test func d6_aSharedLimitIncludesOtherFollowUps() throws {
    let request = try request()
    let followUps = FollowUpLimit(maximum: 2)
    #expect(followUps.take())
    var machine = machine(request, followUps: followUps)
    #expect(machine.receive(response(302, "/x", to: request)).next != nil)
    let error = machine.receive(response(302, "/x", to: request)).error
    #expect(error?.description == "too many redirects: 2 redirects and challenges were followed")
  }

  @Test func d7_theHistoryHasURLStatusAndMethod() throws {
    let request = try request(.post, body: HTTP.Body("x"))
    var machine = machine(request)
    let next = try #require(machine.receive(response(302, "https://b.example/x", to: request)).next)
    _ = machine.receive(response(308, "/y", to: next))
    #expect(
      machine.redirections == [
        .init(url: request.url, method: .post, status: 302), .init(url: next.url, method: .get, status: 308),
      ])
  }
}

extension RedirectMachine.Action {
  fileprivate var next: HTTP.Request? { if case .follow(let request) = self { request } else { nil } }
  fileprivate var error: TransportError? { if case .fail(let error) = self { error } else { nil } }
  fileprivate var isDelivery: Bool { if case .deliver = self { true } else { false } }
}

import AnvilClient
import AnvilHTTP
import Foundation
import Testing

@testable import AnvilURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules that depend on the implementation of Foundation, for both implementations.
@Suite struct FoundationImplementationTests {
  private static let request = HTTP.Request(url: URL(filePath: "/"))

  private func length(_ headers: HTTP.Headers, status: Int = 200, on foundation: FoundationImplementation) -> BodyLength
  {
    BodyLength(
      of: HTTP.Response(request: Self.request, status: HTTP.Status(code: status), headers: headers), foundation)
  }

  @Test(
    arguments: [
      (
        "a=1, b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT, c=3",
        ["a=1", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "c=3"]
      ),
      (#"a="1,b=2"; Path=/, c=3"#, [#"a="1,b=2"; Path=/"#, "c=3"]),
      (#"a=1, b="x, c=3; Path=/"#, ["a=1", #"b="x"#, "c=3; Path=/"]),
      (#"a="x, b="y, c=3"#, [#"a="x, b="y"#, "c=3"]),
    ])
  func joinedCookiesAreParted(joined: String, cookies: [String]) {
    #expect(JoinedCookies.parted(joined) == cookies)
  }

  /// Without a limit on the time, this ends within it only if each comma takes constant time.
  @Test(.timeLimit(.minutes(1))) func manyCommasTakeLinearTime() {
    #expect(JoinedCookies.parted("a=" + String(repeating: ",", count: 400_000)).count == 1)
  }

  /// Source: RFC 9110 §5.5.
  @Test(arguments: [
    ("a", "a"), ("gr\u{C3}\u{BC}\u{C3}\u{9F}e", "grüße"), ("caf\u{E9}", "café"), ("grüße", "grüße"), ("→", "→"),
  ])
  func theBytesOfFieldValuesAreReadAsUTF8IfTheyAre(value: String, text: String) {
    #expect(FoundationImplementation.apple.text(of: value) == text)
    #expect(FoundationImplementation.corelibs.text(of: value) == value)
  }

  /// Foundation does not report the version of HTTP.
  @Test(
    arguments: [
      ("http://h/", [:], true), ("HTTP://h/", [.contentType: "text/plain"], true), ("https://h/", [:], false),
      ("https://h/", [.connection: "close"], true), ("https://h/", [.connection: "keep-alive"], true),
    ] as [(String, HTTP.Headers, Bool)])
  func responsesAreKnownAsHTTP1(url: String, headers: HTTP.Headers, isKnown: Bool) throws {
    let request = HTTP.Request(url: try #require(URL(string: url)))
    #expect(HTTP.Response(request: request, status: 200, headers: headers).isKnownAsHTTP1 == isKnown)
  }

  // The head of nearly every compressed response over HTTP/2.
  @Test(arguments: ["gzip", "br", "deflate", "zstd", "gzip, br"])
  func compressedBodiesWithoutALengthAreRejectedOnlyWithLibcurl(coding: String) throws {
    let headers: HTTP.Headers = [
      .contentEncoding: HTTP.HeaderValue(rawValue: coding), .contentType: "application/json",
    ]
    #expect(length(headers, on: .corelibs).contradiction?.contains("compressed") == true)
    let length = length(headers, on: .apple)
    #expect(length.contradiction == nil && length.shortfall == nil)
  }

  @Test(arguments: FoundationImplementation.allCases)
  func lengthsThatAreStatedAreChecked(foundation: FoundationImplementation) {
    #expect(length(["Content-Length": "3"], on: foundation).shortfall?.code == .truncatedResponse)
    #expect(length(["Content-Length": "300", .contentEncoding: "gzip"], on: foundation).shortfall != nil)
    #expect(length(["Transfer-Encoding": "chunked", .contentEncoding: "gzip"], on: foundation).contradiction == nil)
    #expect(length([.contentEncoding: "gzip"], status: 204, on: foundation).contradiction == nil)
    #expect(length([:], on: foundation).contradiction == nil)
    #expect(
      length(["Content-Length": "3", "Transfer-Encoding": "chunked"], on: foundation).contradiction != nil)
  }

  @Test(arguments: FoundationImplementation.allCases)
  func aPostWithoutAMediaTypeIsNotAForm(foundation: FoundationImplementation) throws {
    let url = try #require(URL(string: "https://example.org/"))
    func contentType(_ request: HTTP.Request, hasBody: Bool = true) -> String? {
      URLRequest(request, hasBody: hasBody, cachePolicy: .standard, foundation)
        .value(forHTTPHeaderField: "Content-Type")
    }
    #expect(contentType(HTTP.Request(method: .post, url: url)) == "application/octet-stream")
    #expect(contentType(HTTP.Request(method: .post, url: url, headers: [.contentType: "text/a"])) == "text/a")
    #expect(contentType(HTTP.Request(method: .post, url: url), hasBody: false) == nil)
    #expect(contentType(HTTP.Request(method: .put, url: url)) == nil)
  }

  @Test func codingsAreRequestedByApplesFoundationItself() throws {
    let url = try #require(URL(string: "https://example.org/"))
    func codings(_ request: HTTP.Request, _ foundation: FoundationImplementation) -> String? {
      URLRequest(request, hasBody: false, cachePolicy: .standard, foundation)
        .value(forHTTPHeaderField: "Accept-Encoding")
    }
    #expect(codings(HTTP.Request(url: url), .apple) == nil)
    #expect(codings(HTTP.Request(url: url), .corelibs) == "identity")
    #expect(codings(HTTP.Request(url: url, headers: [.acceptEncoding: "br"]), .apple) == "br")
  }

  /// Foundation would trap for a URL of more than 8 MB.
  @Test(arguments: ["http://h/?", "http://h/?\(String(repeating: "x", count: 9 << 20))"])
  func largeHeadsAreRejectedOnlyWithLibcurl(url: String) throws {
    let field = HTTP.HeaderValue(rawValue: String(repeating: "x", count: 1 << 20))
    let request = HTTP.Request(url: try #require(URL(string: url)), headers: ["X": field])
    let error = #expect(throws: TransportError.self) { try request.checkForFoundation(.corelibs) }
    #expect(error?.code == .invalidRequest)
    #expect(throws: Never.self) { try request.checkForFoundation(.apple) }
  }

  @Test func ipv6LiteralsAreRejectedOnlyWithLibcurl() throws {
    let request = HTTP.Request(url: try #require(URL(string: "http://[::1]:1/")))
    #expect(throws: TransportError.self) { try request.checkForFoundation(.corelibs) }
    #expect(throws: Never.self) { try request.checkForFoundation(.apple) }
  }

  /// Words of libcurl, which a message of Apple's Foundation may contain in any language.
  @Test(arguments: [
    "SSL connect error", "transfer closed with 3 bytes remaining to read", "Header without colon", "Out of memory",
    "Empty reply from server", "Received HTTP/0.9 when not allowed", "Unsupported content encoding",
  ])
  func errorsAreToldApartByTheirTextOnlyWithLibcurl(text: String) {
    func code(_ code: URLError.Code, _ foundation: FoundationImplementation) -> TransportError.Code {
      let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
      return TransportError(error, afterHead: false, elapsed: .zero, foundation).code
    }
    #expect(code(.unknown, .apple) == .other)
    #expect(code(.cannotLoadFromNetwork, .apple) == .other)
    #expect(code(.badServerResponse, .apple) == .malformedResponse)
    #expect(code(.unsupportedURL, .apple) == .invalidRequest)
    #expect(code(.unknown, .corelibs) != .other || text.hasPrefix("Empty") || text.hasPrefix("Received"))
  }

  @Test(arguments: FoundationImplementation.allCases)
  func codesOfURLErrorsAreMapped(foundation: FoundationImplementation) {
    let codes: [(URLError.Code, TransportError.Code)] = [
      (.timedOut, .timedOut), (.cancelled, .cancelled), (.cannotFindHost, .hostNotFound),
      (.dnsLookupFailed, .hostNotFound), (.cannotConnectToHost, .noConnection),
      (.secureConnectionFailed, .tlsFailure), (.serverCertificateUntrusted, .tlsFailure),
      (.networkConnectionLost, .connectionLost), (.cannotParseResponse, .malformedResponse),
      (.cannotDecodeContentData, .malformedResponse), (.badURL, .invalidRequest),
    ]
    for (code, expected) in codes {
      #expect(
        TransportError(URLError(code), afterHead: false, elapsed: .zero, foundation).code == expected)
    }
    #expect(
      TransportError(
        URLError(.networkConnectionLost), afterHead: true, elapsed: .zero, foundation
      ).code == .truncatedResponse)
  }
}

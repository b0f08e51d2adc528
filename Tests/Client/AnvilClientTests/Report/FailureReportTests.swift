import AnvilBase
import AnvilBodies
import AnvilDiagnosis
import AnvilHTTP
import AnvilJSON
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

private struct Account: Decodable, Sendable {
  struct Address: Decodable {
    var zip: String
  }

  var id: Int
  var address: Address
  var createdAt: Date

  enum CodingKeys: String, CodingKey {
    case id, address
    case createdAt = "created_at"
  }
}

@Suite struct FailureReportTests {
  private static let url = URL(string: "https://api.example.com/users?page=secret-page#part")

  private static func response(
    _ status: HTTP.Status, _ body: String, type: HTTP.HeaderValue = .applicationJSON, headers: HTTP.Headers = [:]
  ) throws -> HTTP.Response {
    var response = HTTP.Response(
      request: HTTP.Request(url: try #require(url)), status: status, headers: headers,
      body: HTTP.Body(Data(body.utf8), contentType: type))
    response.headers.add(.contentType, type)
    response.elapsed = .milliseconds(41)
    return response
  }

  private static func failure(of response: HTTP.Response) throws -> any Error {
    do {
      _ = try response.decoded(as: [Account].self) { try $0.decode(as: [Account].self) }
      throw HTTP.BodyError.notCollected
    } catch {
      return error
    }
  }

  private static func report(_ response: HTTP.Response) throws -> FailureReport {
    try #require(FailureReport(try failure(of: response)))
  }

  private static let users = """
    [
      {
        "id": 1,
        "address": {
          "zip": 62704
        },
        "created_at": "2001-01-01T00:00:00Z"
      },
      {"id": 2, "address": {"zip": "secret-zip"}, "createdAt": 0}
    ]
    """

  @Test(arguments: [("302 Found", ", not followed"), ("304 Not Modified", "")])
  func only304IsNotARedirect(status: String, end: String) throws {
    let response = try Self.response(HTTP.Status(code: try #require(Int(status.prefix(3)))), "")
    let failure = try #require(throws: TransportFailure.self) { try response.transportSuccess() }
    #expect(
      "\(failure)" == "GET https://api.example.com/users?page=<redacted>#<redacted> → \(status) application/json\(end)")
    #expect(failure.report.reason == (end.isEmpty ? nil : "not followed"))
  }

  @Test func combinesTheExchangeAndTheDecodingProblems() throws {
    let report = try Self.report(Self.response(200, Self.users))
    #expect(
      report.description == """
        error[decode.type-mismatch] GET https://api.example.com/users?page=<redacted>#<redacted> → 200
          application/json (171 B, attempt 1, 41 ms)
          2 problems decoding [Account]
        1) $[0].address.zip      expected String (Account.Address.zip), found number
                 ┌─ body:5:14 (byte 49)
               4 │     "address": {
               5 │       "zip": …
                 │              ^ number
                 = hint: the number is not in a string
        2) $[1]                  missing key "created_at" (Account.createdAt: Date)
                 ┌─ body:9:3 (byte 110)
                 = keys here: id, address, createdAt
                 = strategy: dateDecodingStrategy = .rfc3339
                 = hint: "createdAt" is similar; check the key strategy
        """)
    #expect(
      report.line == "decode.type-mismatch $[0].address.zip expected String found number @5:14 GET /users 200 (+1 more)"
    )
    #expect(report.detailedDescription.contains("page=secret-page"))
    #expect(report.detailedDescription.contains(#""zip": 62704"#))
    #expect(report.json["diagnosis"]?["problems"]?[1]?["pointer"]?.string == "/1")
  }

  @Test func namesTheRedirectThatLedToAPage() throws {
    var response = try Self.response(
      200, "<!DOCTYPE html>\n<html>Sign in, secret-name</html>", type: "text/html; charset=utf-8",
      headers: ["X-Request-ID": "req-7"])
    let origin = try #require(URL(string: "https://api.example.com/users?token=secret-token"))
    response.history.redirections = [.init(url: origin, method: .get, status: 302)]
    response.history.cacheOutcome = .miss
    let report = try Self.report(response)
    #expect(
      report.rendered(.init(width: 120)) == """
        error[decode.syntax] GET https://api.example.com/users?page=<redacted>#<redacted> → 200 text/html; charset=utf-8 (49 B,
          attempt 1, 41 ms)
          1 problem decoding [Account]
          = redirect: GET https://api.example.com/users?token=<redacted> → 302 Found
          = cache: miss
          = request id: req-7
          = hint: the response is text/html; charset=utf-8, not JSON (after a redirect)
        1) $                     expected a value, found '<'
                 ┌─ body:1:1 (byte 0)
               1 │ <!DOCTYPE… …
                 │ ^^^^^^^^^^
                 = hint: this is HTML: a page instead of data
        """)
    #expect(report.line == "decode.syntax $ expected a value, found '<' @1:1 GET /users 200")
  }

  @Test func listsTheAttemptsBeforeAStatus() throws {
    var response = try Self.response(503, "{}")
    response.history.attempts = [
      .init(outcome: .status(503), delay: .milliseconds(301)),
      .init(
        outcome: .error(TransportError(code: .timedOut, phase: .firstByte, elapsed: .milliseconds(300))),
        delay: .milliseconds(1200)),
    ]
    response.elapsed = .milliseconds(2310)
    let failure = try #require(throws: TransportFailure.self) { try response.transportSuccess() }
    #expect(
      failure.report.description == """
        error[http.503] GET https://api.example.com/users?page=<redacted>#<redacted> → 503 Service
          Unavailable application/json (2 B, attempt 3, 2.31 s)
          = attempt 1: 503 Service Unavailable, then 301 ms
          = attempt 2: timed out after 0.300 s waiting for the response, then 1.20 s
        """)
    #expect(failure.report.line == "http.503 GET /users 503, attempt 3")
  }

  /// Characters that change the order of text, end a line or control a terminal.
  @Test func noFormHasControlOrFormatCharactersOfTheReason() throws {
    let response = try Self.response(503, "{}")
    let reason = "a\u{202E}b\u{2028}c\u{1B}[31md"
    var error = TransportError(code: .connectionLost, reason: reason)
    error.history.attempts = [.init(outcome: .error(TransportError(code: .timedOut, reason: reason)), delay: .zero)]
    let report = TransportFailure(error: error, request: response.request).report
    for text in [report.description, report.line, report.json.serializedText(), "\(error)"] {
      #expect(text.contains("31md"))
      for scalar in ["\u{202E}", "\u{2028}", "\u{1B}"] { #expect(!text.contains(scalar), "\(text.debugDescription)") }
    }
  }

  @Test func statesWhyThereIsNoResponse() throws {
    let request = HTTP.Request(method: .post, url: try #require(Self.url))
    var failure = TransportFailure(
      error: TransportError(code: .timedOut, phase: .connect, elapsed: .milliseconds(300)), request: request)
    failure.elapsed = .milliseconds(305)
    #expect(
      failure.report.description == """
        error[transport.timed-out] POST https://api.example.com/users?page=<redacted>#<redacted> (attempt 1,
          305 ms)
          = reason: timed out after 0.300 s connecting
        """)
    #expect(failure.report.line == "transport.timed-out POST /users, timed out after 0.300 s connecting")
    #expect(
      "\(failure.report.json)"
        == #"{"code":"transport.timed-out","message":"transport.timed-out POST /users, timed out after 0.300 s connecting","#
        + #""method":"POST","url":"https://api.example.com/users?page=<redacted>#<redacted>","seconds":0.305,"#
        + #""reason":"timed out after 0.300 s connecting"}"#)
  }

  @Test func formatsThatAreNotJSONHaveAReason() throws {
    var response = try Self.response(200, "no property list", type: "application/x-plist")
    response.body.decodingFormat = PropertyListDecoder()
    let report = try Self.report(response)
    #expect(report.diagnosis == nil)
    #expect(report.line == "decode.failed GET /users 200, cannot decode Array<Account>: invalid data at $")
  }

  @Test func callersErrorsAreReportedByTheirStoredFailures() throws {
    let response = try Self.response(404, "{}")
    let failure = try #require(throws: TransportFailure.self) { try response.transportSuccess() }
    #expect(FailureReport(AnyError(failure))?.code == "http.404")
    #expect(FailureReport(ProblemFailure(transportFailure: failure))?.code == "http.404")
    #expect(FailureReport(Kept(transportFailure: failure))?.line == "http.404 GET /users 404")
    #expect(FailureReport(HTTP.BodyError.notCollected) == nil)
  }

  private enum Keeping: DecodingFailureRepresentable {
    case network(TransportFailure), undecodable(DecodingFailure)

    init(transportFailure: TransportFailure) { self = .network(transportFailure) }
    init(decodingFailure: DecodingFailure) { self = .undecodable(decodingFailure) }

    var failureResponse: HTTP.Response? { nil }
    var transportError: TransportError? { nil }
    var underlyingTransportFailure: TransportFailure? { if case .network(let failure) = self { failure } else { nil } }
    var underlyingDecodingFailure: DecodingFailure? {
      if case .undecodable(let failure) = self { failure } else { nil }
    }
  }

  @Test func errorsThatStoreTheirFailureHaveItsReport() throws {
    let failure = try #require(try Self.failure(of: Self.response(200, Self.users)) as? DecodingFailure)
    #expect(FailureReport(Keeping(decodingFailure: failure)) == failure.report)
    let request = HTTP.Request(url: try #require(Self.url))
    let lost = TransportFailure(code: .noConnection, request: request)
    #expect(FailureReport(Keeping(transportFailure: lost))?.line == "transport.no-connection GET /users, no connection")
  }

  private struct Span: Decodable, Sendable {
    let range: ClosedRange<Int>

    enum CodingKeys: CodingKey { case from, to }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let from = try container.decode(Int.self, forKey: .from)
      range = try from...container.decode(Int.self, forKey: .to)
    }
  }

  /// Logging must not decode altered values: a model may trap for a 0.
  @Test func describingAFailureDecodesNoAlteredValues() throws {
    let response = try Self.response(200, #"{"from": 1}"#)
    let failure = #expect(throws: DecodingFailure.self) {
      try response.decoded(as: Span.self) { try $0.decode(as: Span.self) }
    }
    #expect(
      failure?.report.line
        == #"decode.missing-key $ missing "to" @1:1 GET /users 200"#)
    #expect(failure?.report.diagnosis?.extent == .first)
  }

  private struct Kept: TransportFailureRepresentable {
    let failureResponse: HTTP.Response?
    let transportError: TransportError?

    init(transportFailure: TransportFailure) {
      failureResponse = transportFailure.response
      transportError = transportFailure.error
    }
  }

  /// Two equal failures have equal reports, even with different objects.
  @Test func equalFailuresHaveEqualReports() throws {
    let first = try #require(try Self.failure(of: Self.response(200, Self.users)) as? DecodingFailure)
    let second = try #require(try Self.failure(of: Self.response(200, Self.users)) as? DecodingFailure)
    let other = try #require(try Self.failure(of: Self.response(200, "[{}]")) as? DecodingFailure)
    #expect(first == second)
    #expect(first != other)
    #expect(first.report == second.report)
    #expect(AnyError(first) == AnyError(second))
    #expect(AnyError(first) != AnyError(other))
    #expect(ProblemFailure(decodingFailure: first) == ProblemFailure(decodingFailure: second))
  }

  @Test func everyKindOfFailureHasAUniqueCodeAndText() throws {
    let request = HTTP.Request(url: try #require(Self.url))
    let codes = TransportError.Code.Kind.allCases.filter { $0 != .redirection }.compactMap(\.code)
    #expect(Set(codes.map { TransportFailure(code: $0, request: request).report.code }).count == codes.count)
    #expect(Set(codes.map(\.description)).count == codes.count)
    let unresolved = TransportFailure(code: .hostNotFound, request: request)
    #expect(unresolved.report.line == "transport.host-not-found GET /users, host not found")
  }

  @Test func theReportContainsTheElapsedTime() async throws {
    let clock = TestClock()
    let session = StubSession()
    let url = try #require(Self.url)
    session.on(.get, url, .status(404))
    let service = TransportService(session: session, clock: clock)
    let result = await service.execute(HTTP.Request(url: url))
    #expect(result.failure?.elapsed == .zero)
    #expect(result.failure?.response?.status == .clientError(.notFound))
  }

  /// Later changes to the decoder do not affect the reports of its failures.
  @Test func theDiagnosisUsesTheStrategiesOfTheDecoding() throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .iso8601
    let response = try Self.response(200, #"[{"id": 1, "address": {"zip": "1"}, "created_at": "yesterday"}]"#)
    let error = #expect(throws: DecodingFailure.self) {
      try response.decoded(as: [Account].self, by: decoder) { try $0.decode(as: [Account].self, with: decoder) }
    }
    decoder.dateDecodingStrategy = .secondsSince1970
    let problem = try #require(error?.report.diagnosis?.problems.first)
    #expect(problem.strategies == ["dateDecodingStrategy = .iso8601"])
    #expect(problem.expected == "Date")
  }
}

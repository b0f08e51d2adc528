import AnvilBase
import AnvilDiagnosis
import AnvilHTTP
import AnvilJSON
import AnvilObservability
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// The outcome that observers receive after an exchange: whether the response was accepted and decoded.
struct OutcomeTests {
  private struct Account: Codable, Sendable {
    var id: Int
    var login: String
  }

  private struct Page: Codable, Sendable {
    @LossyArray var users: [Account]
  }

  /// An error for refusals, which are not transport errors.
  private enum Refusal: DecodingFailureRepresentable {
    case quota(String), other

    init(transportFailure: TransportFailure) { self = .other }
    init(decodingFailure: DecodingFailure) { self = .other }
  }

  private final class Log: Sendable {
    let events = Mutex<[ExchangeObserver.Event]>([])
    let entries = Mutex<[RequestLog.Entry]>([])

    /// The kinds of events other than those of the exchange.
    var outcomes: [String] {
      events.withLock { events in
        events.compactMap { event in
          switch event.kind {
          case .accepted(let report): "accepted \(report.entries.count)"
          case .undecodable(let failure): "undecodable \(failure.report.code)"
          case .rejected(let error): "rejected \(type(of: (error as? AnyError)?.error ?? error))"
          default: nil
          }
        }
      }
    }

    var lines: [String] { entries.withLock { $0.map { "\($0.level): \($0.message)" } } }
    var ids: Set<String> {
      entries.withLock { Set($0.compactMap { $0.metadata.first { $0.name == "exchange" }?.value }) }
    }
    /// All log entries, including their values.
    var text: String { entries.withLock { $0.map(\.description).joined(separator: "\n") } }
  }

  private let log = Log()
  private let recorder = HARRecorder()
  private let session = StubSession { Issue.record($0) }
  private let url: URL
  private let gateway: Gateway
  private let backend: BackendService

  init() throws {
    url = try #require(URL(string: "https://api.example.com/users/1"))
    var configuration = ClientConfiguration.standard
    configuration.clock = RecordingClock()
    let log = log
    configuration.logging = RequestLog { entry in log.entries.withLock { $0.append(entry) } }
    configuration.observers = [ExchangeObserver { event in log.events.withLock { $0.append(event) } }]
    configuration.interceptors = [(recorder, at: .attempt)]
    gateway = Gateway(
      baseURL: try #require(URL(string: "https://api.example.com")), session: session, configuration: configuration)
    backend = BackendService(session: session, configuration: configuration)
  }

  private func answer(_ body: String) { session.on(.get, url, .json(body)) }

  private func comments() throws -> [String?] {
    try JSON(parsing: recorder.archive())["log"]?["entries"]?.elements.map { $0["comment"]?.string } ?? []
  }

  private static let wrong = #"{"id": "secret-id", "login": "secret-login"}"#
  private static let problem = "cannot decode Account: decode.type-mismatch $.id expected Int found string @1:8"
  private static let undecodable = "error: GET https://api.example.com/users/1 → 200 OK, \(problem)"
  private static let success = "info: GET https://api.example.com/users/1 → 200 OK"

  private func expectUndecodable(_ lines: [String]) throws {
    #expect(log.outcomes == ["undecodable decode.type-mismatch"])
    #expect(log.lines == lines)
    #expect(log.ids.count == 1)
    #expect(try comments() == ["Outcome: \(Self.problem)."])
    #expect(!log.text.contains("secret"))
    #expect(log.entries.withLock { $0.last?.metadata.first { $0.name == "error" }?.value } == "decode.type-mismatch")
  }

  @Test func anUndecodableTypedResponseIsNotLoggedAsASuccess() async throws {
    answer(Self.wrong)
    _ = await backend.outcome(Request<Account, APIError>(url: url))
    try expectUndecodable([Self.undecodable])
  }

  @Test func anArchiveContainsTheLocationOfEachProblem() async throws {
    answer(#"{"id": "secret-id"}"#)
    _ = await backend.outcome(Request<Account, APIError>(url: url))
    let outcome = try #require(
      JSON(parsing: recorder.archive())["log"]?["entries"]?[0]?["_anvil"]?["outcome"])
    #expect(outcome["level"] == "error")
    let problem = try #require(outcome["problems"]?[0])
    #expect(problem["code"] == "decode.type-mismatch" && problem["pointer"] == "/id")
    #expect(problem["line"] == 1 && problem["column"] == 8)
    #expect(problem["text"]?.string?.contains("secret") == false)
  }

  @Test func anUndecodableShorthandCallIsNotLoggedAsASuccess() async throws {
    answer(Self.wrong)
    await #expect(throws: AnyError.self) { try await gateway.get("users/1", as: Account.self) }
    try expectUndecodable([Self.undecodable])
  }

  /// The exchange ends and is logged when the promise has its response.
  @Test func anUndecodablePromiseIsLoggedOnASecondLine() async throws {
    answer(Self.wrong)
    let promise = gateway.request("users", 1).execute().decode(as: Account.self)
    await #expect(throws: DecodingFailure.self) { try await promise.value }
    try expectUndecodable([Self.success, Self.undecodable])
  }

  @Test func aDecodedValueIsReportedOnceAndLoggedAsOneLine() async throws {
    answer(#"{"id": 1, "login": "secret"}"#)
    _ = try await gateway.get("users/1", as: Account.self)
    #expect(log.outcomes == ["accepted 0"])
    #expect(log.lines == [Self.success])
    #expect(try comments() == [nil])
    _ = try await gateway.request("users", 1).execute().decode(as: Account.self).value
    #expect(log.outcomes == ["accepted 0", "accepted 0"])
    #expect(log.lines == [Self.success, Self.success])
  }

  @Test func anUndecodedResponseHasNoOutcome() async throws {
    answer(Self.wrong)
    try await gateway.request("users", 1).send()
    _ = try await gateway.request("users", 1).execute().value
    #expect(log.outcomes.isEmpty)
    #expect(log.lines == [Self.success, Self.success])
  }

  @Test(arguments: ["typed", "short", "promise"])
  func droppedElementsAreReported(call: String) async throws {
    answer(#"{"users": [{"id": 1, "login": "a"}, {"id": "secret-id", "login": "b"}, {"id": 3}]}"#)
    let page =
      switch call {
      case "typed": try await backend.execute(Request<Page, AnyError>(url: url))
      case "short": try await gateway.get("users/1", as: Page.self)
      default: try await gateway.request("users", 1).execute().decode(as: Page.self).value
      }
    #expect(page.users.count == 1)
    #expect(log.outcomes == ["accepted 2"])
    let text = "decoded with parts left out: lossy.skipped-element at users[1]: expected Int at users[1].id (+1 more)"
    #expect(log.lines.last == "warning: GET https://api.example.com/users/1 → 200 OK, \(text)")
    #expect(log.lines.count == (call == "promise" ? 2 : 1))
    #expect(try comments() == ["Outcome: \(text)."])
    #expect(!log.text.contains("secret"))
    #expect(log.text.contains("lenient=2"))
  }

  /// A report lists 1,000 problems and counts the others.
  @Test func everyDroppedElementIsCounted() async throws {
    let elements = repeatElement(#"{"id": "x"}"#, count: 1_500).joined(separator: ",")
    answer(#"{"users": [\#(elements)]}"#)
    let page = try await gateway.get("users/1", as: Page.self)
    #expect(page.users.isEmpty)
    #expect(log.text.contains("lenient=1500"))
  }

  @Test func theCallersDecodingReportReceivesTheSameProblems() async throws {
    answer(#"{"users": [{"id": "x"}]}"#)
    let decoder = JSON.Decoder()
    let report = DecodingReport()
    decoder.userInfo[.decodingReport] = report
    _ = try await backend.execute(Request<Page, AnyError>(url: url, decoder: decoder))
    #expect(report.entries.map(\.code) == [.skippedElement])
    #expect(log.outcomes == ["accepted 1"])
  }

  @Test func aValidatorsRejectionIsLoggedWithTypeAndCase() async throws {
    answer(#"{"id": 1, "login": "secret"}"#)
    var request = Request<Account, Refusal>(url: url)
    request.successValidator = { success throws(Refusal) in throw .quota(success.body.string ?? "") }
    _ = await backend.outcome(request)
    #expect(log.outcomes == ["rejected Refusal"])
    #expect(
      log.lines == ["warning: GET https://api.example.com/users/1 → 200 OK, refused: OutcomeTests.Refusal.quota"])
    #expect(try comments() == ["Outcome: refused: OutcomeTests.Refusal.quota."])
    #expect(!log.text.contains("secret"))
  }

  @Test func anUndecodablePageIsNotLoggedAsASuccess() async throws {
    answer(Self.wrong)
    let pages = gateway.request("users", 1).pages(of: Account.self, by: .linkHeader)
    let error = await #expect(throws: AnyError.self) { for try await _ in pages {} }
    #expect(error?.underlyingDecodingFailure != nil)
    try expectUndecodable([Self.undecodable])
  }

  @Test func aPageIsReportedOnce() async throws {
    answer(#"{"id": 1, "login": "secret"}"#)
    for try await page in gateway.request("users", 1).pages(of: Account.self, by: .linkHeader) {
      #expect(page.value.id == 1)
    }
    #expect(log.outcomes == ["accepted 0"])
    #expect(log.lines == [Self.success])
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func aRejectedResponseIsNotLoggedAsASuccess(delivery: ResponseDelivery) async throws {
    answer(#"{"id": 1, "login": "secret"}"#)
    var request = Request<HTTP.Response, Refusal>(url: url, responseDelivery: delivery)
    request.successValidator = { _ throws(Refusal) in throw .other }
    _ = await backend.outcome(request)
    #expect(log.outcomes == ["rejected Refusal"])
    #expect(
      log.lines.first == "warning: GET https://api.example.com/users/1 → 200 OK, refused: OutcomeTests.Refusal.other")
    #expect(!log.lines.contains(Self.success))
  }

  /// The response is logged when the caller receives it, because it is unknown whether it will be decoded.
  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func anAcceptedResponseIsLoggedAtOnce(delivery: ResponseDelivery) async throws {
    answer(#"{"id": 1, "login": "secret"}"#)
    var request = Request<HTTP.Response, Refusal>(url: url, responseDelivery: delivery)
    request.successValidator = { _ throws(Refusal) in }
    let response = try await backend.execute(request)
    _ = try await response.body.collect()
    #expect(log.lines == [Self.success])
    #expect(log.outcomes.isEmpty)
    _ = response
  }

  @Test func aMissingBodyIsReportedAsRejected() async throws {
    session.on(.get, url, .status(204))
    _ = await backend.outcome(Request<Account, APIError>(url: url))
    #expect(log.outcomes == ["rejected TransportFailure"])
    #expect(
      log.lines == ["error: GET https://api.example.com/users/1 → 204 No Content, no data: the response has no body"])
  }

  @Test func anUnexpectedBodyIsReportedAsUndecodable() async throws {
    answer(#"{"secret": 1}"#)
    _ = await backend.outcome(
      Request<EmptyResponse, AnyError>.withEmptyResponse(url: url, emptyDecodingStrategy: .validatedEmpty))
    #expect(log.outcomes == ["undecodable decode.failed"])
    #expect(log.lines.first?.contains("→ 200 OK, expected no body, found") == true)
    #expect(!log.text.contains("secret"))
  }

  /// The response is that of the last attempt.
  @Test func onlyTheLastAttemptHasAnOutcome() async throws {
    session.on(.get, url, times: 1, .status(503))
    answer(Self.wrong)
    _ = await backend.outcome(Request<Account, APIError>(url: url))
    #expect(try comments() == [nil, "Outcome: \(Self.problem)."])
    #expect(log.outcomes == ["undecodable decode.type-mismatch"])
  }

  @Test func aFailureStatusIsLoggedAtOnce() async throws {
    session.on(.get, url, .status(404))
    _ = await backend.outcome(Request<Account, APIError>(url: url))
    #expect(log.outcomes.isEmpty)
    #expect(log.lines == ["warning: GET https://api.example.com/users/1 → 404 Not Found"])
  }

  /// An interceptor before the log that answers with another response.
  private struct Replacing: Interceptor {
    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      let body = try await next.send(request, options: options).body
      for try await _ in body {}
      return TransportResponse(HTTP.Response(request: request, status: 200), body: Data(#"{"id":1,"login":""}"#.utf8))
    }
  }

  @Test func aResponseReplacedByAnInterceptorIsLogged() async throws {
    answer("{}")
    let log = log
    let service = TransportService(
      session: session,
      interceptors: [Replacing(), RequestLog { entry in log.entries.withLock { $0.append(entry) } }.interceptor])
    _ = try await BackendService(transportService: service).execute(Request<Account, AnyError>(url: url))
    #expect(log.lines == [Self.success])
  }

  private final class Observer: Sendable {
    let events = Mutex<[ExchangeObserver.Event]>([])
  }

  private struct Observed {
    weak var observer: Observer?
    var events: [ExchangeObserver.Event]
    var failure: AnyError?
  }

  private func observed() async -> Observed {
    let observer = Observer()
    var configuration = ClientConfiguration.bare
    configuration.observers = [ExchangeObserver { event in observer.events.withLock { $0.append(event) } }]
    let backend = BackendService(session: session, configuration: configuration)
    let failure = await backend.outcome(Request<Account, AnyError>(url: url)).failure
    return Observed(observer: observer, events: observer.events.withLock { $0 }, failure: failure)
  }

  @Test func failuresAndEventsRetainNoObservers() async throws {
    answer(Self.wrong)
    let observed = await observed()
    #expect(observed.failure?.failureResponse != nil && observed.events.count > 3)
    #expect(observed.observer == nil)
  }

  @Test func stepsOfAPromiseThatKeepItsResponseReportTheOutcome() async throws {
    answer(Self.wrong)
    let unavailable = URL(string: "https://api.example.com/users/2")
    session.on(.get, try #require(unavailable), .status(503))
    let gateway = gateway.configured { $0.retries = nil }
    let promise = gateway.request("users/2").execute().recover { [gateway] _ in gateway.request("users/1").execute() }
      .catch { _ in }.finally {}
    await #expect(throws: DecodingFailure.self) { try await promise.decode(as: Account.self).value }
    #expect(log.outcomes == ["undecodable decode.type-mismatch"])
  }
}

import AnvilHTTP
import Foundation
import Testing

@testable import AnvilClient

@Suite struct TokenMachineTests {
  private struct Odd: Error {}
  private let now = Date(timeIntervalSince1970: 1_000_000)

  private func name(_ action: TokenMachine.Action) -> String {
    switch action {
    case .use(let grant): "use \(grant.token.value)"
    case .wait: "wait"
    case .refresh: "refresh"
    case .fail(let error): "fail \(error.code)"
    }
  }

  @Test func a4_oneRefreshServesAllWaitingRequests() throws {
    var machine = TokenMachine(token: .init("old"), skew: nil)
    guard case .use(let old) = machine.request(at: .zero, now: now) else { return #expect(Bool(false)) }
    #expect(name(machine.request(insteadOf: old, at: .zero, now: now)) == "refresh")
    #expect(name(machine.request(insteadOf: old, at: .zero, now: now)) == "wait")
    #expect(name(machine.request(at: .zero, now: now)) == "wait")
    let grant = try machine.finish(.success(.init("new")), now: now).get()
    #expect(grant.token.value == "new" && grant.wasAwaited)
    // The response to a request with the old token arrives late.
    #expect(name(machine.request(insteadOf: old, at: .zero, now: now)) == "use new")
    #expect(name(machine.request(insteadOf: grant, at: .zero, now: now)) == "refresh")
  }

  @Test func a4_anotherRefreshIsAllowedAfterAFailure() throws {
    var machine = TokenMachine(token: nil, skew: nil)
    #expect(name(machine.request(at: .zero, now: now)) == "refresh")
    #expect(throws: TransportError(code: .authenticationFailed)) {
      try machine.finish(.failure(Odd()), now: now).get()
    }
    #expect(name(machine.request(at: .zero, now: now)) == "refresh")
  }

  @Test func a4_atMostFiveRefreshesStartInThirtySeconds() {
    var machine = TokenMachine(token: nil, skew: nil)
    for second in 0..<5 {
      #expect(name(machine.request(at: .seconds(second), now: now)) == "refresh")
      _ = machine.finish(.success(.init("new")), now: now)
      machine.reject(.init(token: .init("new"), number: second + 1, wasAwaited: true))
    }
    guard case .fail(let error) = machine.request(at: .milliseconds(29_999), now: now) else {
      return #expect(Bool(false))
    }
    #expect(error.description == "authentication failed: the token was already refreshed 5 times in 30 seconds")
    #expect(name(machine.request(at: .seconds(30), now: now)) == "refresh")
    _ = machine.finish(.failure(Odd()), now: now)
    #expect(name(machine.request(at: .milliseconds(30_999), now: now)) == "fail authentication failed")
    #expect(name(machine.request(at: .seconds(31), now: now)) == "refresh")
  }

  /// An outage is not a reason to sign in again, however many requests need a token meanwhile.
  @Test func a4_theErrorOfARefreshThatMayNotStartIsThatOfTheLastOne() {
    var machine = TokenMachine(token: nil, skew: nil)
    for _ in 0..<5 {
      #expect(name(machine.request(at: .zero, now: now)) == "refresh")
      _ = machine.finish(.failure(TransportError(code: .noConnection)), now: now)
    }
    guard case .fail(let error) = machine.request(at: .zero, now: now) else { return #expect(Bool(false)) }
    #expect(
      error.description
        == "no connection: the token could not be refreshed: no connection; no more than 5 refreshes start in 30 seconds"
    )
  }

  @Test func a4_aTokenIsRefreshedWithinTheSkewBeforeItsExpiry() throws {
    var machine = TokenMachine(token: .init("old", expiry: now.addingTimeInterval(60)), skew: .seconds(30))
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(29))) == "use old")
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(30))) == "refresh")
    // While the refresh fails, the old token is sent until it expires.
    #expect(try machine.finish(.failure(Odd()), now: now.addingTimeInterval(59)).get().token.value == "old")
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(59))) == "refresh")
    #expect(throws: TransportError.self) {
      try machine.finish(.failure(Odd()), now: now.addingTimeInterval(60)).get()
    }
    for _ in 0..<3 {
      #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(31))) == "refresh")
      _ = machine.finish(.failure(Odd()), now: now.addingTimeInterval(31))
    }
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(31))) == "use old")
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(60))) == "fail authentication failed")
  }

  @Test func a4_anExpiredTokenIsRefreshedWithoutASkew() {
    var machine = TokenMachine(token: .init("old", expiry: now), skew: nil)
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(-1))) == "use old")
    #expect(name(machine.request(at: .zero, now: now)) == "refresh")
    // An expired token is not sent if the refresh fails.
    #expect(machine.finish(.failure(Odd()), now: now).failure?.code == .authenticationFailed)
  }

  @Test func a4_aTokenThatIsInvalidInAFieldIsAFailure() {
    var machine = TokenMachine(token: nil, skew: nil)
    _ = machine.request(at: .zero, now: now)
    let error = machine.finish(.success(.init("a\r\nb")), now: now).failure
    #expect(error?.underlyingError as? Credential.FormatError == .malformedToken && machine.token == nil)
  }

  @Test(arguments: [
    TransportError.Code.noConnection, .hostNotFound, .connectionLost, .timedOut, .tlsFailure, .truncatedResponse,
    .malformedResponse, .circuitOpen, .serverError(.serviceUnavailable), .clientError(.tooManyRequests),
  ])
  func a4_theErrorOfARefreshKeepsTheCodeOfATransportFailure(code: TransportError.Code) throws {
    let request = HTTP.Request(
      method: .post, url: try #require(URL(string: "https://login.example.com/token?k=s3cret")))
    let error = TransportError(code: code, phase: .connect, reason: "port 443 refused")
    let failure = TransportFailure(error: error, request: request)
    for thrown in [error, failure, AnyError(failure), APIError(transportFailure: failure)] as [any Error] {
      var machine = TokenMachine(token: nil, skew: nil)
      _ = machine.request(at: .zero, now: now)
      let found = try #require(machine.finish(.failure(thrown), now: now).failure)
      #expect(found.code == code && found.phase == .connect)
      #expect("\(found)".contains("the token could not be refreshed") && "\(found)".contains("port 443 refused"))
      #expect(!"\(found)".contains("s3cret"))
    }
  }

  @Test func a4_theErrorOfARefreshStatesTheCause() throws {
    let request = HTTP.Request(
      method: .post, url: try #require(URL(string: "https://login.example.com/token?k=s3cret")))
    let response = HTTP.Response(request: request, status: 400)
    let failure = TransportFailure(
      error: TransportError(code: .clientError(.badRequest)), request: request, response: response)
    for (thrown, cause) in [
      (failure as any Error, "400"), (AnyError(failure), "400"), (TransportError(code: .cancelled), "cancelled"),
      (CancellationError(), "CancellationError"), (Odd(), "Odd"),
    ] {
      var machine = TokenMachine(token: nil, skew: nil)
      _ = machine.request(at: .zero, now: now)
      let found = try #require(machine.finish(.failure(thrown), now: now).failure)
      #expect(found.code == .authenticationFailed)
      #expect("\(found)".contains("the token could not be refreshed") && "\(found)".contains(cause))
      #expect(!"\(found)".contains("s3cret"))
    }
  }

  /// The clocks of the client and the server differ. Otherwise each request would refresh the token.
  @Test func a4_theExpiryOfATokenThatHadExpiredWhenItWasNewIsIgnored() throws {
    var machine = TokenMachine(token: nil, skew: .seconds(10))
    _ = machine.request(at: .zero, now: now)
    let grant = try machine.finish(.success(.init("new", expiry: now)), now: now).get()
    #expect(name(machine.request(at: .zero, now: now)) == "use new")
    #expect(name(machine.request(insteadOf: grant, at: .zero, now: now)) == "refresh")
    _ = try machine.finish(.success(.init("newer", expiry: now.addingTimeInterval(60))), now: now).get()
    #expect(name(machine.request(at: .zero, now: now.addingTimeInterval(60))) == "refresh")
  }
}

import Anvil
import AnvilTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct TestingSamples {
  @Test func stubAnswersRequests() async throws {
    let baseURL = try #require(URL(string: "https://api.example.com"))
    let url = try #require(URL(string: "https://api.example.com/users/1"))
    // sample: stub
    let session = StubSession { Issue.record($0) }  // an unexpected request fails the test
    session.on(.get, url, times: 1, .status(503))
    session.on(.get, url, .json(#"{"id": 1, "login": "ada"}"#))
    let gateway = Gateway(baseURL: baseURL, session: session)
    let user = try await gateway.get("users/1", as: User.self)  // the second attempt succeeds
    // end sample
    #expect(user.login == "ada" && session.requests.count == 2)
    try session.verify()
  }

  @Test func loopbackServerSimulatesFaults() async throws {
    // sample: server
    let server = try LoopbackServer()
    server.on(.get, "/users/:id") { request in
      .json(#"{"id": \#(request.parameters["id"] ?? "0"), "login": "ada"}"#)
    }
    server.on(.get, "/truncated") { _ in .fault(.truncatedBody) }
    server.on(.get, "/slow") { _ in .json("{}").after(.milliseconds(50)) }

    let gateway = Gateway(baseURL: server.url)
    let user = try await gateway.request("users", 7).execute().decode(as: User.self).value
    // end sample
    #expect(user.id == 7)
    let failure = await gateway.request("truncated").execute().result
    guard case .failure(let error as TransportFailure) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(error.error.code == .truncatedResponse)
  }

  #if os(Linux)
  @Test func responsesAreRecordedAndReplayed() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users/7") { _ in .json(#"{"id": 7, "login": "ada"}"#) }
    let baseURL = server.url
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    for _ in 0..<2 {
      // sample: cassette
      let session = try CassetteSession(file: file, mode: .replayOrRecord(CurlSession.shared)) { Issue.record($0) }
      let gateway = Gateway(baseURL: baseURL, session: session)
      let user = try await gateway.request("users", 7).execute().decode(as: User.self).value
      try session.verify()  // fails if a recorded exchange was not used
      // end sample
      #expect(user.login == "ada")
    }
    #expect(server.requests.count == 1)
  }
  #endif

  @Test func testClockIsAdvanced() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/silent") { _ in .raw([.hang]) }
    // sample: clock
    let clock = TestClock()
    var configuration = ClientConfiguration.standard
    configuration.clock = clock
    configuration.deadline = .seconds(30)
    let gateway = Gateway(baseURL: server.url, configuration: configuration)
    let call = Task { try await gateway.get("silent", as: User.self) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(30))
    print(await call.result)  // timed out: the deadline of 30.000 s for the whole request
    // end sample
    guard case .failure(let error) = await call.result, case let failure as AnyError = error else {
      Issue.record("the call has not failed")
      return
    }
    #expect(failure.transportError?.code == .timedOut)
    #expect("\(failure)".contains("the deadline of 30.000 s for the whole request"))
  }
}

import AnvilCommands
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The request that the server receives.
@Suite(.timeLimit(.minutes(15)))
struct GetRequestTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    for method: HTTP.Method in [.get, .post, .put, .delete, "PURGE"] {
      server.on(method, "/*") { _ in .status(204) }
    }
  }

  private func request(after outcome: Outcome) throws -> LoopbackServer.Request {
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    return try #require(server.requests.last)
  }

  @Test func sendsGETWithoutABody() async throws {
    let request = try request(after: await anvil("get", server.argument("/users?page=2")))
    #expect(request.method == .get)
    #expect(request.target == "/users?page=2")
    #expect(request.body.isEmpty)
    #expect(!request.headers.contains(.contentType))
  }

  #if os(Linux)
  /// The two transports are distinguished by the content codings that they accept.
  @Test(arguments: [([], true), (["--transport", "curl"], true), (["--transport=urlsession"], false)])
  func transportOptionSelectsTheSession(option: [String], isCurl: Bool) async throws {
    let request = try request(after: await anvil(arguments: ["get", server.argument()] + option))
    let codings = try #require(request.headers[.acceptEncoding]?.rawValue)
    #expect(codings.contains("gzip") == isCurl)
  }
  #endif

  @Test(arguments: [["--method", "PURGE"], ["--method=PURGE"], ["-X", "PURGE"], ["-XPURGE"]])
  func sendsTheMethod(option: [String]) async throws {
    let outcome = await anvil(arguments: ["get"] + option + [server.argument("/cache")])
    #expect(outcome.status == 0)
    #expect(server.requests.map(\.method) == ["PURGE"])
  }

  @Test(arguments: ["0", "100"])
  func numberOfRetriesMayBeTheSmallestOrTheLargest(retries: String) async throws {
    _ = try request(after: await anvil("get", server.argument(), "--retries", retries))
  }

  @Test func sendsHeaders() async throws {
    let request = try request(
      after: await anvil(
        "get", "-H", "Accept:text/csv", server.argument("/"), "--header", "X-Time:  12:30 ", "--header=X-List: a=b"))
    #expect(request.headers[.accept] == "text/csv")
    #expect(request.headers["X-Time"] == "12:30")
    #expect(request.headers["X-List"] == "a=b")
  }

  @Test func jsonIsPosted() async throws {
    let request = try request(after: await anvil("post", server.argument("/"), "--json", #"{ "a": 1.0 }"#))
    #expect(request.method == .post)
    #expect(request.headers[.contentType] == .applicationJSON)
    #expect(String(decoding: request.body, as: UTF8.self) == #"{ "a": 1.0 }"#)
  }

  @Test func jsonKeepsTheGivenMethodAndMediaType() async throws {
    let request = try request(
      after: await anvil(
        "get", server.argument("/"), "--json=-1", "-X", "PUT", "-H", "content-type: application/vnd.api+json"))
    #expect(request.method == .put)
    #expect(request.headers.values(for: .contentType) == ["application/vnd.api+json"])
    #expect(String(decoding: request.body, as: UTF8.self) == "-1")
  }

  @Test func twoHyphensEndTheOptions() async throws {
    let request = try request(after: await anvil("get", "-X", "DELETE", "--", server.argument("/users/1")))
    #expect(request.method == .delete)
  }
}

import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The header fields that the tool sends after a redirect.
@Suite(.timeLimit(.minutes(15))) struct RedirectTests {
  private let first: LoopbackServer
  private let second: LoopbackServer

  init() throws {
    first = try LoopbackServer()
    second = try LoopbackServer()
    let target = second.argument("/new")
    first.on(.get, "/old") { _ in .status(302, headers: [.location: "\(target)"]) }
    first.on(.get, "/near") { _ in .status(302, headers: [.location: "/new"]) }
    for server in [first, second] { server.on(.get, "/new") { _ in .json(#"{"id": 1}"#) } }
  }

  private func arguments(_ command: String, _ target: String) -> [String] {
    switch command {
    case "check": ["check", first.argument(target), "-L", "--against", first.argument("/new"), "--sample"]
    case "get": ["get", first.argument(target), "-L"]
    default: [command, first.argument(target)]
    }
  }

  private static let secrets = [
    "-H", "X-Api-Key: t0p", "-H", "User-Agent: t0p", "-H", "Accept: t0p", "--bearer", "t0p",
  ]

  @Test(arguments: ["get", "check", "model"])
  func fieldsAreNotSentToAnotherServer(command: String) async {
    let outcome = await anvil(arguments: arguments(command, "/old") + Self.secrets)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(second.requests.count == 1)
    for request in second.requests {
      #expect(!request.headers.contains { $0.value.rawValue.contains("t0p") }, "\(request.headers.detailedDescription)")
    }
  }

  @Test(arguments: ["get", "check", "model"])
  func fieldsFollowARedirectToTheSameServer(command: String) async {
    let outcome = await anvil(arguments: arguments(command, "/near") + Self.secrets)
    #expect(outcome.status == 0, "\(outcome)")
    let redirected = first.requests.last { $0.path == "/new" }
    for key in ["X-Api-Key", .userAgent, .accept] as [HTTP.HeaderKey] {
      #expect(redirected?.headers[key] == "t0p")
    }
    #expect(redirected?.headers[.authorization] == "Bearer t0p")
  }
}

import AnvilHTTP
import AnvilTesting
import Testing

/// Files named by options of `anvil get` that cannot be read.
@Suite(.timeLimit(.minutes(15))) struct UnreadableFileTests {
  @Test(arguments: [
    (["--cacert", "/no/such"], #"--cacert "/no/such" cannot be read: no such file"#),
    (["-d", "@/no/such"], #"--data "/no/such" cannot be read: no such file"#),
    (["-d", "@/tmp"], #"--data "/tmp" cannot be read: it is a folder"#),
    (["a=@/no/such"], #"the value of "a": "/no/such" cannot be read: no such file"#),
    (["-F", "a=@/no/such"], #"--multipart "/no/such" cannot be read: no such file"#),
    (["--user-file", "/no/such"], #"--user-file "/no/such" cannot be read: no such file"#),
    (["--netrc-file", "/tmp"], #"--netrc-file "/tmp" cannot be read: it is a folder"#),
    (["--cookies", "/tmp"], "the cookies cannot be read: it is a folder"),
    (["--etag-compare", "/tmp"], #"--etag-compare "/tmp" cannot be read: it is a folder"#),
  ])
  func theStatusIsThatOfInputErrors(options: [String], message: String) async throws {
    let server = try LoopbackServer()
    let outcome = await anvil(arguments: ["get", server.argument()] + options)
    #expect(outcome == Outcome(status: 74, output: "", error: "anvil: \(message)\n"))
    #expect(server.requests.isEmpty)
  }

  @Test func aMissingEntityTagIsIgnored() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}") }
    #expect(await anvil("get", server.argument(), "--etag-compare", "/no/such").output == "{}")
  }
}

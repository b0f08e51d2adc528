import AnvilCommands
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The input and the output of `anvil model`.
@Suite(.timeLimit(.minutes(15)))
struct ModelCommandTests {
  /// Calls `body` with a new folder that contains the files, and removes it afterwards.
  private func withFiles<Result>(
    _ files: [String: String], _ body: (_ folder: String) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryFolder { folder in
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      return try await body(folder.path)
    }
  }

  @Test func samplesAreCombinedIntoOneModel() async throws {
    let files = [
      "users.json": #"[{"id": 1, "full_name": "Ada", "home": "https://a.b", "class": null}]"#,
      "more.json": #"[{"id": 2, "full_name": "Bo", "class": 3, "address": {"zip": "x"}}]"#,
    ]
    let outcome = try await withFiles(files) { await anvil("model", "\($0)/users.json", "\($0)/more.json") }
    let source = """
      // Made by `anvil model` from users.json, more.json.
      //
      //     let model = try JSON.read([User].self, from: data)

      import Anvil
      import Foundation

      @JSONCodable
      struct User: Hashable, Sendable {
        let id: Int
        @CodingKey("full_name") let fullName: String
        let home: URL?
        let `class`: Int?
        let address: Address?

        @JSONCodable
        struct Address: Hashable, Sendable {
          let zip: String
        }
      }

      """
    #expect(outcome == Outcome(status: 0, output: source, error: ""))
  }

  @Test func codableModelsDoNotDependOnAnvil() async throws {
    let files = ["users.json": #"[{"id": 1, "full_name": "Ada", "home": "https://a.b", "class": null}]"#]
    let outcome = try await withFiles(files) { await anvil("model", "--style", "codable", "\($0)/users.json") }
    let source = """
      // Made by `anvil model` from users.json.
      //
      //     let decoder = JSON.Decoder()  // or JSONDecoder()
      //     let model = try decoder.decode([User].self, from: data)

      import Foundation

      struct User: Codable, Hashable, Sendable {
        let id: Int
        let fullName: String
        let home: URL
        let `class`: Unknown?

        private enum CodingKeys: String, CodingKey {
          case id
          case fullName = "full_name"
          case home, `class`
        }

        /// A value that is not kept: samples had `null`, nothing, or a number that no type can hold.
        struct Unknown: Codable, Hashable, Sendable {}
      }

      """
    #expect(outcome == Outcome(status: 0, output: source, error: ""))
  }

  @Test func snakeCaseNamingReplacesCodingKeys() async throws {
    let files = ["a.json": #"{"user_id": 1, "html_url": "x", "_x": 2}"#]
    let outcome = try await withFiles(files) {
      await anvil("model", "--keys", "snake-case", "--name", "Page", "\($0)/a.json")
    }
    let source = """
      // Made by `anvil model` from a.json.
      //
      //     let model = try JSON.read(Page.self, from: data)

      import Anvil

      @JSONCodable @CodableNaming(.snakeCase)
      struct Page: Hashable, Sendable {
        let userID: Int
        let htmlURL: String
        @CodingKey("_x") let x: Int
      }

      """
    #expect(outcome == Outcome(status: 0, output: source, error: ""))
  }

  @Test func mappingDistinguishesMissingAndNull() async throws {
    let files = ["event.ndjson": #"{"a": 1, "b": null, "c": "2013-01-10T07:58:30Z"}"# + "\n\n" + #"{"a": 2, "b": 1.5}"#]
    let outcome = try await withFiles(files) {
      await anvil("model", "--style", "mapping", "--access=public", "\($0)/event.ndjson")
    }
    let source = """
      // Made by `anvil model` from event.ndjson.
      //
      //     let model: Event = try .decode(JSON(parsing: data))

      import Anvil
      import Foundation

      public struct Event: JSONDecodable, Hashable, Sendable {
        public let a: Int
        public let b: Double?
        public let c: Date?

        public static func decode(_ json: JSON) throws -> Self {
          try Self(a: json => "a", b: json => "b", c: json =>? "c")
        }
      }

      """
    #expect(outcome == Outcome(status: 0, output: source, error: ""))
  }

  @Test func codableSnakeCaseDependsOnTheDecoder() async throws {
    let files = ["a.json": #"{"user_id": 1, "html_url": "x", "_x": 2, "Odd": true}"#]
    let outcome = try await withFiles(files) {
      await anvil("model", "--style=codable", "--keys", "snake-case", "--name", "Page", "\($0)/a.json")
    }
    let source = """
      // Made by `anvil model` from a.json.
      //
      //     let decoder = JSON.Decoder()  // or JSONDecoder()
      //     decoder.keyDecodingStrategy = .convertFromSnakeCase
      //     let model = try decoder.decode(Page.self, from: data)

      struct Page: Codable, Hashable, Sendable {
        let userId: Int
        let htmlUrl: String
        let x: Int
        let odd: Bool

        private enum CodingKeys: String, CodingKey {
          case userId, htmlUrl
          case x = "_x"
          case odd = "Odd"
        }
      }

      """
    #expect(outcome == Outcome(status: 0, output: source, error: ""))
  }

  @Test(arguments: [
    ("/users/octocat", #"{"id": 1}"#, "User"), ("/repos/a/b/issues?page=2", #"[{"id": 1}]"#, "Issue"),
    ("/status.json", #"{"id": 1}"#, "Status"), ("/", #"{"id": 1}"#, "Root"),
  ])
  func samplesAreFetchedFromURLs(target: String, body: String, name: String) async throws {
    let server = try LoopbackServer()
    let path = String(target.prefix { $0 != "?" })
    server.on(.get, path) { request in
      request.headers["X-Key"] == "k" ? .json(body) : .text("no key", status: 403)
    }
    let outcome = await anvil("model", server.argument(target), "-H", "X-Key: k")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.contains("@JSONCodable\nstruct \(name): Hashable, Sendable {\n  let id: Int\n}\n"))
    #expect(outcome.output.hasPrefix("// Made by `anvil model` from 127.0.0.1\(path).\n"))
  }

  @Test func headersAndCredentialsAreSentOnlyToTheServerOfTheFirstURL() async throws {
    let (server, other) = (try LoopbackServer(), try LoopbackServer())
    for server in [server, other] { server.on(.get, "/") { _ in .json(#"{"id": 1}"#) } }
    let arguments = [server.argument(), other.argument(), "-H", "X-Key: 1", "--bearer", "abc"]
    #expect(await anvil(arguments: ["model"] + arguments).status == 0)
    for (server, value) in [(server, "1"), (other, nil)] as [(LoopbackServer, String?)] {
      #expect(server.requests.map { $0.headers["X-Key"]?.rawValue } == [value])
      #expect(server.requests.map { $0.headers.contains(.authorization) } == [value != nil])
    }
  }

  @Test func valuesDeeperThan128ContainersAreUnknown() async throws {
    let text = String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200)
    let outcome = try await withFiles(["a.json": text]) { await anvil("model", "\($0)/a.json") }
    #expect(outcome.status == 0)
    #expect(outcome.output.count(where: { $0 == "{" }) < 200)
  }

  @Test func pathSelectsTheValue() async throws {
    let files = ["a.json": #"{"data": {"people": [{"name": "x"}]}}"#, "b.json": #"{"data": {"people": []}}"#]
    let outcome = try await withFiles(files) {
      await anvil("model", "\($0)/a.json", "\($0)/b.json", "--path", "data.people")
    }
    #expect(outcome.output.contains("JSON.read([Person].self, from: data)"))
    #expect(outcome.output.hasSuffix("struct Person: Hashable, Sendable {\n  let name: String\n}\n"))
  }

  @Test func serverFailuresAreReported() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("gone", status: 410) }
    let outcome = await anvil("model", server.argument())
    #expect(outcome.status == 4)
    #expect(outcome.output == "")
    #expect(outcome.error == "anvil: GET \(server.argument()) → 410 Gone text/plain; charset=utf-8\n")
  }

  @Test(arguments: [
    ("a.json", "{\n  \"a\": 01\n}", "invalid number at line 2, column 9 (byte 10)"),
    ("a.json", "[1]\n[2", "unexpected end at line 2, column 3"),
    ("a.jsonl", "[1]\n\n{\"a\": tru}\n", "expected true, found '}' at line 3, column 10"),
    ("a.json", "{\"a\": 1}\n{\"a\": }\n", "expected a value, found '}' at line 2, column 7"),
    ("a.json", "", "it is empty"),
    ("a.ndjson", "\n \n", "it is empty"),
  ])
  func syntaxErrorsAreReportedWithTheirLocation(name: String, text: String, message: String) async throws {
    let (outcome, folder) = try await withFiles([name: text]) { (await anvil("model", "\($0)/\(name)"), $0) }
    #expect(outcome == Outcome(status: 5, output: "", error: "anvil: \(folder)/\(name) is not JSON: \(message)\n"))
  }

  @Test func missingFilesAreReported() async throws {
    let outcome = await anvil("model", "/no/such/file.json")
    #expect(outcome.status == 74)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("anvil: cannot read /no/such/file.json: "))
  }

  @Test func missingValuesAreReported() async throws {
    let (outcome, folder) = try await withFiles(["a.json": #"{"b": 1}"#]) {
      (await anvil("model", "\($0)/a.json", "--path", "c"), $0)
    }
    let error = "anvil: \(folder)/a.json: no key \"c\" at the top level; keys here: b\n"
    #expect(outcome == Outcome(status: 5, output: "", error: error))
  }

  @Test(arguments: [
    ("", "a file or URL is missing"),
    ("- -", "standard input can be read only once"),
    ("a.json --name class", #"--name "class" cannot be the name of a type"#),
    ("a.json --name String", #"--name "String" cannot be the name of a type"#),
    ("a.json --style swift", #"--style "swift" is not macro, codable or mapping"#),
    ("a.json --keys camel", #"--keys "camel" is neither coding-keys nor snake-case"#),
    ("a.json --style mapping --keys snake-case", "--keys needs --style macro or codable"),
    ("a.json --access open", #"--access "open" is neither internal nor public"#),
    ("a.json --path a..b", #"--path "a..b": expected a key at character 3"#),
    ("a.json --header A:b", "--header needs a URL"),
    ("http://127.0.0.1:1 --header A", #"--header "A" is not 'Name: value'"#),
    ("http://127.0.0.1:1 --timeout 0", #"--timeout "0" is not a number of seconds above 0"#),
    (
      "http:///x",
      #""http:///x": the URL is not an absolute http or https URL with a host, or its port is greater than 65535"#
    ),
    ("a.json --pretty", #"unknown option "--pretty""#),
  ])
  func argumentsAreChecked(line: String, message: String) async {
    let outcome = await anvil(arguments: ["model"] + line.split(separator: " ").map(String.init))
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil model --help'.\n"))
  }
}

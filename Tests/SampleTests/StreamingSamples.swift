import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

private struct Question: Encodable, Sendable { var text: String }
private struct Chunk: Decodable, Sendable { var text: String }

@Suite(.timeLimit(.minutes(15))) struct StreamingSamples {
  let server: LoopbackServer
  let gateway: Gateway

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/log") { _ in .chunked([Data("one\ntw".utf8), Data("o\r\nthree".utf8)]) }
    server.on(.get, "/users") { _ in
      .chunked([Data(#"[{"id": 1, "login": "ada"}, {"id":"#.utf8), Data(#" 2, "login": "tomoko"}]"#.utf8)])
    }
    server.on(.get, "/users.ndjson") { _ in
      .chunked([Data("{\"id\": 1, \"login\": \"ada\"}\n{\"id\": ".utf8), Data("\"two\"}\n".utf8)])
    }
    server.on(.get, "/users.json-seq") { _ in
      .chunked([Data("\u{1E}{\"id\": 1, \"login\": \"ada\"}\n\u{1E}{\"id".utf8), Data("\u{1E}{\"id\": 2}\n".utf8)])
    }
    gateway = Gateway(baseURL: server.url)
  }

  @Test func bodiesAreReadAsTheyArrive() async throws {
    // sample: chunks
    let response = try await gateway.request("log").stream()
    var size = 0
    for try await chunk in response.body { size += chunk.count }
    // end sample
    #expect(size == 14)
  }

  @Test func linesAreRead() async throws {
    var seen: [String] = []
    // sample: lines
    for try await line in gateway.request("log").lines() {
      print(line)
    }
    // end sample
    for try await line in gateway.request("log").lines() { seen.append(line) }
    #expect(seen == ["one", "two", "three"])
  }

  @Test func elementsAreDecodedAsTheyArrive() async throws {
    // sample: elements
    var logins: [String] = []
    for try await user in gateway.request("users").elements(of: User.self) { logins.append(user.login) }
    // end sample
    #expect(logins == ["ada", "tomoko"])
  }

  @Test func linesOfJSONAreDecoded() async throws {
    // sample: ndjson
    let response = try await gateway.request("users.ndjson").stream()
    for try await result in response.body.jsonLines(of: User.self).results {
      switch result {
      case .success(let user): print(user.login)
      case .failure(let error): print(error)  // contains the number of the line
      }
    }
    // end sample
    #expect(server.requests.count == 1)
  }

  @Test func recordsOfASequenceAreDecoded() async throws {
    let response = try await gateway.request("users.json-seq").stream()
    for try await result in response.body.jsonSequence(of: User.self).results {
      switch result {
      case .success(let user): print(user.login)
      case .failure(let error): print(error)  // contains the number of the record
      }
    }
    #expect(server.requests.count == 1)
  }

  @Test func filesAreSentWithProgress() async throws {
    server.on(.put, "/files/1") { _ in .status(204) }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin")
    try Data(repeating: 7, count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // sample: upload
    var upload = gateway.request("files", 1, method: .put)
    upload.body = .file(file, contentType: .applicationOctetStream)
    upload.progressHandler = { progress in
      print("\(progress.direction): \(progress.byteCount) of \(progress.totalByteCount.map(String.init) ?? "?")")
    }
    let response = try await upload.execute().value
    // end sample
    #expect(response.code == 204 && server.requests.first?.body.count == 100_000)
  }

  @Test func eventStreamReconnects() async throws {
    server.on(.get, "/feed") { request in
      switch request.headers["Last-Event-ID"] {
      case nil:
        .status(200, headers: [.contentType: "text/event-stream"], body: Data("retry: 1\nid: 1\ndata: a\n\n".utf8))
      case "1": .status(200, headers: [.contentType: "text/event-stream"], body: Data("id: 2\ndata: b\n\n".utf8))
      default: .status(204)
      }
    }
    let seen = Mutex<[String]>([])
    server.on(.post, "/chat") { _ in
      let text = "data: {\"text\": \"Heat \"}\n\ndata: {\"text\": \"and hammer.\"}\n\ndata: [DONE]\n\n"
      return .status(200, headers: [.contentType: "text/event-stream"], body: Data(text.utf8))
    }
    let api = gateway.failing(as: APIError.self)
    // sample: typed-events
    var request = api.request("chat", method: .post)
    request.body = .encoding(Question(text: "What is forging?"))
    request.idleTimeout = .seconds(20)
    for try await chunk in request.events(of: Chunk.self, until: "[DONE]") {
      print(chunk.text, terminator: "")
    }
    // end sample
    // sample: events
    for try await event in gateway.request("feed").events() {
      print(event.type, event.lastEventID, event.data)
    }
    // end sample
    for try await event in gateway.request("feed").events() { seen.withLock { $0.append(event.data) } }
    #expect(seen.withLock { $0 } == ["a", "b"])
    #expect(server.requests.last?.headers[.accept] == "text/event-stream")
  }
}

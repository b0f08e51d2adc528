import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

// Gateways as a user would write them: with `import Anvil` alone, over real sockets, by the platform's default session.

/// A value that updates in place, with a nested one.
private struct Account: Codable, DecoderUpdatable, Equatable, Sendable {
  struct Address: Codable, DecoderUpdatable, Equatable, Sendable { var city: String, zip: String? }

  var id: Int
  var login: String
  var bio: String?
  var address: Address
}

/// An object that updates in place and keeps its identity.
private final class Profile: DecoderUpdatable, Sendable {
  private enum Keys: String, CodingKey { case login, bio }

  let fields = Mutex<(login: String, bio: String?)>(("", nil))

  func update(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let login = try container.decodeIfPresent(String.self, forKey: .login)
    let bio = try container.decodeIfPresent(String.self, forKey: .bio)
    fields.withLock { fields in
      if let login { fields.login = login }
      if container.contains(.bio) { fields.bio = bio }
    }
  }
}

/// A value that shows how it was read.
private struct ReadingMark: Codable, JSONReadable, Equatable, Sendable {
  let isDirect: Bool

  init(isDirect: Bool) { self.isDirect = isDirect }

  init(from decoder: any Decoder) throws { isDirect = false }

  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> ReadingMark {
    try reader.skip()
    return ReadingMark(isDirect: true)
  }
}

/// A value that macros code.
@JSONCodable
private struct Member: DecoderUpdatable, Equatable, Sendable {
  var login: String
  @CodingKey("address") var mark: ReadingMark
  var bio: String?
}

/// Makes models that it numbers, as a store would.
private struct Numbering: DecodingFactory {
  let prefix: String

  func create(from decoder: any Decoder) throws -> String {
    let container = try decoder.container(keyedBy: AnyKey.self)
    return try "\(prefix)\(container.decode(Int.self, forKey: AnyKey(stringValue: "id")))"
  }

  struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

@Suite(.timeLimit(.minutes(15))) struct GatewayScenarioTests {
  let server: LoopbackServer
  let gateway: Gateway

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/v1/accounts/:id") { request in
      .json(#"{"id": 7, "login": "\#(request.parameters["id"] ?? "")", "address": {"city": "London"}}"#)
    }
    server.on(.get, "/v1/accounts") { _ in .json(#"[{"id": 1, "login": "a"}, {"id": 2, "login": "b"}]"#) }
    server.on(.post, "/v1/accounts") { request in
      .status(201, headers: [.contentType: request.headers[.contentType] ?? "none"], body: request.body)
    }
    server.on(.get, "/v1/gone") { _ in .json(#"{"message": "moved out"}"#, status: 410) }
    server.on(.get, "/v1/search") { request in
      .json("[" + request.query.map { "\"\($0.name)=\($0.value ?? "")\"" }.joined(separator: ", ") + "]")
    }
    gateway = Gateway(baseURL: server.url("/v1"))
  }

  @Test func aModelCanBeRequestedInOneLine() async throws {
    let account = Account.Address(city: "London", zip: nil)
    let address = try await gateway.request("accounts", "ada").execute().decode(as: Account.self).value.address
    #expect(address == account)
  }

  @Test(arguments: ["a/b", "100% + ü", "a?b#c", "日本 👩‍🚀", "..x"])
  func anyTextInAPathOrQueryArrives(text: String) async throws {
    let account = try await gateway.request("accounts", text).execute().decode(as: Account.self).value
    #expect(account.login == text)
    let found = gateway.request("search", query: ["q": text, "page": 2]).execute().decode(as: [String].self)
    #expect(try await found.value == ["q=\(text)", "page=2"])
  }

  @Test func requestsCanBeChangedBeforeExecution() async throws {
    var request = gateway.request("accounts")
    request.method = .post
    request.headers.add(.contentType, "application/json")
    try request.body.encode(Post(id: 1, title: "x"))
    let response = try await request.execute().value
    #expect(response.code == 201 && response.headers[.contentType] == "application/json")
    #expect(try response.body.decode(as: Post.self) == Post(id: 1, title: "x"))
  }

  @Test func propertyListsAreSentAndReceived() async throws {
    var gateway = gateway
    gateway.encodingFormat = PropertyListEncoder()
    gateway.decodingFormat = PropertyListDecoder()
    var request = gateway.request("accounts", method: .post)
    try request.body.encode(Post(id: 1, title: "x"))
    #expect(try await request.execute().decode(as: Post.self).value == Post(id: 1, title: "x"))
    #expect(server.requests.last?.headers[.contentType]?.rawValue.contains("plist") == true)
  }

  @Test func valuesAreUpdatedInPlace() async throws {
    let before = Account(id: 7, login: "x", bio: "kept", address: .init(city: "Paris", zip: "75001"))
    let after = try await gateway.request("accounts", "ada").execute().update(before).value
    #expect(after == Account(id: 7, login: "ada", bio: "kept", address: .init(city: "London", zip: "75001")))
  }

  @Test func modelsOfMacrosAreUpdatedByContainersAndDecodedDirectly() async throws {
    let before = Member(login: "x", mark: ReadingMark(isDirect: true), bio: "kept")
    let after = Member(login: "ada", mark: ReadingMark(isDirect: false), bio: "kept")
    #expect(try await gateway.request("accounts", "ada").execute().update(before).value == after)
    let response = try await gateway.request("accounts", "ada").execute().value
    #expect(try response.body.update(before) == after)
    #expect(try response.body.decode(as: Member.self) == Member(login: "ada", mark: before.mark, bio: nil))
  }

  @Test func objectsAreUpdatedInPlace() async throws {
    let profile = Profile()
    let updated = try await gateway.request("accounts", "ada").execute().update(profile).value
    #expect(updated === profile && profile.fields.withLock(\.login) == "ada")
    let response = try await gateway.request("accounts", "bob").execute().value
    try response.body.update(profile)
    #expect(profile.fields.withLock(\.login) == "bob")
  }

  @Test func factoriesCreateOneOrManyModels() async throws {
    let one = gateway.request("accounts", "ada").execute().decode(using: Numbering(prefix: "n"))
    let many = gateway.request("accounts").execute().decode(using: Numbering(prefix: "n").array)
    let (first, all) = try await Promise.all(one, many).value
    #expect(first == "n7" && all == ["n1", "n2"])
  }

  @Test func failureStatusesFailThePromiseWithTheBody() async throws {
    do {
      _ = try await gateway.request("gone").execute().decode(as: Account.self).value
      Issue.record("a 410 is no account")
    } catch let failure as TransportFailure {
      #expect(failure.error.code == .clientError(.gone))
      #expect(try failure.response?.body.decode(as: [String: String].self) == ["message": "moved out"])
    }
  }

  @Test func failuresAreHandledInTheChain() async throws {
    let message = gateway.request("gone").execute().map { _ in "here" }.recover { error in
      guard let failure = error as? TransportFailure, let body = failure.response?.body else { throw error }
      return try body.decode(as: [String: String].self)["message"] ?? ""
    }
    #expect(try await message.value == "moved out")
  }

  @Test func cancellingThePromiseEndsTheTransfer() async throws {
    server.on(.get, "/v1/never") { _ in .fault(.neverAnswers) }
    let account = gateway.request("never").execute().decode(as: Account.self)
    await waitUntil { !server.requests.isEmpty }
    account.cancel()
    await #expect(throws: CancellationError.self) { try await account.value }
    await waitUntil { !server.abandonedConnections.isEmpty }
  }

  @Test func cancellingTheTaskEndsTheTransfer() async throws {
    server.on(.get, "/v1/never") { _ in .fault(.neverAnswers) }
    let task = Task { try await gateway.request("never").execute().decode(as: Account.self).value }
    await waitUntil { !server.requests.isEmpty }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await waitUntil { !server.abandonedConnections.isEmpty }
  }

  @Test func anUnretainedPromiseIsStillSent() async throws {
    _ = gateway.request("accounts", "ada").execute()
    await waitUntil { !server.requests.isEmpty }
  }

  // MARK: Stress

  /// Counts those of its kind that are alive.
  private final class Token: Sendable {
    static let alive = Atomic<Int>(0)

    init() { Self.alive.wrappingAdd(1, ordering: .relaxed) }
    deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }
  }

  @Test func thousandsOfTransfersAreCancelledAtRandom() async throws {
    server.on(.get, "/v1/never") { _ in .fault(.neverAnswers) }
    server.on(.get, "/v1/drip") { _ in
      .chunked(Array(repeating: Data("x".utf8), count: 4), every: .milliseconds(1))
    }
    server.on(.get, "/v1/short") { _ in .fault(.truncatedBody) }
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<40 {
        group.addTask {
          for number in 0..<75 {
            let path = ["never", "drip", "short", "gone", "accounts"][(lane + number) % 5]
            let token = Token()
            let work: @Sendable () -> Promise<Int> = { [token] in
              gateway.request("\(path)").execute().then { response in (token, response.code) }.map(\.1)
            }
            let delay = Duration.microseconds(Int.random(in: 0...4000))
            if Bool.random() {
              let promise = work()
              try? await Task.sleep(for: delay)
              promise.cancel()
              _ = await promise.result
            } else {
              let waiter = Task { try? await work().value }
              try? await Task.sleep(for: delay)
              waiter.cancel()
              _ = await waiter.value
            }
          }
        }
      }
    }
    await waitUntil { Token.alive.load(ordering: .relaxed) == 0 }
    // The session is still usable.
    #expect(try await gateway.request("accounts", "ada").execute().value.code == 200)
  }
}

import Anvil
import AnvilTesting
import Foundation
import Synchronization
import Testing

// sample: account
struct Account: Codable, DecoderUpdatable, Equatable, Sendable {
  struct Address: Codable, DecoderUpdatable, Equatable, Sendable { var city: String, zip: String? }

  var id: Int
  var login: String
  var bio: String?
  var address: Address
}
// end sample

// sample: object
final class Session: DecoderUpdatable, Sendable {
  private let state = Mutex<String?>(nil)
  var login: String? { state.withLock { $0 } }

  private enum Keys: String, CodingKey { case login }

  func update(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    if let login = try container.decodeIfPresent(String.self, forKey: .login) { state.withLock { $0 = login } }
  }
}
// end sample

// sample: factory
struct Catalogue: DecodingFactory {
  let currency: String

  private struct Payload: Decodable { var name: String, price: Double }

  func create(from decoder: any Decoder) throws -> String {
    let payload = try decoder.singleValueContainer().decode(Payload.self)
    return "\(payload.name): \(payload.price) \(currency)"
  }
}
// end sample

@Suite(.timeLimit(.minutes(15))) struct ModelSamples {
  let server: LoopbackServer
  let gateway: Gateway

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/accounts/7") { _ in .json(#"{"login": "tomoko", "bio": null, "address": {"city": "Kyoto"}}"#) }
    server.on(.get, "/wares") { _ in .json(#"[{"name": "anvil", "price": 120}, {"name": "tongs", "price": 14.5}]"#) }
    server.on(.post, "/echo") {
      .status(200, headers: [.contentType: $0.headers[.contentType] ?? "none"], body: $0.body)
    }
    gateway = Gateway(baseURL: server.url)
  }

  @Test func valuesAreUpdated() async throws {
    var account = Account(id: 7, login: "ada", bio: "counts", address: .init(city: "London", zip: "W1"))
    // sample: updating
    // {"login": "tomoko", "bio": null, "address": {"city": "Kyoto"}}
    account = try await gateway.request("accounts", 7).execute().update(account).value
    // end sample
    #expect(account == Account(id: 7, login: "tomoko", bio: nil, address: .init(city: "Kyoto", zip: "W1")))
  }

  @Test func objectsAreUpdated() async throws {
    let session = Session()
    // sample: same-object
    let response = try await gateway.request("accounts", 7).execute().value
    try response.body.update(session)  // the same object, with the new login
    // end sample
    #expect(session.login == "tomoko")
  }

  @Test func requestsAreDecoded() async throws {
    var account = Account(id: 7, login: "ada", bio: nil, address: .init(city: "London", zip: "W1"))
    let body = try HTTP.Body(PropertyListEncoder().encode(account))
    let received = Promise(result: .success(HTTP.Request(method: .post, url: server.url, body: body)))
    account.login = "tomoko"
    let draft = try await received.decode(as: Account.self, with: PropertyListDecoder()).value
    account = try await received.update(account, with: PropertyListDecoder()).value
    #expect(draft.login == "ada" && account == draft)
  }

  @Test func factoriesCreateModels() async throws {
    // sample: making
    let catalogue = Catalogue(currency: "SEK")
    let wares = try await gateway.request("wares").execute().decode(using: catalogue.array).value
    // end sample
    #expect(wares == ["anvil: 120.0 SEK", "tongs: 14.5 SEK"])
  }

  @Test func bodiesUseFormats() throws {
    let user = User(id: 1, login: "ada")
    // sample: formats
    var body = HTTP.Body.empty
    try body.encode(user)  // JSON
    try body.encode(user, with: PropertyListEncoder())
    let copy = try body.decode(as: User.self, with: PropertyListDecoder())

    body.encodingFormat = URLForm.Encoder()
    try body.encode(user)  // id=1&login=ada
    // end sample
    #expect(copy == user && body.string == "id=1&login=ada")
  }

  @Test func formsUseBracketsForNestedValues() throws {
    struct Address: Encodable { var city: String }
    struct Order: Encodable { var customer: String, tags: [String], address: Address }
    let order = Order(customer: "ada", tags: ["iron", "hot"], address: Address(city: "London"))
    // sample: form
    let nested = try HTTP.Body.urlForm(order)  // customer=ada&tags[]=iron&tags[]=hot&address[city]=London
    let pairs = HTTP.Body.urlForm(["grant_type": "password", "scope": "read", "scope": "write"])
    // end sample
    #expect(nested.string == "customer=ada&tags%5B%5D=iron&tags%5B%5D=hot&address%5Bcity%5D=London")
    #expect(pairs.string == "grant_type=password&scope=read&scope=write")
  }

  @Test func filesAreSentInForms() async throws {
    let photo = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try Data("pixels".utf8).write(to: photo)
    defer { try? FileManager.default.removeItem(at: photo) }
    // sample: multipart
    var upload = gateway.request("echo", method: .post)
    upload.body = .multipart([
      .text("Sunset", name: "title"),
      .file(photo, name: "photo", contentType: "image/jpeg"),
    ])
    // end sample
    let echo = try await upload.execute().value
    #expect(echo.body.string?.contains("\r\n\r\npixels\r\n") == true)
  }
}

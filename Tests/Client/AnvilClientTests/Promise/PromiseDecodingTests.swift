import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import Foundation
import Testing

/// Decoding by promises of requests and of responses: both have the same functions.
@Suite(.timeLimit(.minutes(15))) struct PromiseDecodingTests {
  struct User: Codable, DecoderUpdatable, Equatable, Sendable {
    var id: Int
    var login: String
  }

  struct Envelope: CodableContainer {
    var user: User
    var element: User { user }
    init(element: User) { user = element }
  }

  struct Label: DecodingFactory {
    func create(from decoder: any Decoder) throws -> String {
      let user = try decoder.singleValueContainer().decode(User.self)
      return "\(user.id): \(user.login)"
    }
  }

  private static let url = URL(filePath: "/users/1")
  private static let ada = User(id: 1, login: "ada")

  private func request(_ body: HTTP.Body) -> Promise<HTTP.Request> {
    .kept(HTTP.Request(method: .post, url: Self.url, body: body))
  }

  private func response(_ body: HTTP.Body) -> Promise<HTTP.Response> {
    .kept(HTTP.Response(request: HTTP.Request(url: Self.url), status: 200, body: body))
  }

  @Test func aRequestsBodyIsDecodedFromItsValue() async throws {
    #expect(try await request(.encoding(Self.ada)).decode(as: User.self).value == Self.ada)
    let error = await #expect(throws: HTTP.BodyError.self) {
      try await request(.encoding([Double.infinity])).decode(as: [Double].self).value
    }
    #expect(error?.description.contains("cannot be encoded") == true)
  }

  private func propertyList(_ value: some Encodable) throws -> HTTP.Body {
    try HTTP.Body(PropertyListEncoder().encode(value))
  }

  private func expectModels<Message: HTTP.Message>(
    of message: (HTTP.Body) -> Promise<Message>, format: (any DecodingFormat)?, encoder: any EncodingFormat
  ) async throws {
    func body(_ value: some Encodable) throws -> HTTP.Body { try HTTP.Body(encoder.encode(value)) }
    let user = try message(body(Self.ada))
    #expect(try await user.decode(as: User.self, with: format).value == Self.ada)
    #expect(try await user.decode(using: Label(), with: format).value == "1: ada")
    let list = try message(body([Self.ada, User(id: 2, login: "bo")]))
    #expect(try await list.decode(using: Label().array, with: format).value == ["1: ada", "2: bo"])
    let envelope = try message(body(Envelope(element: Self.ada)))
    #expect(try await envelope.decode(as: User.self, container: Envelope.self, with: format).value == Self.ada)
    let change = try message(body(["login": "lovelace"]))
    #expect(try await change.update(Self.ada, with: format).value == User(id: 1, login: "lovelace"))
  }

  @Test func requestsDecodeLikeResponses() async throws {
    try await expectModels(of: request, format: nil, encoder: JSONEncoder())
    try await expectModels(of: response, format: nil, encoder: JSONEncoder())
  }

  @Test func eachMethodAcceptsAFormat() async throws {
    try await expectModels(of: request, format: PropertyListDecoder(), encoder: PropertyListEncoder())
    try await expectModels(of: response, format: PropertyListDecoder(), encoder: PropertyListEncoder())
  }

  @Test func theBodysFormatIsUsedByDefault() async throws {
    var body = try propertyList(Self.ada)
    body.decodingFormat = PropertyListDecoder()
    #expect(try await request(body).decode(as: User.self).value == Self.ada)
    #expect(try await response(body).decode(using: Label()).value == "1: ada")
  }

  @Test func requestsFailWithTheFormatsOwnError() async throws {
    let request = request(HTTP.Body(#"{"id": 1, "login": 2}"#))
    let errors = [
      await request.decode(as: User.self).error, await request.decode(using: Label()).error,
      await request.update(Self.ada).error,
    ]
    for error in errors {
      guard case .typeMismatch(_, let context) = error as? DecodingError else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(context.codingPath.map(\.stringValue) == ["login"])
    }
    let empty = await self.request(.empty).decode(as: User.self).error
    #expect(empty is DecodingError)
  }

  @Test func failuresOfResponsesNameTheRequestedType() async throws {
    let response = try response(propertyList(["id": "x"]))
    let failure = await response.decode(as: User.self, container: Envelope.self, with: PropertyListDecoder()).error
    guard case .decodingError(let context) = failure as? DecodingFailure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(context.failingTypeName == "Envelope")
    #expect(context.diagnosis == nil)  // no JSON: nothing to find places in
    let updating = await response.update(Self.ada, with: PropertyListDecoder()).error
    #expect((updating as? DecodingFailure)?.description.contains("cannot decode User") == true)
  }

  @Test func bodiesThatAreNotInMemoryFail() async throws {
    let file = HTTP.Body.file(URL(filePath: "/dev/null"))
    #expect(await request(file).decode(as: User.self).error as? HTTP.BodyError == .notCollected)
    #expect(await response(file).update(Self.ada).error as? HTTP.BodyError == .notCollected)
  }

  @Test func failuresOfThePromiseArePropagated() async throws {
    let request = Promise<HTTP.Request>.failed(Mishap())
    #expect(await request.decode(as: User.self).error as? Mishap == Mishap())
  }
}

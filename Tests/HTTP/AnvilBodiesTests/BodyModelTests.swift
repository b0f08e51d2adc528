import AnvilBase
import AnvilBodies
import AnvilHTTP
import Foundation
import Testing

@Suite struct BodyModelTests {
  struct User: Codable, DecoderUpdatable, Equatable {
    var id: Int
    var login: String
    var bio: String?
  }

  final class Session: DecoderUpdatable {
    var user = User(id: 1, login: "ada")
    func update(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      user = try container.updateIfPresent(user, forKey: .user)
    }
    enum CodingKeys: CodingKey { case user }
  }

  /// Numbers users in the order in which they are decoded.
  struct Numbering: DecodingFactory {
    func create(from decoder: any Decoder) throws -> String {
      let user = try decoder.singleValueContainer().decode(User.self)
      return "\(user.id): \(user.login)"
    }
  }

  private func body(_ text: String) -> HTTP.Body { HTTP.Body(Data(text.utf8)) }

  private func propertyList(_ value: some Encodable) throws -> HTTP.Body {
    try HTTP.Body(PropertyListEncoder().encode(value))
  }

  @Test func valuesAreUpdatedFromABody() throws {
    let user = User(id: 1, login: "ada", bio: "counts")
    #expect(try body(#"{"login": "lovelace"}"#).update(user) == User(id: 1, login: "lovelace", bio: "counts"))
    #expect(try body(#"{"bio": null}"#).update(user) == User(id: 1, login: "ada"))
    #expect(try propertyList(["id": 2]).update(user, with: PropertyListDecoder()).id == 2)
    var own = try propertyList(["login": "b"])
    own.decodingFormat = PropertyListDecoder()
    #expect(try own.update(user).login == "b")
  }

  @Test func objectsAreUpdatedInPlace() throws {
    let session = Session()
    try body(#"{"user": {"login": "grace"}}"#).update(session)
    #expect(session.user == User(id: 1, login: "grace"))
    #expect(throws: DecodingError.self) { try body(#"{"user": {"login": 1}}"#).update(session) }
    #expect(session.user.login == "grace")
  }

  @Test func factoriesCreateModelsFromBodies() throws {
    #expect(try body(#"{"id": 1, "login": "ada"}"#).decode(using: Numbering()) == "1: ada")
    #expect(
      try body(#"[{"id": 1, "login": "ada"}, {"id": 2, "login": "bo"}]"#).decode(using: Numbering().array) == [
        "1: ada", "2: bo",
      ])
    let list = try propertyList(User(id: 3, login: "cy"))
    #expect(try list.decode(using: Numbering(), with: PropertyListDecoder()) == "3: cy")
    #expect(throws: DecodingError.self) { try body("{}").decode(using: Numbering()) }
  }

  @Test func wrappedModelsAreDecodedInAnyFormat() throws {
    struct Envelope: CodableContainer {
      var user: User
      var element: User { user }
      init(element: User) { user = element }
    }
    let user = User(id: 1, login: "ada")
    var wrapped = try propertyList(Envelope(element: user))
    #expect(try wrapped.decode(as: User.self, container: Envelope.self, with: PropertyListDecoder()) == user)
    #expect(throws: DecodingError.self) { try wrapped.decode(as: User.self, container: Envelope.self) }
    wrapped.decodingFormat = PropertyListDecoder()
    #expect(try wrapped.decode(as: User.self, container: Envelope.self) == user)
  }

  @Test func bodiesThatAreNotInMemoryCannotBeDecoded() {
    let file = HTTP.Body.file(URL(filePath: "/dev/null"))
    #expect(throws: HTTP.BodyError.notCollected) { try file.update(User(id: 1, login: "")) }
    #expect(throws: HTTP.BodyError.notCollected) { try file.decode(using: Numbering()) }
  }
}

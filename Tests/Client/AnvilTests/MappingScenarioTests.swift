import Anvil
import AnvilTesting
import Foundation
import Testing

// Strict mapping as a user would write it, with `import Anvil` alone.

private struct Repository: JSONDecodable, Equatable {
  let name: String
  let owner: String
  let language: String?

  static func decode(_ json: JSON) throws -> Repository {
    try Repository(
      name: json => "name",
      owner: json => "owner" => "login",
      language: json =>? "language")
  }
}

/// A class that others inherit from: what it reads is read for them, too.
private class Person: JSONDecodable {
  let name: String

  required init(_ json: JSON) throws {
    name = try json => "name"
  }

  static func decode(_ json: JSON) throws -> Self { try Self(json) }
}

private final class Student: Person {
  let school: String

  required init(_ json: JSON) throws {
    school = try json => "school" => "name"
    try super.init(json)
  }
}

@Suite(.timeLimit(.minutes(15))) struct MappingScenarioTests {
  static let text = """
    [{"name": "bellows", "owner": {"login": "ada"}, "language": "Swift"},
     {"name": "tongs", "owner": {"login": "ada"}, "language": null},
     {"name": "clinker", "owner": {"login": "tomoko"}}]
    """

  @Test func modelsDecodeThemselves() throws {
    let repositories = try [Repository].decode(JSON(parsing: Self.text))
    #expect(repositories.map(\.name) == ["bellows", "tongs", "clinker"])
    #expect(repositories.map(\.language) == ["Swift", nil, nil])
  }

  @Test func errorsContainPathAndObject() throws {
    let damaged = Self.text.replacing(#"{"login": "tomoko"}"#, with: #"{"id": 1, "name": "tomoko"}"#)
    let error = #expect(throws: MissingKeyError.self) { try [Repository].decode(JSON(parsing: damaged)) }
    #expect(error?.description == #"MissingKeyError at object[2].owner: login in {"id": 1, "name": "tomoko"}"#)
  }

  @Test func subclassesDecodeThemselves() throws {
    let json = try JSON(parsing: #"[{"name": "ada", "school": {"name": "home"}}]"#)
    let student: Student = try json => 0
    #expect(student.name == "ada" && student.school == "home")
    let students: [Student] = try [Student].decode(json)
    #expect(students.map(\.school) == ["home"])
    let person: Person? = try json =>? 0
    #expect(person?.name == "ada" && !(person is Student))
    let broken = try JSON(parsing: #"[{"name": 1, "school": {"name": "home"}}, {"name": "b", "school": {}}]"#)
    let inherited = #expect(throws: TypeMismatchError.self) { try [Student].decode(broken) }
    #expect(inherited?.path.description == "[0].name")
    let own = #expect(throws: MissingKeyError.self) { try Student.decode(broken => 1) }
    #expect(own?.description.contains("school") == true)
  }

  @Test func decodableClassesCanBeMapped() throws {
    class Shape: Decodable, JSONDecodable {
      let id: Int
    }
    final class Circle: Shape {
      let radius: Double
      private enum Key: CodingKey { case radius }

      required init(from decoder: any Decoder) throws {
        radius = try decoder.container(keyedBy: Key.self).decode(Double.self, forKey: .radius)
        try super.init(from: decoder)
      }
    }
    let circle: Circle = try JSON(parsing: #"{"id": 1, "radius": 2.5}"#) => JSON.Path()
    #expect(circle.id == 1 && circle.radius == 2.5)
  }

  @Test func requestsAcceptAnvilsDecoder() async throws {
    struct User: Decodable, Sendable { var createdAt: Date }
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json(#"{"created_at": "2026-11-21T08:00:00Z"}"#) }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let user = try await BackendService().execute(AnyRequest<User>(url: server.url, decoder: decoder))
    #expect(user.createdAt == Date(timeIntervalSince1970: 1_795_248_000))
  }

  @Test func bodiesCanBeMapped() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json(Self.text) }
    let request = AnyRequest<[String]>(url: server.url) { success in
      do {
        let json = try JSON(parsing: success.body.data ?? Data())
        return .success(try [Repository].decode(json).map(\.owner))
      } catch {
        return .failure(AnyError(error))
      }
    }
    #expect(try await BackendService().execute(request) == ["ada", "ada", "tomoko"])
  }
}

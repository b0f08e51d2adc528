import Anvil
import Foundation
import Testing

private struct User: JSONDecodable, Equatable {
  var login: String
  var id: Int
  static func decode(_ json: JSON) throws -> User { try User(login: json => "login", id: json => "id") }
}

private let text = #"""
  {"repo": {"owner": {"login": "ada", "id": 1, "admin": true}, "stars": 5, "null": null, "created": 1.5,
            "people": [{"login": "a", "id": 1}, {"login": "b", "id": "x"}, 7]}, "odd.key": [[1], []]}
  """#

/// `=>` on dictionaries as `JSONSerialization` gives them is `=>` on JSON.
@Suite struct FoundationMappingTests {
  private func dictionary() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A value, or an error's type, path, object and root; members have no order in a Swift dictionary.
  private func outcome<T>(_ body: () throws -> T) -> String {
    do {
      return "\(try body())"
    } catch let error as any JSONDecodingError {
      let key = (error as? MissingKeyError)?.key.description ?? (error as? TypeMismatchError)?.expected ?? ""
      let objects = [error.object, error.rootObject].map { $0?.serializedText(order: .sortedKeys) ?? "-" }
      return "\(type(of: error)) \(error.path) \(key) \(objects)"
    } catch {
      return "\(error)"
    }
  }

  private func same<T: JSONDecodable>(
    _ type: T.Type, _ path: JSON.Path, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (json, swift) = (try JSON(parsing: text), try dictionary())
    let foundation = NSDictionary(dictionary: swift)
    let expected = outcome { try json => path as T }
    #expect(outcome { try swift => path as T } == expected, sourceLocation: sourceLocation)
    #expect(outcome { try foundation => path as T } == expected, sourceLocation: sourceLocation)
  }

  private func same<T: JSONDecodable>(
    _ type: T.Type, ifPresent path: JSON.OptionalPath, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (json, swift) = (try JSON(parsing: text), try dictionary())
    let foundation = NSDictionary(dictionary: swift)
    let expected = outcome { try json =>? path as T? }
    #expect(outcome { try swift =>? path as T? } == expected, sourceLocation: sourceLocation)
    #expect(outcome { try foundation =>? path as T? } == expected, sourceLocation: sourceLocation)
  }

  @Test(
    arguments: [
      ["repo", "owner", "login"], ["repo", "owner", "id"], ["repo", "owner", "admin"], ["repo", "null"],
      ["repo", "none"],
      ["repo", "owner", "login", "x"], ["repo", "people", 0], ["repo", "people", 1], ["repo", "people", 2],
      ["repo", "people", 3], ["repo", "people", -1], ["repo", 0], ["odd.key", 0, 0], ["odd.key", 1, 0],
      ["odd.key", "x"], [],
      ["none"], ["repo", "owner"], ["repo", "people"],
    ] as [JSON.Path])
  func pathsHaveTheSameResultsAsInJSON(path: JSON.Path) throws {
    try same(String.self, path)
    try same(Int.self, path)
    try same(Int?.self, path)
    try same(Bool.self, path)
    try same(User.self, path)
    try same([User].self, path)
    try same(String.self, ifPresent: JSON.OptionalPath(path))
    try same(User.self, ifPresent: JSON.OptionalPath(path))
    try same(User.self, ifPresent: JSON.OptionalPath(requiring: path))
    try same([User].self, ifPresent: JSON.OptionalPath(path))
  }

  @Test func chainsWorkAsInJSON() throws {
    let swift = try dictionary()
    let foundation = NSDictionary(dictionary: swift)
    let login: String = try swift => "repo" => "owner" => "login"
    let other: String = try foundation => "repo" => "owner" => "login"
    #expect(login == "ada" && other == "ada")
    #expect(try swift => "repo" => "owner" == User(login: "ada", id: 1))
    let missing: String? = try swift =>? "repo" =>? "none" => "login"
    let null: Int? = try foundation => "repo" => "null"
    let mixed: String? = try swift => "repo" =>? "none"
    let mixedToo: String? = try foundation => "repo" =>? "none"
    #expect(missing == nil && null == nil && mixed == nil && mixedToo == nil)
    #expect(throws: MissingKeyError.self) { try swift => "none" =>? "x" as String? }
    #expect((try? swift => "none" as String) == nil)
    // A part of it as JSON, for everything else that can be done with JSON.
    let repository: JSON = try foundation => "repo"
    #expect(try repository => ("created", .date(.secondsSince1970)) == Date(timeIntervalSince1970: 1.5))
  }

  @Test func errorsContainTheCompletePath() throws {
    let swift = try dictionary()
    let json = try JSON(foundationObject: swift)
    for error in [
      #expect(throws: TypeMismatchError.self) { try swift => "repo" => "people" as [User] },
      #expect(throws: TypeMismatchError.self) { try NSDictionary(dictionary: swift) => "repo" => "people" as [User] },
    ] {
      #expect(error?.path == ["repo", "people", 1, "id"])
      #expect(error?.object == "x" && error?.rootObject == json && error?.object?.path == error?.path)
    }
  }

  @Test func otherObjectsInTheDictionaryAreIgnored() throws {
    let object: [String: Any] = ["a": ["b": 1], "date": Date(), "set": Set([1]), "none": Int?.none as Any]
    #expect(try object => "a" => "b" == 1)
    #expect(try object =>? "none" as Int? == nil)
    #expect(try object =>? "none" =>? "x" as Int? == nil)
    let missing = #expect(throws: MissingKeyError.self) { try object => "a" => "c" as Int }
    #expect(missing?.path == "a" && missing?.rootObject?["date"] == "<Date>")
    let wrapped = #expect(throws: WrappedDecodingError.self) { try object => "date" as String }
    #expect(wrapped?.path == "date" && wrapped?.underlyingError is JSON.WritingError)
    let optional = #expect(throws: WrappedDecodingError.self) { try object =>? "date" as String? }
    #expect(optional?.path == "date")
    let keys = NSDictionary(dictionary: ["a": ["b": 1], 7: 8])
    #expect(try keys => "a" => "b" == 1)
    #expect(throws: MissingKeyError.self) { try keys => "c" as Int }
  }

  @Test func foundationContainersCanBeNestedInSwiftContainers() throws {
    let array = NSArray(array: [NSDictionary(dictionary: ["a": 1]), NSNull()])
    let object: [String: Any] = ["list": array, "object": NSDictionary(dictionary: ["list": array])]
    #expect(try object => "list" => 0 => "a" == 1)
    #expect(try object => "object" => "list" => 0 => "a" == 1)
    #expect(try object =>? "object" =>? "list" =>? 1 as Int? == nil)
    #expect(try object =>? "list" =>? 2 as Int? == nil)
    #expect(throws: MissingKeyError.self) { try object => "list" => 2 as Int }
    #expect(throws: MissingKeyError.self) { try object => "list" => -1 as Int }
    #expect(throws: TypeMismatchError.self) { try object => "list" => "a" as Int }
    #expect(throws: TypeMismatchError.self) { try object => "object" => 0 as Int }
  }

  @Test func jsonMappingIsUnaffected() throws {
    let json: JSON = ["a": ["b": 1]]
    #expect(try json => "a" => "b" == 1)
    #expect(try json =>? "a" =>? "c" as Int? == nil)
  }
}

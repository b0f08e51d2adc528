import AnvilJSON
import Testing

private struct Name: JSONDecodable {
  static func decode(_ json: JSON) throws -> Name {
    let _: String = try json => "name"
    return Name()
  }
}

private enum Color: String, JSONDecodable { case red, green }

/// A caller's error that supports paths.
private struct InvalidAge: JSONDecodingError {
  var age: Int
  var path = JSON.Path()
  var object: JSON?
  var rootObject: JSON?
}

/// A caller's error that is unrelated to JSON.
private struct Refusal: Error, CustomStringConvertible { let description = "no thanks" }

private struct Age: JSONDecodable {
  static func decode(_ json: JSON) throws -> Age {
    let age = try Int.decode(json)
    if age < 0 { throw Refusal() }
    if age > 150 { throw InvalidAge(age: age) }
    return Age()
  }
}

private struct Person: Decodable, JSONDecodable {
  let name: String
  let ages: [Int]
}

@Suite struct MappingErrorTests {
  private func error<Result>(_ body: () throws -> Result) -> (any Error)? {
    do {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  private static let text = #"""
    {"repo": {"owner": {"id": 1, "login": "anviking"}, "people": [{"age": 1}, {"age": -1}, {"age": 151}, {"age": "x"}],
     "colors": {"a": "red", "odd.key": "purpel"}}, "big": 300, "null": null}
    """#

  private static let descriptions: [(String, @Sendable (JSON) throws -> Void)] = [
    (
      #"MissingKeyError at object.repo.owner: name in {"id": 1, "login": "anviking"}"#,
      { _ = try $0 => "repo" => "owner" as Name }
    ),
    (
      #"MissingKeyError at object.repo.owner: name in {"id": 1, "login": "anviking"}"#,
      { _ = try $0 => ["repo", "owner", "name"] as Int }
    ),
    (
      #"MissingKeyError at object.repo.owner: name in {"id": 1, "login": "anviking"}"#,
      { _ = try $0 =>? "repo" =>? "owner" => "name" => "first" as Int? }
    ),
    (
      "MissingKeyError at object.repo.people[0]: [\"odd.key\"] in {\"age\": 1}",
      {
        _ = try $0 => "repo" => "people" => 0 => "odd.key" as Int
      }
    ),
    (
      "TypeMismatchError at object.repo.owner.login: expected Int, found string in \"anviking\"",
      { _ = try $0 => "repo" => "owner" => "login" as Int }
    ),
    ("TypeMismatchError at object.big: expected UInt8, found number in 300", { _ = try $0 => "big" as UInt8 }),
    ("TypeMismatchError at object.null: expected String, found null in null", { _ = try $0 => "null" as String }),
    ("TypeMismatchError at object.big: expected object, found number in 300", { _ = try $0 => "big" => "a" as Int }),
    ("TypeMismatchError at object.big: expected array, found number in 300", { _ = try $0 =>? "big" =>? 0 as Int? }),
    ("TypeMismatchError at object.big: expected array, found number in 300", { _ = try $0 => "big" as [Int] }),
    ("TypeMismatchError at object.big: expected object, found number in 300", { _ = try $0 => "big" as [String: Int] }),
    (
      #"RawRepresentableInitializationError at object.repo.colors["odd.key"]: not a valid value of Color in "purpel""#,
      { _ = try $0 => "repo" => "colors" as [String: Color] }
    ),
    (
      "TypeMismatchError at object.big: expected Color (one of red, green), found number in 300",
      { _ = try $0 => "big" as Color }
    ),
  ]

  @Test(arguments: descriptions.indices)
  func descriptionsContainPathReasonAndValue(row: Int) throws {
    let (description, body) = Self.descriptions[row]
    let json = try JSON(parsing: Self.text)
    let error = try #require(error { try body(json) } as? any JSONDecodingError)
    #expect(error.description == description)
    #expect(error.rootObject == json)
    let object: JSON = try json => error.path
    #expect(error.object == object)
  }

  @Test(arguments: [
    (1, "WrappedDecodingError at object.repo.people[1].age: no thanks in -1"),
    (2, "InvalidAge at object.repo.people[2].age in 151"),
    (3, "TypeMismatchError at object.repo.people[3].age: expected Int, found string in \"x\""),
  ])
  func everyErrorGetsItsPath(index: Int, description: String) throws {
    let json = try JSON(parsing: Self.text)
    let path: JSON.Path = ["people", JSON.Path(index)]
    let thrown = error {
      try json.value(at: "repo") { repo in try repo.value(at: path) { try $0 => "age" as Age } } as Age
    }
    let error = try #require(thrown as? any JSONDecodingError)
    #expect(error.description == description)
    #expect(error.path == ["repo", "people", JSON.Path(index), "age"])
    #expect(error.rootObject == json)
    #expect(error.object?.path == error.path)
    if let error = error as? InvalidAge { #expect(error.age == 151) }
    if let error = error as? WrappedDecodingError { #expect(error.underlyingError is Refusal) }
  }

  @Test func rootIsTheOutermostValue() throws {
    let json = try JSON(parsing: Self.text)
    let repo: JSON = try json => "repo"
    let thrown = error { _ = try repo => "owner" as Name }
    let error = try #require(thrown as? MissingKeyError)
    #expect(error.path == "owner")
    #expect(error.rootObject == repo)
    #expect(error.key == "name")
  }

  @Test func decodingErrorsAreWrappedWithTheirPath() throws {
    let json = try JSON(parsing: #"{"people": [{"name": "a", "ages": [1, "x"]}, {"ages": []}]}"#)
    let mismatch = try #require(error { _ = try json => "people" as [Person] } as? WrappedDecodingError)
    #expect(mismatch.path == ["people", 0, "ages", 1])
    #expect(mismatch.object == "x")
    #expect(mismatch.rootObject == json)
    #expect(mismatch.underlyingError is DecodingError)
    #expect(mismatch.description.hasPrefix("WrappedDecodingError at object.people[0].ages[1]: expected Int: "))
    #expect(mismatch.description.hasSuffix(#"found a string in "x""#))
    let missing = try #require(error { _ = try json => "people" => 1 as Person } as? WrappedDecodingError)
    #expect(missing.description == #"WrappedDecodingError at object.people[1]: missing key name in {"ages": []}"#)
  }

  @Test func thrownDecodingErrorsAreWrapped() throws {
    let json = try JSON(parsing: #"{"a": 1}"#)
    let context = DecodingError.Context(codingPath: [], debugDescription: "not this one")
    let thrown = error { try json.value(at: "a") { _ in throw DecodingError.dataCorrupted(context) } }
    let error = try #require(thrown as? WrappedDecodingError)
    #expect(error.description == "WrappedDecodingError at object.a: not this one in 1")
  }

  private static let excerpts: [(String, String)] = [
    (#"{"a":[1,2.50,-0],"b":{"c":true,"d":false}}"#, #"{"a": [1, 2.50, -0], "b": {"c": true, "d": false}}"#),
    ("[]", "[]"), ("{}", "{}"),
    ("[[[[[[1]]]]]]", "[[[[[…]]]]]"),
    (#""\u0000\"\\\n\u007f""#, #""\u0000\"\\\n\u007f""#),
    ("\"\(String(repeating: "é", count: 40))\"", "\"\(String(repeating: "é", count: 20))…\""),
    ("\"\(String(repeating: "a", count: 39))é\"", "\"\(String(repeating: "a", count: 39))…\""),
    ("\"\(String(repeating: "a", count: 40))\"", "\"\(String(repeating: "a", count: 40))\""),
    (String(repeating: "1", count: 60), String(repeating: "1", count: 40) + "…"),
    (
      "[\((0..<1000).map(String.init).joined(separator: ","))]",
      "[\((0..<33).map(String.init).joined(separator: ", ")), …]"
    ),
  ]

  @Test(arguments: excerpts.indices)
  func descriptionsContainTheBeginningOfTheFailedValue(row: Int) throws {
    let (text, excerpt) = Self.excerpts[row]
    let thrown = error { _ = try JSON(parsing: text) => JSON.Path() as Color }
    let error = try #require(thrown as? any JSONDecodingError)
    #expect(error.description.hasSuffix("in \(excerpt)"), "\(error.description)")
  }
}

import Foundation
import Testing

@testable import AnvilJSON

/// A metatype known only at run time determines the decoded type, as with Foundation.
@Suite struct MetatypeTests {
  private class Person: Decodable {
    let name: String

    private enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Swift.Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  private final class Employee: Person {
    let team: String

    private enum CodingKeys: CodingKey { case team }

    required init(from decoder: any Swift.Decoder) throws {
      team = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .team)
      try super.init(from: decoder)
    }
  }

  private static let type: Person.Type = Employee.self
  private static let text = #"{"name": "Ada", "team": "Engines"}"#

  private func team(_ person: Person?) -> String? { (person as? Employee)?.team }

  @Test func subclassIsDecodedAsTheRoot() throws {
    let data = Data(Self.text.utf8)
    #expect(team(try JSON.Decoder().decode(Self.type, from: data)) == "Engines")
    #expect(team(try JSONDecoder().decode(Self.type, from: data)) == "Engines")
    #expect(team(try JSON.Decoder().decode(Self.type, from: JSON(parsing: data))) == "Engines")
    #expect(team(try JSON.Decoder().decodeCollecting(Self.type, from: JSON(parsing: data))) == "Engines")
  }

  private struct Containers: Decodable {
    var people: [Person]

    init(from decoder: any Swift.Decoder) throws {
      var container = try decoder.unkeyedContainer()
      people = [try container.decode(MetatypeTests.type)]
      people.append(try container.superDecoder().singleValueContainer().decode(MetatypeTests.type))
      people.append(try #require(try container.decodeIfPresent(MetatypeTests.type)))
    }
  }

  @Test func subclassIsDecodedInUnkeyedAndSingleValueContainers() throws {
    let data = Data("[\(Self.text), \(Self.text), \(Self.text)]".utf8)
    let decoded = try JSON.Decoder().decode(Containers.self, from: data)
    #expect(decoded.people.map { team($0) } == ["Engines", "Engines", "Engines"])
    let collected = try JSON.Decoder().decodeCollecting(Containers.self, from: JSON(parsing: data))
    #expect(collected.people.map { team($0) } == ["Engines", "Engines", "Engines"])
    #expect(
      try JSONDecoder().decode(Containers.self, from: data).people.map { team($0) } == decoded.people.map { team($0) })
  }

  private struct Keyed: Decodable {
    private enum CodingKeys: CodingKey { case a, b }

    var people: [Person?]

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      people = [
        try container.decode(MetatypeTests.type, forKey: .a),
        try container.decodeIfPresent(MetatypeTests.type, forKey: .b),
      ]
    }
  }

  /// The keyed containers of the standard library pass on only the static type.
  @Test func keyedContainersDecodeTheStaticTypeAsInFoundation() throws {
    let data = Data(#"{"a": \#(Self.text), "b": \#(Self.text)}"#.utf8)
    let lists = try [
      JSON.Decoder().decode(Keyed.self, from: data), JSONDecoder().decode(Keyed.self, from: data),
      JSON.Decoder().decodeCollecting(Keyed.self, from: JSON(parsing: data)),
    ]
    for people in lists.map(\.people) {
      #expect(people.map { $0?.name } == ["Ada", "Ada"] && people.allSatisfy { team($0) == nil })
    }
  }

  private class Setting: DecodableWithConfiguration {
    let value: Int
    required init(from decoder: any Swift.Decoder, configuration: Int) throws {
      value = try decoder.singleValueContainer().decode(Int.self) + configuration
    }
  }

  private final class Doubled: Setting {
    let twice: Int
    required init(from decoder: any Swift.Decoder, configuration: Int) throws {
      twice = try decoder.singleValueContainer().decode(Int.self) * 2
      try super.init(from: decoder, configuration: configuration)
    }
  }

  @Test func subclassIsDecodedWithAConfiguration() throws {
    let type: Setting.Type = Doubled.self
    let decoded = try JSON.Decoder().decode(type, from: Data("3".utf8), configuration: 1)
    #expect((decoded as? Doubled)?.twice == 6)
  }
}

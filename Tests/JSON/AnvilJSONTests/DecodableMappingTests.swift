import AnvilJSON
import Foundation
import Testing

private struct Person: Codable, Equatable, JSONDecodable {
  struct Address: Codable, Equatable {
    var street: String
    var zip: Int?
  }

  var name: String
  var ages: [Int]
  var addresses: [String: Address]
  var big: Int128?
  var price: Decimal?
}

private enum Level: Int, Decodable, JSONDecodable { case low = 1 }

/// A type that throws errors with custom paths.
private struct Picky: Decodable, JSONDecodable {
  enum CodingKeys: String, CodingKey { case a }

  init(from decoder: any Decoder) throws {
    let text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .a)
    let path: [any CodingKey] = text == "own" ? decoder.codingPath + [CodingKeys.a] : [CodingKeys.a]
    throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "no"))
  }
}

/// `Decodable` types that are mapped are decoded from the document.
@Suite struct DecodableMappingTests {
  private func path(_ body: () throws -> Void) -> [String]? {
    do {
      try body()
      return nil
    } catch DecodingError.typeMismatch(_, let context) {
      return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    } catch DecodingError.keyNotFound(let key, let context) {
      return context.codingPath.map(\.stringValue) + ["missing", key.stringValue]
    } catch DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context) {
      return context.codingPath.map(\.stringValue)
    } catch {
      return ["\(error)"]
    }
  }

  private static let text = #"""
    {"a": {"b": [0, {"name": "é\n", "ages": [1, 2], "addresses": {"home": {"street": "S", "zip": null}},
                     "big": 170141183460469231731687303715884105727, "price": 0.10000000000000000001}]}}
    """#

  @Test func nestedValuesCanBeDecoded() throws {
    let json = try JSON(parsing: Self.text)
    let person: Person = try json => "a" => "b" => 1
    #expect(person.name == "é\n" && person.ages == [1, 2] && person.addresses["home"] == .init(street: "S", zip: nil))
    #expect(person.big == .max && person.price == Decimal(string: "0.10000000000000000001"))
    let part: JSON = try json => ["a", "b", 1]
    #expect(try person == JSON.Decoder().decode(Person.self, from: part))
    #expect(try [Level].decode("[1, 1]".parsed) == [.low, .low])
  }

  @Test(arguments: [
    (#""ages": [1, 2]"#, #""ages": [1, "x"]"#, ["ages", "1"]),
    (#""name":"#, #""nom":"#, ["missing", "name"]),
    (#""street":"#, #""road":"#, ["addresses", "home", "missing", "street"]),
    (#""zip": null"#, #""zip": "1""#, ["addresses", "home", "zip"]),
    (#""zip": null"#, #""zip": 1.5"#, ["addresses", "home", "zip"]),
    (#""é\n""#, "null", ["name"]),
  ])
  func codingPathsBeginAtTheValue(old: String, new: String, expected: [String]) throws {
    let json = try JSON(parsing: Self.text.replacing(old, with: new))
    let person: JSON = try json => "a" => "b" => 1
    #expect(path { _ = try Person.decode(person) } == expected)
    #expect(path { _ = try JSON.Decoder().decode(Person.self, from: person) } == expected)
    // The same as if the value were a whole document.
    #expect(path { _ = try Person.decode(person.compactCopy()) } == expected)
  }

  @Test func errorPathsContainEachStepOnce() throws {
    let json = try JSON(parsing: Self.text.replacing(#""zip": null"#, with: #""zip": "1""#))
    let error = #expect(throws: WrappedDecodingError.self) { _ = try json => "a" => ["b", 1] as Person }
    #expect(error?.path == ["a", "b", 1, "addresses", "home", "zip"])
    #expect(error?.object == "1" && error?.rootObject == json)
    #expect(
      error?.description.hasPrefix("WrappedDecodingError at object.a.b[1].addresses.home.zip: expected Int: ") == true)
  }

  @Test func errorPathsSetByATypeAreKept() throws {
    let json = try JSON(parsing: #"{"x": {"a": "own"}, "y": {"a": ""}, "a": {"a": "own"}}"#)
    for key in ["x", "y", "a"] {
      let value = try #require(json[key])
      #expect(path { _ = try Picky.decode(value) } == ["a"], "\(key)")
    }
  }

  @Test func errorPathsHaveConvertedKeys() throws {
    let json = try JSON(parsing: #"{"outer_key": {"big_number": "x"}}"#)
    struct Model: Decodable { var bigNumber: Int }
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let value = try #require(json["outer_key"])
    #expect(path { _ = try decoder.decode(Model.self, from: value) } == ["bigNumber"])
  }
}

extension String {
  fileprivate var parsed: JSON {
    get throws { try JSON(parsing: self) }
  }
}

import AnvilJSON
import Foundation
import Testing

private struct Dog: JSONDecodable, Equatable {
  let bark: String
  static func decode(_ json: JSON) throws -> Dog { try Dog(bark: json => "bark") }
}

private struct Cat: JSONDecodable, Equatable {
  let lives: Int
  static func decode(_ json: JSON) throws -> Cat { try Cat(lives: json => "lives") }
}

private enum Pet: JSONDecodable, Equatable {
  case dog(Dog)
  case cat(Cat)

  static func decode(_ json: JSON) throws -> Pet {
    try json.decodeAsOneOf(.decoding(Dog.self, as: Pet.dog), .decoding(Cat.self, as: Pet.cat))
  }
}

@Suite struct MappingPerCallTests {
  @Test func datesDecodeInTheirFormat() throws {
    let json = try JSON(
      parsing: #"{"s": 1.5, "ms": 1500, "all": [0, 1], "iso": "1970-01-01T00:00:01.5Z", "null": null, "bad": "x"}"#)
    let date = Date(timeIntervalSince1970: 1.5)
    #expect(try json.value(at: "s", with: .date(.secondsSince1970)) == date)
    #expect(try json.value(at: "ms", with: .date(.millisecondsSince1970)) == date)
    #expect(try json.value(at: "iso", with: .date(.iso8601)) == date)
    #expect(try json => ("s", .date(.secondsSince1970)) == date)
    #expect(try json =>? ("s", .date(.secondsSince1970)) == date)
    #expect(try json =>? ("none", .date(.secondsSince1970)) == nil)
    #expect(try json =>? ("null", .date(.secondsSince1970)) == nil)
    #expect(try json.value(ifPresentAt: "null" => "x", with: .date(.secondsSince1970)) == nil)
    let all = try json => ("all", .array(of: .date(.secondsSince1970)))
    #expect(all == [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)])
    #expect(throws: MissingKeyError.self) { try json => ("none", .date(.secondsSince1970)) }
    let error = #expect(throws: TypeMismatchError.self) { try json => ("bad", .date(.secondsSince1970)) }
    #expect(error?.description == #"TypeMismatchError at object.bad: expected Date, found string in "x""#)
  }

  @Test func closuresDecode() throws {
    let json = try JSON(parsing: #"{"list": {"of": "1,2,3"}, "null": null}"#)
    let numbers = try json.value(at: "list" => "of") {
      try String.decode($0).split(separator: ",").compactMap { Int($0) }
    }
    #expect(numbers == [1, 2, 3])
    #expect(try json.value(ifPresentAt: "none") { try Int.decode($0) } == nil)
    #expect(try json.value(ifPresentAt: "null") { try Int.decode($0) } == nil)
    let strategy = JSON.DecodingStrategy { try String.decode($0).count }
    #expect(try json => ("list" => "of", strategy) == 5)
    let error = #expect(throws: TypeMismatchError.self) { try json.value(at: "list" => "of") { try [Int].decode($0) } }
    #expect(error?.path == ["list", "of"])
  }

  @Test func invalidElementsAreSkippedAndReported() throws {
    let json = try JSON(parsing: #"{"pets": [{"bark": "a"}, {"bark": 1}, 5, {"bark": "b"}, {}]}"#)
    var problems: [any JSONDecodingError] = []
    let dogs = try json.value(at: "pets") { try [Dog].decode($0, skippingInvalid: { problems.append($0) }) }
    #expect(dogs == [Dog(bark: "a"), Dog(bark: "b")])
    #expect(
      problems.map(\.description) == [
        "TypeMismatchError at object.pets[1].bark: expected String, found number in 1",
        "TypeMismatchError at object.pets[2]: expected object, found number in 5",
        "MissingKeyError at object.pets[4]: bark in {}",
      ])
    #expect(problems.allSatisfy { $0.rootObject == json && $0.object?.path == $0.path })
    #expect(throws: TypeMismatchError.self) { try [Dog].decode(json) { problems.append($0) } }
    let pets: JSON = try json => "pets"
    #expect(throws: CancellationError.self) { try [Dog].decode(pets) { _ in throw CancellationError() } }
  }

  @Test func invalidMembersAreSkippedAndReported() throws {
    let json = try JSON(
      parsing: #"{"a": {"lives": 9}, "odd.key": {"lives": "x"}, "a": {"lives": 1}, "b": {"lives": 7}}"#)
    var problems: [any JSONDecodingError] = []
    let cats = try [String: Cat].decode(json) { problems.append($0) }
    #expect(cats == ["a": Cat(lives: 9), "b": Cat(lives: 7)])
    #expect(
      problems.map(\.description) == [
        #"TypeMismatchError at object["odd.key"].lives: expected Int, found string in "x""#
      ])
    #expect(throws: TypeMismatchError.self) { try [String: Cat].decode("x") { problems.append($0) } }
  }

  @Test func firstMatchingTypeIsUsed() throws {
    let json = try JSON(parsing: #"[{"lives": 9}, {"bark": "a"}, {"bark": "b", "lives": 1}]"#)
    #expect(try [Pet].decode(json) == [.cat(Cat(lives: 9)), .dog(Dog(bark: "a")), .dog(Dog(bark: "b"))])
    let cat: JSON = try json => 0
    #expect(try cat.decodeAsOneOf(Dog.self, Cat.self) as? Cat == Cat(lives: 9))
  }

  @Test func errorListsTheReasonForEachTypeThatFailed() throws {
    let json = try JSON(parsing: #"{"pet": {"lives": "x"}}"#)
    let error = #expect(throws: NoMatchingTypeError.self) { try json => "pet" as Pet }
    #expect(
      error?.description == #"""
        NoMatchingTypeError at object.pet: not Dog (MissingKeyError at object: bark in {"lives": "x"}), \#
        not Cat (TypeMismatchError at object.lives: expected Int, found string in "x") in {"lives": "x"}
        """#)
    #expect(error?.attempts.map(\.type) == ["Dog", "Cat"])
    let untyped = #expect(throws: NoMatchingTypeError.self) { try json.decodeAsOneOf(Dog.self, Int.self) }
    #expect(untyped?.attempts.map(\.type) == ["Dog", "Int"])
  }
}

import AnvilDiagnosis
import AnvilJSON
import Foundation
import Testing

private struct Address: JSONDecodable, Equatable {
  var street: String
  var zip: Int

  static func decode(_ json: JSON) throws -> Address {
    let fields = json.fields
    return try fields.combine(fields ==> "street", fields ==> "zip", into: Address.init)
  }
}

private struct Customer: JSONDecodable, Equatable {
  var id: Int
  var name: String
  var nick: String?
  var city: String?
  var address: Address
  var former: [Address]
  var byName: [String: Address]?
  var created: Date

  static func decode(_ json: JSON) throws -> Customer {
    let fields = json.fields
    return try fields.combine(
      fields ==> "id",
      fields ==> "person" => "name",
      fields ==>? "nick",
      fields ==>? JSON.OptionalPath(requiring: "person") =>? "city",
      fields ==> "address",
      fields ==> "former",
      fields ==>? "byName",
      fields.value(at: "created", with: .date(.secondsSince1970))
    ) {
      Customer(
        id: $0, name: $1, nick: $2, city: $3, address: $4, former: $5, byName: $6, created: $7)
    }
  }
}

private struct Customers: JSONDecodable {
  var users: [Customer]
  static func decode(_ json: JSON) throws -> Customers {
    try Customers(users: [Customer].decodeAll(json.value(at: "users")))
  }
}

/// All errors of a mapping at once.
@Suite struct FieldTests {
  private static let good = #"""
    {"id": 1, "person": {"name": "A", "city": "C"}, "address": {"street": "S", "zip": 1}, "former": [], "byName": null,
     "created": 0}
    """#

  private func lines<T: JSONDecodable>(_ type: T.Type, _ text: String) throws -> [String] {
    let json = try JSON(parsing: text)
    do {
      _ = try T.decodeAll(json)
      return []
    } catch let error as any JSONDecodingError {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  @Test func validFieldsAreCombinedIntoAValue() throws {
    let user = try Customer.decode(JSON(parsing: Self.good))
    #expect(
      user
        == Customer(
          id: 1, name: "A", nick: nil, city: "C", address: Address(street: "S", zip: 1), former: [], byName: nil,
          created: Date(timeIntervalSince1970: 0)))
  }

  @Test func everyErrorIsKept() throws {
    let text =
      #"{"id": "1", "person": {"city": 1}, "nick": 7, "address": {"zip": "2"}, "former": [{}, 3], "created": ""}"#
    expectLines(
      try lines(Customer.self, text),
      [
        "10 errors at object",
        #"  TypeMismatchError at object.id: expected Int, found string in "1""#,
        #"  MissingKeyError at object.person: name in {"city": 1}"#,
        "  TypeMismatchError at object.nick: expected String, found number in 7",
        "  TypeMismatchError at object.person.city: expected String, found number in 1",
        #"  MissingKeyError at object.address: street in {"zip": "2"}"#,
        #"  TypeMismatchError at object.address.zip: expected Int, found string in "2""#,
        "  MissingKeyError at object.former[0]: street in {}",
        "  MissingKeyError at object.former[0]: zip in {}",
        "  TypeMismatchError at object.former[1]: expected object, found number in 3",
        #"  TypeMismatchError at object.created: expected Date, found string in """#,
      ])
  }

  @Test func singleErrorIsThrownUnchanged() throws {
    let text = Self.good.replacing(#""street": "S", "#, with: "")
    #expect(throws: MissingKeyError.self) { try Customer.decode(JSON(parsing: text)) }
    expectLines(try lines(Customer.self, text), [#"MissingKeyError at object.address: street in {"zip": 1}"#])
    // Missing for each field inside, but reported once.
    expectLines(try lines(Address.self, "[]"), ["TypeMismatchError at object: expected object, found array in []"])
  }

  @Test func errorPathsIncludeTheOuterPath() throws {
    let json = try JSON(parsing: #"{"data": [{"home": {"street": 1}}, {"home": {"zip": 1.5}}]}"#)
    do {
      let _: Address = try json => "data" => 1 => "home"
      Issue.record("it is no address")
    } catch let error as JSONDecodingErrors {
      #expect(error.path == ["data", 1, "home"])
      #expect(error.object == json["data"]?[1]?["home"])
      #expect(error.rootObject == json)
      #expect(error.errors.map(\.path) == [["data", 1, "home"], ["data", 1, "home", "zip"]])
      #expect(error.errors.allSatisfy { $0.rootObject == json })
      #expect(error.errors.first is MissingKeyError)
      #expect(error.all.count == 2)
      #expect(
        error.description == """
          2 errors at object.data[1].home
            MissingKeyError at object.data[1].home: street in {"zip": 1.5}
            TypeMismatchError at object.data[1].home.zip: expected Int, found number in 1.5
          """)
    }
  }

  @Test func errorsOfAllElementsAreCollected() throws {
    expectLines(
      try lines([String: [Address?]?].self, #"{"a": [null, {"street": 1, "zip": 2}], "b": null, "c": 3, "d": [4]}"#),
      [
        "3 errors at object",
        "  TypeMismatchError at object.a[1].street: expected String, found number in 1",
        "  TypeMismatchError at object.c: expected array, found number in 3",
        "  TypeMismatchError at object.d[0]: expected object, found number in 4",
      ])
    expectLines(
      try lines([Int].self, #"[1, "2", 3.5]"#),
      [
        "2 errors at object", #"  TypeMismatchError at object[1]: expected Int, found string in "2""#,
        "  TypeMismatchError at object[2]: expected Int, found number in 3.5",
      ])
    #expect(try [Int].decodeAll(JSON(parsing: "[1, 2]")) == [1, 2])
    #expect(try [String: Int].decodeAll(JSON(parsing: #"{"a": 1, "a": 2}"#)) == ["a": 1])
    #expect(throws: TypeMismatchError.self) { try [Int].decodeAll(JSON(parsing: "{}")) }
  }

  @Test func errorsOfElementsInModelsAreKept() throws {
    let text = #"{"users": [\#(Self.good), {}, 1]}"#
    expectLines(
      try lines(Customers.self, text),
      [
        "6 errors at object",
        "  MissingKeyError at object[1]: id in {}",
        "  MissingKeyError at object[1]: person in {}",
        "  MissingKeyError at object[1]: address in {}",
        "  MissingKeyError at object[1]: former in {}",
        "  MissingKeyError at object[1]: created in {}",
        "  TypeMismatchError at object[2]: expected object, found number in 1",
      ])
  }

  @Test func noMoreThan100ErrorsAreKept() throws {
    let text = "[" + repeatElement(#"{"street": 1, "zip": ""}"#, count: 1000).joined(separator: ",") + "]"
    do {
      _ = try [Address].decodeAll(JSON(parsing: text))
      Issue.record("there are no addresses")
    } catch let error as JSONDecodingErrors {
      #expect(error.errors.count == JSONDecodingErrors.limit)
      #expect(error.description.hasPrefix("100 errors or more at object\n"))
    }
  }

  @Test func fieldsCanBeCreatedFromValuesAndErrors() throws {
    struct Failure: Error {}
    let fields = try JSON(parsing: #"{"a": 1}"#).fields
    let a: JSON.Field<Int> = fields ==> "a"
    let b = JSON.Field("b")
    #expect(try fields.combine(a, b) { "\($0)\($1)" } == "1b")
    #expect(a.error == nil)
    #expect(try a.value == 1)
    let c: JSON.Field<Int> = fields.value(at: "a") { _ in throw Failure() }
    #expect(throws: WrappedDecodingError.self) { try c.value }
    #expect(throws: Failure.self) { try fields.combine(a) { _ in throw Failure() } }
    #expect(try fields.combine { 1 } == 1)
  }

  @Test func optionalFieldsFollowTheirStrategies() throws {
    let fields = try JSON(parsing: #"{"a": "x", "n": null}"#).fields
    let missing: JSON.Field<Date?> = fields.value(ifPresentAt: "b", with: .date(.secondsSince1970))
    let null: JSON.Field<Date?> = fields.value(ifPresentAt: "n", with: .date(.secondsSince1970))
    let wrong: JSON.Field<Date?> = fields.value(ifPresentAt: "a", with: .date(.secondsSince1970))
    #expect(try missing.value == nil)
    #expect(try null.value == nil)
    #expect(
      wrong.error?.description == #"TypeMismatchError at object.a: expected Date, found string in "x""#)
  }
}

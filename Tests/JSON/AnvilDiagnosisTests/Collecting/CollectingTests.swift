import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// The reported faults of documents with several errors.
@Suite struct CollectingTests {
  enum Role: String, Decodable { case admin, editor, guest }

  struct Address: Decodable {
    var street: String
    var zip: Int8
  }

  struct User: Decodable {
    enum CodingKeys: String, CodingKey {
      case id, name, role, tags, address, former, home, limits
      case createdAt = "created_at"
    }

    var id: Int
    var name: String
    var role: Role
    var tags: [String]
    var address: Address
    var former: [Address]?
    var home: URL?
    var limits: [String: Int]
    var createdAt: Date
  }

  static let good =
    #"{"id": 1, "name": "A", "role": "guest", "tags": ["a"], "address": {"street": "S", "zip": 1}, "limits": {"x": 1}, "created_at": 0}"#

  @Test func validDocumentsHaveNoFaults() throws {
    expectLines(try faults(User.self, Self.good), ["a value"])
    expectLines(try faults([User].self, "[]"), ["a value"])
  }

  @Test func everyFaultIsReported() throws {
    let text = #"""
      {"id": "1", "role": "boss", "tags": ["a", 1, null], "address": {"zip": 300}, "former": [{"street": 1, "zip": 1},
      {"street": "S"}, 7], "home": 4, "limits": {"x": "y", "z": 1.5}, "created_at": true}
      """#
    expectLines(
      try faults(User.self, text),
      [
        "decode.missing-key root, lacks name, expected String, a string, for CollectingTests.User.name",
        "decode.type-mismatch id, expected Int, a number, for CollectingTests.User.id",
        "decode.unknown-case role, expected CollectingTests.Role, a string, for CollectingTests.User.role, of admin editor guest",
        "decode.type-mismatch tags[1], expected String, a string, for CollectingTests.User.tags",
        "decode.unexpected-null tags[2], expected String, a string, for CollectingTests.User.tags",
        "decode.missing-key address, lacks street, expected String, a string, for CollectingTests.Address.street",
        "decode.number-out-of-range address.zip, expected Int8, a number, for CollectingTests.Address.zip",
        "decode.type-mismatch former[0].street, expected String, a string, for CollectingTests.Address.street",
        "decode.missing-key former[1], lacks zip, expected Int8, a number, for CollectingTests.Address.zip",
        "decode.type-mismatch former[2], expected CollectingTests.Address, a object, for CollectingTests.User.former",
        "decode.type-mismatch home, expected URL, a string, for CollectingTests.User.home",
        "decode.type-mismatch limits.x, expected Int, a number, for CollectingTests.User.limits",
        "decode.number-out-of-range limits.z, expected Int, a number, for CollectingTests.User.limits",
        "decode.type-mismatch created_at, expected Date, a number or string, for CollectingTests.User.createdAt",
      ])
  }

  @Test func faultsAtTheRootAreReported() throws {
    expectLines(try faults(User.self, "[]"), ["decode.type-mismatch root, expected CollectingTests.User, a object"])
    expectLines(try faults(Int.self, "null"), ["decode.unexpected-null root, expected Int, a number"])
    expectLines(try faults([Int].self, "{}"), ["decode.type-mismatch root, expected [Int], a array"])
    expectLines(
      try faults([[Int]].self, #"[["a"], 1]"#),
      [
        "decode.type-mismatch [0][0], expected Int, a number", "decode.type-mismatch [1], expected [Int], a array",
      ])
  }

  @Test func numberOfFaultsIsLimited() throws {
    let text = "[" + (0..<50).map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let ten = try faults([Int].self, text, limit: 10)
    #expect(ten.count == 11)
    #expect(ten.last == "and more")
    #expect(ten.first == "decode.type-mismatch [0], expected Int, a number")
    #expect(try faults([Int].self, text, limit: 50).count == 50)
    #expect(try faults([Int].self, text, limit: 0).count == 2)
  }

  @Test func aPartOfADocumentIsDecodedWithPathsFromItsRoot() throws {
    let json = try JSON(parsing: #"{"users": [{"street": 1}]}"#)
    let part = try #require(json["users"]?[0])
    let found = JSON.Decoder().collectFaults(Address.self, in: part)
    expectLines(
      found.faults.map(line),
      [
        "decode.missing-key users[0], lacks zip, expected Int8, a number, for CollectingTests.Address.zip",
        "decode.type-mismatch users[0].street, expected String, a string, for CollectingTests.Address.street",
      ])
    #expect(found.isComplete)
  }

  // MARK: Strategies

  struct Stamped: Decodable {
    var createdAt: Date
    var bigData: Data
    var someURL: URL
    var half: Double
  }

  @Test func faultsNameTheStrategies() throws {
    expectLines(
      try faults(Stamped.self, #"{"big_data": "?", "some_url": "http://[", "half": "x"}"#) {
        $0.keyDecodingStrategy = .convertFromSnakeCase
        $0.dateDecodingStrategy = .iso8601
      },
      [
        "decode.missing-key root, lacks created_at, expected Date, a string, for CollectingTests.Stamped.createdAt, by keyDecodingStrategy = .convertFromSnakeCase, dateDecodingStrategy = .iso8601",
        "decode.missing-key root, lacks someURL, expected URL, a string, for CollectingTests.Stamped.someURL, by keyDecodingStrategy = .convertFromSnakeCase",
        "decode.invalid-value big_data, expected Data, a string, for CollectingTests.Stamped.bigData, as Expected Base64., by dataDecodingStrategy = .base64",
        "decode.type-mismatch half, expected Double, a number, for CollectingTests.Stamped.half",
      ])
    expectLines(
      try faults(Stamped.self, #"{"createdAt": "yesterday", "bigData": [1, 300], "someURL": "a", "half": "x"}"#) {
        $0.dateDecodingStrategy = .iso8601
        $0.dataDecodingStrategy = .deferredToData
        $0.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "+", negativeInfinity: "-", nan: "?")
      },
      [
        "decode.invalid-value createdAt, expected Date, a string, for CollectingTests.Stamped.createdAt, as Expected a date in ISO 8601, found \"yesterday\"., by dateDecodingStrategy = .iso8601",
        "decode.number-out-of-range bigData[1], expected UInt8, a number, for CollectingTests.Stamped.bigData",
        "decode.type-mismatch half, expected Double, a number, for CollectingTests.Stamped.half, by nonConformingFloatDecodingStrategy = .convertFromString",
      ])
  }

  @Test func customStrategiesAreCalledWhileCollecting() throws {
    struct Refused: Error {}
    let text = #"{"createdAt": "x", "bigData": 7, "someURL": "a", "half": 1}"#
    expectLines(
      try faults(Stamped.self, text) {
        $0.dateDecodingStrategy = .custom { _ in throw Refused() }
        $0.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
      },
      [
        "decode.invalid-value createdAt, expected Date, for CollectingTests.Stamped.createdAt, as Refused(), by dateDecodingStrategy = .custom",
        "decode.type-mismatch bigData, expected String, a string, for CollectingTests.Stamped.bigData",
      ])
  }

  @Test func keysAreConvertedForHints() throws {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .custom { path in
      var name = path.map(\.stringValue).last ?? ""
      name.removeFirst()
      return DecodingKey(stringValue: name)
    }
    let found = decoder.collectFaults(Address.self, in: try JSON(parsing: #"{"_street": 1}"#))
    expectLines(
      found.faults.map(line),
      [
        "decode.missing-key root, lacks zip, expected Int8, a number, for CollectingTests.Address.zip, by keyDecodingStrategy = .custom",
        "decode.type-mismatch _street, expected String, a string, for CollectingTests.Address.street",
      ])
  }

  @Test func propertiesHaveTheirSwiftNames() {
    enum CodingKeys: String, CodingKey { case createdAt = "created_at" }
    #expect(ModelProperty(model: nil, key: CodingKeys.createdAt).name == "createdAt")
    #expect(ModelProperty(model: nil, key: DecodingKey(stringValue: "a")).name == "a")
    #expect(ModelProperty(model: nil, key: nil).name == nil)
  }
}

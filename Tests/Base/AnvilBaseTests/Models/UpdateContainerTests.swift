import AnvilBase
import Foundation
import Testing

/// `update` on containers, and objects that update themselves.
@Suite struct UpdateContainerTests {
  class Animal: DecoderUpdatable {
    var name = "Rex"
    enum CodingKeys: CodingKey { case name }
    func update(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? name
    }
  }

  final class Dog: Animal {
    var trick = "sit"
    let collar = Collar()
    enum CodingKeys: CodingKey { case trick, collar }
    override func update(from decoder: any Decoder) throws {
      try super.update(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      trick = try container.decodeIfPresent(String.self, forKey: .trick) ?? trick
      try container.updateIfPresent(collar, forKey: .collar)
    }
  }

  final class Collar: DecoderUpdatable {
    var color = "red"
    enum CodingKeys: CodingKey { case color }
    func update(from decoder: any Decoder) throws {
      color = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .color)
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func classHierarchiesAreUpdatedInPlace(format: SampleFormat) throws {
    let dog = Dog()
    let same = try format.update(dog as Animal, #"{"name": "Fido", "collar": {"color": "blue"}}"#)
    #expect(same === dog)
    #expect(dog.name == "Fido" && dog.trick == "sit" && dog.collar.color == "blue")
    try format.format.update(dog, from: format.data(#"{"trick": "roll", "collar": null}"#))
    #expect(dog.name == "Fido" && dog.trick == "roll" && dog.collar.color == "blue")
  }

  struct Point: Codable, Equatable, DecoderUpdatable {
    var x = 1
    var y = 2
  }

  struct Key: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringLiteral value: String) { stringValue = value }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A value that is encoded as another value, or as null.
  struct Wrapper: Codable, Equatable, DecoderUpdatable {
    var point: Point?

    init(_ point: Point?) { self.point = point }
    init(from decoder: any Decoder) throws { point = try decoder.singleValueContainer().decode(Point?.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(point)
    }
  }

  @Test func nullClearsTheWrappedValue() throws {
    let format = SampleFormat.anvil
    #expect(try format.format.update(Wrapper(Point()), from: format.data(#"{"y": 5}"#)) == Wrapper(Point(x: 1, y: 5)))
    #expect(try format.format.update(Wrapper(Point()), from: format.data("null")) == Wrapper(nil))
  }

  @Test(arguments: SampleFormat.allCases)
  func keyedContainersUpdate(format: SampleFormat) throws {
    let data = try format.data(
      #"{"point": {"y": 5}, "null": null, "bad": {"x": "a"}, "whole": {"x": 7, "y": 8}}"#)
    let container = try format.format.decoder(for: data).container(keyedBy: Key.self)
    #expect(try container.update(Point(), forKey: "point") == Point(x: 1, y: 5))
    #expect(try container.updateIfPresent(Point(), forKey: "point") == Point(x: 1, y: 5))
    #expect(try container.updateIfPresent(Point(), forKey: "null") == Point())
    #expect(try container.updateIfPresent(Point(), forKey: "absent") == Point())
    for (key, place) in [("null", "null"), ("absent", "absent"), ("bad", "bad.x")] as [(Key, String)] {
      let error = #expect(throws: DecodingError.self) { try container.update(Point(), forKey: key) }
      #expect(error?.place == place)
    }
    #expect(throws: DecodingError.self) { try container.updateIfPresent(Point(), forKey: "bad") }
    #expect(try container.updateIfPresent(Point?(Point()), forKey: "point") == Point(x: 1, y: 5))
    #expect(try container.updateIfPresent(Point?(Point()), forKey: "null") == nil)
    #expect(try container.updateIfPresent(Point?(Point()), forKey: "absent") == Point())
    #expect(try container.updateIfPresent(Point?.none, forKey: "whole") == Point(x: 7, y: 8))
    #expect(try container.updateIfPresent(Point?.none, forKey: "absent") == nil)
    #expect(throws: DecodingError.self) { try container.updateIfPresent(Point?.none, forKey: "point") }
  }

  @Test(arguments: SampleFormat.allCases)
  func unkeyedContainersUpdateElementByElement(format: SampleFormat) throws {
    let data = try format.data(#"[{"x": 7}, null, {"y": 8}]"#)
    var container = try format.format.decoder(for: data).unkeyedContainer()
    #expect(try container.update(Point()) == Point(x: 7, y: 2))
    #expect(try container.decodeNil())
    #expect(container.currentIndex == 2)
    #expect(try container.update(Point()) == Point(x: 1, y: 8))
    #expect(container.isAtEnd)
    #expect(throws: DecodingError.self) { try container.update(Point()) }
  }

  @Test(arguments: SampleFormat.allCases)
  func failedElementIsNotSkippedAndHasItsPath(format: SampleFormat) throws {
    let data = try format.data(#"[{"x": 7}, {"x": "a"}, {"x": 9}]"#)
    var container = try format.format.decoder(for: data).unkeyedContainer()
    try container.update(Point())
    let error = #expect(throws: DecodingError.self) { try container.update(Point()) }
    #expect(error?.place == "1.x")
    #expect(container.currentIndex == 1)
  }

  /// A value with the default update that contains an object. The object is kept and updated.
  struct Owner: Codable, DecoderUpdatable {
    final class Pet: Codable, DecoderUpdatable {
      var name: String
      init(name: String) { self.name = name }
      func update(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
      }
    }
    var pet: Pet
    var visits = 0
  }

  @Test(arguments: SampleFormat.allCases)
  func objectInAValueKeepsItsIdentity(format: SampleFormat) throws {
    let pet = Owner.Pet(name: "Rex")
    let updated = try format.update(Owner(pet: pet), #"{"pet": {"name": "Fido"}}"#)
    #expect(updated.pet === pet)
    #expect(pet.name == "Fido")
    #expect(try format.update(updated, #"{"visits": 1}"#).pet === pet)
  }

  @Test(arguments: SampleFormat.allCases)
  func objectUpdatedBeforeAFailureStaysUpdated(format: SampleFormat) throws {
    let pet = Owner.Pet(name: "Rex")
    #expect(throws: DecodingError.self) {
      try format.update(Owner(pet: pet), #"{"pet": {"name": "Fido"}, "visits": "many"}"#)
    }
    #expect(pet.name == "Fido")
  }

  /// Codes its base with super encoders and decoders.
  struct Layered: Codable, Equatable, DecoderUpdatable {
    var base = Point()
    var other = Point(x: 3, y: 4)
    enum CodingKeys: CodingKey { case other }
    init() {}
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      base = try Point(from: container.superDecoder())
      other = try Point(from: container.superDecoder(forKey: .other))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try base.encode(to: container.superEncoder())
      try other.encode(to: container.superEncoder(forKey: .other))
    }
  }

  @Test(
    arguments: SampleFormat.allCases,
    [
      ("{}", 1, 3), (#"{"super": {"x": 9}}"#, 9, 3), (#"{"other": {"x": 9}}"#, 1, 9), (#"{"super": {}}"#, 1, 3),
    ])
  func superDecodersOfOldAndNewValuesAreMerged(
    format: SampleFormat, sample: (json: String, base: Int, other: Int)
  ) throws {
    let updated = try format.update(Layered(), sample.json)
    #expect(updated.base == Point(x: sample.base, y: 2))
    #expect(updated.other == Point(x: sample.other, y: 4))
  }
}

import AnvilBase
import Foundation
import Testing

/// The old values that the default `update(from:)` keeps. They are read as the type that is decoded, whatever type was
/// encoded.
@Suite struct UpdateOldValueTests {
  /// Encodes its properties as other types than it decodes.
  struct Loose: Codable, Equatable, DecoderUpdatable {
    enum Kind: String, Codable { case small, large }
    var kind = Kind.small
    var count = 3
    var ratio = 0.5
    var note: String?
    var pair = [1, 2]

    enum CodingKeys: CodingKey { case kind, count, ratio, note, pair, other }

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = Kind(rawValue: try container.decode(String.self, forKey: .kind)) ?? .large
      count = Int(try container.decode(Double.self, forKey: .count))
      ratio = Double(try container.decode(Float.self, forKey: .ratio))
      note = try container.decode(String?.self, forKey: .note)
      pair = try container.decode(Pair.self, forKey: .pair).items
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(kind, forKey: .kind)
      try container.encode(count, forKey: .count)
      try container.encode(ratio, forKey: .ratio)
      try container.encode(note, forKey: .note)
      try container.encode(pair, forKey: .pair)
    }

    struct Pair: Decodable {
      var items: [Int] = []
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { items.append(try container.decode(Int.self)) }
      }
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func oldValuesAreReadAsTheDecodedType(format: SampleFormat) throws {
    #expect(try format.update(Loose(), "{}") == Loose())
    var expected = Loose()
    expected.note = "n"
    expected.kind = .large
    #expect(try format.update(Loose(), #"{"note": "n", "kind": "large"}"#) == expected)
  }

  @Test(arguments: SampleFormat.allCases)
  func oldValueThatCannotBeReadIsAnError(format: SampleFormat) throws {
    struct Unlike: Codable, DecoderUpdatable {
      init() {}
      enum CodingKeys: CodingKey { case value }
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self).decode(Int8.self, forKey: .value)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("text", forKey: .value)
      }
    }
    let error = #expect(throws: DecodingError.self) { try format.update(Unlike(), "{}") }
    #expect(error?.place == "value")
    guard case .typeMismatch(_, let context) = try #require(error) else {
      Issue.record("expected typeMismatch, found \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "The value is absent, and the old value was encoded as a value of type String.")
  }

  @Test(arguments: SampleFormat.allCases)
  func nonFiniteOldValuesAreKept(format: SampleFormat) throws {
    struct Reading: Codable, DecoderUpdatable {
      var name = "a"
      var low = -Double.infinity
      var middle = Double.nan
    }
    let updated = try format.update(Reading(), #"{"name": "b"}"#)
    #expect(updated.name == "b")
    #expect(updated.low == -.infinity)
    #expect(updated.middle.isNaN)
  }

  @Test(arguments: SampleFormat.allCases)
  func errorsFromEncodingTheOldValueAreThrown(format: SampleFormat) {
    struct Secret: Codable, DecoderUpdatable {
      struct Refusal: Error {}
      var word = "x"
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    #expect(throws: Secret.Refusal.self) { try format.update(Secret(), #"{"word": "y"}"#) }
  }

  @Test(arguments: SampleFormat.allCases)
  func valueThatEncodesItselfEndlesslyThrows(format: SampleFormat) {
    struct Mirrored: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    struct Holder: Codable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case value }
      init() {}
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self).decode([String: Int].self, forKey: .value)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Mirrored(), forKey: .value)
      }
    }
    #expect(throws: DecodingError.self) { try format.update(Holder(), "{}") }
  }

  /// Values that encode themselves as one 128-bit integer, and are decoded as such.
  struct WideNumbers: Codable, Equatable, DecoderUpdatable {
    struct Number: Encodable, Equatable {
      var value = Int128.min
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    struct Magnitude: Encodable, Equatable {
      var value = UInt128.max
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    enum CodingKeys: CodingKey { case name, number, magnitude }
    var name = "-"
    var number = Number()
    var magnitude = Magnitude()

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      number.value = try container.decode(Int128.self, forKey: .number)
      magnitude.value = try container.decode(UInt128.self, forKey: .magnitude)
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func oldValuesOf128BitsAreKept(format: SampleFormat) throws {
    var expected = WideNumbers()
    expected.name = "new"
    #expect(try format.update(WideNumbers(), #"{"name": "new"}"#) == expected)
  }

  /// Encodes nested containers where it decodes optional values.
  struct Nesting: Codable, Equatable, DecoderUpdatable {
    enum CodingKeys: CodingKey { case name, list, table }
    var name = "-"
    var list: [Int]? = [1, 2]
    var table: [String: Int]? = ["a": 1]

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      list = try container.decodeIfPresent([Int].self, forKey: .list)
      table = try container.decodeIfPresent([String: Int].self, forKey: .table)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      var items = container.nestedUnkeyedContainer(forKey: .list)
      for item in list ?? [] { try items.encode(item) }
      var members = container.nestedContainer(keyedBy: UpdateContainerTests.Key.self, forKey: .table)
      try members.encode(1, forKey: "a")
    }
  }

  @Test(arguments: SampleFormat.allCases)
  func oldContainersAreNotNull(format: SampleFormat) throws {
    var expected = Nesting()
    expected.name = "new"
    #expect(try format.update(Nesting(), #"{"name": "new"}"#) == expected)
  }

  @Test(arguments: SampleFormat.allCases)
  func oldNumberThatDoesNotFitIsAnError(format: SampleFormat) throws {
    struct Narrow: Codable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case value }
      var value: Int
      init(value: Int) { self.value = value }
      init(from decoder: any Decoder) throws {
        value = Int(try decoder.container(keyedBy: CodingKeys.self).decode(Int8.self, forKey: .value))
      }
    }
    #expect(try format.update(Narrow(value: 127), "{}").value == 127)
    #expect(throws: DecodingError.self) { try format.update(Narrow(value: 128), "{}") }
  }

  /// Read one by one from an old array: nulls, nested containers and 128-bit integers.
  @Test(arguments: SampleFormat.allCases)
  func elementsOfAnOldArrayAreReadOneByOne(format: SampleFormat) throws {
    struct Mixed: Codable, Equatable, DecoderUpdatable {
      enum CodingKeys: CodingKey { case items, name }
      var name = "-"
      var first: Int?
      var second: [String: Int] = ["a": 1]
      var third = [5, 6]
      var fourth = Int128.max

      init() {}

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        var items = try container.nestedUnkeyedContainer(forKey: .items)
        first = try items.decodeIfPresent(Int.self)
        let keyed = try items.nestedContainer(keyedBy: UpdateContainerTests.Key.self)
        second = ["a": try keyed.decode(Int.self, forKey: "a")]
        var list = try items.nestedUnkeyedContainer()
        third = [try list.decode(Int.self), try list.decode(Int.self)]
        fourth = try items.decode(Int128.self)
        if !items.isAtEnd { throw DecodingError.dataCorruptedError(in: items, debugDescription: "too many") }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        var items = container.nestedUnkeyedContainer(forKey: .items)
        try items.encodeNil()
        var keyed = items.nestedContainer(keyedBy: UpdateContainerTests.Key.self)
        try keyed.encode(1, forKey: "a")
        var list = items.nestedUnkeyedContainer()
        try list.encode(contentsOf: third)
        try items.encode(fourth)
      }
    }
    var expected = Mixed()
    expected.name = "n"
    #expect(try format.update(Mixed(), #"{"name": "n"}"#) == expected)
  }
}

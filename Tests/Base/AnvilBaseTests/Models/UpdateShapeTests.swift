import AnvilBase
import AnvilJSON
import Foundation
import Testing

/// The default `update(from:)` of types with manual coding or unusual representations.
@Suite struct UpdateShapeTests {
  /// Coded through nested containers, one of them unkeyed.
  struct Place: Codable, Equatable, DecoderUpdatable {
    var name = "Home"
    var latitude = 1.5
    var longitude: Double? = 2.5
    var size = [3, 4]

    enum CodingKeys: CodingKey { case name, position, size }
    enum PositionKeys: CodingKey { case latitude, longitude }

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      let position = try container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
      latitude = try position.decode(Double.self, forKey: .latitude)
      longitude = try position.decodeIfPresent(Double.self, forKey: .longitude)
      var items = try container.nestedUnkeyedContainer(forKey: .size)
      size = []
      while !items.isAtEnd { size.append(try items.decode(Int.self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      var position = container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
      try position.encode(latitude, forKey: .latitude)
      var again = container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
      try again.encode(longitude, forKey: .longitude)
      var items = container.nestedUnkeyedContainer(forKey: .size)
      for item in size { try items.encode(item) }
    }
  }

  @Test(
    arguments: SampleFormat.allCases,
    [
      ("{}", "Home", 1.5, 2.5, [3, 4]),
      (#"{"position": {}}"#, "Home", 1.5, 2.5, [3, 4]),
      (#"{"position": {"latitude": 7.5}}"#, "Home", 7.5, 2.5, [3, 4]),
      (#"{"position": {"longitude": null}, "name": "Work"}"#, "Work", 1.5, nil, [3, 4]),
      (#"{"size": [5]}"#, "Home", 1.5, 2.5, [5]),
    ] as [(String, String, Double, Double?, [Int])])
  func nestedContainersOfOldAndNewValuesAreMerged(
    format: SampleFormat, sample: (json: String, name: String, latitude: Double, longitude: Double?, size: [Int])
  ) throws {
    let updated = try format.update(Place(), sample.json)
    #expect(updated.name == sample.name)
    #expect(updated.latitude == sample.latitude)
    #expect(updated.longitude == sample.longitude)
    #expect(updated.size == sample.size)
  }

  @Test(arguments: SampleFormat.allCases)
  func errorsInNestedContainersHaveTheirPath(format: SampleFormat) throws {
    let error = #expect(throws: DecodingError.self) {
      try format.update(Place(), #"{"position": {"latitude": "north"}}"#)
    }
    #expect(error?.place == "position.latitude")
  }

  enum Shape: Codable, Equatable, DecoderUpdatable {
    case circle(radius: Int)
    case box(width: Int, height: Int)
  }

  struct Drawing: Codable, Equatable, DecoderUpdatable {
    var shape = Shape.box(width: 1, height: 2)
    var title = "plan"
  }

  @Test(arguments: SampleFormat.allCases)
  func enumsAreReplaced(format: SampleFormat) throws {
    let circle = try format.update(Drawing(), #"{"shape": {"circle": {"radius": 3}}}"#)
    #expect(circle == Drawing(shape: .circle(radius: 3)))
    #expect(try format.update(Shape.circle(radius: 1), #"{"circle": {"radius": 3}}"#) == .circle(radius: 3))
    #expect(try format.update(Drawing(), #"{"title": "x"}"#) == Drawing(title: "x"))
    #expect(throws: DecodingError.self) { try format.update(Drawing(), #"{"shape": {"box": {"width": 9}}}"#) }
  }

  @propertyWrapper struct Trimmed: Codable, Equatable {
    var wrappedValue: String
    init(wrappedValue: String) { self.wrappedValue = wrappedValue.trimmingCharacters(in: .whitespaces) }
    init(from decoder: any Decoder) throws {
      self.init(wrappedValue: try decoder.singleValueContainer().decode(String.self))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  @propertyWrapper struct Tracked<Value: Codable & Equatable>: Codable, Equatable, DecoderUpdatable {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws { wrappedValue = try decoder.singleValueContainer().decode(Value.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  struct Form: Codable, Equatable, DecoderUpdatable {
    @Trimmed var name = "Ada"
    @Trimmed var city = "London"
    @Tracked var drawing = Drawing()
  }

  @Test(arguments: SampleFormat.allCases)
  func propertyWrappersAreUpdated(format: SampleFormat) throws {
    let updated = try format.update(Form(), #"{"name": "  Grace ", "drawing": {"title": "sketch"}}"#)
    #expect(updated == Form(name: "Grace", drawing: Drawing(title: "sketch")))
  }

  @Test(arguments: SampleFormat.allCases)
  func emptyTypesAreUpdatedFromAnyObject(format: SampleFormat) throws {
    struct Empty: Codable, Equatable, DecoderUpdatable {}
    struct Holder: Codable, Equatable, DecoderUpdatable { var empty = Empty() }
    #expect(try format.update(Holder(), #"{"empty": {"a": 1}}"#) == Holder())
    #expect(try format.update(Holder(), "{}") == Holder())
  }

  @Test(arguments: SampleFormat.allCases)
  func dynamicKeysAreMerged(format: SampleFormat) throws {
    struct Settings: Codable, Equatable, DecoderUpdatable {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      var values: [String: Int]
      init(values: [String: Int]) { self.values = values }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        values = [:]
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in values {
          if let key = Key(stringValue: name) { try container.encode(value, forKey: key) }
        }
      }
    }
    let updated = try format.update(Settings(values: ["a": 1, "b": 2]), #"{"b": 3, "c": 4}"#)
    #expect(updated.values == ["a": 1, "b": 3, "c": 4])
  }

  @Test func userInfoReachesBothDirections() throws {
    struct Stamped: Codable, DecoderUpdatable {
      static let key = CodingUserInfoKey(rawValue: "stamp")
      var text = "-"
      var seen: String?
      var inner: Inner = Inner()
      enum CodingKeys: CodingKey { case text, seen, inner }
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        seen = try container.decode(String.self, forKey: .seen)
        inner = try container.decode(Inner.self, forKey: .inner)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String } ?? "none", forKey: .seen)
        try container.encode(inner, forKey: .inner)
      }
    }
    struct Inner: Codable, DecoderUpdatable {
      var stamp = "-"
      init() {}
      init(from decoder: any Decoder) throws {
        stamp = Stamped.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
      }
      func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: Stamped.CodingKeys.self)
      }
    }
    let key = try #require(Stamped.key)
    let anvil = JSON.Decoder()
    let foundation = JSONDecoder()
    let propertyList = PropertyListDecoder()
    anvil.userInfo[key] = "yes"
    foundation.userInfo[key] = "yes"
    propertyList.userInfo[key] = "yes"
    let formats: [(SampleFormat, any DecodingFormat)] = [
      (.anvil, anvil), (.foundation, foundation), (.propertyList, propertyList),
    ]
    for (sample, format) in formats {
      let updated = try format.update(Stamped(), from: sample.data(#"{"inner": {}}"#))
      #expect(updated.seen == "yes")
      #expect(updated.inner.stamp == "yes")
    }
  }
}

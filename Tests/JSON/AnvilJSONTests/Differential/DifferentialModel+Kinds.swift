import AnvilBase

/// Foundation types that coders handle specially.
struct FoundationValues: DifferentialModel {
  var date: Date
  var data: Data
  var url: URL?
  var uuid: UUID
  var decimal: Decimal
  var dates: [Date]
  var blobs: [String: Data]

  init(sample random: inout RandomSource) {
    let date = { (random: inout RandomSource) in
      Date(timeIntervalSinceReferenceDate: Double(random.below(2_000_000_000) - 1_000_000_000))
    }
    self.date = date(&random)
    data = Data(random.some(upTo: 8) { UInt8(truncatingIfNeeded: $0.next()) })
    url =
      random.maybe { URL(string: $0.pick(["https://example.com/a?b=c#d", "relative", "file:///x", "http://é.de"])) }
      ?? nil
    uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(256))))
    decimal = Decimal(random.below(1_000_000_000)) / Decimal(random.pick([1, 10, 100_000]))
    dates = random.some(upTo: 2, date)
    blobs = random.oneIn(2) ? [:] : ["a": Data([1, 2])]
  }
}

/// Enumerations by raw value and with payloads, as elements and as keys of dictionaries.
struct Enumerations: DifferentialModel {
  enum Name: String, Codable, CaseIterable, CodingKeyRepresentable { case red, green, lightBlue }
  enum Number: Int, Codable, CaseIterable { case one = 1, two, many = 300 }
  enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case rectangle(width: Int, height: Int?)
    case wrapped(Int)
  }

  var name: Name
  var number: Number
  var names: [Name]
  var shapes: [Shape]
  var byName: [Name: Int]
  var byNumber: [Int: String]
  var optional: Name?

  init(sample random: inout RandomSource) {
    name = random.pick(Name.allCases)
    number = random.pick(Number.allCases)
    names = random.some(upTo: 2) { $0.pick(Name.allCases) }
    shapes = random.some(upTo: 3) {
      $0.pick([
        .point, .circle(radius: $0.double()), .rectangle(width: 1, height: $0.maybe { $0.integer() }), .wrapped(2),
      ])
    }
    byName = random.bool() ? [:] : [random.pick(Name.allCases): 1]
    byNumber = random.bool() ? [:] : [random.integer(): "x"]
    optional = random.maybe { $0.pick(Name.allCases) }
  }
}

/// A class whose superclass is coded in a nested container: under `super`, or under another key.
final class Hound: Animal, DifferentialModel {
  var barks: Int

  private enum Keys: String, CodingKey { case barks, parent }

  init(sample random: inout RandomSource) {
    barks = random.integer()
    super.init(name: random.text(), age: random.maybe { $0.integer() })
  }

  required init(from decoder: any Swift.Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    barks = try container.decode(Int.self, forKey: .barks)
    try super.init(
      from: container.contains(.parent) ? container.superDecoder(forKey: .parent) : container.superDecoder())
  }

  override func encode(to encoder: any Swift.Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(barks, forKey: .barks)
    try super.encode(to: barks % 2 == 0 ? container.superEncoder() : container.superEncoder(forKey: .parent))
  }

  static func == (left: Hound, right: Hound) -> Bool {
    left.barks == right.barks && left.name == right.name && left.age == right.age
  }
}

class Animal: Codable {
  var name: String
  var age: UInt8?

  init(name: String, age: UInt8?) {
    self.name = name
    self.age = age
  }
}

/// Types coded as a single value: a wrapper, a validating type, and a type that accepts either of two kinds.
struct Wrappers: DifferentialModel {
  struct Identifier: RawRepresentable, Codable, Hashable { var rawValue: Int64 }

  struct Percentage: Codable, Equatable {
    var value: Double

    init(value: Double) { self.value = value }

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try container.decode(Double.self)
      guard (0...100).contains(value) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no percentage")
      }
    }

    func encode(to encoder: any Swift.Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  enum TextOrNumber: Codable, Equatable {
    case text(String), number(Int), none

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .none
      } else if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Swift.Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .none: try container.encodeNil()
      }
    }
  }

  var id: Identifier
  var ids: [Identifier]
  var share: Percentage
  var either: [TextOrNumber]
  var maybe: Identifier?

  init(sample random: inout RandomSource) {
    id = Identifier(rawValue: random.integer())
    ids = random.some(upTo: 2) { Identifier(rawValue: $0.integer()) }
    share = Percentage(value: Double(random.below(101)))
    either = random.some(upTo: 3) { $0.pick([.text($0.text()), .number($0.integer()), .none]) }
    maybe = random.maybe { Identifier(rawValue: $0.integer()) }
  }
}

import AnvilCodable
import Foundation

/// Declares an initialiser, so that there is no memberwise one.
@JSONCodable
struct Celsius: Equatable {
  let degrees: Double
  @CodableDefault("C") var unit: String

  init(degrees: Double) {
    self.degrees = degrees
    unit = "C"
  }
}

/// Declares `init(from:)`, which `Codable` decoders use.
@JSONCodable
struct Clamped: Equatable {
  var value: Int

  init(value: Int) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    value = max(0, try container.decode(Int.self, forKey: .value))
  }
}

@JSONCodable
struct Stamped: Equatable {
  var value: Int

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value + 1, forKey: .value)
  }
}

@JSONCodable
struct Clamps: Equatable {
  var one: Clamped
  var some: Clamped?
  var list: [Clamped]
  var map: [String: Clamped]
}

@JSONCodable
struct Stamps: Equatable {
  var one: Stamped
  var list: [Stamped]
}

/// Has functions whose names are those of `Codable`, for other types.
@JSONCodable
struct Exported: Equatable {
  @CodableBy(.secondsSince1970) var date: Date

  init(date: Date) { self.date = date }
  init(from decoder: LineDecoder) { date = Date(timeIntervalSince1970: 0) }
  func encode(to file: String) -> String { file }

  struct LineDecoder {}
}

/// Declares its keys, from which the macro takes the names.
@JSONCodable
struct Keyed: Equatable {
  var id: Int
  var name: String
  var unknown: Int = 3

  enum CodingKeys: String, CodingKey {
    case id = "ID"
    case name
  }
}

/// Codes itself, with keys that a macro cannot see.
@JSONCodable
struct SelfCoded: Equatable {
  var id: Int

  struct CodingKeys: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: CodingKeys(stringValue: "ID"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: CodingKeys(stringValue: "ID"))
  }
}

/// Declares its conformances.
@JSONCodable
struct Declared: Codable, Hashable, Sendable, JSONReadable {
  var id: Int
}

/// Without `Equatable`, and with members of all kinds.
@JSONCodable
struct Mixed: Equatable, Identifiable, CustomStringConvertible {
  var x, y: Int
  var z: Int?, w: Int?
  var id: Int { x }
  var description: String { "\(x)" }
  static var count: Int { 0 }
  static let names: [String] = []
  func doubled() -> Int { x * 2 }
  subscript(index: Int) -> Int { index }
  enum Side { case a }
  struct Inner { var a: Int }
  typealias Number = Int
}

@JSONDecodable
struct OnlyDecodable: Equatable {
  var id: Int
  @CodableBy(.secondsSince1970) var date: Date?
}

@JSONEncodable
struct OnlyEncodable: Equatable {
  var id: Int
  @CodableBy(.secondsSince1970) var date: Date?
}

@JSONDecodable
enum OnlyDecodableEnum: Equatable { case a, b(Int) }

@JSONEncodable
enum OnlyEncodableEnum: Equatable { case a, b(Int) }

@JSONDecodable
final class OnlyDecodableClass { let id: Int }

@JSONEncodable
final class OnlyEncodableClass {
  let id: Int
  init(id: Int) { self.id = id }
}

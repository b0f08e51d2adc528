import AnvilCodable
import AnvilDiagnosis
import Foundation

@JSONCodable
struct Lossy: Equatable {
  @LossyArray var list: [Int]
  @LossyDictionary var map: [String: Int]
  @NumberOrString var number: Int
  var state: OpenEnum<PlainRaw>
  var states: [OpenEnum<PlainRaw>]?
  @CodingKey("names") @LossyArray var texts: [String]
}

@JSONCodable
struct LossyDefaults: Equatable {
  @DefaultValue<NoInts> var list: [Int]
  @CodableDefault([:]) @LossyDictionary var map: [String: Int]
  @DefaultValue<Zero> var zero: Int
  @CodableDefault(1) @NumberOrString var one: Double
  @DefaultValue<Yes> var on: Bool
  @CodableDefault(false) var off: Bool
  @CodableDefault("") @Trimmed var text: String
  @DefaultValue<Answer> var answer: Int
  @CodableAlias("old") @DefaultValue<Zero> var new: Int
  @CodingKey("a", "b") @DefaultValue<Zero> var deep: Int
  @CodableDefault([]) @LossyArray var lossy: [Int]
}

enum NoInts: DefaultValueSource {
  static var defaultValue: [Int] { [] }
}

enum Zero: DefaultValueSource {
  static var defaultValue: Int { 0 }
}

enum Yes: DefaultValueSource {
  static var defaultValue: Bool { true }
}

enum Answer: DefaultValueSource {
  static var defaultValue: Int { 42 }
}

/// A wrapper from another module.
@propertyWrapper
struct Trimmed: Codable, Equatable {
  var wrappedValue: String

  init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(String.self).trimmingCharacters(in: .whitespaces)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// A wrapper whose package reads a missing member as a default, and does not write the default.
@propertyWrapper
struct Counted: Codable, Equatable {
  var wrappedValue = 0
}

extension KeyedDecodingContainer {
  func decode(_ type: Counted.Type, forKey key: Key) throws -> Counted {
    try Counted(wrappedValue: decodeIfPresent(Int.self, forKey: key) ?? 0)
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ value: Counted, forKey key: Key) throws {
    if value.wrappedValue != 0 { try encode(value.wrappedValue, forKey: key) }
  }
}

@JSONCodable
struct Counting: Equatable {
  var id: Int
  @Counted var count: Int
  @CodingKey("a", "b") @Counted var deep: Int
}

@JSONCodable
struct Wrapping: Equatable {
  var id: Int
  @Trimmed var text: String
  @CodableAlias("nick") @Trimmed var name: String
  @CodingKey("a", "b") @Trimmed var deep: String = ""
  @CodableIgnored @Trimmed var note: String = "n"
}

@JSONCodable
final class WrappingClass: Equatable {
  @Trimmed var text: String
  @DefaultValue<NoInts> var list: [Int]

  init(text: String) {
    self.text = text
    list = []
  }

  static func == (left: WrappingClass, right: WrappingClass) -> Bool {
    left.text == right.text && left.list == right.list
  }
}

@JSONCodable
struct GenericWrapping<Element: Equatable>: Equatable {
  @LossyArray var list: [Element]
}

enum WrapperScope {
  @JSONCodable
  struct Nested: Equatable {
    @Trimmed var text: String
    @DefaultValue<NoInts> var list: [Int]
    @CodableDefault(1) var count: Int
  }
}

/// Values in nested objects that may be missing.
@JSONCodable
struct WrappedPaths: Equatable {
  @CodingKey("a", "zero") @DefaultValue<Zero> var zero: Int
  @CodingKey("a", "list") @CodableDefault([]) @LossyArray var list: [Int]
  @CodingKey("a", "number") @NumberOrString var number: Int?
  @CodingKey("a", "text") var text: String?
  @CodingKey("b", "c", "one") @CodableAlias("eins") @CodableDefault(1) @NumberOrString var one: Int
  @CodingKey("b", "count") @CodableDefault(7) var count: Int
  @CodingKey("d", "id") var id: Int
  @CodingKey("d", "on") @DefaultValue<Yes> var on: Bool
}

/// Values whose wrappers need a key.
@JSONCodable
struct StrictPaths: Equatable {
  @CodingKey("a", "list") @LossyArray var list: [Int]
  @CodingKey("a", "text") var text: String?
}

import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// Errors that models catch are not reported, nor are errors that only a placeholder has caused.
@Suite struct CollectingSoundnessTests {
  struct Refusal: Error, CustomStringConvertible { var description: String }

  /// Tries one type and then another.
  enum Loose: Decodable {
    case number(Int), text(String), list([Loose]), object([String: Loose]), none

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .none
      } else if let value = try? container.decode(Int.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if let value = try? container.decode([Loose].self) {
        self = .list(value)
      } else if let value = try? container.decode([String: Loose].self) {
        self = .object(value)
      } else {
        throw Refusal(description: "neither this nor that")
      }
    }
  }

  struct Loosely: Decodable {
    var any: Loose
    var id: Int
    var name: String
  }

  @Test func errorsCaughtByTheModelAreNotReported() throws {
    expectLines(
      try faults(Loosely.self, #"{"any": [1, "a", {"b": [null]}], "id": "x", "name": "n"}"#),
      [
        "decode.type-mismatch id, expected Int, a number, for CollectingSoundnessTests.Loosely.id"
      ])
    expectLines(
      try faults(Loosely.self, #"{"any": [1, [true, false]], "id": "x", "name": 1}"#),
      [
        "decode.invalid-value any, expected CollectingSoundnessTests.Loose, for CollectingSoundnessTests.Loosely.any, as neither this nor that",
        "decode.type-mismatch id, expected Int, a number, for CollectingSoundnessTests.Loosely.id",
        "decode.type-mismatch name, expected String, a string, for CollectingSoundnessTests.Loosely.name",
        "and more",
      ])
  }

  struct Lossy: Decodable {
    enum CodingKeys: CodingKey { case items, id }
    var items: [Int]
    var id: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      items = (try? container.decode([Int].self, forKey: .items)) ?? []
      do {
        id = try container.decode(Int.self, forKey: .id)
      } catch DecodingError.typeMismatch {
        let text = try container.decode(String.self, forKey: .id)
        guard let number = Int(text) else {
          throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "no number")
        }
        id = number
      }
    }
  }

  @Test func fallbacksOfTheModelAreTried() throws {
    expectLines(try faults([Lossy].self, #"[{"items": ["a"], "id": "7"}, {"id": 1}]"#), ["a value"])
    expectLines(
      try faults([Lossy].self, #"[{"items": ["a"], "id": "x"}, {"id": true}, {}]"#),
      [
        "decode.invalid-value [0].id, as no number",
        "decode.type-mismatch [1].id, expected String, a string, for CollectingSoundnessTests.Lossy.id",
        "decode.missing-key [2], lacks id, expected Int, a number, for CollectingSoundnessTests.Lossy.id",
        "and more",
      ])
  }

  struct Range: Decodable {
    enum CodingKeys: CodingKey { case low, high }
    var low: Int
    var high: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      low = try container.decode(Int.self, forKey: .low)
      high = try container.decode(Int.self, forKey: .high)
      guard low < high else { throw Refusal(description: "\(low) is not below \(high)") }
    }
  }

  struct Ranges: Decodable {
    var first: Range
    var second: Range
    var name: String
  }

  @Test func errorsCausedByPlaceholdersAreNotReported() throws {
    expectLines(
      try faults(Ranges.self, #"{"first": {"low": 5, "high": 1}, "second": {"low": 1, "high": "x"}, "name": 1}"#),
      [
        "decode.invalid-value first, expected CollectingSoundnessTests.Range, for CollectingSoundnessTests.Ranges.first, as 5 is not below 1",
        "decode.type-mismatch second.high, expected Int, a number, for CollectingSoundnessTests.Range.high",
        "decode.type-mismatch name, expected String, a string, for CollectingSoundnessTests.Ranges.name",
        "and more",
      ])
    expectLines(
      try faults(Range.self, #"{"low": 1}"#),
      [
        "decode.missing-key root, lacks high, expected Int, a number, for CollectingSoundnessTests.Range.high",
        "and more",
      ])
  }

  enum Pet: Decodable {
    enum Kind: String, Decodable { case cat, dog }
    enum CodingKeys: CodingKey { case kind, meow, bark, name }
    case cat(String, String), dog(String, String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(Kind.self, forKey: .kind) {
      case .cat:
        self = .cat(
          try container.decode(String.self, forKey: .meow), try container.decode(String.self, forKey: .name))
      case .dog:
        self = .dog(
          try container.decode(String.self, forKey: .bark), try container.decode(String.self, forKey: .name))
      }
    }
  }

  @Test func faultsThatDependOnAWrongDiscriminatorAreNotReported() throws {
    expectLines(
      try faults([Pet].self, #"[{"bark": "w", "name": "B"}, {"kind": "fox", "name": 7}, {"kind": "cat"}]"#),
      [
        "decode.missing-key [0], lacks kind, expected CollectingSoundnessTests.Pet.Kind, a string, for CollectingSoundnessTests.Pet.kind",
        "decode.unknown-case [1].kind, expected CollectingSoundnessTests.Pet.Kind, a string, for CollectingSoundnessTests.Pet.kind, of cat dog",
        "decode.missing-key [2], lacks meow, expected String, a string, for CollectingSoundnessTests.Pet.meow",
        "decode.missing-key [2], lacks name, expected String, a string, for CollectingSoundnessTests.Pet.name",
        "and more",
      ])
  }

  /// A version in a nested object, which determines the other members.
  struct Envelope: Decodable {
    struct Head: Decodable { var version: Int }
    enum CodingKeys: CodingKey { case head, old, new }
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let head = try container.decode(Head.self, forKey: .head)
      text = try container.decode(String.self, forKey: head.version == 0 ? .old : .new)
    }
  }

  @Test func discriminatorsMayBeNested() throws {
    expectLines(
      try faults([Envelope].self, #"[{"head": {}, "new": "x"}, {"head": {"version": 0}, "new": 1}]"#),
      [
        "decode.missing-key [0].head, lacks version, expected Int, a number, for CollectingSoundnessTests.Envelope.Head.version",
        "decode.missing-key [1], lacks old, expected String, a string, for CollectingSoundnessTests.Envelope.old",
        "and more",
      ])
  }

  /// Rejects every placeholder.
  struct Picky: Decodable {
    var value: String
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(String.self)
      guard value.hasPrefix("#") else { throw Refusal(description: "no #") }
    }
  }

  struct Picks: Decodable {
    struct Inner: Decodable {
      var picky: Picky
      var other: Int
    }
    var one: Picky?
    var list: [Picky]
    var byName: [String: Picky]
    var last: Int
    var inner: Inner
    var end: Int
  }

  @Test func valuesWithoutPlaceholdersAreLeftOut() throws {
    let text = #"""
      {"one": 1, "list": ["x", 3], "byName": {"a": [], "b": "b"}, "last": null, "inner": {"other": "x"}, "end": null}
      """#
    let faultsBefore = [
      "decode.type-mismatch one, expected String, a string, for CollectingSoundnessTests.Picks.one",
      "decode.invalid-value list[0], expected CollectingSoundnessTests.Picky, for CollectingSoundnessTests.Picks.list, as no #",
      "decode.type-mismatch list[1], expected String, a string, for CollectingSoundnessTests.Picks.list",
      "decode.type-mismatch byName.a, expected String, a string, for CollectingSoundnessTests.Picks.byName",
      "decode.invalid-value byName.b, expected CollectingSoundnessTests.Picky, for CollectingSoundnessTests.Picks.byName, as no #",
      "decode.unexpected-null last, expected Int, a number, for CollectingSoundnessTests.Picks.last",
      "decode.missing-key inner, lacks picky, expected CollectingSoundnessTests.Picky, for CollectingSoundnessTests.Picks.Inner.picky",
    ]
    expectLines(try faults(Picks.self, text), faultsBefore + ["and more"])
    // A suitable placeholder replaces unsuitable ones.
    let known = text.replacing(#""x", 3"#, with: ##""#", "x", 3"##)
    expectLines(
      try faults(Picks.self, known).filter { !$0.contains("list") },
      faultsBefore.filter { !$0.contains("list") } + [
        "decode.type-mismatch inner.other, expected Int, a number, for CollectingSoundnessTests.Picks.Inner.other",
        "decode.unexpected-null end, expected Int, a number, for CollectingSoundnessTests.Picks.end",
      ])
  }

  enum Shape: Decodable {
    case circle(radius: Double)
    case square(side: Double)
    case none
  }

  indirect enum Tree: Decodable {
    case node(left: Tree, right: Tree)
    case leaf(Int)
  }

  struct Drawing: Decodable {
    var shapes: [Shape]
    var shape: Shape
    var tree: Tree
    var id: UUID
    var price: Decimal
    var title: String
  }

  @Test func casesWithValuesAndFoundationsTypesHavePlaceholders() throws {
    expectLines(
      try faults(
        Drawing.self,
        #"{"shapes": [{"circle": {"radius": "1"}}, {"none": {}}, {}], "id": "x", "price": "1", "tree": {"leaf": {"_0": true}}}"#
      ),
      [
        "decode.missing-key root, lacks shape, expected CollectingSoundnessTests.Shape, for CollectingSoundnessTests.Drawing.shape",
        "decode.missing-key root, lacks title, expected String, a string, for CollectingSoundnessTests.Drawing.title",
        "decode.type-mismatch shapes[0].circle.radius, expected Double, a number, for CollectingSoundnessTests.Shape.radius",
        "decode.unknown-case shapes[2], expected CollectingSoundnessTests.Shape, for CollectingSoundnessTests.Drawing.shapes",
        "decode.invalid-value id, expected UUID, for CollectingSoundnessTests.Drawing.id, as Attempted to decode UUID from invalid UUID string.",
        "decode.type-mismatch price, expected Decimal, a number, for CollectingSoundnessTests.Drawing.price",
        "decode.type-mismatch tree.leaf._0, expected Int, a number, for CollectingSoundnessTests.Tree._0",
      ])
  }

  // MARK: Containers

  struct Handmade: Decodable {
    enum CodingKeys: CodingKey { case point, meta, more, nothing }
    enum Meta: CodingKey { case name, count }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var point = try container.nestedUnkeyedContainer(forKey: .point)
      _ = try point.decode(Double.self)
      _ = try point.decode(Double.self)
      let meta = try container.nestedContainer(keyedBy: Meta.self, forKey: .meta)
      _ = try meta.decode(String.self, forKey: .name)
      _ = try meta.decodeIfPresent(Int.self, forKey: .count)
      var more = try container.nestedUnkeyedContainer(forKey: .more)
      while !more.isAtEnd {
        if try more.decodeNil() { continue }
        _ = try more.nestedContainer(keyedBy: Meta.self).decode(Int.self, forKey: .count)
      }
      _ = try container.decodeNil(forKey: .nothing)
    }
  }

  @Test func faultsInNestedContainersAreReported() throws {
    expectLines(
      try faults(Handmade.self, #"{"point": [1], "meta": {"count": "x"}, "more": [null, {"count": "x"}, {}]}"#),
      [
        "decode.missing-key root, lacks nothing, for CollectingSoundnessTests.Handmade.nothing",
        "decode.missing-element point, lacks [1], expected Double, a number, for CollectingSoundnessTests.Handmade.point",
        "decode.missing-key meta, lacks name, expected String, a string, for CollectingSoundnessTests.Handmade.name",
        "decode.type-mismatch meta.count, expected Int, a number, for CollectingSoundnessTests.Handmade.count",
        "decode.type-mismatch more[1].count, expected Int, a number, for CollectingSoundnessTests.Handmade.count",
        "decode.missing-key more[2], lacks count, expected Int, a number, for CollectingSoundnessTests.Handmade.count",
      ])
    expectLines(
      try faults(Handmade.self, #"{"point": 1, "meta": null, "nothing": 1}"#),
      [
        "decode.missing-key root, lacks more, expected an array, a array, for CollectingSoundnessTests.Handmade.more",
        "decode.type-mismatch point, expected an array, a array, for CollectingSoundnessTests.Handmade.point",
        "decode.unexpected-null meta, expected an object, a object, for CollectingSoundnessTests.Handmade.meta",
      ])
  }

  class Base: Decodable { var id: Int }
  final class Derived: Base {
    enum CodingKeys: CodingKey { case name }
    var name: String
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }
  }

  @Test func superclassesAreRead() throws {
    expectLines(
      try faults(Derived.self, #"{"super": {"id": "x"}}"#),
      [
        "decode.missing-key root, lacks name, expected String, a string, for CollectingSoundnessTests.Derived.name",
        "decode.type-mismatch super.id, expected Int, a number, for CollectingSoundnessTests.Derived.id",
      ])
  }

  @Test func faultsOfInconsistentModelsAreReportedOnce() throws {
    final class Flag: @unchecked Sendable { var isSet = false }
    struct Moody: Decodable {
      init(from decoder: any Decoder) throws {
        let key = try #require(CodingUserInfoKey(rawValue: "flag"))
        let flag = try #require(decoder.userInfo[key] as? Flag)
        defer { flag.isSet = true }
        guard flag.isSet else { throw Refusal(description: "not now") }
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "flag"))
    expectLines(
      try faults(Moody.self, "{}") { $0.userInfo[key] = Flag() },
      [
        "decode.invalid-value root, expected CollectingSoundnessTests.Moody, as not now", "and more",
      ])
  }

  /// An outer error replaces an inner error that the model throws.
  struct Wrapping: Decodable {
    enum CodingKeys: CodingKey { case range, id }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard (try? container.decode(Range.self, forKey: .range)) != nil else { throw Refusal(description: "no range") }
      _ = try container.decode(Int.self, forKey: .id)
    }
  }

  @Test func errorsThrownByTheModelHaveTheirPath() throws {
    expectLines(
      try faults([Wrapping].self, #"[{"range": {"low": 2, "high": 1}}, {"range": {"low": 1, "high": 2}}]"#),
      [
        "decode.invalid-value [0], expected CollectingSoundnessTests.Wrapping, as no range",
        "decode.missing-key [1], lacks id, expected Int, a number, for CollectingSoundnessTests.Wrapping.id",
        "and more",
      ])
  }
}

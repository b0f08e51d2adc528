import Foundation
import Testing

@testable import AnvilJSON

/// Containers used in any order, retained, or requested twice.
@Suite struct EncoderContainerTests {
  typealias AnyKey = EncoderTests.AnyKey

  /// Encodes by calling a closure.
  struct Script: Encodable {
    let write: (any Swift.Encoder) throws -> Void
    init(_ write: @escaping (any Swift.Encoder) throws -> Void) { self.write = write }
    func encode(to encoder: any Swift.Encoder) throws { try write(encoder) }
  }

  func expectSame(
    sourceLocation: SourceLocation = #_sourceLocation, _ write: @escaping (any Swift.Encoder) throws -> Void
  ) {
    let script = Script(write)
    EncoderOracle.expectSame(script, sourceLocation: sourceLocation)
    EncoderOracle.expectSame(["k": [script, script]], sourceLocation: sourceLocation)
  }

  @Test func containersCanBeWrittenAlternately() {
    expectSame { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      try root.encode(1, forKey: AnyKey("first"))
      var list = root.nestedUnkeyedContainer(forKey: AnyKey("list"))
      var object = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("object"))
      for number in 0..<5 {
        try list.encode(number)
        try object.encode([number], forKey: AnyKey("n\(number)"))
        try root.encode("s", forKey: AnyKey("r\(number)"))
        var inner = list.nestedUnkeyedContainer()
        try object.encode(number, forKey: AnyKey("again"))
        try inner.encode(["x": number])
        #expect(list.count == 2 * (number + 1))
      }
      var deep = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("deep"))
      try list.encodeNil()
      try deep.encode(true, forKey: AnyKey("z"))
      try deep.encode(true, forKey: AnyKey("a"))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func manyContainersTakeLinearTime() throws {
    let numbers = 0..<4000
    let script = Script { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      func nested(_ number: Int) -> KeyedEncodingContainer<AnyKey> {
        root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("object\(number)"))
      }
      for number in numbers {
        var object = nested(number)
        try object.encode(number, forKey: AnyKey("x"))
      }
      for number in numbers {
        var again = nested(number)
        try again.encode(number, forKey: AnyKey("y"))
      }
      for number in numbers {
        try? root.encode(Double.nan, forKey: AnyKey("object\(number)"))
        try number.encode(to: root.superEncoder(forKey: AnyKey("super\(number)")))
      }
      var list = root.nestedUnkeyedContainer(forKey: AnyKey("list"))
      for number in numbers {
        var object = list.nestedContainer(keyedBy: AnyKey.self)
        try object.encode(number, forKey: AnyKey("x"))
        try number.encode(to: list.superEncoder())
      }
      for number in numbers { try list.encode(["x": [number]]) }
    }
    let encoder = JSON.Encoder()
    let foundation = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    foundation.outputFormatting = .sortedKeys
    #expect(try encoder.encode(script) == foundation.encode(script))
  }

  @Test func containersRequestedTwiceShareTheirContents() {
    expectSame { encoder in
      var first = encoder.container(keyedBy: AnyKey.self)
      try first.encode(1, forKey: AnyKey("a"))
      var second = encoder.container(keyedBy: AnyKey.self)
      try second.encode(2, forKey: AnyKey("b"))
      var nested = second.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("n"))
      try nested.encode(1, forKey: AnyKey("x"))
      try first.encode(3, forKey: AnyKey("c"))
      var again = first.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("n"))
      try again.encode(2, forKey: AnyKey("y"))
      try nested.encode(3, forKey: AnyKey("z"))
      var list = first.nestedUnkeyedContainer(forKey: AnyKey("l"))
      try list.encode(1)
      var listAgain = first.nestedUnkeyedContainer(forKey: AnyKey("l"))
      try listAgain.encode("2,]\"")
      try list.encode(3)
    }
    expectSame { encoder in
      var first = encoder.unkeyedContainer()
      try first.encode(1)
      var second = encoder.unkeyedContainer()
      try second.encode(2)
      try first.encode(3)
      #expect(first.count == 3 && second.count == 3)
    }
  }

  /// As in a dictionary that keeps its order.
  @Test func repeatedKeysKeepTheirPositionsAndTheLastValue() throws {
    struct Repeated: Encodable {
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: AnyKey.self)
        for (number, key) in ["a", "b", "a", "c", "b", "a", "d"].enumerated() {
          try object.encode(number, forKey: AnyKey(key))
        }
        try object.encode(["x": [1]], forKey: AnyKey("b"))
        var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("b"))
        try nested.encode(2, forKey: AnyKey("y"))
        try object.encode(7, forKey: AnyKey("e"))
      }
    }
    let encoder = JSON.Encoder()
    let text = #"{"a":5,"b":{"x":[1],"y":2},"c":3,"d":6,"e":7}"#
    #expect(String(decoding: try encoder.encode(Repeated()), as: UTF8.self) == text)
    encoder.outputFormatting = .prettyPrinted
    #expect(try JSON(parsing: encoder.encode(Repeated())).serializedText() == text)
  }

  @Test func integersOfEachWidthCanBeElements() {
    expectSame { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(Int8.min)
      try list.encode(Int16.min)
      try list.encode(Int32.min)
      try list.encode(Int64.min)
      try list.encode(UInt8.max)
      try list.encode(UInt16.max)
      try list.encode(UInt32.max)
      try list.encode(UInt64.max)
      try list.encode(UInt.max)
      #expect(list.count == 9)
    }
  }

  @Test func containersOfEncodedValuesCanBeExtended() {
    expectSame { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      try root.encode(EncoderTests.Pairs(pairs: [("a/\"}", 1), ("b", 2)]), forKey: AnyKey("p"))
      try root.encode([[1], [2, 3]], forKey: AnyKey("l"))
      try root.encode(EncoderTests.Pairs(pairs: []), forKey: AnyKey("e"))
      var pairs = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("p"))
      try pairs.encode(["x": 1], forKey: AnyKey("c"))
      try pairs.encode(3, forKey: AnyKey("a/\"}"))
      var list = root.nestedUnkeyedContainer(forKey: AnyKey("l"))
      try list.encode("t")
      var empty = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("e"))
      try empty.encode(1, forKey: AnyKey("d"))
    }
    expectSame { encoder in
      var single = encoder.singleValueContainer()
      try single.encode(EncoderTests.Pairs(pairs: [("a", 1)]))
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(2, forKey: AnyKey("b"))
    }
  }

  class Animal: Encodable {
    var name = "Rex/"
    private enum Keys: String, CodingKey { case name, barks }
    func encode(to encoder: any Swift.Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(name, forKey: .name)
      try container.encode(0, forKey: .barks)
    }
  }

  final class Dog: Animal {
    private enum Keys: String, CodingKey { case barks, parent }
    override func encode(to encoder: any Swift.Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(3, forKey: .barks)
      try super.encode(to: container.superEncoder())
      try super.encode(to: container.superEncoder(forKey: .parent))
      try super.encode(to: encoder)
    }
  }

  @Test func classHierarchiesUseSuper() {
    EncoderOracle.expectSame(Dog())
    EncoderOracle.expectSame([Dog(), Dog()])
    expectSame { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      try 2.encode(to: list.superEncoder())
      do {
        let kept = list.superEncoder()
        try list.encode(3)
        var single = kept.singleValueContainer()
        try single.encode(["late"])
      }
      _ = list.superEncoder()
      try list.encode(4)
    }
    expectSame { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      _ = root.superEncoder()
      do {
        let kept = root.superEncoder(forKey: AnyKey("s"))
        try root.encode(1, forKey: AnyKey("t"))
        var object = kept.container(keyedBy: AnyKey.self)
        try root.encode(1, forKey: AnyKey("u"))
        try object.encode(1, forKey: AnyKey("v"))
      }
      try root.encode(1, forKey: AnyKey("w"))
    }
  }

  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case polygon([Int], name: String)
    indirect case group(Shape, Shape)
    case point
  }

  @Test func enumerationsEncode() throws {
    let shapes: [Shape] = [.circle(radius: 1.5), .polygon([1, 2], name: "p"), .group(.point, .group(.point, .point))]
    EncoderOracle.expectSame(shapes)
    #expect(try JSON.Decoder().decode([Shape].self, from: JSON.Encoder().encode(shapes)) == shapes)
  }

  // MARK: Errors

  struct Failing: Encodable {
    func encode(to encoder: any Swift.Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(1, forKey: AnyKey("written"))
      var nested = container.nestedUnkeyedContainer(forKey: AnyKey("nested"))
      try container.encode(1, forKey: AnyKey("later"))
      try nested.encode(1)
      try container.encode([1: Double.nan], forKey: AnyKey("nan"))
    }
  }

  @Test func twoKindsOfContainersForOneValueThrow() {
    let scripts: [Script] = [
      Script {
        _ = $0.container(keyedBy: AnyKey.self)
        _ = $0.unkeyedContainer()
      },
      Script {
        var list = $0.unkeyedContainer()
        var object = $0.container(keyedBy: AnyKey.self)
        try list.encode(1)
        try object.encode(1, forKey: AnyKey("a"))
      },
      Script {
        var single = $0.singleValueContainer()
        try single.encode(1)
        try single.encode(2)
      },
      Script {
        var single = $0.singleValueContainer()
        try single.encodeNil()
        _ = $0.unkeyedContainer()
      },
      Script {
        var root = $0.container(keyedBy: AnyKey.self)
        try root.encode(1, forKey: AnyKey("a"))
        var list = root.nestedUnkeyedContainer(forKey: AnyKey("a"))
        try list.encode(1)
      },
      Script {
        var root = $0.container(keyedBy: AnyKey.self)
        _ = root.nestedUnkeyedContainer(forKey: AnyKey("a"))
        var object = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
        try object.encode(1, forKey: AnyKey("a"))
      },
    ]
    for script in scripts {
      #expect(throws: EncodingError.self) { try JSON.Encoder().encode(script) }
      #expect(throws: EncodingError.self) { try JSON.Encoder().encode(["a": [script]]) }
    }
  }

  private final class Keeper {
    var encoder: (any Swift.Encoder)?
    var object: KeyedEncodingContainer<AnyKey>?
    var list: (any UnkeyedEncodingContainer)?
  }

  @Test func valuesWrittenAfterEncodingAreLost() throws {
    let keeper = Keeper()
    let inner = Script { encoder in
      keeper.encoder = encoder
      var object = encoder.container(keyedBy: AnyKey.self)
      keeper.list = object.nestedUnkeyedContainer(forKey: AnyKey("list"))
      try object.encode(1, forKey: AnyKey("a"))
      keeper.object = object
    }
    let outer = Script { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(inner)
      try keeper.object?.encode(2, forKey: AnyKey("late"))
      try keeper.list?.encode(2)
      try list.encode(3)
    }
    #expect(EncoderOracle.text(outer) == #"[{"list":[],"a":1},3]"#)
    try keeper.object?.encode(2, forKey: AnyKey("late"))
    try keeper.object?.encode([2], forKey: AnyKey("late"))
    var nested = keeper.object?.nestedUnkeyedContainer(forKey: AnyKey("later"))
    try nested?.encode(1)
    try keeper.list?.encode([2])
    #expect(keeper.list?.count == 0)
    _ = keeper.encoder?.container(keyedBy: AnyKey.self)
    var single = keeper.encoder?.singleValueContainer()
    try single?.encode(1)
    #expect(keeper.encoder?.codingPath.isEmpty == true)
  }

  /// A value that writes to the container around it while it is being encoded.
  @Test func nestedValuesCanWriteToTheOuterContainer() {
    let text = EncoderOracle.text(
      Script { encoder in
        let root = encoder.container(keyedBy: AnyKey.self)
        var outer = root
        try outer.encode(
          Script { inner in
            var object = inner.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: AnyKey("x"))
            var root = root
            try root.encode(2, forKey: AnyKey("b"))
            try object.encode(3, forKey: AnyKey("y"))
          }, forKey: AnyKey("a"))
        try outer.encode(4, forKey: AnyKey("c"))
      })
    #expect(text == #"{"a":{"x":1,"y":3},"b":2,"c":4}"#)
  }

  struct Deep: Encodable {
    var depth: Int
    func encode(to encoder: any Swift.Encoder) throws {
      var list = encoder.unkeyedContainer()
      if depth > 1 { try list.encode(Deep(depth: depth - 1)) }
    }
  }

  @Test func depthLimitIsThatOfFoundation() throws {
    EncoderOracle.expectSame(Deep(depth: 511))
    #expect(throws: EncodingError.self) { try JSON.Encoder().encode(Deep(depth: 512)) }
    #expect(throws: EncodingError.self) { try JSON.Encoder().encode(Deep(depth: 5000)) }
  }

  // MARK: Configuration and information

  struct Configured: EncodableWithConfiguration {
    func encode(to encoder: any Swift.Encoder, configuration: String) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(configuration)
      try list.encode(encoder.userInfo.values.compactMap { $0 as? String })
    }
  }

  struct Provider: EncodingConfigurationProviding {
    static var encodingConfiguration: String { "provided" }
  }

  @Test func configurationsAndInformationArePassed() throws {
    let encoder = JSON.Encoder()
    encoder.userInfo = [try #require(CodingUserInfoKey(rawValue: "k")): "v"]
    #expect(EncoderOracle.outcome { try encoder.encode(Configured(), configuration: "c") } == #"["c",["v"]]"#)
    let provided = EncoderOracle.outcome { try encoder.encode(Configured(), configuration: Provider.self) }
    #expect(provided == #"["provided",["v"]]"#)
  }

  @Test func oneEncoderServesManyTasks() async throws {
    let encoder = JSON.Encoder()
    let expected = try encoder.encode(EncoderTests.person)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try (0..<200).allSatisfy { _ in try encoder.encode(EncoderTests.person).count == expected.count }
        }
      }
      for try await same in group { #expect(same) }
    }
  }

  @Test func encodersEncodeWithinThemselves() {
    let encoder = JSON.Encoder()
    let script = Script { inner in
      var list = inner.unkeyedContainer()
      try list.encode(String(decoding: encoder.encode([1]), as: UTF8.self))
      try list.encode(2)
    }
    #expect(EncoderOracle.outcome { try encoder.encode(script) } == #"["[1]",2]"#)
    #expect(EncoderOracle.outcome { try encoder.encode([3]) } == "[3]")
  }
}

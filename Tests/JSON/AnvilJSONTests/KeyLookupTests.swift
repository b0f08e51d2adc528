import Foundation
import Synchronization
import Testing

@testable import AnvilJSON

/// The cost of key lookups, counted in compared, converted or indexed members. It is linear in the members and the
/// lookups, for any order and any key strategy.
@Suite struct KeyLookupTests {
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private func keys(_ count: Int) -> [String] { (0..<count).map { "key_number_\($0)" } }

  private func text(_ keys: [String]) -> String {
    "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
  }

  private func root(_ text: String, _ strategy: JSON.Decoder.KeyDecodingStrategy) throws -> NodeDecoder {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = strategy
    return try #require(try decoder.rootDecoder(for: Data(text.utf8)) as? NodeDecoder)
  }

  private static let strategies: [(name: String, strategy: JSON.Decoder.KeyDecodingStrategy)] = [
    ("default", .useDefaultKeys), ("snake case", .convertFromSnakeCase), ("custom", .custom { $0[$0.count - 1] }),
  ]

  /// The number of members that lookups visit in an object of `count` members.
  private func visits(
    count: Int, _ strategy: JSON.Decoder.KeyDecodingStrategy,
    _ body: (KeyedDecodingContainer<AnyKey>) throws -> Void
  ) throws -> Int {
    let root = try root(text(keys(count)), strategy)
    let container = try root.container(keyedBy: AnyKey.self)
    try body(container)
    return root.session.visitedMembers
  }

  @Test(arguments: strategies.indices, ["in order", "backwards", "every other"])
  func readingAllKeysVisitsEachMemberAFewTimes(strategy: Int, order: String) throws {
    let count = 600
    let visits = try visits(count: count, Self.strategies[strategy].strategy) { container in
      let keys = container.allKeys
      #expect(keys.count == count)
      let ordered: [AnyKey] =
        switch order {
        case "in order": keys
        case "backwards": Array(keys.reversed())
        default: stride(from: 0, to: count, by: 2).map { keys[$0] } + stride(from: 1, to: count, by: 2).map { keys[$0] }
        }
      let sum = try ordered.reduce(0) { try $0 + container.decode(Int.self, forKey: $1) }
      #expect(sum == count * (count - 1) / 2)
    }
    #expect(visits <= 8 * count)
  }

  @Test(arguments: strategies.indices)
  func absentKeysVisitEachMemberAFewTimes(strategy: Int) throws {
    let count = 600
    let visits = try visits(count: count, Self.strategies[strategy].strategy) { container in
      for number in 0..<count {
        let value = try container.decodeIfPresent(Int.self, forKey: AnyKey(stringValue: "absent\(number)"))
        #expect(value == nil)
      }
    }
    #expect(visits <= 8 * count)
  }

  /// Before each lookup in the parent, another child is read in reverse order.
  @Test(arguments: strategies.indices)
  func indexOfAParentSurvivesManyLargeChildren(strategy: Int) throws {
    let children = 40
    let count = 300
    let child = text(keys(count))
    let names = keys(children + count)
    let text = "{" + names.enumerated().map { "\"\($1)\":\($0 < children ? child : "0")" }.joined(separator: ",") + "}"
    let root = try root(text, Self.strategies[strategy].strategy)
    let parent = try root.container(keyedBy: AnyKey.self)
    let parentKeys = parent.allKeys
    var open: [KeyedDecodingContainer<AnyKey>] = []
    for number in (0..<children).reversed() {
      let container = try parent.nestedContainer(keyedBy: AnyKey.self, forKey: parentKeys[number])
      open.append(container)
      for container in open.suffix(12) {
        for key in container.allKeys.suffix(3).reversed() { _ = try container.decode(Int.self, forKey: key) }
      }
    }
    // Reading `allKeys` twelve times visits each child's members once each time.
    #expect(root.session.visitedMembers <= 20 * children * (count + 10))
  }

  /// The children are much smaller, so that building the parent's index again for each of them would exceed the limit.
  @Test(arguments: strategies.indices)
  func indexOfALargeParentSurvivesManyIndexedChildren(strategy: Int) throws {
    let children = 200
    let members = 256
    let count = 12_000
    let child = text(keys(members))
    let names = keys(children + count)
    let text = "{" + names.enumerated().map { "\"\($1)\":\($0 < children ? child : "0")" }.joined(separator: ",") + "}"
    let root = try root(text, Self.strategies[strategy].strategy)
    let parent = try root.container(keyedBy: AnyKey.self)
    let parentKeys = parent.allKeys
    for number in (0..<children).reversed() {
      let container = try parent.nestedContainer(keyedBy: AnyKey.self, forKey: parentKeys[number])
      for key in container.allKeys.reversed() { _ = try container.decode(Int.self, forKey: key) }
    }
    #expect(root.session.visitedMembers <= 4 * (children + count) + 4 * children * members)
  }

  @Test func customStrategiesAreCalledOnceForEachMemberOfAContainer() throws {
    let calls = Mutex(0)
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .custom { path in
      calls.withLock { $0 += 1 }
      return path[path.count - 1]
    }
    struct Model: Decodable {
      init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        for key in container.allKeys { _ = try container.decode(Int.self, forKey: key) }
        #expect(!container.contains(AnyKey(stringValue: "absent")))
      }
    }
    _ = try decoder.decode(Model.self, from: Data(text(keys(100)).utf8))
    #expect(calls.withLock(\.self) == 100)
  }

  /// The keys of outer objects are converted once, not once for each member.
  @Test func customStrategiesConvertThePathToAnObjectOnce() throws {
    let calls = Mutex(0)
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .custom { path in
      calls.withLock { $0 += 1 }
      return path[path.count - 1]
    }
    indirect enum Nested: Decodable {
      case leaf
      case node(Nested)

      init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        guard let key = container.allKeys.first else {
          self = .leaf
          return
        }
        #expect(decoder.codingPath.count == (decoder.codingPath.last.map { Int($0.stringValue) ?? 0 } ?? 0))
        self = .node(try container.decode(Nested.self, forKey: key))
      }
    }
    let depth = 60
    let text =
      (1...depth).map { "{\"\($0)\":" }.joined() + "{}" + String(repeating: "}", count: depth)
    _ = try decoder.decode(Nested.self, from: Data(text.utf8))
    // Once as a member, and once in the paths of the objects inside.
    #expect(calls.withLock(\.self) <= 2 * depth)
  }

  /// A model with a few optional properties in an object of many members.
  @Test func absentOptionalsOfAModelDoNotScanALargeObjectEach() throws {
    struct Key: CodingKey, CaseIterable {
      let intValue: Int? = nil
      let stringValue: String
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
      static var allCases: [Key] { (0..<20).map { Key(stringValue: "optional\($0)") } }
    }
    let count = 2000
    let root = try root(text(keys(count)), .useDefaultKeys)
    let container = try root.container(keyedBy: Key.self)
    for key in Key.allCases { #expect(try container.decodeIfPresent(Int.self, forKey: key) == nil) }
    #expect(root.session.visitedMembers <= 6 * count)
  }
}

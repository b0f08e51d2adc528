import AnvilJSON
import Foundation
import Synchronization
import Testing

/// Decoders that outlive the decoding, reuse of their memory, and repeated keys.
@Suite struct DecoderLifetimeTests {
  /// A type that keeps its decoder and containers.
  private struct Keeping: Decodable {
    enum CodingKeys: CodingKey {
      case name, tags, inner
    }

    let decoder: any Decoder
    let container: KeyedDecodingContainer<CodingKeys>

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      container = try decoder.container(keyedBy: CodingKeys.self)
    }
  }

  @Test func containersCanBeReadAfterDecoding() throws {
    let decoder = JSON.Decoder()
    let kept = try decoder.decode(
      [Keeping].self, from: Data(#"[{"name": "a", "tags": [1, 2]}, {"name": "b", "tags": []}, {"name": "c"}]"#.utf8))
    // Other decodings in between reuse all memory that is free.
    for _ in 0..<3 { _ = try decoder.decode([Keeping].self, from: Data(#"[{"name": "other", "tags": [9]}]"#.utf8)) }
    #expect(try kept.map { try $0.container.decode(String.self, forKey: .name) } == ["a", "b", "c"])
    #expect(try kept.map { try $0.container.decodeIfPresent([Int].self, forKey: .tags) } == [[1, 2], [], nil])
    let again = try kept.map { try $0.decoder.container(keyedBy: Keeping.CodingKeys.self) }
    #expect(try again.map { try $0.decode(String.self, forKey: .name) } == ["a", "b", "c"])
  }

  @Test func containersOfOneTypeDoNotDisturbEachOther() throws {
    struct Pair: Decodable {
      let first: String
      let second: String

      enum CodingKeys: CodingKey {
        case name, inner
      }

      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: CodingKeys.self)
        let inner = try outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
        let same = try decoder.container(keyedBy: CodingKeys.self)
        second = try inner.decode(String.self, forKey: .name)
        first = try outer.decode(String.self, forKey: .name)
        #expect(try same.decode(String.self, forKey: .name) == first)
      }
    }
    let pair = try JSON.Decoder().decode(Pair.self, from: Data(#"{"name": "a", "inner": {"name": "b"}}"#.utf8))
    #expect(pair.first == "a")
    #expect(pair.second == "b")
  }

  private indirect enum Tree: Codable, Equatable {
    case leaf(Int)
    case node(left: Tree, right: Tree)
  }

  private struct List: Codable, Equatable {
    var value: Int
    var children: [List]
    var name: String
  }

  @Test(arguments: [1, 3, 4, 5, 20, 100])
  func recursiveTypesAreDecodedAtAnyDepth(depth: Int) throws {
    var list = List(value: 0, children: [], name: "0")
    for level in 1...depth {
      list = List(value: level, children: [list, List(value: -level, children: [], name: "x")], name: "\(level)")
    }
    #expect(try JSON.Decoder().decode(List.self, from: JSONEncoder().encode(list)) == list)
    var tree = Tree.leaf(0)
    for level in 1...depth { tree = .node(left: tree, right: .leaf(level)) }
    #expect(try JSON.Decoder().decode(Tree.self, from: JSONEncoder().encode(tree)) == tree)
  }

  /// A distinct type for each `Tag`, with a distinct type of keys.
  private struct Generic<Tag>: Decodable {
    enum CodingKeys: CodingKey {
      case value
    }
    let value: Int
  }

  @Test func moreTypesThanTheDecoderCachesAreDecoded() throws {
    func decode<Tag>(_ tag: Tag.Type, depth: Int) throws {
      let value = try decoder.decode(Generic<Tag>.self, from: Data(#"{"value": \#(depth)}"#.utf8)).value
      #expect(value == depth)
      if depth < 200 { try decode([Tag].self, depth: depth + 1) }
    }
    let decoder = JSON.Decoder()
    for _ in 0..<3 { try decode(Int.self, depth: 0) }
  }

  private final class Witness: Sendable {
    let isGone: @Sendable () -> Void
    init(_ isGone: @escaping @Sendable () -> Void) { self.isGone = isGone }
    deinit { isGone() }
  }

  @Test func aContainerRetainsOnlyItsOwnText() throws {
    let gone = Counter()
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    var kept: Keeping?
    do {
      let decoder = JSON.Decoder()
      decoder.userInfo[key] = Witness { gone.add() }
      kept = try decoder.decode(Keeping.self, from: Data(#"{"name": "a"}"#.utf8))
    }
    #expect(try kept?.container.decode(String.self, forKey: .name) == "a")
    #expect(gone.count == 0)
    kept = nil
    // The next decoding releases memory without other references.
    _ = try JSON.Decoder().decode([Int].self, from: Data("[1]".utf8))
    #expect(gone.count == 1)
  }

  /// A type that keeps its container, but not its decoder.
  private struct KeepingContainer: Decodable {
    let container: KeyedDecodingContainer<Keeping.CodingKeys>

    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: Keeping.CodingKeys.self)
    }
  }

  @Test(arguments: [JSON.Decoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase])
  func aContainerAloneRetainsItsText(strategy: JSON.Decoder.KeyDecodingStrategy) throws {
    let gone = Counter()
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    var kept: KeepingContainer?
    do {
      let decoder = JSON.Decoder()
      decoder.keyDecodingStrategy = strategy
      decoder.userInfo[key] = Witness { gone.add() }
      kept = try decoder.decode(KeepingContainer.self, from: Data(#"{"name": "a"}"#.utf8))
    }
    for _ in 0..<3 { _ = try JSON.Decoder().decode([Keeping].self, from: Data(#"[{"name": "other"}]"#.utf8)) }
    try #require(gone.count == 0)
    #expect(try kept?.container.decode(String.self, forKey: .name) == "a")
    kept = nil
    _ = try JSON.Decoder().decode([Int].self, from: Data("[1]".utf8))
    #expect(gone.count == 1)
  }

  private final class Keeper: Encodable {
    var container: KeyedEncodingContainer<Keeping.CodingKeys>?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keeping.CodingKeys.self)
      try container.encode("a", forKey: .name)
      self.container = container
    }
  }

  @Test func anEncodingContainerAloneRetainsItsSession() throws {
    let gone = Counter()
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    let keeper = Keeper()
    do {
      let encoder = JSON.Encoder()
      encoder.userInfo[key] = Witness { gone.add() }
      #expect(try encoder.encode(keeper) == Data(#"{"name":"a"}"#.utf8))
    }
    for _ in 0..<3 { _ = try JSON.Encoder().encode([Keeper(), Keeper()]) }
    try #require(gone.count == 0)
    #expect(keeper.container?.codingPath.isEmpty == true)
    keeper.container = nil
    _ = try JSON.Encoder().encode([1])
    #expect(gone.count == 1)
  }

  // MARK: Members with one key

  private enum Key: CodingKey {
    case a, b, c
  }

  private struct InOrder: Decodable {
    let read: [Int]

    init(from decoder: any Decoder) throws {
      let keys = decoder.userInfo.values.compactMap { $0 as? [Key] }.first ?? []
      let container = try decoder.container(keyedBy: Key.self)
      read = try keys.map { try container.decode(Int.self, forKey: $0) }
    }
  }

  @Test(
    arguments: [
      #"{"a": 1, "b": 2, "c": 3, "a": 9, "b": 9, "c": 9}"#, #"{"c": 3, "a": 1, "a": 9, "b": 2}"#,
      #"{"a": 1, "a": 9, "c": 3, "b": 2, "c": 9}"#, #"{"b": 2, "x": 0, "c": 3, "a": 1, "b": 9, "\u0061": 9}"#,
      #"{"a": 1, "b": 2, "a": 9, "c": 3}"#,
    ])
  func firstOfEqualKeysIsDecoded(text: String) throws {
    let orders: [[Key]] = [
      [.a, .b, .c], [.c, .b, .a], [.b, .a, .c], [.b, .c, .a], [.a, .a, .b, .c], [.a, .b, .a, .c, .b, .a],
      [.c, .a, .c, .b, .b],
    ]
    for order in orders {
      let decoder = JSON.Decoder()
      decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "order"))] = order
      let values = order.map { key in
        switch key {
        case .a: 1
        case .b: 2
        case .c: 3
        }
      }
      #expect(try decoder.decode(InOrder.self, from: Data(text.utf8)).read == values, "\(order)")
    }
  }

  @Test func largeObjectsAreReadInAnyOrder() throws {
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(_ name: String) { stringValue = name }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Backwards: Decodable {
      let sum: Int
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        sum = try (0..<5000).reversed().reduce(0) { try $0 + container.decode(Int.self, forKey: Name("key\($1)")) }
        #expect(!container.contains(Name("missing")))
        #expect(container.allKeys.count == 5000)
      }
    }
    // Each key occurs twice. The second value must be ignored.
    let members = (0..<5000).map { #""key\#($0)": \#($0)"# } + (0..<5000).map { #""key\#($0)": -1"# }
    let text = Data("{\(members.joined(separator: ","))}".utf8)
    #expect(try JSON.Decoder().decode(Backwards.self, from: text).sum == 4999 * 5000 / 2)
  }
}

private final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}

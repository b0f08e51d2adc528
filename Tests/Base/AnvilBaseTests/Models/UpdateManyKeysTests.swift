import AnvilBase
import AnvilJSON
import Foundation
import Synchronization
import Testing

/// Models with many keys, and the limit of the search for keys that replace each other.
@Suite struct UpdateManyKeysTests {
  final class Counter: Sendable {
    let value = Mutex(0)
  }

  /// A chain of models, each of which has a key that is only written and a key with an alias.
  struct Node: Codable, DecoderUpdatable {
    enum Keys: String, CodingKey { case name, title, kind, child }
    @TaskLocal static var count: Counter?

    var name: String
    var child: [Node]
    private var next: Child? { child.first.map(Child.init) }

    init(name: String, child: [Node]) {
      self.name = name
      self.child = child
    }

    init(from decoder: any Decoder) throws {
      Self.count?.value.withLock { $0 += 1 }
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? container.decode(String.self, forKey: .title)
      child = try container.decodeIfPresent(Child.self, forKey: .child).map { [$0.node] } ?? []
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(name, forKey: .name)
      try container.encode("node", forKey: .kind)
      try container.encodeIfPresent(next, forKey: .child)
    }

    struct Child: Codable, DecoderUpdatable {
      var node: Node
      init(_ node: Node) { self.node = node }
      init(from decoder: any Decoder) throws { node = try decoder.singleValueContainer().decode(Node.self) }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(node)
      }
    }
  }

  /// Decoding each model again for each model around it would be exponential.
  @Test func modelsAreDecodedAFewTimesAtAnyDepth() throws {
    let depth = 40
    var old = Node(name: "a", child: [])
    var text = #"{"title": "b", "kind": "x"}"#
    for _ in 0..<depth {
      old = Node(name: "a", child: [old])
      text = #"{"child": \#(text), "title": "b", "kind": "x"}"#
    }
    let count = Counter()
    let new = try Node.$count.withValue(count) { try JSON.Decoder().update(old, from: Data(text.utf8)) }
    var node: Node? = new
    var names: [String] = []
    while let current = node {
      names.append(current.name)
      node = current.child.first
    }
    #expect(names == [String](repeating: "b", count: depth + 1))
    #expect(count.value.withLock(\.self) <= 6 * (depth + 1))
  }

  /// Has many members and a value with an alias.
  struct Wide: Codable, Equatable, DecoderUpdatable {
    typealias Key = UpdateContainerTests.Key
    static let isAttempted = TaskLocal(wrappedValue: false)
    var values: [String: Int], email: String

    init(_ count: Int, email: String) {
      values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", $0) })
      self.email = email
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      values = [:]
      if Self.isAttempted.get() {
        email =
          try (try? container.decode(String.self, forKey: "email")) ?? container.decode(String.self, forKey: "mail")
      } else {
        email =
          try container.decodeIfPresent(String.self, forKey: "email") ?? container.decode(String.self, forKey: "mail")
      }
      for key in container.allKeys where key.stringValue.hasPrefix("k") {
        values[key.stringValue] = try container.decode(Int.self, forKey: key)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in values { try container.encode(value, forKey: Key(stringLiteral: name)) }
      try container.encode(email, forKey: "email")
    }
  }

  @Test(arguments: [false, true]) func aliasesOfModelsWithManyKeysAreFound(isAttempted: Bool) throws {
    let old = Wide(3000, email: "a")
    let new = try Wide.isAttempted.withValue(isAttempted) {
      try SampleFormat.anvil.update(old, #"{"mail": "b", "other": 1}"#)
    }
    #expect(new == Wide(3000, email: "b"))
  }

  /// Has many members that can be updated in place.
  struct Members: Codable, Equatable, DecoderUpdatable {
    typealias Key = UpdateContainerTests.Key
    var members: [String: UpdateAliasTests.Street]

    init(members: [String: UpdateAliasTests.Street]) { self.members = members }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      Node.count?.value.withLock { $0 += container.allKeys.count }
      members = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(UpdateAliasTests.Street.self, forKey: key)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in members { try container.encode(value, forKey: Key(stringLiteral: name)) }
    }
  }

  @Test func membersUnderAnyKeyAreReadAFewTimes() throws {
    let count = 3000
    let old = Members(
      members: .init(uniqueKeysWithValues: (0..<count).map { ("k\($0)", UpdateAliasTests.Street(name: "s")) }))
    let text = (0..<count).map { #""n\#($0)": {"name": "t"}"# }.joined(separator: ",")
    let counter = Counter()
    let new = try Node.$count.withValue(counter) { try SampleFormat.anvil.update(old, "{\(text)}") }
    #expect(new.members.count == 2 * count)
    #expect(counter.value.withLock(\.self) <= 6 * 2 * count)
  }

  /// Requires many keys, and then a value with an alias that is only tried after an error.
  struct Attempted: Codable, Equatable, DecoderUpdatable {
    typealias Key = UpdateContainerTests.Key
    @TaskLocal static var count = 0
    var values: [Int], email: String

    init(email: String) { (values, self.email) = (Array(0..<Self.count), email) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      values = try (0..<Self.count).map { index in
        Node.count?.value.withLock { $0 += 1 }
        return try container.decode(Int.self, forKey: Key(stringLiteral: "k\(index)"))
      }
      email =
        try (try? container.decode(String.self, forKey: "email")) ?? container.decode(String.self, forKey: "mail")
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (index, value) in values.enumerated() {
        try container.encode(value, forKey: Key(stringLiteral: "k\(index)"))
      }
      try container.encode(email, forKey: "email")
    }
  }

  /// The documented limit: each required key takes a decoding of its own.
  @Test(arguments: [(300, "b"), (5000, "a")])
  func keysThatAreTriedAfterErrorsAreFoundWithinALimit(count: Int, email: String) throws {
    try Attempted.$count.withValue(count) {
      let counter = Counter()
      let new = try Node.$count.withValue(counter) {
        try SampleFormat.anvil.update(Attempted(email: "a"), #"{"mail": "b"}"#)
      }
      #expect(new == Attempted(email: email))
      #expect(counter.value.withLock(\.self) <= 200_000)
    }
  }
}

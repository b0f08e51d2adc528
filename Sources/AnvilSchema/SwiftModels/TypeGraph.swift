internal import AnvilJSON

/// The objects of a shape as types that refer to each other, so that nodes can share one and a type can contain itself.
///
/// Begins with one type for each object of the shape; ``unify(_:_:)`` makes one of two.
struct TypeGraph {
  /// A value of the shape: facts about scalars, and the types of what is in containers.
  struct Node {
    var nulls = 0
    var bools = 0
    var numbers = Shape.Numbers()
    var strings = Shape.Strings()
    /// How many arrays there are.
    var arrays = 0
    /// The node of all their elements: one, or none where all are empty. (An array, because a node cannot hold one.)
    var elements: [Node] = []
    /// The type of the objects: an index of ``TypeGraph/objects``.
    var object: Int?
    /// How many objects are dictionaries, or have no members.
    var dictionaries = 0
    /// The node of all their values: one, or none where all are empty.
    var values: [Node] = []
  }

  /// A member of a type.
  struct Member {
    let key: String
    /// How many of the type's objects have it.
    var count: Int
    var node: Node
  }

  /// A type for objects.
  struct Object {
    /// Where the name can come from, the first position first.
    var origins: [Origin]
    /// What the name is made of instead, where nodes have no name in common.
    var commonName: KeyWords?
    /// The type that it was found in; `nil` for the root.
    let parent: Int?
    /// The key of ``parent``'s member that it was found in.
    let parentKey: String?
    /// How many objects there are.
    var count: Int
    /// In the order of the samples.
    var members: [Member]

    /// The node of the member with `key`.
    func member(_ key: String) -> Member? { members.first { $0.key == key } }
  }

  /// Where a type's name comes from.
  struct Origin {
    /// The words of the key that the value is found under.
    let words: KeyWords
    /// Whether it is one of several values there: an element of an array, a value of a dictionary.
    let isElement: Bool

    /// The words of the name.
    var name: KeyWords { isElement ? words.singular : words }
  }

  /// All types that there were; those that have become part of another stay, empty.
  private(set) var objects: [Object] = []
  /// For each type the one that it is part of now, which may itself be part of another.
  private var owners: [Int] = []
  /// The outermost node.
  private(set) var root = Node()

  private let decodedKey: (String) -> String

  /// The graph of `shape`, whose root is called `name`.
  ///
  /// - Parameter decodedKey: the key under which a decoder finds the member with a key of the document. Members that it does
  ///   not tell apart become one.
  init(_ shape: Shape, name: KeyWords, decodedKey: @escaping (String) -> String) {
    self.decodedKey = decodedKey
    root = node(shape, Origin(words: name, isElement: false), parent: nil, key: nil)
    foldRecursion()
    shareTypes()
    shareMembers()
    settle()
  }

  /// The type that `object` is now.
  func owner(of object: Int) -> Int {
    var object = object
    while owners[object] != object { object = owners[object] }
    return object
  }

  /// The types that are their own, in the order in which they were found: each behind the one it was found in.
  var owningObjects: [Int] { objects.indices.filter { owners[$0] == $0 } }

  private mutating func node(_ shape: Shape, _ origin: Origin, parent: Int?, key: String?) -> Node {
    var node = Node()
    node.nulls = shape.nulls
    node.bools = shape.bools
    node.numbers = shape.numbers
    node.strings = shape.strings
    node.arrays = shape.arrays.count
    let element = Origin(words: origin.words, isElement: true)
    if let elements = shape.arrays.elements {
      node.elements = [self.node(elements, element, parent: parent, key: key)]
    }
    guard shape.objects.count > 0 else { return node }
    if shape.objects.members.isEmpty, !shape.objects.areCountless {
      node.dictionaries = shape.objects.count
    } else if shape.objects.areDictionaries || isDictionary(shape.objects, under: origin) {
      node.dictionaries = shape.objects.count
      node.values = [self.node(shape.objects.values, element, parent: parent, key: key)]
    } else {
      let object = objects.count
      node.object = object
      owners.append(object)
      objects.append(
        Object(
          origins: [origin], commonName: nil, parent: parent, parentKey: key, count: shape.objects.count, members: []))
      for member in shape.objects.members {
        let words = Origin(words: KeyWords(member.key), isElement: false)
        let key = decodedKey(member.key)
        let node = self.node(member.shape, words, parent: object, key: key)
        add(Member(key: key, count: member.count, node: node), to: object)
      }
    }
    return node
  }

  private mutating func add(_ member: Member, to object: Int) {
    guard let index = objects[object].members.firstIndex(where: { $0.key == member.key }) else {
      return objects[object].members.append(member)
    }
    var same: [(Int, Int)] = []
    objects[object].members[index].count = max(objects[object].members[index].count, member.count)
    objects[object].members[index].node.merge(member.node, same: &same)
    for (first, second) in same { unify(first, second) }
  }

  /// Whether the name says that the keys are data.
  private func isDictionary(_ objects: Shape.Objects, under origin: Origin) -> Bool {
    let words = origin.words.words
    guard !origin.isElement, let last = words.last, objects.valuesAreAlike else { return false }
    if ["headers", "lookup", "rates", "translations"].contains(last) { return true }
    return words.count > 1 && ["dictionary", "map", "names"].contains(last)
  }
}

extension TypeGraph {
  /// Makes one type of those of several members of one object, called `name`.
  mutating func unify(members: [Int], as name: KeyWords) {
    for member in members.dropFirst() { unify(members[0], member) }
    objects[owner(of: members[0])].commonName = name
  }

  /// Makes one type of two, and of what their members of one key refer to.
  mutating func unify(_ first: Int, _ second: Int) {
    var pending = [(first, second)]
    while let (first, second) = pending.popLast() {
      let (first, second) = (owner(of: first), owner(of: second))
      if first == second { continue }
      // The one that was found first is further out, and keeps its name.
      let (kept, gone) = (min(first, second), max(first, second))
      owners[gone] = kept
      objects[kept].count += objects[gone].count
      objects[kept].origins += objects[gone].origins
      let members = objects[gone].members
      objects[gone].members = []
      for member in members {
        if let index = objects[kept].members.firstIndex(where: { $0.key == member.key }) {
          objects[kept].members[index].count += member.count
          objects[kept].members[index].node.merge(member.node, same: &pending)
        } else {
          objects[kept].members.append(member)
        }
      }
    }
  }

  /// Leaves only one of type and dictionary where both came together: the type where the others had no members, which its
  /// members then may lack.
  mutating func settle() {
    var same: [(Int, Int)] = []
    root = settled(root, &same)
    for object in owningObjects {
      for index in objects[object].members.indices {
        objects[object].members[index].node = settled(objects[object].members[index].node, &same)
      }
    }
    if same.isEmpty { return }
    for (first, second) in same { unify(first, second) }
    settle()
  }

  private mutating func settled(_ node: Node, _ same: inout [(Int, Int)]) -> Node {
    var node = node
    node.elements = node.elements.map { settled($0, &same) }
    if let object = node.object.map(owner), node.dictionaries > 0 {
      if node.values.isEmpty {
        objects[object].count += node.dictionaries
        node.dictionaries = 0
      } else {
        node.object = nil
        for member in objects[object].members { node.values[0].merge(member.node, same: &same) }
      }
    }
    node.values = node.values.map { settled($0, &same) }
    return node
  }
}

extension TypeGraph.Node {
  /// The kinds that are there, besides `null`.
  var kinds: [JSON.Kind] {
    let kinds: [(JSON.Kind, Bool)] = [
      (.bool, bools > 0), (.number, numbers.count > 0), (.string, strings.count > 0), (.array, arrays > 0),
      (.object, object != nil || dictionaries > 0),
    ]
    return kinds.filter(\.1).map(\.0)
  }

  /// The node's type, or that of its arrays' elements or dictionaries' values.
  var innermostObject: Int? { object ?? elements.first?.innermostObject ?? values.first?.innermostObject }

  /// Takes in what is at `other`; types that come together in one node are added to `same`.
  mutating func merge(_ other: TypeGraph.Node, same: inout [(Int, Int)]) {
    nulls += other.nulls
    bools += other.bools
    numbers.merge(other.numbers)
    strings.merge(other.strings)
    arrays += other.arrays
    Self.merge(&elements, other.elements, same: &same)
    dictionaries += other.dictionaries
    Self.merge(&values, other.values, same: &same)
    if let mine = object, let others = other.object {
      same.append((mine, others))
    } else {
      object = object ?? other.object
    }
  }

  private static func merge(_ nodes: inout [Self], _ others: [Self], same: inout [(Int, Int)]) {
    guard let other = others.first else { return }
    if nodes.isEmpty { nodes.append(other) } else { nodes[0].merge(other, same: &same) }
  }
}

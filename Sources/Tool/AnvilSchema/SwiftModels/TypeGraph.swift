internal import AnvilJSON

/// The types of the objects in a shape. Types refer to each other by index, so that several nodes can share a type and a type can contain
/// itself.
///
/// The graph starts with one type for each object of the shape. ``unify(_:_:)`` merges two types.
struct TypeGraph {
  /// The values at one position of the shape: statistics of the scalars, and the types of the contents of containers.
  struct Node {
    var nulls = 0
    var bools = 0
    var numbers = Shape.Numbers()
    var strings = Shape.Strings()
    var arrays = 0
    /// The common node of all elements; empty if all arrays are empty. A struct cannot contain itself.
    var elements: [Node] = []
    /// The type of the objects: an index into ``TypeGraph/objects``.
    var object: Int?
    /// The objects in groups, if one of their members identifies their types. They are then also in ``object``.
    var variants: Variants?
    /// The number of objects that are dictionaries or have no members.
    var dictionaries = 0
    /// The common node of all values; empty if all dictionaries are empty.
    var values: [Node] = []
  }

  /// Objects in groups by the text of the member that identifies their types.
  struct Variants {
    let key: String
    var groups: [(text: String, object: Int)]
  }

  struct Member {
    let key: String
    var count: Int
    var node: Node
  }

  struct Object {
    var origins: [Origin]
    /// The common name of several members whose types were merged into this one; it replaces those of ``origins``.
    var commonName: KeyWords?
    /// The type with the member in which this one was found; `nil` for the root.
    let parent: Int?
    let parentKey: String?
    var count: Int
    var members: [Member] = []
    /// The type that the objects of all groups have in common, if this is the type of one group. The types of groups are not merged.
    var variantOf: Int?
    /// True for a type that replaces those of groups, and for types in it. It is only needed if the groups are discarded, and is not merged
    /// with other types, because these would get its optional members.
    var isSubstitute = false

    func member(_ key: String) -> Member? { index(of: key).map { members[$0] } }

    func index(of key: String) -> Int? { members.firstIndex { ScalarKey($0.key) == ScalarKey(key) } }
  }

  struct Origin {
    let words: KeyWords
    /// True if the value is one of several at this key: an element of an array or a value of a dictionary.
    let isElement: Bool

    var name: KeyWords { isElement ? words.singular : words }
  }

  /// All types, including those that were merged into others, which have no members.
  private(set) var objects: [Object] = []
  /// For each type, the type that it was merged into, which may itself have been merged; its own index if it was not merged.
  private var owners: [Int] = []
  private(set) var root = Node()

  private let hasVariants: Bool
  private let decodedKey: (String) -> String
  /// The number of substitutes around the node that is being added.
  private var substitutes = 0

  /// Creates the graph of `shape`, whose root is named `name`.
  ///
  /// - Parameters:
  ///   - hasVariants: True if objects have several types if one of their members identifies them.
  ///   - decodedKey: Returns the key under which a decoder finds a member. Members with the same decoded key are merged.
  init(_ shape: Shape, name: KeyWords, hasVariants: Bool, decodedKey: @escaping (String) -> String) {
    self.hasVariants = hasVariants
    self.decodedKey = decodedKey
    root = node(shape, Origin(words: name, isElement: false), parent: nil, key: nil)
    foldRecursion()
    shareTypes()
    shareMembers()
    settle()
  }

  /// Returns the type that `object` belongs to after merging.
  func owner(of object: Int) -> Int {
    var object = object
    while owners[object] != object { object = owners[object] }
    return object
  }

  /// The types that were not merged into others, in the order in which they were found: each after the type that contains it.
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
    if shape.objects.members.isEmpty, !shape.objects.haveTooManyKeys {
      node.dictionaries = shape.objects.count
    } else if shape.objects.areDictionaries || isDictionary(shape.objects, under: origin) {
      node.dictionaries = shape.objects.count
      node.values = [self.node(shape.objects.values, element, parent: parent, key: key)]
    } else {
      let variants = hasVariants ? shape.objects.tagged : nil
      if variants != nil { substitutes += 1 }
      node.object = self.object(shape.objects, origin, parent: parent, key: key)
      if let variants {
        substitutes -= 1
        let groups = variants.groups.map { group in
          let name = Origin(words: KeyWords(group.text), isElement: false)
          let object = self.object(group.objects, name, parent: parent, key: key, without: variants.key)
          objects[object].variantOf = node.object
          return (text: group.text, object: object)
        }
        node.variants = Variants(key: variants.key, groups: groups)
      }
    }
    return node
  }

  /// Adds the type of `shape`, without the member with the key `tag`.
  private mutating func object(
    _ shape: Shape.Objects, _ origin: Origin, parent: Int?, key: String?, without tag: String? = nil
  ) -> Int {
    let object = objects.count
    owners.append(object)
    objects.append(
      Object(origins: [origin], parent: parent, parentKey: key, count: shape.count, isSubstitute: substitutes > 0))
    for member in shape.members where member.key != tag {
      let words = Origin(words: KeyWords(member.key), isElement: false)
      let key = decodedKey(member.key)
      let node = self.node(member.shape, words, parent: object, key: key)
      add(Member(key: key, count: member.count, node: node), to: object)
    }
    return object
  }

  private mutating func add(_ member: Member, to object: Int) {
    guard let index = objects[object].index(of: member.key) else {
      return objects[object].members.append(member)
    }
    var same: [(Int, Int)] = []
    objects[object].members[index].count = max(objects[object].members[index].count, member.count)
    objects[object].members[index].node.merge(member.node, same: &same)
    for (first, second) in same { unify(first, second) }
  }

  /// Returns whether the name implies that the keys are data.
  private func isDictionary(_ objects: Shape.Objects, under origin: Origin) -> Bool {
    let words = origin.words.words
    guard !origin.isElement, let last = words.last, objects.valuesAreAlike else { return false }
    if ["headers", "lookup", "rates", "translations"].contains(last) { return true }
    return words.count > 1 && ["dictionary", "map", "names"].contains(last)
  }
}

extension TypeGraph {
  /// Merges the types of several members of one object and gives the result a name.
  mutating func unify(members: [Int], as name: KeyWords) {
    for member in members.dropFirst() { unify(members[0], member) }
    objects[owner(of: members[0])].commonName = name
  }

  /// Merges two types, and then the types of members with the same key.
  mutating func unify(_ first: Int, _ second: Int) {
    var pending = [(first, second)]
    while let (first, second) = pending.popLast() {
      let (first, second) = (owner(of: first), owner(of: second))
      if first == second { continue }
      // The type that was found first is further out, and keeps its name.
      let (kept, gone) = (min(first, second), max(first, second))
      owners[gone] = kept
      objects[kept].count += objects[gone].count
      objects[kept].origins += objects[gone].origins
      objects[kept].variantOf = objects[kept].variantOf ?? objects[gone].variantOf
      objects[kept].isSubstitute = objects[kept].isSubstitute && objects[gone].isSubstitute
      let members = objects[gone].members
      objects[gone].members = []
      for member in members {
        if let index = objects[kept].index(of: member.key) {
          objects[kept].members[index].count += member.count
          objects[kept].members[index].node.merge(member.node, same: &pending)
        } else {
          objects[kept].members.append(member)
        }
      }
    }
  }

  /// Resolves nodes that are both an object type and a dictionary: to the object type if all dictionaries were empty.
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
    if node.dictionaries > 0 { node.variants = nil }
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
  /// The kinds of the values, except for `null`.
  var kinds: [JSON.Kind] {
    let kinds: [(JSON.Kind, Bool)] = [
      (.bool, bools > 0), (.number, numbers.count > 0), (.string, strings.count > 0), (.array, arrays > 0),
      (.object, object != nil || dictionaries > 0),
    ]
    return kinds.filter(\.1).map(\.0)
  }

  /// The object type of the node, of its arrays' elements or of its dictionaries' values.
  var innermostObject: Int? { object ?? elements.first?.innermostObject ?? values.first?.innermostObject }

  /// Adds the values of another node. Pairs of object types that meet in one node are added to `same`.
  mutating func merge(_ other: TypeGraph.Node, same: inout [(Int, Int)]) {
    nulls += other.nulls
    bools += other.bools
    numbers.merge(other.numbers)
    strings.merge(other.strings)
    arrays += other.arrays
    Self.merge(&elements, other.elements, same: &same)
    mergeVariants(of: other, same: &same)
    dictionaries += other.dictionaries
    Self.merge(&values, other.values, same: &same)
    if let mine = object, let others = other.object {
      same.append((mine, others))
    } else {
      object = object ?? other.object
    }
  }

  /// Merges the groups if both nodes have groups by the same member. Otherwise the groups are discarded.
  private mutating func mergeVariants(of other: TypeGraph.Node, same: inout [(Int, Int)]) {
    guard other.object != nil else { return }
    guard object != nil else { return variants = other.variants }
    guard var merged = variants, let others = other.variants, merged.key == others.key else { return variants = nil }
    for group in others.groups {
      if let known = merged.groups.first(where: { $0.text == group.text }) {
        same.append((known.object, group.object))
      } else {
        merged.groups.append(group)
      }
    }
    variants = merged
  }

  private static func merge(_ nodes: inout [Self], _ others: [Self], same: inout [(Int, Int)]) {
    guard let other = others.first else { return }
    if nodes.isEmpty { nodes.append(other) } else { nodes[0].merge(other, same: &same) }
  }
}

extension TypeGraph {
  /// Merges recursive types: an object and similar objects nested in it, such as comments with replies.
  mutating func foldRecursion() {
    for object in objects.indices {
      var child = object
      while let ancestor = objects[child].parent, let key = objects[child].parentKey {
        if isRecursive(owner(of: ancestor), owner(of: object), through: key) {
          unify(ancestor, object)
          break
        }
        child = ancestor
      }
    }
  }

  /// Merges similar types with the same name, and large types that are nearly equal regardless of their names.
  mutating func shareTypes() {
    let names = objects.map { $0.origins[0].name.words }
    var isChanged = true
    while isChanged {
      isChanged = false
      let candidates = owningObjects
      for (index, first) in candidates.enumerated() where owner(of: first) == first {
        for second in candidates[(index + 1)...] where owner(of: second) == second && owner(of: first) == first {
          guard areShared(first, second, areNamesakes: names[first] == names[second]) else { continue }
          unify(first, second)
          isChanged = true
        }
      }
    }
  }

  /// Merges similar members with a common name: a `homeTeam` and an `awayTeam` are teams, `small` and `large` in `sizes` are sizes.
  mutating func shareMembers() {
    for object in owningObjects where owner(of: object) == object {
      var groups: [(name: KeyWords, types: [Int])] = []
      for member in objects[object].members {
        guard let type = member.node.innermostObject.map(owner), type != object else { continue }
        let words = KeyWords(member.key)
        for index in groups.indices where !groups[index].types.contains(type) {
          guard let name = commonName(groups[index].name, words, in: object),
            isAlternative(type, to: groups[index].types[0])
          else { continue }
          groups[index] = (name, groups[index].types + [type])
        }
        groups.append((words, [type]))
      }
      for group in groups where group.types.count > 1 && Set(group.types.map(owner)).count == group.types.count {
        unify(members: group.types, as: group.name)
      }
    }
  }

  /// Returns the common last words of both names; without any, the singular of the name of `object` if that is a plural.
  private func commonName(_ first: KeyWords, _ second: KeyWords, in object: Int) -> KeyWords? {
    let suffix = zip(first.words.reversed(), second.words.reversed()).prefix { $0 == $1 }.map(\.0)
    var name = first
    name.words = suffix.reversed()
    if !name.words.isEmpty { return name }
    guard let outer = objects[object].origins.first, !outer.isElement, outer.words.singular.words != outer.words.words
    else { return nil }
    return outer.words.singular
  }

  private func isAlternative(_ first: Int, to second: Int) -> Bool {
    let similarity = similarity(of: first, to: second)
    return similarity.isCompatible && similarity.shared > 0 && similarity.shared * 5 >= similarity.all * 3
  }

  private func isRecursive(_ ancestor: Int, _ object: Int, through key: String) -> Bool {
    guard ancestor != object else { return false }
    let similarity = similarity(of: ancestor, to: object)
    // An artist's albums may also have a name and an id. The types are the same only if the nesting repeats with the
    // same key.
    if objects[object].member(key) != nil, similarity.shared * 2 >= similarity.all, similarity.isCompatible {
      return true
    }
    return similarity.isNearlyEqual
  }

  private func areShared(_ first: Int, _ second: Int, areNamesakes: Bool) -> Bool {
    if objects[first].isSubstitute != objects[second].isSubstitute { return false }
    if let common = objects[first].variantOf, common == objects[second].variantOf { return false }
    let counts = (objects[first].members.count, objects[second].members.count)
    let (smaller, larger) = (min(counts.0, counts.1), max(counts.0, counts.1))
    // A cheap test that decides most pairs.
    guard areNamesakes || smaller * 100 >= larger * 85 && smaller >= 6 else { return false }
    let similarity = similarity(of: first, to: second)
    if similarity.isNearlyEqual { return true }
    guard areNamesakes, similarity.isCompatible, similarity.shared >= 2 else { return false }
    return similarity.shared * 5 >= similarity.all * 3 || similarity.shared == smaller && smaller * 2 >= similarity.all
  }

  private struct Similarity {
    let shared: Int
    /// The number of members that at least one type has.
    let all: Int
    /// The number of shared members whose values have incompatible types.
    let conflicts: Int

    var isCompatible: Bool { conflicts * 5 <= shared }
    /// True for large types with mostly the same members. Small types could be similar by chance.
    var isNearlyEqual: Bool { all >= 8 && shared * 100 >= all * 85 && isCompatible }
  }

  private func similarity(of first: Int, to second: Int, depth: Int = 0) -> Similarity {
    var others: [ScalarKey: Node] = [:]
    for member in objects[second].members { others[ScalarKey(member.key)] = member.node }
    var shared = 0
    var conflicts = 0
    for member in objects[first].members {
      guard let other = others[ScalarKey(member.key)] else { continue }
      shared += 1
      if !areCompatible(member.node, other, depth: depth) { conflicts += 1 }
    }
    let all = objects[first].members.count + objects[second].members.count - shared
    return Similarity(shared: shared, all: all, conflicts: conflicts)
  }

  private func areCompatible(_ first: Node, _ second: Node, depth: Int) -> Bool {
    let (kinds, others) = (first.kinds, second.kinds)
    if kinds.isEmpty || others.isEmpty { return true }
    guard kinds.contains(where: others.contains) else { return false }
    guard depth < 3, let object = first.innermostObject.map(owner), let other = second.innermostObject.map(owner),
      object != other
    else { return true }
    let similarity = similarity(of: object, to: other, depth: depth + 1)
    return similarity.shared * 2 >= min(objects[object].members.count, objects[other].members.count)
  }
}

/// Which types are the same.
extension TypeGraph {
  /// Makes one type of an object and those that it holds, directly or further in, which look like it: comments with replies,
  /// folders in folders.
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

  /// Makes one type of those that are called the same and look alike, and of large ones that look the same.
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

  /// Makes one type of members that look alike and have a name for what they are: a `homeTeam` and an `awayTeam` are teams,
  /// what `sizes` has under `small` and `large` is a size.
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

  /// The words at the end of both, or the name of one of those that `object` is called after.
  private func commonName(_ first: KeyWords, _ second: KeyWords, in object: Int) -> KeyWords? {
    let suffix = zip(first.words.reversed(), second.words.reversed()).prefix { $0 == $1 }.map(\.0)
    var name = first
    name.words = suffix.reversed()
    if !name.words.isEmpty { return name }
    guard let outer = objects[object].origins.first, !outer.isElement, outer.words.singular.words != outer.words.words
    else {
      return nil
    }
    return outer.words.singular
  }

  private func isAlternative(_ first: Int, to second: Int) -> Bool {
    let likeness = likeness(of: first, to: second)
    return likeness.isCompatible && likeness.shared > 0 && likeness.shared * 5 >= likeness.all * 3
  }

  private func isRecursive(_ ancestor: Int, _ object: Int, through key: String) -> Bool {
    guard ancestor != object else { return false }
    let likeness = likeness(of: ancestor, to: object)
    // An artist's albums may have a name and an id as well: only what goes on the same way is the same.
    if objects[object].member(key) != nil, likeness.shared * 2 >= likeness.all, likeness.isCompatible { return true }
    return likeness.isNearlyEqual
  }

  private func areShared(_ first: Int, _ second: Int, areNamesakes: Bool) -> Bool {
    let counts = (objects[first].members.count, objects[second].members.count)
    let (smaller, larger) = (min(counts.0, counts.1), max(counts.0, counts.1))
    // Of most pairs this says enough.
    guard areNamesakes || smaller * 100 >= larger * 85 && smaller >= 6 else { return false }
    let likeness = likeness(of: first, to: second)
    if likeness.isNearlyEqual { return true }
    guard areNamesakes, likeness.isCompatible, likeness.shared >= 2 else { return false }
    return likeness.shared * 5 >= likeness.all * 3 || likeness.shared == smaller && smaller * 2 >= likeness.all
  }

  /// How many members two types have in common.
  private struct Likeness {
    /// Members that both have.
    let shared: Int
    /// Members that one has.
    let all: Int
    /// Members that both have, with values that no type has both of.
    let conflicts: Int

    var isCompatible: Bool { conflicts * 5 <= shared }
    /// Large types, so that this is no chance.
    var isNearlyEqual: Bool { all >= 8 && shared * 100 >= all * 85 && isCompatible }
  }

  private func likeness(of first: Int, to second: Int, depth: Int = 0) -> Likeness {
    var others: [String: Node] = [:]
    for member in objects[second].members { others[member.key] = member.node }
    var shared = 0
    var conflicts = 0
    for member in objects[first].members {
      guard let other = others[member.key] else { continue }
      shared += 1
      if !areCompatible(member.node, other, depth: depth) { conflicts += 1 }
    }
    let all = objects[first].members.count + objects[second].members.count - shared
    return Likeness(shared: shared, all: all, conflicts: conflicts)
  }

  private func areCompatible(_ first: Node, _ second: Node, depth: Int) -> Bool {
    let (kinds, others) = (first.kinds, second.kinds)
    if kinds.isEmpty || others.isEmpty { return true }
    guard kinds.contains(where: others.contains) else { return false }
    guard depth < 3, let object = first.innermostObject.map(owner), let other = second.innermostObject.map(owner),
      object != other
    else { return true }
    let likeness = likeness(of: object, to: other, depth: depth + 1)
    return likeness.shared * 2 >= min(objects[object].members.count, objects[other].members.count)
  }
}

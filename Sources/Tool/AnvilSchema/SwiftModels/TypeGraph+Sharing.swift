/// Merging of similar types.
extension TypeGraph {
  /// Merges recursive types: an object and similar objects nested in it, such as comments with replies, or folders in
  /// folders.
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

  /// Merges similar members of one object that have a common name. A `homeTeam` and an `awayTeam` are both teams, and
  /// the members `small` and `large` of `sizes` are both sizes.
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

  /// Returns the common last words of both names. Without such words, returns the singular of the name of `object` if
  /// that is a plural.
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

  /// The number of members that two types have in common.
  private struct Similarity {
    /// The number of members that both types have.
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

extension JSON {
  /// Returns the merge patch that makes `new` of `old`: the members of `new` that differ, and `null` for each member that is missing.
  ///
  ///     let patch = try JSON.mergePatch(from: old, to: new)      // {"title":"Hello!","author":{"familyName":null}}
  ///
  /// Objects are compared member by member and at all depths; an array that differs is replaced as a whole. The patch of two equal
  /// objects is `{}`. A value that is not an object replaces everything.
  ///
  /// A merge patch cannot set a member to `null`, because that removes it: in objects, a member that is `null` counts as missing on
  /// both sides. Of members that share a key the first counts.
  ///
  /// - Throws: ``PatchError`` when the patch is larger than a document can be.
  /// - Complexity: O(*n* log *m*), *n* the size of both values and *m* that of their largest object.
  /// - Source: RFC 7396.
  public static func mergePatch(from old: JSON, to new: JSON) throws(PatchError) -> JSON {
    guard old.kind == .object, new.kind == .object else { return new.compactCopy() }
    var draft = Draft(nil)
    draft.addDifferences(from: old, to: new)
    return try draft.result(sizeLimit: Int(UInt32.max))
  }
}

extension Draft {
  /// Makes the root the merge patch from one object to another.
  fileprivate mutating func addDifferences(from old: JSON, to new: JSON) {
    var levels: [Level] = [Level(node: Self.root, old: old, new: new)]
    var next = 0
    while next < levels.count {
      let level = levels[next]
      let (oldMembers, newMembers) = (level.old.firstMembers, level.new.firstMembers)
      var patch = DraftObject()
      for (key, value) in level.old.members.lazy.map({ (ScalarKey($0.key), $0.value) })
      where !value.isNull && newMembers[key]?.isNull ?? true && oldMembers[key]?.index == value.index {
        patch[key] = makeNode()
      }
      for (name, value) in level.new.members {
        let key = ScalarKey(name)
        guard !value.isNull, newMembers[key]?.index == value.index else { continue }
        let oldValue = oldMembers[key]
        if let oldValue, oldValue.kind == .object, value.kind == .object {
          let node = makeNode()
          patch[key] = node
          levels.append(Level(node: node, old: oldValue, new: value, key: key, parent: level.node))
        } else if oldValue != value {
          patch[key] = makeNode(value)
        }
      }
      setObject(patch, of: level.node)
      next += 1
    }
    removeEmpty(levels)
  }

  /// Removes the objects without differences, the innermost first.
  private mutating func removeEmpty(_ levels: [Level]) {
    for level in levels.reversed() {
      guard let key = level.key, let parent = level.parent else { continue }
      let object = takeObject(level.node)
      setObject(object, of: level.node)
      guard object.isEmpty else { continue }
      var outer = takeObject(parent)
      outer[key] = nil
      setObject(outer, of: parent)
    }
  }
}

/// Two objects that are compared, and where their differences go.
private struct Level {
  let node: Draft.Node
  let old: JSON
  let new: JSON
  var key: ScalarKey?
  var parent: Draft.Node?
}

extension JSON {
  /// The members by key; of those that share a key the first.
  fileprivate var firstMembers: [ScalarKey: JSON] {
    Dictionary(members.lazy.map { (ScalarKey($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

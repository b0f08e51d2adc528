extension JSON {
  /// Returns the merge patch that turns `old` into `new`: the members of `new` that differ, and `null` for each removed member.
  ///
  ///     let patch = try JSON.mergePatch(from: old, to: new)      // {"title":"Hello!","author":{"familyName":null}}
  ///
  /// Objects are compared member by member and at all depths. An array that differs is replaced as a whole. The patch of two equal objects
  /// is `{}`. If `old` or `new` is not an object, the patch is `new` itself.
  ///
  /// A merge patch cannot set a member to `null`, because that removes it. In objects, a member that is `null` is therefore treated as
  /// missing on both sides. If several members share a key, only the first is compared.
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
  /// Replaces the root with the merge patch from `old` to `new`, which are objects.
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

/// Two objects to compare, and the node for their differences.
private struct Level {
  let node: Draft.Node
  let old: JSON
  let new: JSON
  var key: ScalarKey?
  var parent: Draft.Node?
}

extension JSON {
  /// The members by key. If several members share a key, only the first is included.
  fileprivate var firstMembers: [ScalarKey: JSON] {
    Dictionary(members.lazy.map { (ScalarKey($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

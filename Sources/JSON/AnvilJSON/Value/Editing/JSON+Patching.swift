extension JSON {
  /// Returns this value with all changes of `patch` applied. If one of them fails, none is applied and an error is thrown.
  ///
  /// The result is the root of a new document. Members keep their order, and new ones are appended. If an object contains a change
  /// and several of its members share a key, only the first of them is kept.
  ///
  /// - Parameter sizeLimit: The maximum number of bytes of memory that the result may take, by default 2³² − 1. Limit it for patches
  ///   from untrusted sources, because each `copy` can double a value.
  /// - Throws: ``PatchError`` with the index of the operation that failed, or without an index if the result exceeds the limit.
  /// - Complexity: O(*n* + *k*), where *n* is the size of this value and of the result. *k* is, for each operation, the number of tokens of
  ///   its pointers and of the elements after an element that is added or removed. `test` and `copy` also count the size of the
  ///   values that they read.
  /// - Source: RFC 6902.
  public func applying(_ patch: Patch, sizeLimit: Int = Int(UInt32.max)) throws(PatchError) -> JSON {
    var draft = Draft(self)
    for (index, operation) in patch.operations.enumerated() {
      do throws(PatchError.Code) {
        try draft.apply(operation, sizeLimit: sizeLimit)
      } catch {
        throw PatchError(code: error, operationIndex: index)
      }
    }
    return try draft.result(sizeLimit: sizeLimit)
  }

  /// Returns this value with the changes of a merge patch applied.
  ///
  /// The members of a patch object replace those of this value, one by one and at all depths. A member that is `null` removes the member
  /// with its key. A patch that is not an object replaces this value as a whole.
  ///
  /// The result is the root of a new document. Members keep their order, and new ones are appended. If several members of an object that
  /// the patch changes share a key, only the first of them is kept. If several members of the patch share a key, the first is applied.
  ///
  /// - Parameter sizeLimit: The maximum number of bytes of memory that the result may take, by default 2³² − 1.
  /// - Throws: ``PatchError`` if the result exceeds the limit. There are no other errors: every value is a valid merge patch.
  /// - Complexity: O(*n*), where *n* is the size of both values.
  /// - Source: RFC 7396.
  public func applying(mergePatch patch: JSON, sizeLimit: Int = Int(UInt32.max)) throws(PatchError) -> JSON {
    var draft = Draft(self)
    draft.merge(patch)
    return try draft.result(sizeLimit: sizeLimit)
  }
}

extension Draft {
  func result(sizeLimit: Int) throws(JSON.PatchError) -> JSON {
    do throws(JSON.PatchError.Code) {
      return try build(sizeLimit: sizeLimit)
    } catch {
      throw JSON.PatchError(code: error, operationIndex: nil)
    }
  }

  fileprivate mutating func apply(
    _ operation: JSON.Patch.Operation, sizeLimit: Int
  ) throws(JSON.PatchError.Code) {
    switch operation {
    case .add(let value, let pointer): try add(makeNode(value), at: pointer)
    case .remove(let pointer): _ = try remove(at: pointer)
    case .replace(let pointer, let value): try replace(at: pointer, with: makeNode(value))
    case .move(let source, let target): try move(from: source, to: target)
    case .copy(let source, let target):
      // Read as a value first: two locations must not share a node that a later operation changes.
      let value = try value(at: source, sizeLimit: sizeLimit)
      try add(makeNode(value), at: target)
    case .test(let expected, let pointer):
      guard try value(at: pointer, sizeLimit: sizeLimit) == expected else { throw .testFailed(at: pointer) }
    }
  }

  private mutating func move(from source: JSON.Pointer, to target: JSON.Pointer) throws(JSON.PatchError.Code) {
    guard source != target else {
      // Nothing moves, but the value must exist.
      return try requireValue(at: source)
    }
    let head = JSON.Pointer(tokens: target.tokens.prefix(source.tokens.count))
    guard head != source else { throw .moveIntoItself(from: source, to: target) }
    try add(remove(at: source), at: target)
  }

  /// Merges `patch` into the root.
  fileprivate mutating func merge(_ patch: JSON) {
    var pending: [(node: Node, patch: JSON)] = [(Self.root, patch)]
    while let (node, patch) = pending.popLast() {
      guard patch.kind == .object else {
        setContent(of: node, from: makeNode(patch))
        continue
      }
      var object = takeObject(node)
      var seen: Set<ScalarKey> = []
      for (name, value) in patch.members {
        let key = ScalarKey(name)
        guard seen.insert(key).inserted else { continue }
        if value.isNull {
          object[key] = nil
        } else {
          let member = object[key] ?? makeNode()
          object[key] = member
          pending.append((member, value))
        }
      }
      setObject(object, of: node)
    }
  }
}

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

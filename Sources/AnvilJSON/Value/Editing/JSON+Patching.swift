extension JSON {
  /// This value with the changes of `patch`: all of them, or none and an error.
  ///
  /// The result is the root of a document of its own. Members keep their order, new ones come last. In an object that a
  /// change leads through, of members that share a key the first stays.
  ///
  /// - Parameter sizeLimit: how many bytes of memory the result may take, 2³² − 1 unless said otherwise: each `copy` of a
  ///   patch from elsewhere can double a value.
  /// - Throws: ``PatchError`` with the index of the operation that failed.
  /// - Complexity: O(*n* + *k*), *n* the size of this value and of the result, *k* for each operation the tokens of its
  ///   pointers, and the elements behind an element that is added or removed; `test` and `copy` the size of what they
  ///   read.
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

  /// This value with the changes of a merge patch: an object's members replace those of this value, member by member and
  /// at all depths; a member that is `null` removes one; what is no object replaces everything.
  ///
  /// The result is the root of a document of its own. Members keep their order, new ones come last. In an object that
  /// the patch changes, of members that share a key the first stays; in the patch the first counts.
  ///
  /// - Parameter sizeLimit: how many bytes of memory the result may take, 2³² − 1 unless said otherwise.
  /// - Throws: ``PatchError`` when the result is larger, and for nothing else: every value is a merge patch.
  /// - Complexity: O(*n*), *n* the size of both.
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
      // Read as a value first: two places must not share a node that is changed later.
      let value = try value(at: source, sizeLimit: sizeLimit)
      try add(makeNode(value), at: target)
    case .test(let expected, let pointer):
      guard try value(at: pointer, sizeLimit: sizeLimit) == expected else { throw .testFailed(at: pointer) }
    }
  }

  private mutating func move(from source: JSON.Pointer, to target: JSON.Pointer) throws(JSON.PatchError.Code) {
    guard source != target else {
      // Nothing moves, but it must be there.
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

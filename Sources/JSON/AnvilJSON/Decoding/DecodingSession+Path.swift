internal import AnvilBase

/// Coding paths. They are computed only when requested, from the position of a value on the tape.
extension DecodingSession {
  /// Returns the path from the root to the value at `index`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of values before it in the containers around it, up to the root. It is less if this path
  ///   and the path requested last have a common prefix. Keys of the common prefix are converted only once.
  func codingPath(to index: Int) -> [any CodingKey] {
    let members = pathCursor.members(to: index, from: root, in: document)
    var path: [any CodingKey] = []
    path.reserveCapacity(members.count)
    for (depth, member) in members.enumerated() {
      if depth < pathKeys.count, pathKeys[depth].start != member.start { pathKeys.removeSubrange(depth...) }
      if depth == pathKeys.count { pathKeys.append((member.start, key(of: member, after: path))) }
      path.append(pathKeys[depth].key)
    }
    return path
  }

  /// Returns the key of `member`, whose container is at `path`.
  private func key(of member: PathCursor.Member, after path: [any CodingKey]) -> DecodingKey {
    guard document.tape[member.container].is(.object) else { return DecodingKey(intValue: member.position) }
    return DecodingKey(stringValue: convertedKey(pathCursor.key(of: member, in: document), after: path))
  }
}

/// The errors of decoding, created out of line.
extension DecodingSession {
  /// Returns a description of the value at `index`.
  private func found(at index: Int) -> String {
    switch document.tape[index].kind {
    case .null: "null"
    case .false, .true: "a boolean"
    case .integer, .double, .signed, .unsigned: "a number"
    case .string, .longString: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Returns the error for the value at `index`, which is not of the kind that `type` is decoded from.
  @inline(never)
  func mismatch(_ type: Any.Type, at index: Int) -> any Error {
    let path = codingPath(to: index)
    if document.tape[index].is(.null) {
      return DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "Expected \(type), found null."))
    }
    return DecodingError.typeMismatch(
      type, .init(codingPath: path, debugDescription: "Expected \(type), found \(found(at: index))."))
  }

  /// Returns the error for the value at `index`, which has the right kind but is not a valid `type`.
  @inline(never)
  func corrupted(_ reason: String, at index: Int) -> any Error {
    DecodingError.dataCorrupted(.init(codingPath: codingPath(to: index), debugDescription: reason))
  }

  /// Returns the error for the value at `index`, which is a number that `type` cannot represent, or not a number.
  @inline(never)
  func unfitting(_ type: Any.Type, at index: Int) -> any Error {
    guard document.tape[index].isNumber else { return mismatch(type, at: index) }
    return corrupted("The number \(document.numberText(at: index)?.prefix(40) ?? "") does not fit \(type).", at: index)
  }

  /// Returns the error for the object at `index`, which has no member `key`.
  @inline(never)
  func missing(_ key: any CodingKey, in index: Int) -> any Error {
    DecodingError.keyNotFound(
      key,
      .init(
        codingPath: codingPath(to: index),
        debugDescription: "No value for the key \(key.stringValue.quoted)."))
  }

  /// Returns the error for the array at `index`, which has no element at `position`.
  @inline(never)
  func atEnd(_ type: Any.Type, of index: Int, _ position: Int) -> any Error {
    DecodingError.valueNotFound(
      type,
      .init(
        codingPath: codingPath(to: index) + [DecodingKey(intValue: position)],
        debugDescription: "The array has only \(position) elements."))
  }
}

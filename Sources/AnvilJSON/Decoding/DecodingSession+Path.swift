/// Coding paths, which are made only where they are asked for: from a value's place on the tape.
extension DecodingSession {
  /// The path from the root to the value at `index`.
  ///
  /// - Complexity: O(*n*), *n* the number of values before it in the containers around it, up to the root; where paths are
  ///   asked for in the order of the text, the number of those behind the value of the last one.
  func codingPath(to index: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var container = root
    while container < index, document.tape[container].isContainer {
      let depth = path.count
      guard let step = step(towards: index, in: container, at: path) else { return path }
      path.append(step.key)
      if depth < latestMembers.count {
        latestMembers[depth] = step.member
      } else {
        latestMembers.append(step.member)
      }
      container = step.value
    }
    return path
  }

  /// The path to the object around the key at `index`.
  func codingPath(ofContainerAround index: Int) -> [any CodingKey] {
    Array(codingPath(to: index + document.tape[index].span).dropLast())
  }

  /// A member that is on the path that was asked for last: where its container, and itself, begin.
  struct Member {
    let container: Int
    let start: Int
    let position: Int
  }

  /// The member of `container`, which is at `path`, that holds what is at `index`.
  private func step(
    towards index: Int, in container: Int, at path: [any CodingKey]
  ) -> (key: DecodingKey, value: Int, member: Member)? {
    let isObject = document.tape[container].is(.object)
    let end = container + document.tape[container].span
    var next = container + 1
    var position = 0
    // Thousands of elements with an error each would take time by the square.
    if path.count < latestMembers.count, case let latest = latestMembers[path.count], latest.container == container,
      latest.start <= index
    {
      next = latest.start
      position = latest.position
    }
    while next < end {
      let value = isObject ? next + document.tape[next].span : next
      let after = value + document.tape[value].span
      if index < after {
        let member = Member(container: container, start: next, position: position)
        guard isObject else { return (DecodingKey(intValue: position), value, member) }
        guard case .custom(let convert) = options.keys else {
          return (DecodingKey(stringValue: convertedKey(at: next)), value, member)
        }
        // The path is here already: asked for its key, a member would build it anew.
        let key = convert(path + [DecodingKey(stringValue: document.string(at: next))])
        return (DecodingKey(stringValue: key.stringValue), value, member)
      }
      next = after
      position += 1
    }
    return nil
  }
}

/// The errors of decoding, made out of line.
extension DecodingSession {
  /// What is at `index`, in words.
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

  /// The value at `index` is not of the kind that `type` is decoded from.
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

  /// The value at `index` is of the right kind and cannot be a `type` all the same.
  @inline(never)
  func corrupted(_ reason: String, at index: Int) -> any Error {
    DecodingError.dataCorrupted(.init(codingPath: codingPath(to: index), debugDescription: reason))
  }

  /// The number at `index` is none that `type` can hold, or no number.
  @inline(never)
  func unfitting(_ type: Any.Type, at index: Int) -> any Error {
    guard document.tape[index].isNumber else { return mismatch(type, at: index) }
    return corrupted("The number \(document.numberText(at: index)?.prefix(40) ?? "") does not fit \(type).", at: index)
  }

  /// The object at `index` has no member `key`.
  @inline(never)
  func missing(_ key: any CodingKey, in index: Int) -> any Error {
    DecodingError.keyNotFound(
      key,
      .init(
        codingPath: codingPath(to: index),
        debugDescription: "No value for the key \(key.stringValue.debugDescription)."))
  }

  /// The array at `index` has no element number `position`.
  @inline(never)
  func atEnd(_ type: Any.Type, of index: Int, _ position: Int) -> any Error {
    DecodingError.valueNotFound(
      type,
      .init(
        codingPath: codingPath(to: index) + [DecodingKey(intValue: position)],
        debugDescription: "The array has only \(position) elements."))
  }
}

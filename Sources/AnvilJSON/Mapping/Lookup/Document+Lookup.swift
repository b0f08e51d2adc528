/// Members of objects by key, as the mapping looks them up.
extension Document {
  /// The index of the value of the first member of the object at `index` whose key has the bytes `key`; -1 when none has.
  ///
  /// - Complexity: O(*n*), *n* the number of members.
  func value(ofKey key: Span<UInt8>, inObjectAt index: Int) -> Int {
    let pattern = KeyPattern(key)
    let end = index &+ tape[index].span
    var next = index &+ 1
    while next < end {
      let value = next &+ tape[next].span
      if matches(pattern, key, at: next) { return value }
      next = value &+ tape[value].span
    }
    return -1
  }

  @inline(__always)
  private func matches(_ pattern: KeyPattern, _ key: Span<UInt8>, at index: Int) -> Bool {
    pattern.matches(self, at: index) && (pattern.count <= 16 || self.key(at: index, equals: key))
  }

  /// The index of the value to which `step` leads from the value at `index`; -1 when there is none.
  func value(at step: JSON.Step, from index: Int) -> Int {
    switch step {
    case .key(let key): tape[index].is(.object) ? value(ofKey: key.utf8Span.span, inObjectAt: index) : -1
    case .index(let position): tape[index].is(.array) ? element(position, ofArrayAt: index) ?? -1 : -1
    }
  }

  /// The index of the value to which `path` leads from the value at `index`; -1 when there is none.
  func value(at path: JSON.Path, from index: Int) -> Int {
    switch path.storage {
    case .literal(let key):
      return key.withUTF8Buffer { buffer in
        // Safety: the buffer is used in the call only.
        unsafe tape[index].is(.object) ? value(ofKey: buffer.span, inObjectAt: index) : -1
      }
    case .other(let steps):
      var index = index
      if case .one(let step) = steps.storage { return value(at: step, from: index) }
      for step in steps.array {
        index = value(at: step, from: index)
        guard index >= 0 else { return -1 }
      }
      return index
    }
  }
}

extension JSON {
  /// The index of the value to which `path` leads; `nil` when a step that may be missing leads nowhere or to `null`, or the
  /// path ends at `null`.
  ///
  /// - Throws: ``MissingKeyError`` and ``TypeMismatchError``.
  func index(at path: OptionalPath) throws -> Int? {
    if case .optional(let path) = path.storage {
      let found = document.value(at: path, from: index)
      if found >= 0 { return document.tape[found].is(.null) ? nil : found }
    }
    return try index(atUncommon: path)
  }

  @inline(never)
  private func index(atUncommon path: OptionalPath) throws -> Int? {
    var index = index
    let steps = path.steps
    for (number, step) in steps.enumerated() {
      let next = document.value(at: step.step, from: index)
      let isContainer = document.tape[index].accepts(step.step)
      if isContainer, !step.isRequired, next < 0 || document.tape[next].is(.null) { return nil }
      guard next >= 0 else {
        throw failure(of: step.step, behind: Path(steps: steps[..<number].map(\.step)), index: index)
      }
      index = next
    }
    return document.tape[index].is(.null) ? nil : index
  }
}

extension TapeWord {
  /// Whether the value is a container of the kind that has such steps.
  func accepts(_ step: JSON.Step) -> Bool {
    switch step {
    case .key: self.is(.object)
    case .index: self.is(.array)
    }
  }
}

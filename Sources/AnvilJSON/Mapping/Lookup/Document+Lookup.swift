/// Members of objects by key, as the mapping looks them up.
extension Document {
  /// The index of the value of the first member of the object at `index` whose key has the bytes `key`; -1 when none has.
  ///
  /// Keys are mostly asked for in the order in which they stand: the member behind the last one found is tried first, where
  /// ``memberHint`` has it, and then the others around.
  ///
  /// - Complexity: O(*n*), *n* the number of members; O(1) for the next member of an object that is read member by member.
  func value(ofKey key: Span<UInt8>, inObjectAt index: Int) -> Int {
    let pattern = KeyPattern(key)
    let first = index &+ 1
    let end = index &+ tape[index].span
    switch memberHint.state(ofObjectAt: index) {
    case .next(let next):
      if next < end, matches(pattern, key, at: next) {
        let value = next &+ 1
        memberHint.set(.next(value &+ tape[value].span), ofObjectAt: index)
        return value
      }
      var value = self.value(of: pattern, key, from: next, to: end)
      if value < 0 { value = self.value(of: pattern, key, from: first, to: next) }
      if value >= 0 { memberHint.set(.next(value &+ tape[value].span), ofObjectAt: index) }
      return value
    case .unknown:
      let value = self.value(of: pattern, key, from: first, to: end)
      memberHint.set(.seen, ofObjectAt: index)
      return value
    case .seen:
      let value = self.value(of: pattern, key, from: first, to: end)
      let state: MemberHint.State =
        !hasDistinctKeys(from: first, to: end) ? .ambiguous : .next(value < 0 ? first : value &+ tape[value].span)
      memberHint.set(state, ofObjectAt: index)
      return value
    case .ambiguous:
      return self.value(of: pattern, key, from: first, to: end)
    }
  }

  /// The index of the value of the first of the members from `start` to `end` whose key is `key`; -1 when none is.
  @inline(__always)
  private func value(of pattern: KeyPattern, _ key: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var next = start
    while next < end {
      if matches(pattern, key, at: next) { return next &+ tape[next].span }
      let value = next &+ tape[next].span
      next = value &+ tape[value].span
    }
    return -1
  }

  @inline(__always)
  private func matches(_ pattern: KeyPattern, _ key: Span<UInt8>, at index: Int) -> Bool {
    pattern.matches(self, at: index) && (pattern.count <= 16 || self.key(at: index, equals: key))
  }

  /// Whether it is certain that no two of the members from `start` to `end` share a key.
  ///
  /// - Complexity: O(*n*) with a set of 512 bits, and O(*n*) more for each two keys that share one.
  func hasDistinctKeys(from start: Int, to end: Int) -> Bool {
    var seen = SIMD8<UInt64>(repeating: 0)
    var next = start
    var count = 0
    while next < end {
      guard let pattern = KeyPattern(of: self, at: next), count < 256 else { return false }
      let hash = pattern.hash
      let bit: UInt64 = 1 &<< (hash & 63)
      let word = Int(truncatingIfNeeded: hash &>> 6 & 7)
      if seen[word] & bit != 0 {
        var other = start
        while other < next {
          if pattern.matches(self, at: other) { return false }
          let value = other &+ tape[other].span
          other = value &+ tape[value].span
        }
      }
      seen[word] |= bit
      count &+= 1
      let value = next &+ tape[next].span
      next = value &+ tape[value].span
    }
    return true
  }

  /// The index of the value to which `step` leads from the value at `index`; -1 when there is none.
  func value(at step: JSON.Step, from index: Int) -> Int {
    switch step {
    case .key(let key): tape[index].is(.object) ? key.withUTF8Span { value(ofKey: $0, inObjectAt: index) } : -1
    case .index(let position): tape[index].is(.array) ? element(position, ofArrayAt: index) ?? -1 : -1
    }
  }

  /// Where a path leads.
  @usableFromInline
  struct Found: Sendable {
    /// The index of the value; -1 when there is none.
    @usableFromInline let index: Int
    /// What was known of the object in which the path begins: for ``Document/restore(_:)``.
    @usableFromInline let hint: UInt64

    static let nothing = Found(index: -1, hint: 0)
  }

  /// Goes back to an object after the one of its members that `hint` was found with has been read.
  @usableFromInline
  func restore(_ hint: UInt64) { memberHint.restore(hint) }

  /// The value to which `path` leads from the value at `index`.
  @usableFromInline
  func value(at path: JSON.Path, from index: Int) -> Found {
    let value: Int
    switch path.storage {
    case .literal(let key):
      value = key.withUTF8Buffer { buffer in
        // Safety: the buffer is used in the call only.
        unsafe tape[index].is(.object) ? self.value(ofKey: buffer.span, inObjectAt: index) : -1
      }
    case .other(let steps):
      switch steps.storage {
      case .one(let step): value = self.value(at: step, from: index)
      case .many(let steps): return self.value(at: steps, from: index)
      }
    }
    return Found(index: value, hint: memberHint.saved)
  }

  @inline(never)
  private func value(at steps: [JSON.Step], from index: Int) -> Found {
    var index = index
    var hint: UInt64?
    for step in steps {
      index = value(at: step, from: index)
      guard index >= 0 else { return .nothing }
      hint = hint ?? memberHint.saved
    }
    return Found(index: index, hint: hint ?? memberHint.saved)
  }
}

extension JSON {
  /// The value to which `path` leads; none when a step that may be missing leads nowhere or to `null`, or the path ends at
  /// `null`.
  ///
  /// - Throws: ``MissingKeyError`` and ``TypeMismatchError``.
  @usableFromInline
  func value(lookedUpAt path: OptionalPath) throws -> Document.Found {
    if case .optional(let path) = path.storage {
      let found = document.value(at: path, from: index)
      if found.index >= 0 { return document.tape[found.index].is(.null) ? .nothing : found }
    }
    return try value(lookedUpAtUncommon: path)
  }

  @inline(never)
  private func value(lookedUpAtUncommon path: OptionalPath) throws -> Document.Found {
    var index = index
    var hint: UInt64?
    let steps = path.steps
    for (number, step) in steps.enumerated() {
      let next = document.value(at: step.step, from: index)
      let isContainer = document.tape[index].accepts(step.step)
      if isContainer, !step.isRequired, next < 0 || document.tape[next].is(.null) { return .nothing }
      guard next >= 0 else {
        throw failure(of: step.step, behind: Path(steps: steps[..<number].map(\.step)), index: index)
      }
      hint = hint ?? document.memberHint.saved
      index = next
    }
    return document.tape[index].is(.null)
      ? .nothing : Document.Found(index: index, hint: hint ?? document.memberHint.saved)
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

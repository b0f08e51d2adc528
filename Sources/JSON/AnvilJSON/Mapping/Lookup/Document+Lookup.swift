/// The lookup of members by key for the mapping.
extension Document {
  /// Returns the index of the value of the first member of the object at `index` whose key has the bytes `key`; -1 if
  /// the key is missing.
  ///
  /// Keys are usually looked up in document order. The member after the last one found is therefore tried first, if
  /// ``memberHint`` has it, and then the other members.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members; O(1) for the next member of an object that is read in
  ///   order.
  func value(ofKey key: Span<UInt8>, inObjectAt index: Int) -> Int {
    let pattern = KeyPattern(key)
    let value = likelyValue(of: pattern, key, inObjectAt: index)
    return value >= 0 ? value : searchedValue(of: pattern, key, inObjectAt: index)
  }

  /// Does the same as ``value(ofKey:inObjectAt:)`` for a value that may not be an object. Also returns the hint before
  /// the lookup.
  @usableFromInline
  func value(ofKey key: LiteralKey, at index: Int) -> Found {
    let pattern = KeyPattern(key)
    let word = tape[index]
    if word.is(.object), word.count <= Self.fewMembers {
      return found(key.withBytes { self.value(of: pattern, $0, from: index &+ 1, to: index &+ word.containerSpan) })
    }
    let value = key.withBytes { likelyValue(of: pattern, $0, inObjectAt: index) }
    if value >= 0 { return found(value) }
    return word.is(.object) ? searchedValue(ofKey: key, inObjectAt: index) : .nothing
  }

  @inline(never)
  private func searchedValue(ofKey key: LiteralKey, inObjectAt index: Int) -> Found {
    found(key.withBytes { searchedValue(of: KeyPattern(key), $0, inObjectAt: index) })
  }

  @inline(__always)
  private func found(_ value: Int) -> Found {
    value >= 0 ? Found(index: value, hint: memberHint.saved, word: tape[value]) : .nothing
  }

  /// The member count up to which an object is searched from its first member, without a hint.
  private static var fewMembers: Int { 4 }

  /// Returns the index of the value of the member that is probably looked up next, if its key is `key`; -1 otherwise.
  @inline(__always)
  private func likelyValue(of pattern: KeyPattern, _ key: Span<UInt8>, inObjectAt index: Int) -> Int {
    guard let next = memberHint.next(ofObjectAt: index), next < index &+ tape[index].containerSpan,
      matches(pattern, key, at: next)
    else { return -1 }
    let value = next &+ 1
    memberHint.set(.next(value &+ tape[value].span), ofObjectAt: index)
    return value
  }

  @inline(never)
  private func searchedValue(of pattern: KeyPattern, _ key: Span<UInt8>, inObjectAt index: Int) -> Int {
    let word = tape[index]
    let first = index &+ 1
    let end = index &+ word.span
    if word.count <= Self.fewMembers { return self.value(of: pattern, key, from: first, to: end) }
    switch memberHint.state(ofObjectAt: index) {
    case .next(let next):
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
        !hasDistinctKeys(inObjectAt: index) ? .ambiguous : .next(value < 0 ? first : value &+ tape[value].span)
      memberHint.set(state, ofObjectAt: index)
      return value
    case .ambiguous:
      return self.value(of: pattern, key, from: first, to: end)
    }
  }

  /// Returns the index of the value of the first member from `start` to `end` whose key is `key`; -1 if the key is
  /// missing.
  @inline(__always)
  private func value(of pattern: KeyPattern, _ key: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var next = start
    while next < end {
      let value = next &+ tape[next].scalarSpan
      if matches(pattern, key, at: next) { return value }
      next = value &+ tape[value].span
    }
    return -1
  }

  @inline(__always)
  private func matches(_ pattern: KeyPattern, _ key: Span<UInt8>, at index: Int) -> Bool {
    pattern.matches(self, at: index) && (pattern.count <= 16 || self.key(at: index, equals: key))
  }

  /// Returns whether it is certain that no two members of the object at `index` share a key.
  ///
  /// - Complexity: O(*n*) with a set of hashes, where *n* is the number of members, plus O(*n*) for each key whose hash an earlier key has.
  func hasDistinctKeys(inObjectAt index: Int) -> Bool {
    let word = tape[index]
    let first = index &+ 1
    guard word.count > 1 else { return true }
    // With more members, hashes collide so often that the search is as fast.
    guard word.count <= 256 else { return false }
    let end = index &+ word.span
    return KeyBits.with { seen in
      var next = first
      while next < end {
        guard let pattern = KeyPattern(of: self, at: next) else { return false }
        if seen.insert(pattern.hash) {
          var other = first
          while other < next {
            if pattern.matches(self, at: other) { return false }
            let value = other &+ tape[other].scalarSpan
            other = value &+ tape[value].span
          }
        }
        let value = next &+ 1
        next = value &+ tape[value].span
      }
      return true
    }
  }

  /// Returns the index of the value to which `step` leads from the value at `index`; -1 if the step leads nowhere.
  func value(at step: JSON.Step, from index: Int) -> Int {
    switch step {
    case .key(let key): tape[index].is(.object) ? key.withUTF8Span { value(ofKey: $0, inObjectAt: index) } : -1
    case .index(let position): tape[index].is(.array) ? element(position, ofArrayAt: index) ?? -1 : -1
    }
  }

  /// The result of following a path.
  @usableFromInline
  struct Found: Sendable {
    /// The index of the value; -1 if no value was found.
    @usableFromInline let index: Int
    /// The hint for the object in which the path begins, for ``Document/restore(_:)``.
    @usableFromInline let hint: UInt64
    /// The word of the value; that of `null` if there is no value.
    @usableFromInline let word: TapeWord

    static let nothing = Found(index: -1, hint: 0, word: .null)
  }

  /// Restores `hint`, which a member of an object was found with, after the member has been decoded.
  @usableFromInline
  func restore(_ hint: UInt64) { memberHint.restore(hint) }

  /// Returns the value to which `path` leads from the value at `index`.
  @usableFromInline
  func value(at path: JSON.Path, from index: Int) -> Found {
    let value: Int
    switch path.storage {
    case .literal(let key):
      if key.hasPointerRepresentation { return self.value(ofKey: LiteralKey(key), at: index) }
      value = self.value(at: .key(key.description), from: index)
    case .other(let steps):
      switch steps.storage {
      case .one(let step): value = self.value(at: step, from: index)
      case .many(let steps): return self.value(at: steps, from: index)
      }
    }
    return found(value)
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
    return Found(index: index, hint: hint ?? memberHint.saved, word: tape[index])
  }
}

extension JSON {
  /// Returns the value to which `path` leads, or `Found.nothing`. No value is found if an optional step is missing or
  /// leads to `null`, or if the path ends at `null`.
  ///
  /// - Throws: ``MissingKeyError`` for a required step that is missing; ``TypeMismatchError`` for a step into a value
  ///   of another kind.
  @usableFromInline
  func value(lookedUpAt path: OptionalPath) throws -> Document.Found {
    if case .optional(let path) = path.storage {
      let found = document.value(at: path, from: index)
      if found.index >= 0 { return found.word.is(.null) ? .nothing : found }
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
        throw failure(of: step.step, after: Path(steps: steps[..<number].map(\.step)), index: index)
      }
      hint = hint ?? document.memberHint.saved
      index = next
    }
    let word = document.tape[index]
    return word.is(.null) ? .nothing : Document.Found(index: index, hint: hint ?? document.memberHint.saved, word: word)
  }
}

extension TapeWord {
  /// Returns whether the value is a container into which `step` can lead: an object for a key, an array for an index.
  func accepts(_ step: JSON.Step) -> Bool {
    switch step {
    case .key: self.is(.object)
    case .index: self.is(.array)
    }
  }
}
